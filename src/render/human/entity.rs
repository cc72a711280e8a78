//! A named entity.

use std::fmt::Write as _;

use super::{Style, one_line, path_of, place, plural, short_id, title_path};
use crate::search::FoundEntity;

/// A named entity: names, labels, description, properties, where it is mentioned.
pub fn entity(found: &FoundEntity, style: Style) -> String {
    let FoundEntity { document, entity, mentions, n_mentions } = found;
    let labels = entity_labels(entity.labels.iter());
    let mut out = format!(
        "{}{labels}\n{}  {}\n",
        style.bold(&one_line(&entity.name)),
        style.place(&path_of(&document.uri)),
        document.id
    );
    if !entity.aliases.is_empty() {
        let aliases: Vec<String> = entity.aliases.iter().map(|it| one_line(it)).collect();
        let _ = writeln!(out, "also: {}", aliases.join("; "));
    }
    if !entity.description.is_empty() {
        let _ = writeln!(out, "\n{}", entity.description);
    }
    if !entity.properties.is_empty() {
        out.push('\n');
    }
    for (key, value) in &entity.properties {
        let _ = writeln!(out, "{key}: {}", value.as_str().map_or_else(|| value.to_string(), one_line));
    }
    let _ = writeln!(out, "\nmentioned in {n_mentions} passage{}", plural(*n_mentions));
    for passage in mentions {
        let _ = writeln!(
            out,
            "  {}  {}  {}",
            short_id(passage.chunk.chunk.id),
            style.place(&place(&passage.document.uri, &passage.chunk.location)),
            title_path(passage)
        );
    }
    if *n_mentions > mentions.len() {
        let _ = writeln!(out, "  and {} more", n_mentions - mentions.len());
    }
    out
}

/// ` [Person, Author]`; nothing without labels.
pub(super) fn entity_labels<'a>(labels: impl Iterator<Item = &'a String>) -> String {
    let labels: Vec<String> = labels.map(|it| one_line(it)).collect();
    if labels.is_empty() { String::new() } else { format!(" [{}]", labels.join(", ")) }
}
