//! Moving around from an id: to the neighbours, to the enclosing section.

use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::content::{DocumentId, Location, SectionId, Span};
use crate::search::{Passage, Passages};
use crate::store::{Store, StoreError, StoredChunk, StoredDocument, StoredSection, Target};

/// How many candidates an ambiguous prefix lists.
pub const MAX_CANDIDATES: usize = 10;

/// Why an id leads nowhere.
#[derive(Debug, thiserror::Error)]
pub enum NavigateError {
    /// No id starts like this.
    #[error("no document, section or chunk has the id '{id}'")]
    Unknown {
        /// What was asked for.
        id: String,
    },
    /// Several ids start like this.
    #[error("the id '{id}' is ambiguous")]
    Ambiguous {
        /// What was asked for.
        id: String,
        /// Ids that start so, at most ten.
        candidates: Vec<String>,
    },
    /// Neighbours exist only for chunks.
    #[error("'{id}' is not a chunk; only chunks have neighbours")]
    NotAChunk {
        /// What was asked for.
        id: String,
    },
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What the id, or unique prefix of an id, `text` names.
///
/// # Errors
///
/// [`NavigateError::Unknown`] and [`NavigateError::Ambiguous`].
pub fn resolve(store: &dyn Store, text: &str) -> Result<Target, NavigateError> {
    let prefix = text.trim().to_ascii_lowercase();
    let is_prefix = prefix.starts_with(['d', 's', 'c'])
        && prefix.len() <= 16
        && prefix.bytes().skip(1).all(|byte| byte.is_ascii_hexdigit());
    let targets = if is_prefix { store.targets(&prefix, MAX_CANDIDATES)? } else { Vec::new() };
    match targets.as_slice() {
        [] => Err(NavigateError::Unknown { id: text.to_owned() }),
        [target] => Ok(*target),
        several => Err(NavigateError::Ambiguous {
            id: text.to_owned(),
            candidates: several.iter().map(ToString::to_string).collect(),
        }),
    }
}

/// The document that `text` names: by URI (in any Unicode normalisation, with or without `./`), by the path behind
/// `uri_of`, or by an id of itself or of anything inside it.
///
/// # Errors
///
/// [`NavigateError::Unknown`] and [`NavigateError::Ambiguous`].
pub fn resolve_document(
    store: &dyn Store,
    text: &str,
    uri_of: impl Fn(&str) -> Option<String>,
) -> Result<StoredDocument, NavigateError> {
    let folded = |uri: &str| uri.nfc().collect::<String>();
    let names: Vec<String> =
        [Some(text.trim_start_matches("./").to_owned()), uri_of(text)].into_iter().flatten().collect();
    for name in &names {
        if let Some(document) = store.document(DocumentId::of_uri(name))? {
            return Ok(document);
        }
    }
    let documents = store.documents()?;
    if let Some(document) =
        documents.into_iter().find(|it| names.iter().any(|name| folded(name) == folded(&it.uri)))
    {
        return Ok(document);
    }
    let number = match resolve(store, text)? {
        Target::Document(id) => store.document(id)?.map(|it| it.number),
        Target::Section(id) => store.section_place(id)?.map(|(number, _)| number),
        Target::Chunk(id) => store.chunk(id)?.map(|it| it.document),
    };
    let document = number.map(|number| store.document_numbered(number)).transpose()?.flatten();
    document.ok_or_else(|| NavigateError::Unknown { id: text.to_owned() })
}

/// A chunk and its neighbours.
#[derive(Clone, Debug, PartialEq)]
pub struct Expanded {
    /// Index of the chunk that was asked for among `passages`.
    pub anchor: usize,
    /// The chunks in order.
    pub passages: Vec<Passage>,
}

/// The chunk `id` with at most `n` chunks before and after it, clipped at the document's ends (or its section's, with
/// `within_section`).
///
/// # Errors
///
/// When the id names no chunk.
pub fn expand(
    store: &dyn Store,
    id: &str,
    n: usize,
    within_section: bool,
) -> Result<Expanded, NavigateError> {
    let Target::Chunk(chunk_id) = resolve(store, id)? else {
        return Err(NavigateError::NotAChunk { id: id.to_owned() });
    };
    let unknown = || NavigateError::Unknown { id: id.to_owned() };
    let anchor = store.chunk(chunk_id)?.ok_or_else(unknown)?;
    let sequence = anchor.chunk.sequence;
    let mut chunks = store.chunks(anchor.document, sequence.saturating_sub(n), sequence.saturating_add(n))?;
    if within_section {
        chunks.retain(|it| it.chunk.section == anchor.chunk.section);
    }
    let anchor_at = chunks.iter().position(|it| it.row == anchor.row).ok_or_else(unknown)?;
    let mut passages = Passages::new(store);
    let passages = chunks.into_iter().map(|chunk| passages.of(chunk)).collect::<Result<_, _>>()?;
    Ok(Expanded { anchor: anchor_at, passages })
}

/// A section's (or document's) whole text.
#[derive(Clone, Debug, PartialEq)]
pub struct Zoomed {
    /// The document.
    pub document: StoredDocument,
    /// The section; `None` for the document itself.
    pub section: Option<StoredSection>,
    /// Titles from the top-level section down to the section.
    pub path: Vec<String>,
    /// The text, whole or cut behind a chunk.
    pub text: String,
    /// Characters of the whole text, also where `text` is cut.
    pub n_chars: usize,
    /// Whether `text` is cut.
    pub is_truncated: bool,
    /// Place of the whole in the source.
    pub location: Location,
}

/// The section that encloses what `id` names: for a chunk its section, for a section its parent; `levels - 1` steps
/// further out, at most to the document, which encloses itself.
///
/// A text longer than `max_chars` is cut behind the last chunk that fits; when not even the first one does, inside it, at
/// the end of a line, else of a sentence, a word or a grapheme.
///
/// # Errors
///
/// When the id names nothing.
pub fn zoom(store: &dyn Store, id: &str, levels: usize, max_chars: usize) -> Result<Zoomed, NavigateError> {
    let unknown = || NavigateError::Unknown { id: id.to_owned() };
    let (number, inner, n_steps) = match resolve(store, id)? {
        Target::Document(document) => (store.document(document)?.ok_or_else(unknown)?.number, None, 0),
        Target::Section(section) => {
            let (number, at) = store.section_place(section)?.ok_or_else(unknown)?;
            (number, Some(at), levels.max(1))
        }
        Target::Chunk(chunk) => {
            let chunk = store.chunk(chunk)?.ok_or_else(unknown)?;
            (chunk.document, chunk.chunk.section, levels.max(1) - 1)
        }
    };
    whole_text(store, number, inner, n_steps, max_chars)?.ok_or_else(unknown)
}

/// The section `id` itself, with its whole text cut as by [`zoom`].
///
/// # Errors
///
/// When there is no such section.
pub fn section(store: &dyn Store, id: SectionId, max_chars: usize) -> Result<Zoomed, NavigateError> {
    let unknown = || NavigateError::Unknown { id: id.to_string() };
    let (number, at) = store.section_place(id)?.ok_or_else(unknown)?;
    whole_text(store, number, Some(at), 0, max_chars)?.ok_or_else(unknown)
}

/// The text of the section `n_steps` above the one at `inner`; `None` for the document.
pub(super) fn whole_text(
    store: &dyn Store,
    number: i64,
    inner: Option<usize>,
    n_steps: usize,
    max_chars: usize,
) -> Result<Option<Zoomed>, StoreError> {
    let Some(document) = store.document_numbered(number)? else { return Ok(None) };
    let mut passages = Passages::new(store);
    let mut at = inner;
    for _ in 0..n_steps {
        let Some(inner) = at else { break };
        at = passages
            .section(number, inner)?
            .and_then(|it| it.section.parent)
            .filter(|&parent| parent < inner);
    }
    let section = at.map(|at| passages.section(number, at)).transpose()?.flatten();
    let span = section.as_ref().map_or(Span::new(0, document.text_len), |it| it.section.span);
    let chunks = store.chunks_at(number, span)?;
    let (text, n_chars, is_truncated) = text_of(&chunks, span, max_chars);
    let location = match &section {
        Some(section) => section.location.clone(),
        None => whole_location(&chunks),
    };
    let path = passages.path(number, at)?;
    Ok(Some(Zoomed { path, document, section, text, n_chars, is_truncated, location }))
}

/// The document's text at `span`, put together from its chunks.
fn text_of(chunks: &[StoredChunk], span: Span, max_chars: usize) -> (String, usize, bool) {
    let (mut text, mut n_chars, mut is_truncated) = (String::new(), 0, false);
    for it in chunks {
        let fresh = Span::new(it.chunk.span.start + it.chunk.overlap, it.chunk.span.end);
        let (start, end) = (fresh.start.max(span.start), fresh.end.min(span.end));
        if start >= end {
            continue;
        }
        let offset = it.chunk.span.start;
        let piece = it.urtext.get(start - offset..end - offset).unwrap_or_default();
        let n_piece_chars = piece.chars().count();
        let has_room = n_chars + n_piece_chars <= max_chars;
        if !is_truncated && !has_room && text.is_empty() {
            text.push_str(beginning(piece, max_chars));
        }
        is_truncated |= !has_room;
        if !is_truncated {
            text.push_str(piece);
        }
        n_chars += n_piece_chars;
    }
    (text, n_chars, is_truncated)
}

/// At most `max_chars` characters from the start of `text`, which has more: up to the end of a line, else of a sentence,
/// of a word or of a grapheme, the first of these that leaves at least half.
fn beginning(text: &str, max_chars: usize) -> &str {
    let limit = text.char_indices().nth(max_chars).map_or(text.len(), |(at, _)| at);
    let half = text.char_indices().nth(max_chars / 2).map_or(text.len(), |(at, _)| at);
    let is_good = |&end: &usize| end > 0 && end >= half;
    let last = |ends: &mut dyn Iterator<Item = usize>| ends.take_while(|&end| end <= limit).last();
    let is_crlf = text[..limit].ends_with('\r') && text[limit..].starts_with('\n');
    let limit = if is_crlf { limit - 1 } else { limit };
    let line = text[..limit].rfind(['\n', '\r']).map(|at| at + 1);
    let end = line
        .filter(is_good)
        .or_else(|| last(&mut text.split_sentence_bound_indices().map(|(at, _)| at)).filter(is_good))
        .or_else(|| last(&mut text.split_word_bound_indices().map(|(at, _)| at)).filter(is_good))
        .or_else(|| last(&mut text.grapheme_indices(true).map(|(at, _)| at)));
    &text[..end.unwrap_or(0)]
}

/// From the first chunk's place to the last one's.
fn whole_location(chunks: &[StoredChunk]) -> Location {
    let (Some(first), Some(last)) = (chunks.first(), chunks.last()) else { return Location::default() };
    let (first, last) = (&first.location, &last.location);
    Location {
        lines: first.lines.zip(last.lines).map(|(first, last)| (first.0, last.1)),
        bytes: first.bytes.zip(last.bytes).map(|(first, last)| Span::new(first.start, last.end)),
        anchor: None,
        pages: first.pages.zip(last.pages).map(|(first, last)| (first.0, last.1)),
        cells: first.cells.zip(last.cells).map(|(first, last)| (first.0, last.1)),
        slides: first.slides.zip(last.slides).map(|(first, last)| (first.0, last.1)),
        sheet: first.sheet.clone(),
        rows: first
            .rows
            .zip(last.rows)
            .filter(|_| first.sheet == last.sheet)
            .map(|(first, last)| (first.0, last.1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `|` marks the expected end.
    #[track_caller]
    fn check(marked: &str, max_chars: usize) {
        let text = marked.replace('|', "");
        assert_eq!(Some(beginning(&text, max_chars).len()), marked.find('|'), "{marked:?}");
    }

    #[test]
    fn a_beginning_ends_with_a_line_else_a_sentence_a_word_a_grapheme() {
        check("One two.\n|Three. Four five", 16);
        check("One two. Three. |Four five", 18);
        check("One two three |four five", 16);
        check("abcdefgh|ijkl", 8);
        check("今天很好。|我们去公园吧", 8);
        check("a👩‍👩‍👧|👩‍👩‍👧b", 9);
        check("|👩‍👩‍👧", 3);
        check("a|\r\nb", 2);
        check("|abc", 0);
    }
}
