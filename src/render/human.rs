//! Text for people.
//!
//! Plain where colour is off: no information is in colour alone.

mod entity;
mod ingest;
mod upkeep;

use std::fmt::Write as _;

use crate::content::{Chunk, Document, Location, Section, Span, has_scheme, percent_decode, split_member};
use crate::render::snippet::{SnippetOptions, snippet};
use crate::search::{Expanded, Hit, Passage, Zoomed, entity_of};
use crate::source::location_of_uri;
use crate::store::{StoredDocument, StoredSection};

use entity::entity_labels;

pub use entity::entity;
pub use ingest::{duration, filled, planned, report};
pub use upkeep::{checks, diagnoses, info, models, shape, trace_summary};

/// How to paint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether to use colour.
    pub colour: bool,
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// For titles.
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// For what matters less.
    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// For places.
    pub fn place(self, text: &str) -> String {
        self.paint("35", text)
    }

    /// For matches.
    pub fn matched(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// For good news.
    pub fn good(self, text: &str) -> String {
        self.paint("32", text)
    }

    /// For bad news.
    pub fn bad(self, text: &str) -> String {
        self.paint("31", text)
    }
}

/// How many characters of an id are shown: 36 bits, unique among many thousands; commands take any unique prefix.
const SHORT_ID: usize = 10;

/// The first characters of an id.
pub fn short_id(id: impl ToString) -> String {
    let mut id = id.to_string();
    id.truncate(SHORT_ID);
    id
}

/// The path of the file behind a URI: as it is where it is a relative path, decoded where it is a `file:` URI. That of a
/// member goes on with its path inside, as the URI does.
pub fn path_of(uri: &str) -> String {
    let decoded = |uri: &str| {
        location_of_uri(std::path::Path::new(""), uri).map(|path| path.to_string_lossy().into_owned())
    };
    if !uri.starts_with("file://") {
        return uri.to_owned();
    }
    let path = match split_member(uri) {
        None => decoded(uri),
        Some((container, member)) => decoded(container).map(|path| {
            let mark = &uri[container.len()..uri.len() - member.len()];
            format!("{path}{mark}{}", String::from_utf8_lossy(&percent_decode(member)))
        }),
    };
    path.unwrap_or_else(|| uri.to_owned())
}

/// The path of the file behind a URI, and inside it the path of the member that the URI is of.
pub fn path_and_member(uri: &str) -> (String, Option<String>) {
    match split_member(uri) {
        None => (path_of(uri), None),
        Some((container, member)) => {
            let member = match has_scheme(uri) {
                true => String::from_utf8_lossy(&percent_decode(member)).into_owned(),
                false => member.to_owned(),
            };
            (path_of(container), Some(member))
        }
    }
}

/// `docs/a.md:12-20`, `docs/a.zip!/b.md:12-20`, `page.html#anchor`, `paper.pdf:p3-4`, `talk.pptx:slide 3`, `book.xlsx:Sheet1!2-40`.
pub fn place(uri: &str, location: &Location) -> String {
    let uri = path_of(uri);
    let range = |first: String, last: String| if first == last { first } else { format!("{first}-{last}") };
    if let Some((first, last)) = location.lines {
        format!("{uri}:{}", range(first.to_string(), last.to_string()))
    } else if let Some((first, last)) = location.pages {
        format!("{uri}:p{}", range(first.to_string(), last.to_string()))
    } else if let Some((first, last)) = location.cells {
        format!("{uri}:cell {}", range(first.to_string(), last.to_string()))
    } else if let Some((first, last)) = location.slides {
        format!("{uri}:slide {}", range(first.to_string(), last.to_string()))
    } else if let Some(sheet) = &location.sheet {
        let rows =
            location.rows.map(|(first, last)| format!("!{}", range(first.to_string(), last.to_string())));
        format!("{uri}:{}{}", one_line(sheet), rows.unwrap_or_default())
    } else if let Some(anchor) = &location.anchor {
        format!("{uri}#{anchor}")
    } else {
        uri
    }
}

/// `Document > Section > Subsection`; a document whose first heading is its title names it once.
pub fn title_path(passage: &Passage) -> String {
    titles(&passage.document.title, &passage.path)
}

fn titles(document: &str, path: &[String]) -> String {
    let mut parts = vec![one_line(document)];
    parts.extend(path.iter().map(|it| one_line(it)));
    parts.dedup();
    parts.join(" > ")
}

