//! How content types are written into columns.
//!
//! The content types carry no serialisation of their own; these private counterparts are the stored form.
//!
//! # Stability: format 1; sparse vectors since format 3.

use std::collections::BTreeSet;

use rusqlite::Row as SqlRow;
use serde::{Deserialize, Serialize};

use crate::content::{
    Chunk, ContentHash, Language, Location, Metadata, Section, SectionKind, Span, TokenWeight, Vector,
    VectorKind, VectorRef, Warning, WarningKind,
};
use crate::store::{ModelInfo, StoredChunk, StoredDocument, StoredSection};

/// A value that does not decode, with the column it stands in.
pub(super) fn bad(column: &str, detail: impl std::fmt::Display) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(
        0,
        rusqlite::types::Type::Text,
        format!("column '{column}': {detail}").into(),
    )
}

#[derive(Serialize, Deserialize)]
struct LocationColumn {
    #[serde(rename = "l", default, skip_serializing_if = "Option::is_none")]
    lines: Option<(usize, usize)>,
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    bytes: Option<(usize, usize)>,
    #[serde(rename = "a", default, skip_serializing_if = "Option::is_none")]
    anchor: Option<String>,
    #[serde(rename = "p", default, skip_serializing_if = "Option::is_none")]
    pages: Option<(u32, u32)>,
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    cells: Option<(u32, u32)>,
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    slides: Option<(u32, u32)>,
    #[serde(rename = "t", default, skip_serializing_if = "Option::is_none")]
    sheet: Option<String>,
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    rows: Option<(u32, u32)>,
}

pub(super) fn encode_location(location: &Location) -> String {
    let column = LocationColumn {
        lines: location.lines,
        bytes: location.bytes.map(|span| (span.start, span.end)),
        anchor: location.anchor.clone(),
        pages: location.pages,
        cells: location.cells,
        slides: location.slides,
        sheet: location.sheet.clone(),
        rows: location.rows,
    };
    to_json(&column)
}

fn decode_location(text: &str) -> rusqlite::Result<Location> {
    let column: LocationColumn = from_json("location", text)?;
    let bytes = match column.bytes {
        Some((start, end)) if start > end => return Err(bad("location", "bytes end before they start")),
        bytes => bytes.map(|(start, end)| Span::new(start, end)),
    };
    Ok(Location {
        lines: column.lines,
        bytes,
        anchor: column.anchor,
        pages: column.pages,
        cells: column.cells,
        slides: column.slides,
        sheet: column.sheet,
        rows: column.rows,
    })
}

pub(super) fn encode_warnings(warnings: &[Warning]) -> String {
    to_json(&warnings.iter().map(|it| (it.kind.name(), it.message.as_str())).collect::<Vec<_>>())
}

fn decode_warnings(text: &str) -> rusqlite::Result<Vec<Warning>> {
    from_json::<Vec<(String, String)>>("warnings", text)?
        .into_iter()
        .map(|(kind, message)| {
            let kind =
                WarningKind::from_name(&kind).ok_or_else(|| bad("warnings", format!("kind '{kind}'")))?;
            Ok(Warning { kind, message })
        })
        .collect()
}

pub(super) fn to_json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data with string keys is always JSON")
}

pub(super) fn from_json<T: for<'de> Deserialize<'de>>(column: &str, text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|error| bad(column, error))
}

fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(
    row: &SqlRow<'_>,
    column: &str,
) -> rusqlite::Result<T> {
    row.get_ref(column)?.as_str()?.parse().map_err(|error| bad(column, error))
}

fn length(row: &SqlRow<'_>, column: &str) -> rusqlite::Result<usize> {
    usize::try_from(row.get::<_, i64>(column)?).map_err(|error| bad(column, error))
}

fn span(row: &SqlRow<'_>, start: &str, stop: &str) -> rusqlite::Result<Span> {
    let (start_at, stop_at) = (length(row, start)?, length(row, stop)?);
    if start_at > stop_at {
        Err(bad(stop, "a span ends before it starts"))
    } else {
        Ok(Span::new(start_at, stop_at))
    }
}

