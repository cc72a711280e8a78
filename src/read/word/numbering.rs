//! Lists: from a paragraph's place in a list to the marker that stands before it.

use std::collections::{HashMap, HashSet};

use super::styles::Listed;
use crate::read::markers::{Bullet, Ordinal};
use crate::read::package::Element;
use crate::read::symbols::SymbolFont;

/// Levels of a list (ECMA-376, 17.9.6).
const N_LEVELS: usize = 9;

/// The lists of a document, counted as its paragraphs pass by.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    lists: HashMap<String, List>,
    abstract_lists: HashMap<String, [Level; N_LEVELS]>,
    /// Numbers so far, by abstract list: lists that share one go on counting.
    counts: HashMap<String, [Option<u32>; N_LEVELS]>,
    started: HashSet<String>,
}

#[derive(Debug)]
struct List {
    abstract_id: String,
    restarts: [Option<u32>; N_LEVELS],
}

#[derive(Clone, Debug)]
struct Level {
    format: Format,
    start: u32,
    /// Such as `%1.%2`, where `%1` is the number at the first level.
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Bullet(Bullet),
    None,
    Number(Ordinal),
}

impl Default for Level {
    fn default() -> Self {
        Self { format: Format::Bullet(Bullet::Usual), start: 1, text: String::new() }
    }
}

/// What stands before a paragraph of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    /// Such as `2.1`.
    Number(String),
    Bullet(Bullet),
}

impl Numbering {
    /// Reads the root of a numbering part.
    pub(super) fn of(root: Option<Element<'_>>) -> Self {
        let mut numbering = Self::default();
        let Some(root) = root else { return numbering };
        // Lists that take their levels from the list with a style's name.
        let (mut links, mut styled) = (Vec::new(), HashMap::new());
        for list in root.named("abstractNum") {
            let Some(id) = list.attr("abstractNumId") else { continue };
            if let Some(link) = list.val("numStyleLink") {
                links.push((id, link));
            }
            if let Some(style) = list.val("styleLink") {
                styled.insert(style, id);
            }
            let mut levels: [Level; N_LEVELS] = Default::default();
            read_levels(list, &mut levels);
            numbering.abstract_lists.insert(id.to_owned(), levels);
        }
        for (id, link) in links {
            if let Some(levels) = styled.get(link).and_then(|it| numbering.abstract_lists.get(*it)).cloned() {
                numbering.abstract_lists.insert(id.to_owned(), levels);
            }
        }
        for list in root.named("num") {
            let (Some(id), Some(base)) = (list.attr("numId"), list.val("abstractNumId")) else { continue };
            let mut restarts = [None; N_LEVELS];
            let mut abstract_id = base.to_owned();
            for change in list.named("lvlOverride") {
                let Some(level) = level_of(change) else { continue };
                restarts[level] = change.val("startOverride").and_then(|it| it.parse().ok());
                if change.child("lvl").is_some() {
                    // Levels of its own: a list of its own.
                    let mut levels = numbering.abstract_lists.get(&abstract_id).cloned().unwrap_or_default();
                    read_levels(change, &mut levels);
                    abstract_id = format!("{base} {id}");
                    numbering.abstract_lists.insert(abstract_id.clone(), levels);
                }
            }
            numbering.lists.insert(id.to_owned(), List { abstract_id, restarts });
        }
        numbering
    }

    /// The marker of the next paragraph there; `None` when the list shows none.
    pub(super) fn next_marker(&mut self, place: &Listed) -> Option<Marker> {
        let Some(list) = self.lists.get(&place.num_id) else { return Some(Marker::Bullet(Bullet::Usual)) };
        let levels = self.abstract_lists.get(&list.abstract_id)?;
        let counts = self.counts.entry(list.abstract_id.clone()).or_default();
        if self.started.insert(place.num_id.clone()) {
            for (count, restart) in counts.iter_mut().zip(list.restarts) {
                if let Some(start) = restart {
                    *count = start.checked_sub(1);
                }
            }
        }
        let own = &levels[place.level];
        let start = list.restarts[place.level].unwrap_or(own.start);
        counts[place.level] = Some(counts[place.level].map_or(start, |count| count.saturating_add(1)));
        counts[place.level + 1..].fill(None);
        match own.format {
            Format::None => None,
            Format::Bullet(bullet) => Some(Marker::Bullet(bullet)),
            Format::Number(_) => {
                let mut marker = String::new();
                let mut chars = own.text.chars().peekable();
                while let Some(c) = chars.next() {
                    let level = chars.peek().filter(|_| c == '%').and_then(|it| it.to_digit(10));
                    match level.filter(|level| (1..=9).contains(level)) {
                        Some(level) => {
                            chars.next();
                            let at = level as usize - 1;
                            let number = counts[at].unwrap_or(levels[at].start);
                            if let Format::Number(ordinal) = levels[at].format {
                                marker.push_str(&ordinal.write(number.into()));
                            }
                        }
                        None => marker.push(c),
                    }
                }
                let marker = marker.trim();
                (!marker.is_empty()).then(|| Marker::Number(marker.to_owned()))
            }
        }
    }
}

