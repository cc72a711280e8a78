//! Lists: their styles, and which number an item has.

use std::collections::HashMap;

use crate::read::markers::{Bullet, Ordinal};
use crate::read::package::{Element, Tree};

/// Levels of a list style (ODF 1.3 part 3, `text:list-style`).
const N_LEVELS: usize = 10;

/// The list styles of a document, and the lists so far.
#[derive(Debug, Default)]
pub(super) struct Lists<'a> {
    styles: HashMap<&'a str, Element<'a>>,
    /// How far the outermost lists have counted; one that continues another is the same list.
    counted: Vec<Counts>,
    /// Which of them has an id.
    by_id: HashMap<&'a str, usize>,
    /// Which of them was the last of its style.
    by_style: HashMap<Option<&'a str>, usize>,
}

/// An outermost list that is being read.
#[derive(Debug)]
pub(super) struct Open {
    at: usize,
    pub(super) counts: Counts,
}

/// Last numbers by level.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts([Option<u32>; N_LEVELS]);

/// Where a list is: its style and its level, from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    pub(super) style: Option<&'a str>,
    pub(super) level: usize,
}

/// What stands before the items of one level.
#[derive(Clone, Debug)]
pub(super) enum Sign {
    Number {
        /// Formats of the levels whose numbers are shown, the own one last.
        ordinals: Vec<(usize, Ordinal)>,
        prefix: String,
        suffix: String,
        start: u32,
    },
    Bullet(Bullet),
}

impl<'a> Lists<'a> {
    /// Reads the list styles of both files; those of the content go first.
    pub(super) fn of(content: &'a Tree, styles: Option<&'a Tree>) -> Self {
        let roots = [styles.and_then(Tree::root), content.root()];
        let groups =
            roots.into_iter().flatten().flat_map(|it| it.named("styles").chain(it.named("automatic-styles")));
        let all = groups.flat_map(|it| it.named("list-style"));
        let styles = all.filter_map(|it| Some((it.attr("name")?, it))).collect();
        Self { styles, ..Self::default() }
    }

    /// Begins an outermost list, with the numbers of the one that it continues.
    pub(super) fn begin(&mut self, list: Element<'a>) -> Open {
        let style = list.attr("style-name");
        let continued = match list.attr("continue-list") {
            Some(id) => self.by_id.get(id),
            None if is_continuing(list) => self.by_style.get(&style),
            None => None,
        };
        let at = continued.copied().unwrap_or_else(|| {
            self.counted.push(Counts::default());
            self.counted.len() - 1
        });
        if let Some(id) = list.attr("id") {
            self.by_id.insert(id, at);
        }
        self.by_style.insert(style, at);
        Open { at, counts: self.counted.get(at).cloned().unwrap_or_default() }
    }

    /// Notes how far the list has counted.
    pub(super) fn end(&mut self, list: Open) {
        if let Some(counts) = self.counted.get_mut(list.at) {
            *counts = list.counts;
        }
    }

    /// What stands before items at `level`, from 1.
    pub(super) fn sign(&self, style: Option<&str>, level: usize) -> Sign {
        let style = style.and_then(|it| self.styles.get(it));
        let at_level = |level: usize| {
            style?.elements().find(|it| it.attr("level").and_then(|it| it.parse().ok()) == Some(level))
        };
        let Some(own) = at_level(level) else { return Sign::Bullet(Bullet::Usual) };
        if own.name() == "list-level-style-bullet" {
            return Sign::Bullet(own.attr("bullet-char").map_or(Bullet::Usual, Bullet::of));
        }
        let Some(ordinal) = ordinal(own).filter(|_| level <= N_LEVELS) else {
            return Sign::Bullet(Bullet::Usual);
        };
        let n_shown = own.attr("display-levels").and_then(|it| it.parse().ok()).unwrap_or(1_usize);
        let first = level - n_shown.clamp(1, level);
        let above = (first + 1..level).filter_map(|it| Some((it, self::ordinal(at_level(it)?)?)));
        let text = |name: &str| own.attr(name).unwrap_or_default().chars().take(64).collect::<String>();
        Sign::Number {
            ordinals: above.chain([(level, ordinal)]).collect(),
            prefix: text("num-prefix"),
            suffix: text("num-suffix"),
            start: start_of(own).unwrap_or(1),
        }
    }
}

