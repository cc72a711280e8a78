//! Runs of glyphs: what the parser gives, in plain letters and upright.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use pdf_oxide::extractors::text::ArtifactType;
use pdf_oxide::layout::{TextChar, TextSpan};
use pdf_oxide::structure::McidScope;

use super::accents;
use super::letters::{Glyphs, plain_letters, with_bullets};
use super::tags::{Place, Tags};

/// A run of glyphs on one baseline, in the upright frame of its direction; points, y upward.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Run {
    pub(super) text: String,
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) width: f32,
    /// Width of the blanks at its start.
    pub(super) inset: f32,
    pub(super) size: f32,
    /// How far it is raised above `y`; negative where it is lowered.
    pub(super) rise: f32,
    pub(super) is_bold: bool,
    pub(super) is_mono: bool,
    /// Names the font, in no particular way.
    pub(super) font: u64,
    /// Text direction in degrees, counter-clockwise.
    pub(super) turn: i32,
    /// How many of its characters mean nothing: replacement and private-use characters, controls.
    pub(super) n_noise: usize,
    /// The tagged heading that it belongs to.
    pub(super) tag: Option<u32>,
    /// Left end of each character; empty when the parser does not say.
    pub(super) offsets: Vec<f32>,
}

impl Run {
    /// Takes over one span; `None` for what the file marks as page furniture and for empty ones.
    pub(super) fn from_span(span: TextSpan, page: u32, tags: &Tags) -> Option<Self> {
        if is_furniture(&span) || span.text.is_empty() {
            return None;
        }
        let (turn, x, y) = upright(span.rotation_degrees, span.bbox.x, span.bbox.y);
        let size = span.font_size.abs();
        let is_mono = span.is_monospace || is_mono_name(&span.font_name);
        let advance = span.bbox.width / span.text.chars().count().max(1) as f32;
        let offsets = if turn == 0 { offsets(&span) } else { Vec::new() };
        let mut glyphs = with_bullets(Glyphs { text: span.text, offsets });
        let n_noise = glyphs.text.chars().filter(|&c| is_noise(c)).count();
        if !is_mono {
            glyphs = accents::composed(glyphs);
        }
        glyphs = plain_letters(glyphs);
        // Two blanks in a line mean the end of a cell, not that the writer drew two.
        if !is_mono && glyphs.text.contains("  ") {
            let mut last = '\0';
            glyphs = glyphs.rewritten(|_, c, to| {
                if (last, c) != (' ', ' ') {
                    to.push(c);
                }
                last = c;
            });
        }
        let Glyphs { text, offsets } = glyphs;
        let n_leading = text.chars().take_while(|&c| c == ' ').count();
        let is_in_form = !matches!(span.mcid_scope, None | Some(McidScope::Page(_)));
        let tag = span.mcid.and_then(|mcid| tags.at(Place { page, mcid, is_in_form }));
        let is_sound = [x, y, span.bbox.width, size].iter().all(|it| it.is_finite() && it.abs() < 1e6);
        is_sound.then(|| Self {
            is_bold: is_bold(span.font_weight.is_bold(), &span.font_name),
            is_mono,
            font: font_number(&span.font_name),
            n_noise,
            inset: n_leading as f32 * advance,
            text,
            x,
            y,
            width: span.bbox.width.max(0.0),
            size: size.max(0.1),
            rise: if span.text_rise.is_finite() { span.text_rise * size } else { 0.0 },
            turn,
            tag,
            offsets,
        })
    }

