//! Styles: which of those of paragraphs are headings, lists and code, which of those of characters raise or lower, and how large and
//! bold both are.

use std::collections::HashMap;

use super::looks::Look;
use crate::read::package::Element;
use crate::read::raised::Height;

/// Styles that a style may be based on, one on the other; Word stops at 10.
const MAX_CHAIN: usize = 16;

/// What programs in other languages call "Heading" when they name a style. Word itself always stores the English name.
const HEADING_WORDS: [&str; 24] = [
    "heading",
    "überschrift",
    "berschrift",
    "titre",
    "título",
    "ttulo",
    "titolo",
    "kop",
    "rubrik",
    "overskrift",
    "otsikko",
    "nagłówek",
    "nagwek",
    "заголовок",
    "nadpis",
    "címsor",
    "cmsor",
    "başlık",
    "επικεφαλίδα",
    "見出し",
    "标题",
    "標題",
    "제목",
    "כותרת",
];

/// Names of styles, blanks left out, whose paragraphs are verbatim.
const CODE_NAMES: [&str; 10] = [
    "code",
    "sourcecode",
    "codeblock",
    "htmlpreformatted",
    "preformattedtext",
    "preformatted",
    "macrotext",
    "macro",
    "verbatim",
    "listing",
];

/// The styles of a document.
#[derive(Debug, Default)]
pub(super) struct Styles {
    /// Those of paragraphs.
    by_id: HashMap<String, Style>,
    default: Option<String>,
    of_characters: HashMap<String, CharacterStyle>,
    /// How characters look that no style says more about.
    default_look: Look,
}

/// A style of characters.
#[derive(Debug, Default)]
struct CharacterStyle {
    height: Option<Height>,
    look: Look,
    based_on: Option<String>,
}

#[derive(Debug, Default)]
struct Style {
    /// In lower case.
    name: String,
    based_on: Option<String>,
    own: Properties,
    look: Look,
}

/// Paragraph properties, of a style or a paragraph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Properties {
    /// 0-based; 9 is body text.
    outline: Option<u8>,
    num_id: Option<String>,
    list_level: Option<usize>,
}

/// What a paragraph is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Heading { level: u8, is_title: bool },
    Code,
    Body,
}

/// A paragraph's place in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) num_id: String,
    /// Of the list that counts.
    pub(super) level: usize,
    /// How deep it stands: Word's "List Bullet 2" is the first level of a list of its own, and shown inside another.
    pub(super) nesting: usize,
}

impl Properties {
    /// Reads a `pPr` element.
    pub(super) fn of(properties: Option<Element<'_>>) -> Self {
        let Some(properties) = properties else { return Self::default() };
        let list = properties.child("numPr");
        Self {
            outline: properties.val("outlineLvl").and_then(|it| it.parse().ok()),
            num_id: list.and_then(|it| it.val("numId")).map(str::to_owned),
            list_level: list.and_then(|it| it.val("ilvl")).and_then(|it| it.parse().ok()),
        }
    }
}

impl Styles {
    /// Reads the root of a styles part.
    pub(super) fn of(root: Option<Element<'_>>) -> Self {
        let mut styles = Self::default();
        let defaults = root.and_then(|it| it.at_path(&["docDefaults", "rPrDefault", "rPr"]));
        styles.default_look = Look::of(defaults);
        for style in root.into_iter().flat_map(|it| it.named("style")) {
            let Some(id) = style.attr("styleId") else { continue };
            let based_on = style.val("basedOn").map(str::to_owned);
            match style.attr("type") {
                None | Some("paragraph") => {}
                Some("character") => {
                    let properties = style.child("rPr");
                    let (height, look) = (height(properties), Look::of(properties));
                    styles.of_characters.insert(id.to_owned(), CharacterStyle { height, look, based_on });
                    continue;
                }
                Some(_) => continue,
            }
            if matches!(style.attr("default"), Some("1" | "true" | "on")) {
                styles.default = Some(id.to_owned());
            }
            let name = style.val("name").unwrap_or(id).to_lowercase();
            let own = Properties::of(style.child("pPr"));
            let look = Look::of(style.child("rPr"));
            styles.by_id.insert(id.to_owned(), Style { name, based_on, own, look });
        }
        styles
    }

    /// The style with this id (the default one without), what it is based on, and so on.
    fn chain<'a>(&'a self, id: Option<&'a str>) -> impl Iterator<Item = &'a Style> {
        let mut next = id.or(self.default.as_deref());
        std::iter::from_fn(move || {
            let style = self.by_id.get(next?)?;
            next = style.based_on.as_deref();
            Some(style)
        })
        .take(MAX_CHAIN)
    }

    /// How high characters of style `id` stand.
    pub(super) fn height(&self, id: Option<&str>) -> Height {
        self.character_chain(id).find_map(|it| it.height).unwrap_or(Height::Line)
    }

