//! Ruby: the base text whole, then its reading in brackets, so that words of several characters are found.

use super::super::dom::{self, NodeRef};
use super::blocks::is_block;
use super::{Leave, Walk};
use crate::content::is_unspaced;

/// Longest reading, in bytes. More stands there when an element was never closed; it is then text as any other.
const MAX_READING_BYTES: usize = 400;

/// An open `ruby` element.
#[derive(Debug, Default)]
pub(super) struct Ruby {
    /// Readings of the base, and further ones (`rtc`: a translation).
    readings: Vec<String>,
    /// Whether a space, or a part of the base without a reading, stands behind the last reading.
    has_gap: bool,
    /// White space that is waiting for more of the base.
    has_space: bool,
}

impl Walk<'_> {
    pub(super) fn open_ruby(&mut self) -> Leave {
        self.rubies.push(Ruby::default());
        Leave::Ruby
    }

    /// Writes the readings behind the base.
    pub(super) fn close_ruby(&mut self) {
        let Some(ruby) = self.rubies.pop() else { return };
        let is_spaced = self.line.last_char().is_some_and(|it| !is_spaceless(it));
        if !ruby.readings.is_empty() {
            self.text(&format!("({})", ruby.readings.join(", ")));
        }
        // The space before a closing tag is one between words, where the script has such.
        if ruby.has_space && is_spaced && self.pre.is_none() {
            self.line.space();
        }
    }

    /// Takes a part of a ruby; `None` when nothing in it is left to be walked over.
    pub(super) fn ruby_part(&mut self, node: NodeRef<'_>, name: &str) -> Option<Leave> {
        let Some(ruby) = self.rubies.last_mut() else { return Some(Leave::Nothing) };
        if name == "rb" {
            return Some(Leave::Nothing);
        }
        let Some(text) = reading(node) else { return Some(Leave::Nothing) };
        if name == "rp" {
            // Brackets for browsers that do not know ruby.
            return text.contains(char::is_alphanumeric).then_some(Leave::Nothing);
        }
        if text.is_empty() {
            ruby.has_gap = !ruby.readings.is_empty();
            return None;
        }
        let is_further = name == "rtc";
        match ruby.readings.first_mut().filter(|_| !is_further) {
            Some(reading) => {
                if ruby.has_gap {
                    reading.push(' ');
                }
                reading.push_str(&text);
            }
            None => ruby.readings.push(text),
        }
        ruby.has_gap = false;
        None
    }

    /// Adds a piece of the base: characters that belong together stand together, whatever white space is between their
    /// elements.
    pub(super) fn ruby_base(&mut self, text: &str) {
        let Some(ruby) = self.rubies.last_mut() else { return };
        let words = text.trim();
        let Some(first) = words.chars().next() else {
            ruby.has_space |= !text.is_empty();
            return;
        };
        let is_apart = ruby.has_space || text.starts_with(char::is_whitespace);
        let is_spaced = |it: Option<char>| it.is_some_and(|it| !is_spaceless(it));
        if is_apart && is_spaced(self.line.last_char()) && !is_spaceless(first) {
            self.line.space();
            ruby.has_gap |= !ruby.readings.is_empty();
        }
        ruby.has_space = text.ends_with(char::is_whitespace);
        self.line.push(words);
    }
}

/// Whether a character is of a script whose words stand without spaces between them; Hangul has them.
fn is_spaceless(c: char) -> bool {
    let is_hangul = matches!(c, '\u{1100}'..='\u{11FF}' | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}');
    (is_unspaced(c) && !is_hangul) || matches!(c, '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FF60}')
}

/// The words of a reading; `None` where it holds parts of a page.
fn reading(node: NodeRef<'_>) -> Option<String> {
    let mut text = String::new();
    let is_entered = |it: NodeRef<'_>| dom::element(&it).is_none_or(|it| it.name() != "rp");
    for (at, it) in dom::descend(node, is_entered).enumerate() {
        if let Some(piece) = it.value().as_text() {
            text.push_str(piece);
        }
        let is_part = dom::traits(&it).is_some_and(|it| {
            it.heading_level().is_some()
                || matches!(it.name, "ruby" | "img" | "li" | "td" | "pre")
                || is_block(it.name)
        });
        if is_part || text.len() > MAX_READING_BYTES || at > MAX_READING_BYTES {
            return None;
        }
    }
    Some(dom::fold(&text))
}