    /// Takes over one character.
    fn from_char(glyph: TextChar, page: u32, tags: &Tags) -> Option<Self> {
        let (turn, x, y) = upright(glyph.rotation_degrees, glyph.origin_x, glyph.origin_y);
        let (width, size) = (glyph.bbox.width, glyph.font_size.abs());
        let text = with_bullets(Glyphs { text: glyph.char.to_string(), offsets: Vec::new() });
        let n_noise = text.text.chars().filter(|&c| is_noise(c)).count();
        let text = plain_letters(text).text;
        let is_sound = [x, y, width, size].iter().all(|it| it.is_finite() && it.abs() < 1e6);
        (is_sound && !text.is_empty()).then(|| Self {
            is_bold: is_bold(glyph.font_weight.is_bold(), &glyph.font_name),
            is_mono: glyph.is_monospace,
            font: font_number(&glyph.font_name),
            n_noise,
            inset: 0.0,
            text,
            x,
            y,
            width: width.max(0.0),
            size: size.max(0.1),
            rise: 0.0,
            turn,
            // The parser does not say whose content stream the character is in; most often it is the page's.
            tag: glyph.mcid.and_then(|mcid| tags.at(Place { page, mcid, is_in_form: false })),
            offsets: Vec::new(),
        })
    }

    /// The run in two, at the blank in which `inner` stands.
    ///
    /// The parser joins what is drawn on one baseline over the gap that a lowered or raised letter leaves: the `E` of
    /// TeX's name, the 2 of a formula.
    pub(super) fn split_around(&self, inner: &Self) -> Option<(Self, Self)> {
        let middle = inner.x + inner.width / 2.0;
        if !(self.x..self.end()).contains(&middle) || self.offsets.len() != self.n_chars() {
            return None;
        }
        // The blank that is nearest: where it starts, and what follows it.
        let chars: Vec<(usize, char)> = self.text.char_indices().collect();
        let follows_blank = |&at: &usize| chars[at - 1].1 == ' ' && chars[at].1 != ' ';
        let distance = |at: usize| (middle - (self.offsets[at - 1] + self.offsets[at]) / 2.0).abs();
        let at =
            (1..chars.len()).filter(follows_blank).min_by(|&a, &b| distance(a).total_cmp(&distance(b)))?;
        // Half an em: widths are nominal, and places are off by what kerning adds up to.
        let left = self.text[..chars[at].0].trim_end();
        if distance(at) > 0.5 * self.size || left.is_empty() {
            return None;
        }
        let n_left = left.chars().count();
        let (left_end, right_start) = (self.offsets[n_left], self.offsets[at]);
        let left = Self {
            text: left.to_owned(),
            width: (left_end - self.x).max(0.0),
            offsets: self.offsets[..n_left].to_vec(),
            ..self.clone()
        };
        let right = Self {
            text: self.text[chars[at].0..].to_owned(),
            x: right_start,
            width: (self.end() - right_start).max(0.0),
            inset: 0.0,
            offsets: self.offsets[at..].to_vec(),
            n_noise: 0,
            ..self.clone()
        };
        Some((left, right))
    }

    /// Right end.
    pub(super) fn end(&self) -> f32 {
        self.x + self.width
    }

    /// Number of characters.
    pub(super) fn n_chars(&self) -> usize {
        self.text.chars().count()
    }
}

/// Where the characters of a span start: the sum of their widths, with what is left over given to the blanks, which a
/// justified line stretches. Empty when the parser gives no widths or they do not fill the span.
fn offsets(span: &TextSpan) -> Vec<f32> {
    let widths = &span.char_widths;
    let n_blanks = span.text.chars().filter(|&c| c == ' ').count();
    let left_over = span.bbox.width - widths.iter().sum::<f32>();
    if widths.len() != span.text.chars().count() || (n_blanks == 0 && left_over.abs() > 0.2 * span.font_size)
    {
        return Vec::new();
    }
    let stretch = if n_blanks > 0 { left_over / n_blanks as f32 } else { 0.0 };
    let mut x = span.bbox.x;
    let place = |(c, width): (char, &f32)| {
        let start = x;
        x += width + if c == ' ' { stretch } else { 0.0 };
        start
    };
    span.text.chars().zip(widths).map(place).collect()
}

/// Whether the file marks the piece as a running header, a footer or a page number.
pub(super) fn is_furniture(span: &TextSpan) -> bool {
    matches!(span.artifact_type, Some(ArtifactType::Pagination(_)))
}