    fn character_chain<'a>(&'a self, id: Option<&'a str>) -> impl Iterator<Item = &'a CharacterStyle> {
        let mut next = id;
        std::iter::from_fn(move || {
            let style = self.of_characters.get(next?)?;
            next = style.based_on.as_deref();
            Some(style)
        })
        .take(MAX_CHAIN)
    }

    /// How characters look by their styles: that of the characters, that of the paragraph, the defaults.
    pub(super) fn look(&self, paragraph: Option<&str>, characters: Option<&str>) -> Look {
        let of_characters = self.character_chain(characters).map(|it| it.look);
        let of_paragraph = self.chain(paragraph).map(|it| it.look);
        of_characters.chain(of_paragraph).fold(Look::default(), Look::or).or(self.default_look)
    }

    /// Whether paragraphs of style `id` are captions or lines of a table of contents, whatever their looks.
    pub(super) fn is_beside_text(&self, id: Option<&str>) -> bool {
        self.chain(id).any(|it| it.name == "caption" || it.name.starts_with("toc "))
    }

    /// What a paragraph of style `id` with properties of its `own` is.
    pub(super) fn role(&self, id: Option<&str>, own: &Properties) -> Role {
        let of_outline = |level: u8| match level {
            0..9 => Role::Heading { level: level + 1, is_title: false },
            _ => Role::Body,
        };
        if let Some(level) = own.outline.filter(|&level| level < 9) {
            return of_outline(level);
        }
        for (at, style) in self.chain(id).enumerate() {
            if let Some(level) = heading_level(&style.name) {
                // A title is based on nothing that is a heading; a paragraph in body text may say so itself.
                return if own.outline.is_some() { Role::Body } else { of_outline(level - 1) };
            }
            // Not what is based on it: pandoc's "Author" and "Date" are.
            if style.name == "title" && at == 0 {
                return Role::Heading { level: 1, is_title: true };
            }
            if let Some(level) = style.own.outline {
                return if own.outline.is_some() { Role::Body } else { of_outline(level) };
            }
            let name: String = style.name.chars().filter(|c| c.is_alphanumeric()).collect();
            if CODE_NAMES.contains(&name.as_str()) {
                return Role::Code;
            }
        }
        // Styles that the document uses but does not describe.
        match id.filter(|id| !self.by_id.contains_key(*id)).map(str::to_lowercase) {
            Some(id) if id == "title" => Role::Heading { level: 1, is_title: true },
            Some(id) => heading_level(&id).map_or(Role::Body, |level| of_outline(level - 1)),
            None => Role::Body,
        }
    }

    /// The list that a paragraph of style `id` with properties of its `own` is in.
    pub(super) fn list(&self, id: Option<&str>, own: &Properties) -> Option<Listed> {
        let of_style = |pick: fn(&Properties) -> bool| self.chain(id).map(|it| &it.own).find(|it| pick(it));
        let with_id = of_style(|it| it.num_id.is_some());
        let num_id = own.num_id.as_ref().or_else(|| with_id?.num_id.as_ref())?;
        if num_id == "0" {
            return None;
        }
        let inherited = || of_style(|it| it.list_level.is_some()).and_then(|it| it.list_level);
        let level = own.list_level.or_else(inherited).unwrap_or(0).min(8);
        let named = || self.chain(id).find_map(|it| nesting_of_name(&it.name)).unwrap_or(0);
        let nesting = if own.num_id.is_none() { level.max(named()) } else { level };
        Some(Listed { num_id: num_id.clone(), level, nesting })
    }
}

/// How deep a list stands by the name of its style in lower case: 1 for `list bullet 2`.
fn nesting_of_name(name: &str) -> Option<usize> {
    let depth = name.strip_prefix("list bullet ").or_else(|| name.strip_prefix("list number "))?;
    depth.parse().ok().filter(|it| (1..=9).contains(it)).map(|it: usize| it - 1)
}

/// How high run properties set characters; `None` where they do not say.
pub(super) fn height(properties: Option<Element<'_>>) -> Option<Height> {
    Some(match properties?.val("vertAlign")? {
        "superscript" => Height::Raised,
        "subscript" => Height::Lowered,
        _ => Height::Line,
    })
}

