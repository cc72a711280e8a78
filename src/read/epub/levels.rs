//! Headings and the table of contents together.
//!
//! Each entry is looked up in the text. Where a heading stands, the heading takes the entry's level, and the headings after
//! it that are not in the table keep their distance to it. Where none stands, the entry opens a section by itself.

use std::collections::{HashMap, HashSet};

use super::contents::Entry;
use crate::content::{Heading, SectionKind};
use crate::read::rendered::Writer;

/// How far after its place an entry's heading may stand, in bytes: an ornament or a picture's text comes before some.
const MAX_GAP: usize = 300;

/// Puts the headings of `writer` on the levels of `entries`; `starts` says where each page starts.
pub(super) fn apply(writer: &mut Writer, entries: &[Entry], starts: &HashMap<String, usize>) {
    let anchors: HashMap<String, usize> =
        writer.anchors.iter().map(|(at, id)| (id.to_lowercase(), *at)).collect();
    let n_bytes = writer.text.len();
    let plain_titles: Vec<String> = writer.headings.iter().map(|it| plain(&it.title)).collect();
    // Headings by their words, in order.
    let mut by_words: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, title) in plain_titles.iter().enumerate().filter(|it| !it.1.is_empty()) {
        by_words.entry(title).or_default().push(at);
    }
    let mut page_starts: Vec<usize> = starts.values().copied().collect();
    page_starts.sort_unstable();
    let mut taken: HashSet<usize> = writer.headings.iter().map(|it| it.start).collect();
    let mut marks: Vec<Option<u8>> = vec![None; writer.headings.len()];
    let mut opened: Vec<Heading> = Vec::new();
    for entry in entries {
        let Some(&page) = starts.get(&entry.part) else { continue };
        let anchored = anchors.get(&format!("{}#{}", entry.part, entry.fragment.to_lowercase())).copied();
        let at = if entry.fragment.is_empty() { Some(page) } else { anchored };
        let next_page = page_starts.partition_point(|start| *start <= page);
        let page_end = page_starts.get(next_page).copied().unwrap_or(n_bytes);
        let words = plain(&entry.title);
        let by_title = || {
            let same = by_words.get(words.as_str())?;
            let from = same.partition_point(|it| writer.headings[*it].start < page);
            // Few headings of a page have the same words.
            let on_page =
                same[from..].iter().take(16).take_while(|it| writer.headings[**it].start < page_end);
            on_page.copied().find(|it| marks[*it].is_none())
        };
        let near = at.and_then(|at| {
            let next = writer.headings.partition_point(|it| it.start < at);
            let heading = writer.headings.get(next)?;
            let is_near = heading.start == at
                || (heading.start - at <= MAX_GAP && is_alike(&plain_titles[next], &words));
            (is_near && marks[next].is_none()).then_some(next)
        });
        match near.or_else(by_title) {
            Some(found) => marks[found] = Some(entry.level),
            None => {
                // An entry whose place cannot be found on its page would stand in the middle of something else.
                let Some(at) = at.filter(|at| *at < n_bytes) else { continue };
                if taken.insert(at) {
                    let title = entry.title.clone();
                    let kind = SectionKind::Outline;
                    opened.push(Heading { start: at, end: at, level: entry.level, title, kind });
                }
            }
        }
    }
    let mut shift = 0_i16;
    for (heading, mark) in writer.headings.iter_mut().zip(&marks) {
        if let Some(level) = mark {
            shift = i16::from(*level) - i16::from(heading.level);
        }
        heading.level = u8::try_from((i16::from(heading.level) + shift).max(1)).unwrap_or(u8::MAX);
    }
    writer.headings.extend(opened);
    writer.headings.sort_by_key(|it| it.start);
}

/// A title without case, marks and blanks.
fn plain(title: &str) -> String {
    title.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether one plain title is the other with something around it, such as a number.
fn is_alike(one: &str, other: &str) -> bool {
    !one.is_empty() && !other.is_empty() && (one.contains(other) || other.contains(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(headings: &[(&str, u8)], entries: &[(u8, &str, &str)], expected: &[(&str, u8)]) {
        let mut writer = Writer::default();
        for (title, level) in headings {
            match level {
                0 => writer.paragraph(title),
                level => writer.heading(*level, title, ""),
            }
        }
        let starts = [("p".to_owned(), 0)].into();
        writer.anchors =
            writer.blocks.iter().enumerate().map(|(at, it)| (it.span.start, format!("p#{at}"))).collect();
        let entries: Vec<Entry> = entries
            .iter()
            .map(|(level, title, fragment)| Entry {
                level: *level,
                title: (*title).into(),
                part: "p".into(),
                fragment: (*fragment).into(),
            })
            .collect();
        apply(&mut writer, &entries, &starts);
        let found: Vec<(&str, u8)> = writer.headings.iter().map(|it| (it.title.as_str(), it.level)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn headings_take_the_levels_of_their_entries() {
        check(
            &[("Part", 1), ("One", 1), ("Detail", 2), ("Two", 1)],
            &[(1, "Part", ""), (2, "1. One", "1"), (2, "Two", "3")],
            &[("Part", 1), ("One", 2), ("Detail", 3), ("Two", 2)],
        );
    }

    #[test]
    fn entries_without_a_heading_open_sections() {
        check(&[("words", 0), ("more", 0)], &[(1, "A", ""), (1, "B", "1")], &[("A", 1), ("B", 1)]);
        check(&[("words", 0)], &[(1, "A", "gone")], &[]);
    }

    #[test]
    fn a_book_without_contents_keeps_its_levels() {
        check(&[("A", 2), ("B", 3)], &[], &[("A", 2), ("B", 3)]);
    }
}
