//! The contract of chunkers, checked for every one in the registry.

use std::collections::HashSet;

use unicode_segmentation::GraphemeCursor;

use super::*;
use crate::content::{BlockKind, Section, Span};

/// Chunks `document` with every chunker and checks what must hold.
#[track_caller]
pub(super) fn check_every_chunker(document: &Document, config: ChunkConfig) {
    for chunker in CHUNKERS {
        check_chunker(*chunker, document, config);
    }
}

/// Chunks `document` with one chunker and checks what must hold.
#[track_caller]
pub(super) fn check_chunker(chunker: &dyn Chunker, document: &Document, config: ChunkConfig) -> Vec<Chunk> {
    let chunks = chunker.chunk(document, &config.into());
    assert_eq!(chunks, chunker.chunk(document, &config.into()), "the same twice");
    check_chunks(document, &chunks, config);
    chunks
}

/// Checks what must hold for the chunks of `document`.
#[track_caller]
pub(super) fn check_chunks(document: &Document, chunks: &[Chunk], config: ChunkConfig) {
    check_tiling(document, chunks);
    check_limits(document, chunks, config);
    check_tables(document, chunks, config);
    check_overlap(document, chunks, config);
    check_sections(document, chunks);
}

#[track_caller]
fn check_tiling(document: &Document, chunks: &[Chunk]) {
    let text = &document.text;
    let mut covered = 0;
    for (sequence, chunk) in chunks.iter().enumerate() {
        assert_eq!(chunk.sequence, sequence);
        assert_eq!(chunk.span.start + chunk.overlap, covered, "{chunk:?}");
        assert!(chunk.span.end > covered, "{chunk:?}");
        for at in [chunk.span.start, covered] {
            let is_boundary =
                |at: usize| GraphemeCursor::new(at, text.len(), true).is_boundary(text, 0) == Ok(true);
            // A grapheme longer than the limit has to be cut; its start is then the start of the piece before.
            let before = chunks[..sequence].last().map_or(0, |before| before.span.start + before.overlap);
            let is_forced = (before + 1..=at).all(|at| !text.is_char_boundary(at) || !is_boundary(at));
            assert!(is_boundary(at) || is_forced, "grapheme cut at {at}: {chunk:?}");
            assert!(!(text[..at].ends_with('\r') && text[at..].starts_with('\n')), "CR LF cut at {at}");
        }
        covered = chunk.span.end;
    }
    assert_eq!(covered, text.len());
    assert_eq!(chunks.iter().map(|chunk| chunk.id).collect::<HashSet<_>>().len(), chunks.len());
}

/// Whether byte `at` lies in a table or the lines after it that belong to no block.
pub(super) fn is_in_table(document: &Document, at: usize) -> bool {
    let block = document.blocks.iter().rfind(|block| block.span.start <= at);
    block.is_some_and(|block| matches!(block.kind, BlockKind::Table { .. }))
}

/// Tables are cut between rows, and the header is above each piece that has room for it and a row.
#[track_caller]
fn check_tables(document: &Document, chunks: &[Chunk], config: ChunkConfig) {
    for chunk in chunks {
        let fresh = chunk.span.start + chunk.overlap;
        for block in &document.blocks {
            let BlockKind::Table { header } = block.kind else { continue };
            let is_inside = |at: usize| block.span.start < at && at < block.span.end;
            for at in [chunk.span.start, fresh, chunk.span.end].into_iter().filter(|&at| is_inside(at)) {
                assert!(document.text[..at].ends_with(['\n', '\r']), "a row is cut: {chunk:?}");
            }
            let header = header.slice(&document.text);
            if is_inside(chunk.span.start) && !header.is_empty() && header.chars().count() <= config.max_chars
            {
                let expected = usize::from(chunk.span.start >= block.span.start + header.len());
                assert_eq!(usize::from(chunk.text.starts_with(header)), expected, "{chunk:?}");
            }
        }
    }
}

#[track_caller]
fn check_limits(document: &Document, chunks: &[Chunk], config: ChunkConfig) {
    for chunk in chunks {
        let urtext = urtext(document, chunk);
        if urtext.chars().count() > config.max_chars {
            assert_eq!(urtext.trim().lines().count(), 1, "only a row may be longer: {urtext:?}");
            assert!(is_in_table(document, chunk.span.start));
        }
        if chunk.text.chars().count() > config.max_chars {
            assert!(is_in_table(document, chunk.span.start), "{:?}", chunk.text);
        }
        let n_fences = chunk.text.lines().filter(|line| line.starts_with("```")).count();
        let whole = document.text.lines().filter(|line| line.starts_with("```")).count();
        // Fences are balanced wherever the limit has room for them.
        if whole % 2 == 0 && config.max_chars >= 40 {
            assert_eq!(n_fences % 2, 0, "{:?}", chunk.text);
        }
        // The first row of a piece of a table may have a label that the source leaves out.
        let first =
            if is_in_table(document, chunk.span.start) { urtext.split_inclusive('\n').next() } else { None };
        assert!(chunk.text.contains(&urtext[first.unwrap_or_default().len()..]));
        let words =
            |text: &str| text.replace('|', " ").split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (all, own) = (words(&chunk.text), words(first.unwrap_or_default()));
        assert!(own.is_empty() || all.windows(own.len()).any(|some| some == own), "{chunk:?}");
    }
}

#[track_caller]
fn check_overlap(document: &Document, chunks: &[Chunk], config: ChunkConfig) {
    for pair in chunks.windows(2) {
        let [before, chunk] = pair else { unreachable!("windows of two") };
        if chunk.overlap == 0 {
            continue;
        }
        let shared = &urtext(document, chunk)[..chunk.overlap];
        assert!(shared.chars().count() <= config.overlap_chars);
        assert!(urtext(document, before).ends_with(shared));
        assert!(
            chunk.span.start >= before.span.start + before.overlap && chunk.span.start > before.span.start
        );
        assert_eq!(chunk.section, before.section);
        let own = document.sections[chunk.section.unwrap()].own;
        assert!(own.contains(chunk.span), "overlap only inside one section's own text");
    }
}

#[track_caller]
fn check_sections(document: &Document, chunks: &[Chunk]) {
    for chunk in chunks {
        let whole = Span::new(0, document.text.len());
        let span = chunk.section.map_or(whole, |section| document.sections[section].span);
        assert!(span.contains(chunk.span));
        let peers: Vec<_> = chunks.iter().filter(|peer| peer.section == chunk.section).collect();
        assert_eq!(chunk.total, peers.len());
        assert_eq!(peers[chunk.index].sequence, chunk.sequence);
        // A chunk that covers parts of several own texts covers each of them whole.
        let touched: Vec<&Section> = document
            .sections
            .iter()
            .filter(|it| it.own.start < chunk.span.end && chunk.span.start < it.own.end)
            .collect();
        assert!(touched.len() < 2 || touched.iter().all(|section| chunk.span.contains(section.own)));
    }
}