/// Reads a row of table `document`.
pub(super) fn decode_document(row: &SqlRow<'_>) -> rusqlite::Result<StoredDocument> {
    let hash: String = row.get("hash")?;
    let metadata: Metadata = from_json("metadata", row.get_ref("metadata")?.as_str()?)?;
    let labels: BTreeSet<String> = from_json("labels", row.get_ref("labels")?.as_str()?)?;
    Ok(StoredDocument {
        number: row.get("number")?,
        id: parsed(row, "id")?,
        uri: row.get("uri")?,
        title: row.get("title")?,
        media_type: row.get("media_type")?,
        hash: ContentHash::from_hex(&hash).ok_or_else(|| bad("hash", "not a content hash"))?,
        reader: row.get("reader")?,
        reader_version: row.get("reader_version")?,
        pipeline: row.get("pipeline")?,
        ingested_at: parsed(row, "ingested_at")?,
        n_bytes: length(row, "n_bytes")? as u64,
        text_len: length(row, "text_len")?,
        metadata,
        language: decode_language(row, "language")?,
        labels,
        warnings: decode_warnings(row.get_ref("warnings")?.as_str()?)?,
        n_sections: length(row, "n_sections")?,
        n_chunks: length(row, "n_chunks")?,
        is_file: row.get("is_file")?,
    })
}

/// Reads a column with the code of a language, or nothing.
pub(super) fn decode_language(row: &SqlRow<'_>, column: &str) -> rusqlite::Result<Option<Language>> {
    let code: Option<String> = row.get(column)?;
    code.map(|code| Language::parse(&code).ok_or_else(|| bad(column, "not a language code"))).transpose()
}

/// Reads a row of table `section`.
pub(super) fn decode_section(row: &SqlRow<'_>) -> rusqlite::Result<StoredSection> {
    let kind: String = row.get("kind")?;
    let parent: Option<i64> = row.get("parent")?;
    let section = Section {
        id: parsed(row, "id")?,
        title: row.get("title")?,
        level: row.get("level")?,
        depth: length(row, "depth")?,
        parent: parent.map(usize::try_from).transpose().map_err(|error| bad("parent", error))?,
        span: span(row, "start", "stop")?,
        own: span(row, "own_start", "own_stop")?,
        kind: SectionKind::from_name(&kind).ok_or_else(|| bad("kind", kind))?,
        has_body: row.get("has_body")?,
    };
    let location = decode_location(row.get_ref("location")?.as_str()?)?;
    Ok(StoredSection { section, location, n_chunks: length(row, "n_chunks")? })
}

/// Reads a row of table `chunk`.
pub(super) fn decode_chunk(row: &SqlRow<'_>) -> rusqlite::Result<StoredChunk> {
    let section: Option<i64> = row.get("section")?;
    let urtext: String = row.get("urtext")?;
    let chunk = Chunk {
        id: parsed(row, "id")?,
        section: section.map(usize::try_from).transpose().map_err(|error| bad("section", error))?,
        span: span(row, "start", "stop")?,
        overlap: length(row, "overlap")?,
        index: length(row, "position")?,
        total: length(row, "total")?,
        sequence: length(row, "sequence")?,
        text: join_text(&urtext, row.get("before")?, row.get("after")?),
    };
    Ok(StoredChunk {
        row: row.get("row")?,
        document: row.get("document")?,
        chunk,
        urtext,
        location: decode_location(row.get_ref("location")?.as_str()?)?,
    })
}

/// Splits a chunk's text around its urtext, so that the urtext is stored once. Where a transformer changed the urtext
/// itself, the whole text stands in the first part and the second is `None`.
pub(super) fn split_text<'a>(text: &'a str, urtext: &str) -> (&'a str, Option<&'a str>) {
    match text.find(urtext) {
        Some(at) => (&text[..at], Some(&text[at + urtext.len()..])),
        None => (text, None),
    }
}

/// Puts together what [`split_text`] took apart.
pub(super) fn join_text(urtext: &str, before: String, after: Option<String>) -> String {
    match after {
        Some(after) => before + urtext + &after,
        None => before,
    }
}

