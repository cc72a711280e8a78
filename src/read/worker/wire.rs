//! Frames between parent and worker, and the shapes inside them.
//!
//! A frame is a length (u64, little-endian) and that many bytes. A request is two frames: a JSON header and the
//! file's bytes. An answer is two frames: a JSON header and the document's text (empty for an error). The shapes
//! mirror the content model, whose types have no serial form of their own.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Limits;
use crate::content::{
    Block, BlockKind, Document, Metadata, Origin, Section, SectionKind, Span, Warning, WarningKind,
};
use crate::read::{Blob, Parsed, ReadError, ReadOptions, ReaderMeta};

/// Most bytes of a request's header: a URI and a password.
const HEADER_BYTES: u64 = 1 << 20;

/// A request without the file's bytes.
pub(super) struct Request {
    pub(super) reader: String,
    pub(super) uri: String,
    pub(super) options: ReadOptions,
    pub(super) limits: Limits,
}

#[derive(Serialize, Deserialize)]
struct WireRequest {
    reader: String,
    uri: String,
    full_page: bool,
    links: bool,
    password: Option<String>,
    memory_bytes: u64,
    cpu: Duration,
    wall: Duration,
    output_bytes: u64,
}

/// Writes both frames of a request.
pub(super) fn write_request(
    mut output: impl Write,
    reader: &str,
    blob: &Blob,
    options: &ReadOptions,
    limits: &Limits,
) -> io::Result<()> {
    // Taken apart without `..`, so that a new field cannot be forgotten here.
    let ReadOptions { full_page, links, password } = options.clone();
    let Limits { memory_bytes, cpu, wall, output_bytes } = *limits;
    let (reader, uri) = (reader.to_owned(), blob.uri.clone());
    let header =
        WireRequest { reader, uri, full_page, links, password, memory_bytes, cpu, wall, output_bytes };
    write_frame(&mut output, &serde_json::to_vec(&header)?)?;
    write_frame(&mut output, &blob.bytes)?;
    output.flush()
}

/// Reads the first frame of a request.
pub(super) fn read_request(input: &mut impl Read) -> io::Result<Request> {
    let header = read_frame(input, HEADER_BYTES)?;
    let WireRequest { reader, uri, full_page, links, password, memory_bytes, cpu, wall, output_bytes } =
        serde_json::from_slice(&header)?;
    let options = ReadOptions { full_page, links, password };
    let limits = Limits { memory_bytes, cpu, wall, output_bytes };
    Ok(Request { reader, uri, options, limits })
}

/// Reads the second frame of a request: the file.
pub(super) fn read_bytes(input: &mut impl Read) -> io::Result<Vec<u8>> {
    read_frame(input, u64::MAX)
}

fn write_frame(output: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    output.write_all(&(bytes.len() as u64).to_le_bytes())?;
    output.write_all(bytes)
}

