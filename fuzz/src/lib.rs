//! What must hold of every document and its chunks, whatever the bytes. See `fuzz/README.md`.

use ragctl::chunk::{CHUNKERS, ChunkConfig, Chunker};
use ragctl::content::{Document, Origin};
use ragctl::read::{Blob, ReadOptions, reader_named};

/// Reads `bytes` with the reader called `name`, as a file called `file`, and checks the document.
pub fn read(name: &str, file: &str, bytes: &[u8], options: &ReadOptions) -> Option<Document> {
    let blob = Blob { uri: file.to_owned(), bytes: bytes.to_vec() };
    let reader = reader_named(name).expect("the reader exists");
    let parsed = reader.read(&blob, options).ok()?;
    check_document(&parsed.document, bytes);
    Some(parsed.document)
}

/// Checks what [`ragctl::content`] promises of a document that was read from `source`.
pub fn check_document(document: &Document, source: &[u8]) {
    let text = document.text.as_str();
    assert_eq!(text.is_empty(), document.sections.is_empty(), "sections without text, or text without sections");
    let mut end = 0;
    for (at, section) in document.sections.iter().enumerate() {
        assert!(text.get(section.span.start..section.span.end).is_some(), "{section:?}");
        assert!(text.get(section.own.start..section.own.end).is_some(), "{section:?}");
        assert_eq!(section.own.start, end, "own texts tile the document");
        assert_eq!(section.own.start, section.span.start, "{section:?}");
        end = section.own.end;
        if let Some(parent) = section.parent {
            assert!(parent < at, "parents come first");
            let parent = &document.sections[parent];
            assert!(parent.span.contains(section.span) && parent.level < section.level, "{section:?}");
            assert_eq!(parent.depth + 1, section.depth);
        } else {
            assert_eq!(section.depth, 1);
        }
    }
    assert_eq!(end, text.len(), "own texts tile the document");
    let mut end = 0;
    for block in &document.blocks {
        assert!(text.get(block.span.start..block.span.end).is_some() && end <= block.span.start, "{block:?}");
        // Between blocks stand blank lines; those of quotations have their marks.
        let is_blank = text[end..block.span.start].chars().all(|c| c.is_whitespace() || c == '>');
        assert!(is_blank, "text outside of blocks before {block:?}");
        end = block.span.end;
    }
    let origin = match &document.origin {
        Origin::Anchored { source, .. } => source,
        origin => origin,
    };
    if let Origin::Verbatim { byte, .. } = origin {
        assert_eq!(&source[*byte..*byte + text.len()], text.as_bytes(), "the bytes are those of the source");
    }
    let locator = document.locator();
    for section in &document.sections {
        let place = locator.locate(section.span);
        assert!(place.lines.is_none_or(|(first, last)| first > 0 && first <= last));
        assert!(place.bytes.is_none_or(|it| it.start <= it.end && it.end <= source.len()));
    }
}

/// Chunks `document` with pieces of at most `max_chars` characters that share at most `overlap_chars`, and checks that they
/// tile its text.
pub fn check_chunks(document: &Document, max_chars: usize, overlap_chars: usize) {
    let Ok(config) = ChunkConfig::new(max_chars, overlap_chars) else { return };
    for &chunker in CHUNKERS {
        check_tiling(document, chunker, config, overlap_chars);
    }
}

fn check_tiling(document: &Document, chunker: &dyn Chunker, config: ChunkConfig, overlap_chars: usize) {
    let text = document.text.as_str();
    let mut end = 0;
    for (at, it) in chunker.chunk(document, &config.into()).iter().enumerate() {
        let urtext = text.get(it.span.start..it.span.end).expect("chunks are cut between characters");
        let fresh = it.span.start + it.overlap;
        assert!(fresh < it.span.end && text.is_char_boundary(fresh), "{it:?}");
        assert_eq!(fresh, end, "spans minus overlaps tile the text");
        assert!(text[it.span.start..fresh].chars().count() <= overlap_chars, "{it:?}");
        assert_eq!(it.sequence, at);
        assert!(it.index < it.total && !urtext.is_empty());
        assert!(it.section.is_none_or(|section| section < document.sections.len()));
        end = it.span.end;
    }
    assert_eq!(end, text.len(), "chunks reach the end");
}