/// Takes over characters in the order of drawing, and says whether the order of some right-to-left letters is a guess.
///
/// The parser gives the characters of one glyph one by one, in the order of reading, each with an equal share of the
/// glyph's width; they stay together, since order by place would turn those of a right-to-left script around.
pub(super) fn from_chars(chars: Vec<TextChar>, page: u32, tags: &Tags) -> (Vec<Run>, bool) {
    let alefs = widths_of_alef(&chars);
    let mut runs: Vec<Run> = Vec::with_capacity(chars.len());
    let mut is_guess = false;
    let mut last: Option<TextChar> = None;
    for it in chars {
        let is_narrow = is_right_to_left(it.char) && it.bbox.width > 0.0 && share(&it) < NARROWEST;
        let is_same_glyph = last.as_ref().is_some_and(|before| {
            adjoins(before, &it)
                && ((is_lam_alef(before.char, it.char)
                    && alefs.contains_key(&it.font_name)
                    && !alefs[&it.font_name].contains(&grain(&it)))
                    || (is_narrow && is_right_to_left(before.char)))
        });
        is_guess |= is_same_glyph && is_narrow;
        last = Some(it.clone());
        let Some(run) = Run::from_char(it, page, tags) else { continue };
        match runs.last_mut().filter(|open| is_same_glyph && (open.y, open.turn) == (run.y, run.turn)) {
            Some(open) => {
                open.text.push_str(&run.text);
                open.width += run.width;
                open.n_noise += run.n_noise;
            }
            None => runs.push(run),
        }
    }
    (runs, is_guess)
}

/// No letter is narrower than this share of the type size; the thinnest, alef and i, are twice as wide.
const NARROWEST: f32 = 0.12;

/// Width as a share of the type size.
fn share(glyph: &TextChar) -> f32 {
    glyph.bbox.width / glyph.font_size.abs().max(0.1)
}

/// [`share`] in thousandths, the unit of widths in fonts.
fn grain(glyph: &TextChar) -> i32 {
    (share(glyph) * 1000.0).round() as i32
}

/// Whether `next` starts where `glyph` ends, and is as wide to the last bit.
fn adjoins(glyph: &TextChar, next: &TextChar) -> bool {
    glyph.bbox.width.to_bits() == next.bbox.width.to_bits()
        && glyph.font_name == next.font_name
        && (glyph.origin_x + glyph.bbox.width - next.origin_x).abs() < 0.01 * next.font_size.abs()
}

/// Lam with alef, which is always written as one glyph.
fn is_lam_alef(first: char, second: char) -> bool {
    first == '\u{644}' && matches!(second, '\u{622}' | '\u{623}' | '\u{625}' | '\u{627}')
}

/// How wide an alef by itself is in each font: lam and alef of another width are halves of one glyph.
fn widths_of_alef(chars: &[TextChar]) -> HashMap<String, HashSet<i32>> {
    let mut widths: HashMap<String, HashSet<i32>> = HashMap::new();
    for (at, it) in chars.iter().enumerate().filter(|(_, it)| it.char == '\u{627}') {
        let is_by_itself = at == 0 || chars[at - 1].char != '\u{644}';
        if is_by_itself {
            widths.entry(it.font_name.clone()).or_default().insert(grain(it));
        }
    }
    widths
}

/// The direction in whole degrees, and the point turned into the frame in which text of that direction is upright.
fn upright(degrees: f32, x: f32, y: f32) -> (i32, f32, f32) {
    let turn = (degrees.round() as i32).rem_euclid(360);
    match turn {
        45..=134 => (turn, y, -x),
        135..=224 => (turn, -x, -y),
        225..=314 => (turn, -y, x),
        _ => (turn, x, y),
    }
}