fn read_frame(input: &mut impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    input.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > most {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a frame is too long"));
    }
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    match bytes.len() as u64 == length {
        true => Ok(bytes),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

#[derive(Serialize, Deserialize)]
enum WireAnswer {
    Parsed(Box<WireParsed>),
    Binary,
    Encrypted,
    WrongPassword,
    Damaged(String),
    Limit(String),
    Unsupported(String),
    Locked(String),
    Worker(String),
}

#[derive(Serialize, Deserialize)]
struct WireParsed {
    id: String,
    uri: String,
    title: String,
    media_type: String,
    sections: Vec<WireSection>,
    blocks: Vec<(usize, usize, WireBlock)>,
    metadata: Metadata,
    labels: BTreeSet<String>,
    origin: WireOrigin,
    warnings: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
struct WireSection {
    id: String,
    title: String,
    level: u8,
    depth: usize,
    parent: Option<usize>,
    span: (usize, usize),
    own: (usize, usize),
    kind: String,
    has_body: bool,
}

#[derive(Serialize, Deserialize)]
enum WireBlock {
    #[serde(rename = "h")]
    Heading,
    #[serde(rename = "p")]
    Paragraph,
    #[serde(rename = "l")]
    ListItem,
    #[serde(rename = "t")]
    Table((usize, usize)),
    #[serde(rename = "c")]
    Code(Option<(usize, usize)>),
}

#[derive(Serialize, Deserialize)]
enum WireOrigin {
    Verbatim { byte: usize, line: usize },
    Decoded { points: Vec<(usize, usize)>, line: usize },
    Anchors(Vec<(usize, String)>),
    Pages(Vec<(usize, u32)>),
    Cells(Vec<(usize, u32)>),
    Slides(Vec<(usize, u32)>),
    Rows { sheets: Vec<(usize, String)>, rows: Vec<(usize, u32)> },
    Lines(Vec<(usize, usize)>),
    Anchored { source: Box<Self>, anchors: Vec<(usize, String)> },
    Unknown,
}

/// Writes both frames of an answer.
pub(super) fn write_answer(mut output: impl Write, answer: &Result<Parsed, ReadError>) -> io::Result<()> {
    let (header, text) = match answer {
        Ok(parsed) => (WireAnswer::Parsed(Box::new(encode(parsed))), parsed.document.text.as_str()),
        Err(error) => (encode_error(error), ""),
    };
    write_frame(&mut output, &serde_json::to_vec(&header)?)?;
    write_frame(&mut output, text.as_bytes())?;
    output.flush()
}

/// Reads both frames of an answer; `None` when `bytes` are not a whole and consistent one.
///
/// Spans are checked against the text, because a damaged child must not make its parent slice out of range.
pub(super) fn decode_answer(
    mut bytes: &[u8],
    reader: &'static ReaderMeta,
) -> Option<Result<Parsed, ReadError>> {
    let header = read_frame(&mut bytes, u64::MAX).ok()?;
    let text = String::from_utf8(read_frame(&mut bytes, u64::MAX).ok()?).ok()?;
    let format = reader.name;
    Some(match serde_json::from_slice(&header).ok()? {
        WireAnswer::Parsed(wire) => Ok(decode(*wire, text)?),
        WireAnswer::Binary => Err(ReadError::Binary),
        WireAnswer::Encrypted => Err(ReadError::Encrypted),
        WireAnswer::WrongPassword => Err(ReadError::WrongPassword),
        WireAnswer::Damaged(detail) => Err(ReadError::Damaged { format, detail }),
        WireAnswer::Limit(detail) => Err(ReadError::Limit { detail }),
        WireAnswer::Unsupported(detail) => Err(ReadError::Unsupported { detail }),
        WireAnswer::Locked(detail) => Err(ReadError::Locked { detail }),
        WireAnswer::Worker(detail) => Err(ReadError::Worker { format, detail }),
    })
}

/// The format names inside errors do not travel: they are the reader's name, which the parent knows.
fn encode_error(error: &ReadError) -> WireAnswer {
    match error {
        ReadError::Binary => WireAnswer::Binary,
        ReadError::Encrypted => WireAnswer::Encrypted,
        ReadError::WrongPassword => WireAnswer::WrongPassword,
        ReadError::Damaged { format: _, detail } => WireAnswer::Damaged(detail.clone()),
        ReadError::Limit { detail } => WireAnswer::Limit(detail.clone()),
        ReadError::Unsupported { detail } => WireAnswer::Unsupported(detail.clone()),
        ReadError::Locked { detail } => WireAnswer::Locked(detail.clone()),
        ReadError::Worker { format: _, detail } => WireAnswer::Worker(detail.clone()),
    }
}

fn encode(parsed: &Parsed) -> WireParsed {
    let Parsed { document, warnings } = parsed;
    let pair = |span: Span| (span.start, span.end);
    let section = |it: &Section| WireSection {
        id: it.id.to_string(),
        title: it.title.clone(),
        level: it.level,
        depth: it.depth,
        parent: it.parent,
        span: pair(it.span),
        own: pair(it.own),
        kind: it.kind.name().to_owned(),
        has_body: it.has_body,
    };
    let block = |it: &Block| {
        let kind = match it.kind {
            BlockKind::Heading => WireBlock::Heading,
            BlockKind::Paragraph => WireBlock::Paragraph,
            BlockKind::ListItem => WireBlock::ListItem,
            BlockKind::Table { header } => WireBlock::Table(pair(header)),
            BlockKind::Code { fence } => WireBlock::Code(fence.map(pair)),
        };
        (it.span.start, it.span.end, kind)
    };
    WireParsed {
        id: document.id.to_string(),
        uri: document.uri.clone(),
        title: document.title.clone(),
        media_type: document.media_type.clone(),
        sections: document.sections.iter().map(section).collect(),
        blocks: document.blocks.iter().map(block).collect(),
        metadata: document.metadata.clone(),
        labels: document.labels.clone(),
        origin: encode_origin(document.origin.clone()),
        warnings: warnings.iter().map(|it| (it.kind.name().to_owned(), it.message.clone())).collect(),
    }
}

fn encode_origin(origin: Origin) -> WireOrigin {
    match origin {
        Origin::Verbatim { byte, line } => WireOrigin::Verbatim { byte, line },
        Origin::Decoded { points, line } => WireOrigin::Decoded { points, line },
        Origin::Anchors(anchors) => WireOrigin::Anchors(anchors),
        Origin::Pages(pages) => WireOrigin::Pages(pages),
        Origin::Cells(cells) => WireOrigin::Cells(cells),
        Origin::Slides(slides) => WireOrigin::Slides(slides),
        Origin::Rows { sheets, rows } => WireOrigin::Rows { sheets, rows },
        Origin::Lines(lines) => WireOrigin::Lines(lines),
        Origin::Anchored { source, anchors } => {
            WireOrigin::Anchored { source: Box::new(encode_origin(*source)), anchors }
        }
        Origin::Unknown => WireOrigin::Unknown,
    }
}

/// Depth is bounded by the JSON parser's own limit.
fn decode_origin(origin: WireOrigin) -> Origin {
    match origin {
        WireOrigin::Verbatim { byte, line } => Origin::Verbatim { byte, line },
        WireOrigin::Decoded { points, line } => Origin::Decoded { points, line },
        WireOrigin::Anchors(anchors) => Origin::Anchors(anchors),
        WireOrigin::Pages(pages) => Origin::Pages(pages),
        WireOrigin::Cells(cells) => Origin::Cells(cells),
        WireOrigin::Slides(slides) => Origin::Slides(slides),
        WireOrigin::Rows { sheets, rows } => Origin::Rows { sheets, rows },
        WireOrigin::Lines(lines) => Origin::Lines(lines),
        WireOrigin::Anchored { source, anchors } => {
            Origin::Anchored { source: Box::new(decode_origin(*source)), anchors }
        }
        WireOrigin::Unknown => Origin::Unknown,
    }
}

fn decode(wire: WireParsed, text: String) -> Option<Parsed> {
    let span = |(start, end): (usize, usize)| {
        // `get` is `None` for a reversed range, one out of range, and one inside a character.
        text.get(start..end).map(|_| Span::new(start, end))
    };
    let n_sections = wire.sections.len();
    let section = |it: WireSection| {
        Some(Section {
            id: it.id.parse().ok()?,
            title: it.title,
            level: it.level,
            depth: it.depth,
            parent: match it.parent {
                Some(parent) if parent >= n_sections => return None,
                parent => parent,
            },
            span: span(it.span)?,
            own: span(it.own)?,
            kind: SectionKind::from_name(&it.kind)?,
            has_body: it.has_body,
        })
    };
    let block = |(start, end, kind): (usize, usize, WireBlock)| {
        let kind = match kind {
            WireBlock::Heading => BlockKind::Heading,
            WireBlock::Paragraph => BlockKind::Paragraph,
            WireBlock::ListItem => BlockKind::ListItem,
            WireBlock::Table(header) => BlockKind::Table { header: span(header)? },
            WireBlock::Code(None) => BlockKind::Code { fence: None },
            WireBlock::Code(Some(fence)) => BlockKind::Code { fence: Some(span(fence)?) },
        };
        Some(Block { span: span((start, end))?, kind })
    };
    let sections: Option<Vec<_>> = wire.sections.into_iter().map(section).collect();
    let blocks: Option<Vec<_>> = wire.blocks.into_iter().map(block).collect();
    let warnings: Option<Vec<_>> = wire
        .warnings
        .into_iter()
        .map(|(kind, message)| Some(Warning::new(WarningKind::from_name(&kind)?, message)))
        .collect();
    let (sections, blocks, warnings) = (sections?, blocks?, warnings?);
    let document = Document {
        id: wire.id.parse().ok()?,
        uri: wire.uri,
        title: wire.title,
        media_type: wire.media_type,
        sections,
        blocks,
        metadata: wire.metadata,
        language: None,
        labels: wire.labels,
        origin: decode_origin(wire.origin),
        text,
    };
    Some(Parsed { document, warnings })
}
