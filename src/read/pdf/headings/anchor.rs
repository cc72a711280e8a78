//! Headings by the outline: where on its page each entry's title is printed.

use std::cell::OnceCell;
use std::ops::Range;

use super::super::lines::Line;
use super::super::outline::Entry;
use super::{Mark, normal, without_number};
use crate::content::SectionKind;

/// Finds the line of each outline entry.
pub(super) fn marks(lines: &[Line], outline: &[Entry]) -> Vec<Mark> {
    let normals: Vec<OnceCell<String>> = vec![OnceCell::new(); lines.len()];
    let search = Search { lines, normals };
    let mut marks: Vec<Mark> = Vec::new();
    let mut page = 0;
    for entry in outline {
        page = entry.page.unwrap_or(page);
        // The first line that is free: the marks before take theirs.
        let free = marks.last().map_or(0, |it| it.line + it.n_lines.max(1));
        let mark = |line, n_lines| Mark {
            line,
            n_lines,
            level: entry.level,
            title: entry.title.clone(),
            kind: SectionKind::Outline,
            n_before: 0,
        };
        let on_page = search.page(page);
        // An entry whose words are not on the page may have taken the line of the next one's words.
        let from = match marks.last() {
            Some(last) if last.n_lines == 0 => last.line,
            _ => free,
        };
        let found = search.title(&entry.title, on_page.start.max(from)..on_page.end, entry.y).or_else(|| {
            let next = search.page(page + 1);
            let head = next.start.max(from)..next.end.min(next.start + 10);
            search.title(&entry.title, head, None).filter(|it| it.is_whole)
        });
        match found {
            Some(it) if it.line >= free => marks.push(mark(it.line, it.n_lines)),
            Some(it) => {
                if let Some(last) = marks.last_mut() {
                    last.n_lines = it.n_lines;
                }
                if it.line + it.n_lines < lines.len() {
                    marks.push(mark(it.line + it.n_lines, 0));
                }
            }
            None => {
                let below = |line: &Line| entry.y.is_none_or(|y| !line.is_upright || line.y <= y);
                let at = on_page.clone().find(|&at| below(&lines[at])).unwrap_or(on_page.start);
                if at.max(free) < lines.len() {
                    marks.push(mark(at.max(free), 0));
                }
            }
        }
    }
    marks
}

struct Search<'a> {
    lines: &'a [Line],
    normals: Vec<OnceCell<String>>,
}

/// Where a title was found.
struct Hit {
    line: usize,
    n_lines: usize,
    /// Whether the lines hold the title and nothing else.
    is_whole: bool,
}

impl Search<'_> {
    fn page(&self, page: u32) -> Range<usize> {
        self.lines.partition_point(|it| it.page < page)..self.lines.partition_point(|it| it.page <= page)
    }

    fn normal(&self, line: usize) -> &str {
        self.normals[line].get_or_init(|| normal(&self.lines[line].text))
    }

    /// The lines in `range` that are the title, or start with it; the nearest to height `y` where several are.
    fn title(&self, title: &str, range: Range<usize>, y: Option<f32>) -> Option<Hit> {
        /// Lines that a printed title may take.
        const MOST_LINES: usize = 4;
        let whole = normal(title);
        let bare = normal(without_number(title));
        if bare.is_empty() {
            return None;
        }
        let mut best: Option<((u8, f32), Hit)> = None;
        for line in range.clone() {
            let mut text = String::new();
            for n_lines in 1..=MOST_LINES.min(range.end - line) {
                text.push_str(self.normal(line + n_lines - 1));
                let rank = match () {
                    () if text == whole || text == bare => 0,
                    () if text.strip_suffix(&bare).is_some_and(is_number_like) => 0,
                    () if n_lines == 1 && whole.len() >= 4 && text.starts_with(&whole) => 1,
                    () => 2,
                };
                if rank < 2 {
                    let it = &self.lines[line];
                    let distance = y.map_or(line as f32, |y| (y - (it.y + it.size)).abs());
                    let key = (rank, distance);
                    if best.as_ref().is_none_or(|(least, _)| key < *least) {
                        best = Some((key, Hit { line, n_lines, is_whole: rank == 0 }));
                    }
                }
                if text.len() > whole.len() + 24 {
                    break;
                }
            }
        }
        best.map(|(_, hit)| hit)
    }
}

/// Whether what stands before a title is its number: `12`, `a1`, `chapter3`.
fn is_number_like(text: &str) -> bool {
    let text = ["chapter", "appendix", "section", "part"]
        .iter()
        .find_map(|it| text.strip_prefix(it))
        .unwrap_or(text);
    text.len() <= 8 && text.chars().filter(|c| c.is_alphabetic()).count() <= 1
        || text.chars().all(|c| "ivxlc".contains(c))
}
