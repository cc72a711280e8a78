//! From rendered blocks to a document, for readers of formats whose text has no bytes of its own in the source.

use crate::content::{
    Block, BlockKind, Document, DocumentId, Heading, Metadata, Origin, Span, build_sections,
};
use crate::read::{Blob, ReaderMeta};

pub(in crate::read) use crate::read::html::table::{PARAGRAPH_END, Part, Table, one_line};
pub(in crate::read) use crate::read::html::write::{Reach, Writer};

/// Makes the document of what `writer` holds. Without a `title` the first heading of the highest level names it, else
/// the file.
pub(in crate::read) fn document(
    blob: &Blob,
    meta: &ReaderMeta,
    title: Option<String>,
    mut writer: Writer,
    metadata: Metadata,
    origin: Origin,
) -> Document {
    if !writer.text.is_empty() {
        writer.text.push('\n');
    }
    let highest = writer.headings.iter().filter(|it| !it.title.is_empty()).min_by_key(|it| it.level);
    let title = title.or_else(|| highest.map(|it| it.title.clone()));
    let id = DocumentId::of_uri(&blob.uri);
    let sections = build_sections(id, &writer.text, &writer.headings, |text| text.trim().is_empty());
    Document {
        id,
        uri: blob.uri.clone(),
        title: title.unwrap_or_else(|| blob.file_name().to_owned()),
        media_type: meta.media_type.to_owned(),
        sections,
        text: writer.text,
        blocks: writer.blocks,
        metadata,
        language: None,
        labels: Default::default(),
        origin,
    }
}

/// Appends the blocks of `part` to `writer` after a blank line; gives the byte where they start.
pub(in crate::read) fn append(writer: &mut Writer, part: Writer) -> usize {
    if part.text.is_empty() {
        return writer.text.len();
    }
    if !writer.text.is_empty() {
        writer.text.push_str("\n\n");
    }
    let start = writer.text.len();
    let moved = |span: Span| Span::new(span.start + start, span.end + start);
    writer.text.push_str(&part.text);
    writer.blocks.extend(part.blocks.into_iter().map(|Block { span, kind }| {
        let kind = match kind {
            BlockKind::Table { header } => BlockKind::Table { header: moved(header) },
            BlockKind::Code { fence } => BlockKind::Code { fence: fence.map(moved) },
            kind => kind,
        };
        Block { span: moved(span), kind }
    }));
    writer.headings.extend(part.headings.into_iter().map(|heading| Heading {
        start: heading.start + start,
        end: heading.end + start,
        ..heading
    }));
    writer.anchors.extend(part.anchors.into_iter().map(|(at, id)| (at + start, id)));
    start
}
