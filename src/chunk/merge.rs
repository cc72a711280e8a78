//! Small neighbouring sections as one chunk of their parent.

use crate::chunk::chars::CharIndex;
use crate::chunk::config::ChunkConfig;
use crate::chunk::plan::Part;
use crate::content::{Document, Span};

/// Joins neighbouring parts of fewer than `config.min_chars` characters, from the leaves of the tree upwards.
///
/// Parts are neighbours when their sections have one parent and nothing below them is a part of its own, or when one is
/// the parent's own text. They are joined, in order, until there are `min_chars` of them; what is left over at the end
/// of a run goes to the ones before. The result belongs to the parent and is never longer than `config.max_chars`.
pub(super) fn merge(
    document: &Document,
    index: &CharIndex,
    mut parts: Vec<Part>,
    config: ChunkConfig,
) -> Vec<Part> {
    if config.min_chars == 0 || parts.len() < 2 {
        return parts;
    }
    let deepest = document.sections.iter().map(|section| section.depth).max().unwrap_or(0);
    for depth in (0..deepest).rev() {
        parts = Level { document, index, config, depth }.merge(&parts);
    }
    parts
}

/// The children of all sections of one depth.
struct Level<'a> {
    document: &'a Document,
    index: &'a CharIndex,
    config: ChunkConfig,
    /// Depth of the parents; 0 is the document.
    depth: usize,
}

impl Level<'_> {
    fn merge(&self, parts: &[Part]) -> Vec<Part> {
        let mut merged: Vec<Part> = Vec::with_capacity(parts.len());
        let mut at = 0;
        while at < parts.len() {
            let parent = self.parent(&parts[at]);
            let n_run =
                parts[at..].iter().take_while(|part| parent.is_some() && self.parent(part) == parent).count();
            match parent {
                Some(parent) => self.merge_run(parent, &parts[at..at + n_run], &mut merged),
                None => merged.push(parts[at]),
            }
            at += n_run.max(1);
        }
        merged
    }

    /// Packs small parts under one parent.
    fn merge_run(&self, parent: Option<usize>, run: &[Part], merged: &mut Vec<Part>) {
        let first = merged.len();
        for &part in run {
            let last = merged[first..].last().filter(|last| self.is_small(last.span));
            match last.and_then(|&last| self.joined(parent, last, part)) {
                Some(joined) => {
                    merged.pop();
                    merged.push(joined);
                }
                None => merged.push(part),
            }
        }
        if let [.., before, last] = merged[first..]
            && self.is_small(last.span)
            && let Some(joined) = self.joined(parent, before, last)
        {
            merged.truncate(merged.len() - 2);
            merged.push(joined);
        }
    }

    /// Both parts as one of `parent`, if it is not too long.
    fn joined(&self, parent: Option<usize>, first: Part, second: Part) -> Option<Part> {
        let span = Span::new(first.span.start, second.span.end);
        (self.count(span) <= self.config.max_chars).then_some(Part { section: parent, span })
    }

    fn is_small(&self, span: Span) -> bool {
        self.count(span) < self.config.min_chars
    }

    fn count(&self, span: Span) -> usize {
        self.index.count(&self.document.text, span)
    }

    /// The section, or the document (`None`), under which a small `part` may be joined with its neighbours at this
    /// level.
    fn parent(&self, part: &Part) -> Option<Option<usize>> {
        if !self.is_small(part.span) {
            return None;
        }
        let Some(at) = part.section else { return (self.depth == 0).then_some(None) };
        let section = &self.document.sections[at];
        let is_whole = part.span == section.span;
        if section.depth == self.depth && !is_whole {
            return Some(Some(at));
        }
        (section.depth == self.depth + 1 && is_whole).then_some(section.parent)
    }
}