impl Sign {
    /// What stands between the marker and the words of an item.
    pub(super) fn task(&self) -> &'static str {
        match self {
            Self::Bullet(bullet) => bullet.task(),
            Self::Number { .. } => "",
        }
    }

    /// The marker of the next item at `level`, such as `b)`; `start` is the item's own.
    pub(super) fn next(&self, counts: &mut Counts, level: usize, start: Option<u32>) -> String {
        let Self::Number { ordinals, prefix, suffix, start: usual } = self else { return "-".to_owned() };
        let number = match (start, counts.0.get(level - 1).copied().flatten()) {
            (Some(start), _) => start,
            (None, Some(last)) => last.saturating_add(1),
            (None, None) => *usual,
        };
        if let Some(count) = counts.0.get_mut(level - 1) {
            *count = Some(number);
        }
        counts.end_below(level);
        let count = |level: usize| counts.0.get(level - 1).copied().flatten().unwrap_or(1);
        let numbers: Vec<String> =
            ordinals.iter().map(|(level, it)| it.write(count(*level).into())).collect();
        let marker = format!("{prefix}{}{suffix}", numbers.join("."));
        // A bare number would be part of the sentence.
        let dot = if prefix.is_empty() && suffix.is_empty() { "." } else { "" };
        format!("{}{dot}", marker.trim())
    }
}

impl Counts {
    /// Ends the lists below `level`.
    pub(super) fn end_below(&mut self, level: usize) {
        self.0.iter_mut().skip(level).for_each(|it| *it = None);
    }
}

/// Whether `list` goes on counting where the one before it ended.
pub(super) fn is_continuing(list: Element<'_>) -> bool {
    list.attr("continue-numbering") == Some("true")
}

/// The `text:start-value` of an item or a level.
pub(super) fn start_of(element: Element<'_>) -> Option<u32> {
    element.attr("start-value")?.parse().ok()
}

/// The format of a level's numbers; `None` when it shows none.
fn ordinal(level: Element<'_>) -> Option<Ordinal> {
    if !matches!(level.name(), "list-level-style-number" | "outline-level-style") {
        return None;
    }
    let is_doubled = level.attr("num-letter-sync") == Some("true");
    let letters =
        |is_upper| if is_doubled { Ordinal::Letter { is_upper } } else { Ordinal::Alphabet { is_upper } };
    Some(match level.attr("num-format")? {
        "" => return None,
        "a" => letters(false),
        "A" => letters(true),
        "i" => Ordinal::Roman { is_upper: false },
        "I" => Ordinal::Roman { is_upper: true },
        _ => Ordinal::Decimal,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_the_numbers_of_their_style() {
        let level = |level: u8, attributes: &str| {
            format!("<text:list-level-style-number text:level='{level}' {attributes}/>")
        };
        let levels = level(1, "style:num-format='I' style:num-suffix='.'")
            + &level(2, "style:num-format='a' style:num-suffix=')' text:start-value='3'")
            + &level(
                3,
                "style:num-format='1' text:display-levels='3' style:num-prefix='(' style:num-suffix=')'",
            )
            + &level(4, "style:num-format='' style:num-suffix='.'")
            + &level(5, "style:num-format='1' text:display-levels='99'")
            + "<text:list-level-style-bullet text:level='6' text:bullet-char='☒'/>";
        let xml = format!(
            "<a><office:styles><text:list-style style:name='L'>{levels}</text:list-style></office:styles></a>"
        );
        let content = Tree::parse(xml.as_bytes());
        let lists = Lists::of(&content, None);
        let mut counts = Counts::default();
        let mut next = |level, start| {
            let sign = lists.sign(Some("L"), level);
            format!("{} {}", sign.next(&mut counts, level, start), sign.task())
        };
        let items = [
            (1, None, "I. "),
            (2, None, "c) "),
            (2, None, "d) "),
            (3, None, "(I.d.1) "),
            (5, None, "I.d.1.1. "),
            (1, None, "II. "),
            (2, Some(27), "aa) "),
            (2, None, "ab) "),
            (4, None, "- "),
            (6, None, "- [x] "),
            (11, None, "- "),
        ];
        for (level, start, expected) in items {
            assert_eq!(next(level, start), expected, "level {level}");
        }
    }
}
