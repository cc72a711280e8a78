//! Named entities: people, places, things that texts are about.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::content::Metadata;

/// Media type of the document that a named entity is stored as; no other document has it.
pub const ENTITY_MEDIA_TYPE: &str = "application/vnd.ragctl.entity+json";

/// Metadata keys of an entity's own fields; everything else in its metadata are properties.
const OWN_KEYS: [&str; 4] = ["id", "name", "description", "aliases"];

/// Fields of the JSON that an entity is read from.
const FIELDS: [&str; 6] = ["id", "name", "description", "labels", "properties", "aliases"];

/// Longest id, bytes: it is part of a URI.
const MAX_ID_BYTES: usize = 1000;

/// A named entity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NamedEntity {
    /// Its id in the file that it comes from, which is also the end of its URI.
    pub key: String,
    /// What it is called.
    pub name: String,
    /// What else it is called.
    pub aliases: Vec<String>,
    /// What it is, in words; may be empty.
    pub description: String,
    /// What it is, in kinds.
    pub labels: BTreeSet<String>,
    /// What is known of it.
    pub properties: Metadata,
    /// What was left out when it was read: unknown fields, and properties with the name of a field.
    pub left_out: Vec<String>,
}

impl NamedEntity {
    /// Reads `{"id", "name", "description"?, "labels"?, "properties"?, "aliases"?}`.
    ///
    /// ```
    /// use ragctl::content::NamedEntity;
    ///
    /// let entity = NamedEntity::parse(serde_json::json!({
    ///     "id": "ada", "name": "Ada Lovelace", "labels": ["Person"], "properties": {"born": 1815},
    /// }))?;
    /// assert_eq!((entity.key.as_str(), &entity.properties["born"]), ("ada", &1815.into()));
    /// assert_eq!(NamedEntity::parse(serde_json::json!({"id": "ada"})), Err("it has no name".to_owned()));
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A sentence that says what is wrong.
    pub fn parse(value: Value) -> Result<Self, String> {
        let Value::Object(mut fields) = value else { return Err("it is no JSON object".to_owned()) };
        let key = key_of(fields.remove("id").as_ref())?;
        let name = text(fields.remove("name"), "name")?.filter(|it| !it.is_empty());
        let name = name.ok_or("it has no name")?;
        let description = text(fields.remove("description"), "description")?.unwrap_or_default();
        let labels = texts(fields.remove("labels"), "labels")?.into_iter().collect();
        let aliases = texts(fields.remove("aliases"), "aliases")?;
        let mut properties = match fields.remove("properties") {
            None | Some(Value::Null) => Metadata::new(),
            Some(Value::Object(properties)) => properties.into_iter().collect(),
            Some(_) => return Err("its properties are no JSON object".to_owned()),
        };
        let mut left_out: Vec<String> = fields
            .keys()
            .map(|field| format!("field '{field}' left out: it is none of {}", FIELDS.join(", ")))
            .collect();
        for key in OWN_KEYS {
            if properties.remove(key).is_some() {
                left_out.push(format!("property '{key}' left out: a field of every entity has that name"));
            }
        }
        Ok(Self { key, name, aliases, description, labels, properties, left_out })
    }

    /// The metadata of its document: fields and properties side by side, so that filters know both.
    pub fn metadata(&self) -> Metadata {
        let mut metadata = self.properties.clone();
        metadata.insert("id".to_owned(), self.key.clone().into());
        metadata.insert("name".to_owned(), self.name.clone().into());
        if !self.description.is_empty() {
            metadata.insert("description".to_owned(), self.description.clone().into());
        }
        if !self.aliases.is_empty() {
            metadata.insert("aliases".to_owned(), self.aliases.clone().into());
        }
        metadata
    }

    /// The entity that a document with this media type, metadata and labels is stored for; `None` for other documents.
    pub fn of_document(media_type: &str, metadata: &Metadata, labels: &BTreeSet<String>) -> Option<Self> {
        if media_type != ENTITY_MEDIA_TYPE {
            return None;
        }
        let text = |key: &str| metadata.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let aliases = metadata.get("aliases").and_then(Value::as_array).into_iter().flatten();
        let is_property = |key: &str| !OWN_KEYS.contains(&key);
        Some(Self {
            key: text("id"),
            name: text("name"),
            aliases: aliases.filter_map(|it| it.as_str().map(str::to_owned)).collect(),
            description: text("description"),
            labels: labels.clone(),
            properties: metadata
                .iter()
                .filter(|(key, _)| is_property(key))
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect(),
            left_out: Vec::new(),
        })
    }
}

fn key_of(id: Option<&Value>) -> Result<String, String> {
    let key = match id {
        None | Some(Value::Null) => return Err("it has no id".to_owned()),
        Some(Value::String(id)) => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        Some(_) => return Err("its id is neither a string nor a number".to_owned()),
    };
    if key.is_empty() || key.len() > MAX_ID_BYTES || key.chars().any(char::is_control) {
        return Err(format!("its id is not 1 to {MAX_ID_BYTES} bytes of text on one line"));
    }
    Ok(key)
}

fn text(value: Option<Value>, field: &str) -> Result<Option<String>, String> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.trim().to_owned())),
        Some(_) => Err(format!("its {field} is no string")),
    }
}

fn texts(value: Option<Value>, field: &str) -> Result<Vec<String>, String> {
    let wrong = || format!("its {field} are no list of strings");
    match value {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => {
            let texts = items.into_iter().map(|it| match it {
                Value::String(text) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
                _ => Err(wrong()),
            });
            texts.collect()
        }
        Some(_) => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_no_entity_says_why() {
        let check =
            |value: Value, expected: &str| assert_eq!(NamedEntity::parse(value), Err(expected.to_owned()));
        check(json!([]), "it is no JSON object");
        check(json!({"name": "x"}), "it has no id");
        check(json!({"id": ["x"], "name": "x"}), "its id is neither a string nor a number");
        check(json!({"id": "a\nb", "name": "x"}), "its id is not 1 to 1000 bytes of text on one line");
        check(json!({"id": 1, "name": " "}), "it has no name");
        check(json!({"id": 1, "name": 2}), "its name is no string");
        check(json!({"id": 1, "name": "x", "labels": "Person"}), "its labels are no list of strings");
        check(json!({"id": 1, "name": "x", "properties": []}), "its properties are no JSON object");
    }

    #[test]
    fn a_document_gives_its_entity_back() {
        let entity = NamedEntity::parse(json!({
            "id": 7, "name": "Ada", "aliases": ["Countess"], "description": "A mathematician.", "labels": ["Person"],
            "properties": {"born": 1815, "name": "hidden"}, "lables": [],
        }))
        .unwrap();
        assert_eq!(entity.left_out.len(), 2);
        let back = NamedEntity::of_document(ENTITY_MEDIA_TYPE, &entity.metadata(), &entity.labels).unwrap();
        assert_eq!(back, NamedEntity { left_out: Vec::new(), ..entity.clone() });
        assert_eq!(NamedEntity::of_document("text/plain", &entity.metadata(), &entity.labels), None);
    }
}
