//! Lists as Word saves them: paragraphs, each with its bullet or number and a gap in front.

use super::super::dom::{self, NodeRef, Traits};
use super::{Leave, Walk};

/// Nodes of a paragraph that are looked at for the gap behind its marker.
const MAX_LOOK: usize = 14;

/// Longest marker, in characters: `xviii.` and `1.2.10.11`.
const MAX_MARKER: usize = 12;

/// Indentation of a level, in inches.
const LEVEL_INCHES: f32 = 0.5;

/// Whether a paragraph has the class or the style that Word gives to items.
pub(super) fn is_list_item(traits: &Traits<'_>) -> bool {
    traits.class.starts_with("MsoListParagraph") || traits.style.contains("mso-list:")
}

impl<'a> Walk<'a> {
    /// Opens an item with the marker that its paragraph begins with, which is passed over; one without is a paragraph.
    pub(super) fn open_office_item(&mut self, node: NodeRef<'a>, traits: &Traits<'_>) -> Leave {
        self.end_block();
        if !self.is_flowing() {
            return Leave::Block;
        }
        let Some((gap, marker)) = marker(node) else { return Leave::Block };
        let level = level(traits.style);
        for _ in 1..level {
            self.writer.open_item("  ");
        }
        let is_number = marker.contains(|c: char| c.is_ascii_digit()) || marker.ends_with(['.', ')']);
        self.writer.open_item(&if is_number { format!("{marker} ") } else { "- ".to_owned() });
        self.gap = Some(gap);
        Leave::OfficeItem { level }
    }
}

/// The gap behind the marker, an element of blanks in small type, and the marker.
fn marker(paragraph: NodeRef<'_>) -> Option<(NodeRef<'_>, String)> {
    let mut text = String::new();
    for node in dom::descend(paragraph, |_| true).take(MAX_LOOK) {
        if let Some(piece) = node.value().as_text() {
            text.push_str(piece.trim());
        } else if dom::traits(&node).is_some_and(|it| it.style.contains("7.0pt")) {
            let is_blank = dom::short_text(node, 64).chars().all(char::is_whitespace);
            let is_marker = !text.is_empty() && text.chars().count() <= MAX_MARKER && !text.contains(' ');
            return (is_blank && is_marker).then_some((node, text));
        }
    }
    None
}

/// The level from 1 to 9, as the style says it (`mso-list:l0 level2 lfo1`) or by its indentation.
fn level(style: &str) -> usize {
    let said = style.split_once("mso-list:").and_then(|(_, list)| {
        let word = list.split([' ', ';']).find_map(|it| it.strip_prefix("level"))?;
        word.parse::<usize>().ok()
    });
    let indented = || {
        let (_, margin) = style.split_once("margin-left:")?;
        let inches: f32 = margin.split_once("in")?.0.trim().parse().ok()?;
        Some((inches / LEVEL_INCHES).round() as usize)
    };
    said.or_else(indented).unwrap_or(1).clamp(1, 9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_said_or_indented() {
        let check = |style: &str, expected: usize| assert_eq!(level(style), expected, "{style}");
        check("mso-list:l0 level2 lfo1", 2);
        check("margin-left:1.0in;text-indent:-.25in", 2);
        check("margin-left:.5in;text-indent:-.25in;mso-list:l3 level1 lfo2", 1);
        check("text-indent:-.25in", 1);
        check("margin-left:999999in", 9);
        check("margin-left:-3in", 1);
        check("", 1);
    }
}
