//! How characters look, and which paragraphs are headings by that alone.

use std::collections::HashMap;

use super::body::folded;
use super::inline::alternative;
use super::styles::{Properties, Role, Styles};
use crate::read::looks::{Looks, Place};
use crate::read::package::Element;

/// Size of characters in half points where nothing says another (ECMA-376, 17.3.2.38).
const DEFAULT_HALF_POINTS: u32 = 20;

/// Size and weight of characters, where they are said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Look {
    half_points: Option<u32>,
    is_bold: Option<bool>,
}

impl Look {
    /// Reads an `rPr` element.
    pub(super) fn of(properties: Option<Element<'_>>) -> Self {
        let Some(properties) = properties else { return Self::default() };
        // Half points, or points with their unit.
        let half_points = properties.val("sz").and_then(|it| match it.strip_suffix("pt") {
            Some(points) => points.parse::<f32>().ok().map(|it| it * 2.0),
            None => it.parse().ok(),
        });
        let is_bold = properties.child("b");
        Self {
            half_points: half_points.filter(|it| (1.0..=3276.0).contains(it)).map(|it| it.round() as u32),
            is_bold: is_bold.map(|it| !matches!(it.attr("val"), Some("0" | "false" | "off"))),
        }
    }

    /// This look, and what it does not say as in `below`.
    pub(super) fn or(self, below: Self) -> Self {
        Self { half_points: self.half_points.or(below.half_points), is_bold: self.is_bold.or(below.is_bold) }
    }
}

/// The levels of the paragraphs of `body` that are headings by their looks alone, by [`Element::id`].
pub(super) fn levels(body: Element<'_>, styles: &Styles) -> HashMap<usize, u8> {
    let mut survey = Survey { styles, looks: Looks::default() };
    survey.blocks(body, false);
    survey.looks.levels()
}

#[derive(Debug)]
struct Survey<'s> {
    styles: &'s Styles,
    looks: Looks,
}

impl Survey<'_> {
    fn blocks(&mut self, parent: Element<'_>, is_in_table: bool) {
        for child in parent.elements() {
            match child.name() {
                "p" => self.paragraph(child, is_in_table),
                "tbl" => self.blocks(child, true),
                "del" | "moveFrom" | "sectPr" | "sdtPr" | "sdtEndPr" | "pPr" | "tcPr" => {}
                "AlternateContent" => {
                    if let Some(choice) = alternative(child) {
                        self.blocks(choice, is_in_table);
                    }
                }
                _ => self.blocks(child, is_in_table),
            }
        }
    }

    fn paragraph(&mut self, paragraph: Element<'_>, is_in_table: bool) {
        let properties = paragraph.child("pPr");
        let style = properties.and_then(|it| it.val("pStyle"));
        let own = Properties::of(properties);
        let place = match self.styles.role(style, &own) {
            Role::Heading { level, .. } if !is_in_table => Place::Heading(level),
            Role::Body if !is_in_table && self.styles.list(style, &own).is_none() => {
                if self.styles.is_beside_text(style) { Place::Other } else { Place::Body }
            }
            _ => Place::Other,
        };
        let mut text = String::new();
        self.runs(paragraph, style, &mut text);
        self.looks.end(paragraph.id(), &folded(&text), place);
    }

    fn runs(&mut self, parent: Element<'_>, style: Option<&str>, text: &mut String) {
        for child in parent.elements() {
            match child.name() {
                "r" => self.run(child, style, text),
                "del" | "moveFrom" | "pPr" | "sdtPr" | "sdtEndPr" | "txbxContent" => {}
                "AlternateContent" => {
                    if let Some(choice) = alternative(child) {
                        self.runs(choice, style, text);
                    }
                }
                _ => self.runs(child, style, text),
            }
        }
    }

    fn run(&mut self, run: Element<'_>, style: Option<&str>, text: &mut String) {
        let properties = run.child("rPr");
        let of_characters = properties.and_then(|it| it.val("rStyle"));
        let look = Look::of(properties).or(self.styles.look(style, of_characters));
        let start = text.len();
        for child in run.elements() {
            match child.name() {
                "t" => text.push_str(&child.text()),
                "tab" | "ptab" => text.push(' '),
                "br" | "cr" => text.push('\n'),
                "noBreakHyphen" => text.push('-'),
                _ => {}
            }
        }
        let size = look.half_points.unwrap_or(DEFAULT_HALF_POINTS);
        self.looks.run(&text[start..], size, look.is_bold.unwrap_or(false));
    }
}