/// Whether a fifth or more of the letters are of a script written from right to left.
pub(super) fn is_mostly_right_to_left(spans: &[TextSpan]) -> bool {
    let letters = || spans.iter().flat_map(|span| span.text.chars()).filter(|c| c.is_alphabetic());
    let n_rtl = letters().filter(|&c| is_right_to_left(c)).count();
    n_rtl > 0 && n_rtl * 5 >= letters().count()
}

/// A number for the font of that name; the same in every run of the program.
fn font_number(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

/// Whether a font is bold. What the file says of its weight is not always so for the fonts of TeX, whose names tell it.
fn is_bold(is_said: bool, name: &str) -> bool {
    is_bold_name(name) || (is_said && !is_plain_name(name))
}

/// Whether the name is that of an upright or slanted font of TeX.
fn is_plain_name(name: &str) -> bool {
    let name = name.split_once('+').map_or(name, |(_, name)| name);
    ["CMR", "CMTI", "CMSL", "CMCSC"].iter().any(|family| {
        name.strip_prefix(family).is_some_and(|size| size.bytes().all(|it| it.is_ascii_digit()))
    })
}

/// Bold by the name of the font, which TeX fonts and many subsets say nowhere else.
fn is_bold_name(name: &str) -> bool {
    let name = name.split_once('+').map_or(name, |(_, name)| name);
    ["Bold", "bold", "BOLD", "Black", "Heavy", "Demi", "CMBX", "CMSSBX", "SFBX", "-Bd", "LMRoman10-B"]
        .iter()
        .any(|mark| name.contains(mark))
}

/// Whether a font is monospaced by its name; TeX fonts do not set the flag.
pub(in crate::read) fn is_mono_name(name: &str) -> bool {
    !name.contains("Monotype")
        && [
            "CMTT",
            "CMSLTT",
            "CMITT",
            "SFTT",
            "Mono",
            "Courier",
            "Typewriter",
            "Consolas",
            "Inconsolata",
            "Menlo",
        ]
        .iter()
        .any(|mark| name.contains(mark))
}

fn is_noise(c: char) -> bool {
    matches!(c, '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..)
        || (c.is_control() && !c.is_whitespace())
}

/// Takes out runs whose glyphs mean nothing; also gives the share of characters that went with them.
pub(super) fn without_unreadable(runs: Vec<Run>) -> (Vec<Run>, f32) {
    let (mut n_all, mut n_lost) = (0, 0);
    let readable = runs
        .into_iter()
        .filter(|run| {
            let n_chars = run.text.chars().filter(|c| !c.is_whitespace()).count();
            // Controls are gone from the text by now.
            let n_chars = n_chars.max(run.n_noise);
            let is_lost = run.n_noise * 2 > n_chars;
            n_all += n_chars;
            n_lost += if is_lost { n_chars } else { 0 };
            !is_lost
        })
        .collect();
    (readable, if n_all == 0 { 0.0 } else { n_lost as f32 / n_all as f32 })
}

/// Hebrew, Arabic and their neighbours.
pub(super) fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFF}')
}

/// Scripts written without blanks between words.
pub(super) fn is_ideographic(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fonts_tell_their_weight_and_pitch_by_name() {
        for name in ["ABCDEF+CMBX12", "Arial-BoldMT", "Times-Bold", "SFBX1000"] {
            assert!(is_bold_name(name), "{name}");
        }
        for name in ["ABCDEF+CMR12", "ArialMT", "BOLDXX+Arial"] {
            assert!(!is_bold_name(name), "{name}");
        }
        for (name, expected) in [("A+CMR10", false), ("Arial", true), ("Times-BoldItalic", true)] {
            assert_eq!(is_bold(true, name), expected, "{name}");
        }
        for name in ["CMTT10", "Courier", "DejaVuSansMono", "Inconsolata-zi4r"] {
            assert!(is_mono_name(name), "{name}");
        }
        for name in ["MonotypeCorsiva", "CMR10"] {
            assert!(!is_mono_name(name), "{name}");
        }
    }
}