/// What embeddings are keyed by: 128 bits of the text's BLAKE3 hash.
pub(super) fn text_hash(text: &str) -> [u8; 16] {
    let hash = blake3::hash(text.as_bytes());
    hash.as_bytes()[..16].try_into().expect("a BLAKE3 hash has 32 bytes")
}

/// A vector as little-endian bytes: the components of a dense one, token and weight by turns of a sparse one.
pub(super) fn encode_vector(vector: VectorRef<'_>) -> Vec<u8> {
    match vector {
        VectorRef::Dense(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        VectorRef::Sparse(weights) => {
            let pairs = weights.iter().map(|(token, weight)| [token.to_le_bytes(), weight.to_le_bytes()]);
            pairs.flatten().flatten().collect()
        }
    }
}

/// The vector behind little-endian bytes; `None` when they do not fit the model.
pub(super) fn decode_vector(bytes: &[u8], kind: VectorKind, dimension: usize) -> Option<Vector> {
    match kind {
        VectorKind::Dense => {
            let (values, rest) = bytes.as_chunks::<4>();
            (rest.is_empty() && values.len() == dimension)
                .then(|| Vector::Dense(values.iter().map(|value| f32::from_le_bytes(*value)).collect()))
        }
        VectorKind::Sparse => {
            let (pairs, rest) = bytes.as_chunks::<8>();
            let pair = |[a, b, c, d, e, f, g, h]: [u8; 8]| {
                (u32::from_le_bytes([a, b, c, d]), f32::from_le_bytes([e, f, g, h]))
            };
            let weights: Vec<TokenWeight> = pairs.iter().map(|it| pair(*it)).collect();
            let fits = rest.is_empty() && weights.iter().all(|it| (it.0 as usize) < dimension);
            fits.then_some(Vector::Sparse(weights))
        }
    }
}

/// The vector in a column, by `model`.
pub(super) fn vector_in(row: &SqlRow<'_>, column: usize, model: &ModelInfo) -> rusqlite::Result<Vector> {
    decode_vector(row.get_ref(column)?.as_blob()?, model.kind, model.dimension)
        .ok_or_else(|| bad("vector", format!("it does not fit the model '{}'", model.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_stored_around_its_urtext() {
        for (text, urtext) in
            [("# T\n\nabc", "abc"), ("abc", "abc"), ("head\nabc\n```", "abc"), ("other", "abc"), ("x", "")]
        {
            let (before, after) = split_text(text, urtext);
            assert_eq!(join_text(urtext, before.to_owned(), after.map(str::to_owned)), text);
        }
    }

    #[test]
    fn vectors_round_trip_and_fit_their_model_or_not() {
        let check = |vector: Vector, n_bytes: usize| {
            let (kind, bytes) = (vector.as_ref().kind(), encode_vector(vector.as_ref()));
            assert_eq!(bytes.len(), n_bytes);
            assert_eq!(decode_vector(&bytes, kind, 3), Some(vector));
            assert_eq!(decode_vector(&[&bytes[..], b"x"].concat(), kind, 3), None);
            assert_eq!(decode_vector(&bytes, kind, 2).is_none(), n_bytes > 0);
        };
        check(Vector::Dense(vec![0.5, -1.0, 0.0]), 12);
        check(Vector::Sparse(vec![(0, 0.5), (2, 1.25)]), 16);
        check(Vector::Sparse(vec![]), 0);
    }

    #[test]
    fn locations_round_trip() {
        let location = Location {
            lines: Some((1, 2)),
            bytes: Some(Span::new(3, 9)),
            anchor: Some("a\"b".into()),
            pages: Some((4, 5)),
            cells: None,
            slides: Some((1, 2)),
            sheet: Some("Sheet 1".into()),
            rows: Some((2, 30)),
        };
        assert_eq!(decode_location(&encode_location(&location)).unwrap(), location);
        assert_eq!(decode_location("{}").unwrap(), Location::default());
        assert!(decode_location("{\"b\":[2,1]}").is_err());
    }
}