/// The level, from 1, that a style's name in lower case gives: `heading 2`, `überschrift 2`.
pub(in crate::read) fn heading_level(name: &str) -> Option<u8> {
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let level: u8 = name[word.len()..].parse().ok().filter(|level| (1..=9).contains(level))?;
    HEADING_WORDS
        .contains(&word.trim_end_matches(|c: char| c.is_whitespace() || c == '-' || c == '_'))
        .then_some(level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::package::Tree;

    const STYLES: &str = "<w:styles>
        <w:style w:type='paragraph' w:default='1' w:styleId='Standard'><w:name w:val='Normal'/></w:style>
        <w:style w:type='paragraph' w:styleId='berschrift2'><w:name w:val='heading 2'/>
            <w:pPr><w:numPr><w:ilvl w:val='1'/><w:numId w:val='7'/></w:numPr></w:pPr></w:style>
        <w:style w:type='paragraph' w:styleId='Mine'><w:name w:val='My Part'/><w:basedOn w:val='berschrift2'/></w:style>
        <w:style w:type='paragraph' w:styleId='Lvl'><w:name w:val='Chapter'/><w:pPr><w:outlineLvl w:val='0'/></w:pPr></w:style>
        <w:style w:type='paragraph' w:styleId='TOCHeading'><w:name w:val='TOC Heading'/><w:basedOn w:val='Lvl'/>
            <w:pPr><w:outlineLvl w:val='9'/></w:pPr></w:style>
        <w:style w:type='paragraph' w:styleId='T'><w:name w:val='Title'/></w:style>
        <w:style w:type='paragraph' w:styleId='Au'><w:name w:val='Author'/><w:basedOn w:val='T'/></w:style>
        <w:style w:type='paragraph' w:styleId='LB3'><w:name w:val='List Bullet 3'/><w:pPr><w:numPr><w:numId w:val='4'/></w:numPr></w:pPr></w:style>
        <w:style w:type='paragraph' w:styleId='SC'><w:name w:val='Source Code'/></w:style>
        <w:style w:type='paragraph' w:styleId='A'><w:name w:val='a'/><w:basedOn w:val='B'/></w:style>
        <w:style w:type='paragraph' w:styleId='B'><w:name w:val='b'/><w:basedOn w:val='A'/></w:style>
        <w:style w:type='character' w:styleId='Up'><w:name w:val='exponent'/>
            <w:rPr><w:vertAlign w:val='superscript'/></w:rPr></w:style>
        <w:style w:type='character' w:styleId='UpRed'><w:name w:val='red exponent'/><w:basedOn w:val='Up'/></w:style>
        <w:style w:type='character' w:styleId='Flat'><w:name w:val='flat'/><w:basedOn w:val='Up'/>
            <w:rPr><w:vertAlign w:val='baseline'/></w:rPr></w:style>
        <w:style w:type='character' w:styleId='Loop'><w:name w:val='loop'/><w:basedOn w:val='Loop'/></w:style>
        </w:styles>";

    #[test]
    fn characters_are_raised_by_style_and_ancestry() {
        let tree = Tree::parse(STYLES.as_bytes());
        let styles = Styles::of(tree.root());
        let check = |id: Option<&str>, expected: Height| assert_eq!(styles.height(id), expected, "{id:?}");
        check(None, Height::Line);
        check(Some("Up"), Height::Raised);
        check(Some("UpRed"), Height::Raised);
        check(Some("Flat"), Height::Line);
        check(Some("Loop"), Height::Line);
        check(Some("T"), Height::Line);
    }

    #[test]
    fn headings_are_found_by_name_outline_and_ancestry() {
        let tree = Tree::parse(STYLES.as_bytes());
        let styles = Styles::of(tree.root());
        let check = |id: Option<&str>, outline: Option<u8>, expected: Option<u8>| {
            let own = Properties { outline, ..Properties::default() };
            let found = match styles.role(id, &own) {
                Role::Heading { level, .. } => Some(level),
                _ => None,
            };
            assert_eq!(found, expected, "{id:?} {outline:?}");
        };
        check(None, None, None);
        check(None, Some(2), Some(3));
        check(Some("berschrift2"), None, Some(2));
        check(Some("berschrift2"), Some(9), None);
        check(Some("Mine"), None, Some(2));
        check(Some("Lvl"), None, Some(1));
        check(Some("TOCHeading"), None, None);
        check(Some("T"), None, Some(1));
        check(Some("Au"), None, None);
        check(Some("A"), None, None);
        check(Some("Heading3"), None, Some(3));
        check(Some("Heading10"), None, None);
        assert_eq!(styles.role(Some("SC"), &Properties::default()), Role::Code);
    }

    #[test]
    fn lists_come_from_styles_too() {
        let tree = Tree::parse(STYLES.as_bytes());
        let styles = Styles::of(tree.root());
        let at = |num_id: &str, level, nesting| Some(Listed { num_id: num_id.into(), level, nesting });
        let listed = |num_id: &str, level| at(num_id, level, level);
        assert_eq!(styles.list(Some("Mine"), &Properties::default()), listed("7", 1));
        assert_eq!(styles.list(Some("LB3"), &Properties::default()), at("4", 0, 2));
        let own = Properties { num_id: Some("3".into()), list_level: Some(2), ..Properties::default() };
        assert_eq!(styles.list(None, &own), listed("3", 2));
        assert_eq!(styles.list(Some("LB3"), &own), listed("3", 2));
        let off = Properties { num_id: Some("0".into()), ..Properties::default() };
        assert_eq!(styles.list(Some("Mine"), &off), None);
    }
}