/// One hit: rank, title path, place, id, score, snippet.
pub fn hit(hit: &Hit, snippet_options: &SnippetOptions, explanation: Option<&str>, style: Style) -> String {
    let passage = &hit.passage;
    let mut out = String::new();
    let rank = hit.rank.map_or_else(|| "  +".to_owned(), |rank| format!("{rank:>3}"));
    let (path, location, text) = match &hit.merged {
        Some(merged) => (&merged.path, &merged.location, &merged.text),
        None => (&passage.path, &passage.chunk.location, &passage.chunk.urtext),
    };
    let labels = entity_of(&passage.document).map(|it| entity_labels(it.labels.iter())).unwrap_or_default();
    let _ = writeln!(out, "{rank}  {}{labels}", style.bold(&titles(&passage.document.title, path)));
    let _ = writeln!(
        out,
        "     {}  {}  {}",
        style.place(&place(&passage.document.uri, location)),
        short_id(passage.chunk.chunk.id),
        style.dim(&format!("{:.3}", hit.score)),
    );
    if let Some(explanation) = explanation {
        let _ = writeln!(out, "     {}", style.dim(explanation));
    }
    let language = passage.document.language;
    for line in snippet(text, language, &match_spans(hit), snippet_options, style).lines() {
        let _ = writeln!(out, "     {line}");
    }
    out
}

/// The parts of the urtext that the pattern matches; none of a merged section's.
fn match_spans(hit: &Hit) -> Vec<Span> {
    if hit.merged.is_some() {
        return Vec::new();
    }
    let end = hit.passage.chunk.urtext.len();
    hit.matches.iter().map(|it| Span::new(it.span.start, it.span.end.min(end))).collect()
}