fn level_of(element: Element<'_>) -> Option<usize> {
    element.attr("ilvl")?.parse().ok().filter(|&level| level < N_LEVELS)
}

fn read_levels(list: Element<'_>, levels: &mut [Level; N_LEVELS]) {
    for level in list.named("lvl") {
        let Some(at) = level_of(level) else { continue };
        levels[at] = Level {
            format: Format::of(level),
            start: level.val("start").and_then(|it| it.parse().ok()).unwrap_or(0),
            text: level.val("lvlText").unwrap_or_default().chars().take(64).collect(),
        };
    }
}

impl Format {
    fn of(level: Element<'_>) -> Self {
        match level.val("numFmt").unwrap_or("decimal") {
            "bullet" => Self::Bullet(bullet(level)),
            "none" => Self::None,
            "lowerLetter" => Self::Number(Ordinal::Letter { is_upper: false }),
            "upperLetter" => Self::Number(Ordinal::Letter { is_upper: true }),
            "lowerRoman" => Self::Number(Ordinal::Roman { is_upper: false }),
            "upperRoman" => Self::Number(Ordinal::Roman { is_upper: true }),
            // The formats of other scripts count all the same.
            _ => Self::Number(Ordinal::Decimal),
        }
    }
}

/// The bullet of a level: a sign in a font, or a picture.
fn bullet(level: Element<'_>) -> Bullet {
    let sign = level.val("lvlText").filter(|_| level.child("lvlPicBulletId").is_none());
    let Some(sign) = sign else { return Bullet::Usual };
    let fonts = level.at_path(&["rPr", "rFonts"]);
    let font = fonts.and_then(|it| it.attr("ascii").or_else(|| it.attr("hAnsi"))).and_then(SymbolFont::named);
    match font {
        Some(font) if !sign.trim().is_empty() => match Bullet::of(&font.decoded(sign, &mut 0)) {
            // A sign that is not known.
            Bullet::Blank => Bullet::Usual,
            bullet => bullet,
        },
        _ => Bullet::of(sign),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::package::Tree;

    #[test]
    fn lists_count_as_word_counts() {
        let tree = Tree::parse(
            b"<w:numbering><w:abstractNum w:abstractNumId='0'>
              <w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='decimal'/><w:lvlText w:val='%1.'/></w:lvl>
              <w:lvl w:ilvl='1'><w:start w:val='1'/><w:numFmt w:val='lowerLetter'/><w:lvlText w:val='%1.%2)'/></w:lvl>
              <w:lvl w:ilvl='2'><w:numFmt w:val='bullet'/><w:lvlText w:val='o'/></w:lvl></w:abstractNum>
              <w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num>
              <w:num w:numId='2'><w:abstractNumId w:val='0'/>
                <w:lvlOverride w:ilvl='0'><w:startOverride w:val='5'/></w:lvlOverride></w:num></w:numbering>",
        );
        let mut numbering = Numbering::of(tree.root());
        let mut next = |num_id: &str, level| match numbering.next_marker(&Listed {
            num_id: num_id.into(),
            level,
            nesting: level,
        }) {
            Some(Marker::Number(number)) => number,
            Some(Marker::Bullet(bullet)) => format!("{bullet:?}"),
            None => String::new(),
        };
        assert_eq!(next("1", 0), "1.");
        assert_eq!(next("1", 0), "2.");
        assert_eq!(next("1", 1), "2.a)");
        assert_eq!(next("1", 1), "2.b)");
        assert_eq!(next("1", 2), "Usual");
        assert_eq!(next("1", 0), "3.");
        assert_eq!(next("1", 1), "3.a)");
        assert_eq!(next("2", 0), "5.");
        assert_eq!(next("2", 0), "6.");
        assert_eq!(next("99", 0), "Usual");
    }

    #[test]
    fn bullets_are_boxes_blanks_or_signs() {
        let check = |inside: &str, expected: Bullet| {
            let tree = Tree::parse(format!("<w:lvl><w:numFmt w:val='bullet'/>{inside}</w:lvl>").as_bytes());
            assert_eq!(Format::of(tree.root().unwrap()), Format::Bullet(expected), "{inside}");
        };
        let of_font = |sign: &str, font: &str| {
            format!("<w:lvlText w:val='{sign}'/><w:rPr><w:rFonts w:ascii='{font}'/></w:rPr>")
        };
        check("<w:lvlText w:val='☐'/>", Bullet::Task { is_done: false });
        check("<w:lvlText w:val='☒'/>", Bullet::Task { is_done: true });
        check("<w:lvlText w:val=' '/>", Bullet::Blank);
        check("<w:lvlText w:val=' '/><w:lvlPicBulletId w:val='0'/>", Bullet::Usual);
        check("", Bullet::Usual);
        check(&of_font("\u{F0FE}", "Wingdings"), Bullet::Task { is_done: true });
        check(&of_font("\u{F0B7}", "Symbol"), Bullet::Usual);
        check(&of_font("\u{F0FF}", "Wingdings"), Bullet::Usual);
        check(&of_font(" ", "Symbol"), Bullet::Blank);
    }
}
