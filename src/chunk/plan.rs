//! Which stretches of a document become chunks of their own, by section.

use crate::chunk::chars::CharIndex;
use crate::content::{Document, Section, Span};

/// A stretch of text that is one chunk, or is split into several when it is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Arena index of the section that its chunks belong to; `None` for the document.
    pub(super) section: Option<usize>,
    /// Its bytes.
    pub(super) span: Span,
}

/// Tiles a document's text with parts. A part is a section's own text, except where sections without body are joined with their
/// neighbours:
///
/// - sections without body and the section that follows them down the tree are one part of the first of them, when
///   they fit into `max_chars` together (a preamble without body is followed by the first top-level section, and
///   then the part belongs to the document);
/// - other neighbouring leaves without body are packed into parts of their parent.
///
/// Every decision looks only at the subtree it is about, so that an edit elsewhere changes nothing here.
pub(super) fn plan(document: &Document, index: &CharIndex, max_chars: usize) -> Vec<Part> {
    let whole = Span::new(0, document.text.len());
    if whole.is_empty() {
        return Vec::new();
    }
    if document.sections.is_empty() {
        return vec![Part { section: None, span: whole }];
    }
    let mut planner = Planner { document, index, max_chars, parts: Vec::new() };
    let mut next = 0;
    while next < document.sections.len() {
        next = planner.plan_section(next);
    }
    planner.parts
}

struct Planner<'a> {
    document: &'a Document,
    index: &'a CharIndex,
    max_chars: usize,
    parts: Vec<Part>,
}

impl Planner<'_> {
    /// Adds the part that starts with the section at `first`; returns the section where the next part starts.
    fn plan_section(&mut self, first: usize) -> usize {
        let section = self.section(first);
        if section.has_body {
            self.push(Some(first), section.own);
            return first + 1;
        }
        // Walk down the chain of sections without body to the one that they introduce.
        let mut target = first;
        while !self.section(target).has_body {
            match self.introduced_by(target) {
                Some(next) => target = next,
                None => break,
            }
        }
        if !self.section(target).has_body {
            return self.plan_bodyless(first, target);
        }
        let joined = Span::new(section.own.start, self.section(target).own.end);
        if self.fits(joined) {
            self.push(self.owner(first), joined);
            return target + 1;
        }
        self.plan_unjoined(first, target)
    }

    /// Packs the leaf without body at `target` and its like neighbours, and before them the chain `first..target`.
    fn plan_bodyless(&mut self, first: usize, target: usize) -> usize {
        let chain_start = self.section(first).own.start;
        if first < target && !self.fits(Span::new(chain_start, self.section(target).own.end)) {
            return self.plan_unjoined(first, target);
        }
        let parent = self.section(target).parent;
        let mut owner = if first < target { self.owner(first) } else { Some(first) };
        let mut span = Span::new(chain_start, self.section(target).own.end);
        let mut next = target + 1;
        while next < self.document.sections.len() && self.is_like_leaf(next, target) {
            let own = self.section(next).own;
            if self.fits(Span::new(span.start, own.end)) {
                span.end = own.end;
                // A chain keeps its owner; leaves of equal rank belong to their parent together.
                if owner == Some(next - 1) {
                    owner = parent;
                }
            } else {
                self.push(owner, span);
                (owner, span) = (Some(next), own);
            }
            next += 1;
        }
        self.push(owner, span);
        next
    }

    /// Adds the chain `first..target` alone, packed; a preamble is kept apart from the sections after it.
    fn plan_unjoined(&mut self, first: usize, target: usize) -> usize {
        let next = if self.is_preamble(first) { first + 1 } else { target };
        let (mut owner, mut span) = (first, self.section(first).own);
        for index in first + 1..next {
            let own = self.section(index).own;
            if self.fits(Span::new(span.start, own.end)) {
                span.end = own.end;
            } else {
                self.push(Some(owner), span);
                (owner, span) = (index, own);
            }
        }
        self.push(Some(owner), span);
        next
    }

    fn push(&mut self, section: Option<usize>, span: Span) {
        if !span.is_empty() {
            self.parts.push(Part { section, span });
        }
    }

    fn section(&self, index: usize) -> &Section {
        &self.document.sections[index]
    }

    fn fits(&self, span: Span) -> bool {
        self.index.count(&self.document.text, span) <= self.max_chars
    }

    fn is_preamble(&self, index: usize) -> bool {
        index == 0 && self.section(index).level == 0
    }

    fn is_container(&self, index: usize) -> bool {
        self.document.sections.get(index + 1).is_some_and(|next| next.parent == Some(index))
    }

    /// Whether the section at `index` is a leaf without body under the same parent as the one at `other`.
    fn is_like_leaf(&self, index: usize, other: usize) -> bool {
        let section = self.section(index);
        !section.has_body
            && !self.is_container(index)
            && section.parent == self.section(other).parent
            && !self.is_preamble(other)
    }

    /// The section that one without body introduces: its first child, or what follows a preamble.
    fn introduced_by(&self, index: usize) -> Option<usize> {
        let next = index + 1;
        let follows =
            self.is_container(index) || (self.is_preamble(index) && next < self.document.sections.len());
        follows.then_some(next)
    }

    /// Whom a part belongs to that joins the section at `first` with those after it.
    fn owner(&self, first: usize) -> Option<usize> {
        (!self.is_preamble(first)).then_some(first)
    }
}