/// A URI with its control characters escaped, so that a list stays one a line.
fn one_line_uri(uri: &str) -> String {
    uri.chars()
        .map(|it| if it.is_control() { it.escape_default().to_string() } else { it.to_string() })
        .collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A chunk with its neighbours.
pub fn expanded(expanded: &Expanded, style: Style) -> String {
    let mut out = String::new();
    for (at, passage) in expanded.passages.iter().enumerate() {
        let is_anchor = at == expanded.anchor;
        let head = format!(
            "{} {}  {}  {}",
            if is_anchor { ">" } else { " " },
            short_id(passage.chunk.chunk.id),
            place(&passage.document.uri, &passage.chunk.location),
            title_path(passage),
        );
        let _ = writeln!(out, "{}", if is_anchor { style.bold(&head) } else { style.dim(&head) });
        let fresh = passage.chunk.urtext.get(if at == 0 { 0 } else { passage.chunk.chunk.overlap }..);
        let _ = writeln!(out, "{}\n", fresh.unwrap_or(&passage.chunk.urtext).trim_end());
    }
    out
}

/// A section's whole text.
pub fn zoomed(zoomed: &Zoomed, style: Style) -> String {
    let mut parts = vec![one_line(&zoomed.document.title)];
    parts.extend(zoomed.path.iter().map(|it| one_line(it)));
    parts.dedup();
    let id =
        zoomed.section.as_ref().map_or_else(|| short_id(zoomed.document.id), |it| short_id(it.section.id));
    let place = place(&zoomed.document.uri, &zoomed.location);
    let mut out = format!("{}\n{}  {id}\n\n", style.bold(&parts.join(" > ")), style.place(&place));
    out.push_str(zoomed.text.trim_end());
    out.push('\n');
    if zoomed.is_truncated {
        let shown = zoomed.text.chars().count();
        let _ = writeln!(
            out,
            "\n{}",
            style.dim(&format!("[cut at {shown} of {} characters; --max-chars shows more]", zoomed.n_chars))
        );
    }
    out
}

/// One chunk.
pub fn chunk(passage: &Passage, style: Style) -> String {
    let it = &passage.chunk;
    format!(
        "{}\n{}  {}  chunk {} of {} in its section, number {} in the document\n\n{}\n",
        style.bold(&title_path(passage)),
        style.place(&place(&passage.document.uri, &it.location)),
        it.chunk.id,
        it.chunk.index + 1,
        it.chunk.total,
        it.chunk.sequence + 1,
        it.urtext.trim_end()
    )
}

/// One document.
pub fn document(it: &StoredDocument, style: Style) -> String {
    let mut out = format!("{}\n{}  {}\n", style.bold(&one_line(&it.title)), style.place(&it.uri), it.id);
    let _ = writeln!(
        out,
        "{}, {} sections, {} chunks, {}, read by {} {} at {}",
        it.media_type,
        it.n_sections,
        it.n_chunks,
        bytes(it.n_bytes),
        it.reader,
        it.reader_version,
        it.ingested_at
    );
    for (key, value) in &it.metadata {
        let _ = writeln!(out, "{key}: {}", value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    }
    for warning in &it.warnings {
        let _ = writeln!(out, "warning: {}", warning.message);
    }
    out
}

/// The section tree of a file that is not indexed, indented, with places.
pub fn outline(document: &Document, style: Style) -> String {
    let mut out = format!("{}  {}\n", style.bold(&one_line(&document.title)), style.place(&document.uri));
    let locator = document.locator();
    for section in &document.sections {
        let place = place("", &locator.locate(section.span));
        let title = section_title(section);
        let _ = writeln!(out, "{}{title}  {}", "  ".repeat(section.depth), style.dim(&place));
    }
    out
}

/// The chunks of a file that is not indexed.
pub fn chunks(document: &Document, chunks: &[Chunk], style: Style) -> String {
    let mut out = String::new();
    let locator = document.locator();
    for chunk in chunks {
        let urtext = chunk.span.slice(&document.text);
        let path = document.section_path(chunk.section).join(" > ");
        let head = format!(
            "{}  {}  {} characters, overlap {} bytes  {}",
            short_id(chunk.id),
            place(&document.uri, &locator.locate(chunk.span)),
            urtext.chars().count(),
            chunk.overlap,
            one_line(&path)
        );
        let _ = writeln!(out, "{}\n{}\n", style.bold(&head), urtext.trim_end());
    }
    out
}

fn section_title(section: &Section) -> String {
    match (section.level, section.title.as_str()) {
        (0, _) => "(before the first heading)".to_owned(),
        (_, "") => "(untitled)".to_owned(),
        (_, title) => one_line(title),
    }
}

/// A section tree, indented.
pub fn tree(
    document: &StoredDocument,
    sections: &[StoredSection],
    positions: std::ops::Range<usize>,
    style: Style,
) -> String {
    let top = sections.get(positions.start).map_or(1, |it| it.section.depth);
    let mut out = format!(
        "{}  {}  {}\n",
        style.bold(&one_line(&document.title)),
        style.place(&document.uri),
        short_id(document.id)
    );
    for it in sections.get(positions).unwrap_or_default() {
        let title = section_title(&it.section);
        let _ = writeln!(
            out,
            "{}{title}  {}",
            "  ".repeat(it.section.depth + 1 - top.min(it.section.depth)),
            style.dim(&format!(
                "{}  {} chunk{}  {}",
                short_id(it.section.id),
                it.n_chunks,
                plural(it.n_chunks),
                bytes(it.section.span.len() as u64)
            ))
        );
    }
    out
}

/// One line a document.
pub fn documents(documents: &[StoredDocument], style: Style) -> String {
    let mut out = String::new();
    for it in documents {
        let warned = if it.warnings.is_empty() { "" } else { "  (warnings)" };
        let _ = writeln!(
            out,
            "{}  {}  {}  {}{warned}",
            short_id(it.id),
            style.place(&one_line_uri(&it.uri)),
            one_line(&it.title),
            style.dim(&format!("{} sections, {} chunks, {}", it.n_sections, it.n_chunks, bytes(it.n_bytes)))
        );
    }
    out
}

/// `s` unless `n` is 1.
pub fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// `512 B`, `1.5 kB`, `2.3 MB`: powers of 1000, as the SI has it.
pub fn bytes(n: u64) -> String {
    match n {
        0..1_000 => format!("{n} B"),
        1_000..1_000_000 => format!("{:.1} kB", n as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", n as f64 / 1e6),
        _ => format!("{:.2} GB", n as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_name_lines_pages_and_anchors() {
        let at = |location: Location| place("a", &location);
        assert_eq!(at(Location { lines: Some((3, 3)), ..Location::default() }), "a:3");
        assert_eq!(at(Location { lines: Some((3, 9)), ..Location::default() }), "a:3-9");
        assert_eq!(at(Location { pages: Some((1, 2)), ..Location::default() }), "a:p1-2");
        assert_eq!(at(Location { anchor: Some("x".into()), ..Location::default() }), "a#x");
        assert_eq!(at(Location::default()), "a");
    }

    #[test]
    fn sizes_are_short() {
        assert_eq!(
            [0, 999, 1500, 2_300_000, 5_000_000_000].map(bytes),
            ["0 B", "999 B", "1.5 kB", "2.3 MB", "5.00 GB"]
        );
    }
}
