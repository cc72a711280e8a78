//! Named entities, and the passages that mention them.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::content::{NamedEntity, is_unspaced};
use crate::query::{Syntax, parse};
use crate::search::{Passage, Passages};
use crate::store::{Store, StoreError, StoredDocument, Target};

/// Mentions that are shown; all are counted.
pub const MAX_MENTIONS: usize = 20;

/// Names that are looked for; nobody has more.
const MAX_NAMES: usize = 100;

/// A named entity as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundEntity {
    /// The document that it is stored as.
    pub document: StoredDocument,
    /// The entity.
    pub entity: NamedEntity,
    /// The passages that mention it best, in document order.
    pub mentions: Vec<Passage>,
    /// How many passages mention it.
    pub n_mentions: usize,
}

/// The entity that `document` is stored for; `None` for other documents.
pub fn entity_of(document: &StoredDocument) -> Option<NamedEntity> {
    NamedEntity::of_document(&document.media_type, &document.metadata, &document.labels)
}

/// The entity that `target` is, or is a part of, with the passages of `store` that mention its name
/// or an alias as a phrase; those of the entity itself are left out. `None` where it is no entity.
///
/// # Errors
///
/// When the store cannot be read.
pub fn entity_at(store: &dyn Store, target: Target) -> Result<Option<FoundEntity>, StoreError> {
    let document = document_of(store, target)?;
    let Some((document, entity)) = document.and_then(|it| entity_of(&it).map(|entity| (it, entity))) else {
        return Ok(None);
    };
    let own = store.document_rows(document.number)?;
    let mut rows = Vec::new();
    let names = Names::of(&entity);
    if let Some(text) = store.text() {
        // A query that is too long is cut, not refused.
        if let Ok(query) = parse(&phrases(&entity), Syntax::default()) {
            let n_chunks = store.info()?.n_chunks;
            rows = text.search_text(&query, n_chunks, None)?.hits.into_iter().map(|(row, _)| row).collect();
            rows.retain(|row| !own.contains(row));
        }
    }
    let mut passages = Passages::new(store);
    let (mut mentions, mut n_mentions) = (Vec::new(), 0);
    for row in rows {
        let Some(chunk) = store.chunk_at(row)? else { continue };
        // The search knows titles and addresses too, in which nothing is mentioned.
        if !names.are_in(&chunk.urtext) {
            continue;
        }
        n_mentions += 1;
        if mentions.len() < MAX_MENTIONS {
            mentions.push(passages.of(chunk)?);
        }
    }
    mentions.sort_by(|a, b| {
        let place = |it: &Passage| (it.document.uri.clone(), it.chunk.chunk.sequence);
        place(a).cmp(&place(b))
    });
    Ok(Some(FoundEntity { document, entity, mentions, n_mentions }))
}

/// Whether `target` is an entity, or a part of one.
///
/// # Errors
///
/// When the store cannot be read.
pub fn is_entity(store: &dyn Store, target: Target) -> Result<bool, StoreError> {
    Ok(document_of(store, target)?.is_some_and(|it| entity_of(&it).is_some()))
}

fn document_of(store: &dyn Store, target: Target) -> Result<Option<StoredDocument>, StoreError> {
    Ok(match target {
        Target::Document(id) => store.document(id)?,
        Target::Section(id) => match store.section_place(id)? {
            Some((number, _)) => store.document_numbered(number)?,
            None => None,
        },
        Target::Chunk(id) => match store.chunk(id)? {
            Some(chunk) => store.document_numbered(chunk.document)?,
            None => None,
        },
    })
}

/// The name and the aliases, as they are compared with a text.
struct Names(Vec<String>);

impl Names {
    fn of(entity: &NamedEntity) -> Self {
        let names = std::iter::once(&entity.name).chain(&entity.aliases).take(MAX_NAMES);
        let folded = names.map(|name| folded(name)).filter(|it| !it.trim().is_empty());
        // Where words have no spaces around them, names have none either.
        Self(folded.map(|it| if it.contains(is_unspaced) { it.trim().to_owned() } else { it }).collect())
    }

    fn are_in(&self, text: &str) -> bool {
        let text = folded(text);
        self.0.iter().any(|name| text.contains(name))
    }
}

/// The words of a text with one space around each, in lower case and without accents, as the text index has them.
fn folded(text: &str) -> String {
    let mut folded = String::from(" ");
    for c in text.nfkd().filter(|&c| !is_combining_mark(c)).flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            folded.push(c);
        } else if !folded.ends_with(' ') {
            folded.push(' ');
        }
    }
    if !folded.ends_with(' ') {
        folded.push(' ');
    }
    folded
}

/// The name and the aliases as phrases, any of which may stand.
fn phrases(entity: &NamedEntity) -> String {
    let names = std::iter::once(&entity.name).chain(&entity.aliases).take(MAX_NAMES);
    let quoted = names.map(|name| format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")));
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_mentioned_by_its_words_in_a_row() {
        let check = |name: &str, text: &str, expected: bool| {
            let entity = NamedEntity { name: name.to_owned(), ..NamedEntity::default() };
            assert_eq!(Names::of(&entity).are_in(text), expected, "{name}: {text}");
        };
        check("Ada Lovelace", "Notes by **ADA**\nLovelace's hand", true);
        check("Ada Lovelace", "Ada, Countess of Lovelace", false);
        check("Ada", "Adamant", false);
        check("Zoë", "zoe said", true);
        check("O'Brien", "O\u{2019}Brien", true);
        check("東京", "私は東京に住んでいます", true);
        check("!", "well!", false);
    }

    #[test]
    fn names_are_phrases_whatever_is_in_them() {
        let entity = NamedEntity {
            name: "Ada \"the\" L\\ovelace".to_owned(),
            aliases: vec!["A*".to_owned()],
            ..NamedEntity::default()
        };
        let text = phrases(&entity);
        assert_eq!(text, r#""Ada \"the\" L\\ovelace" "A*""#);
        let query = parse(&text, Syntax { is_strict: true, ..Syntax::default() }).unwrap();
        assert_eq!(query.words(), [r#"Ada "the" L\ovelace"#, "A*"]);
    }
}
