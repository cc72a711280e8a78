//! Word gaps that are in no blank: Ghostscript writes them as spacing behind the letters of a whole run, and takes it back
//! inside of words. The parser gives the run as one word, whose letters are wider than they are by nature.

use std::collections::HashMap;

use pdf_oxide::layout::TextSpan;

/// Least width of a gap between words, as a share of the type size; that of blanks between runs.
pub(super) const WORD_GAP: f32 = 0.13;

/// So many wide letters in a row are letter-spaced; fewer end words, and one or two of them are words themselves.
const LETTER_SPACED: usize = 3;

/// Writes the blanks that the spans of a page show and do not have, and ends each span where its last letter does.
///
/// Only a span whose spacing the next one takes back is meant: the parser gives other letters wrong widths too, such as those of
/// ligatures or of fonts with one name.
pub(super) fn restore_blanks(spans: &mut [TextSpan]) {
    let is_suspect = |pair: &[TextSpan]| {
        let (end, size) = (pair[0].bbox.x + pair[0].bbox.width, pair[0].font_size);
        (pair[1].bbox.y - pair[0].bbox.y).abs() < 0.1 * size
            && (WORD_GAP * size..2.0 * size).contains(&(end - pair[1].bbox.x))
            && is_measured(&pair[0])
    };
    let suspects: Vec<usize> = (1..spans.len()).filter(|&at| is_suspect(&spans[at - 1..=at])).collect();
    if suspects.is_empty() {
        return;
    }
    let widths = natural_widths(spans);
    for at in suspects {
        let (span, next) = (&spans[at - 1], &spans[at]);
        let extras = extras(span, &widths);
        let last = extras.last().copied().unwrap_or(0.0);
        let overlap = span.bbox.x + span.bbox.width - next.bbox.x;
        // Kerning makes up the difference.
        if last > 0.0 && (overlap - last).abs() < 0.1 * span.font_size {
            widen(&mut spans[at - 1], &extras);
        }
    }
}

/// How wide each letter of the page mostly is, at the least: the lower quartile, for spacing only adds and kerning takes
/// little.
fn natural_widths(spans: &[TextSpan]) -> HashMap<(String, i32, char), f32> {
    let mut all: HashMap<(&str, i32, char), Vec<f32>> = HashMap::new();
    for span in spans.iter().filter(|span| is_measured(span)) {
        for (c, &width) in span.text.chars().zip(&span.char_widths) {
            all.entry((&span.font_name, tenths(span.font_size), c)).or_default().push(width);
        }
    }
    let quartile = |mut widths: Vec<f32>| {
        widths.sort_by(f32::total_cmp);
        widths[(widths.len() - 1) / 4]
    };
    all.into_iter().map(|((font, size, c), it)| ((font.to_owned(), size, c), quartile(it))).collect()
}

fn tenths(size: f32) -> i32 {
    (size * 10.0).round() as i32
}

/// Whether the widths of the letters are known.
fn is_measured(span: &TextSpan) -> bool {
    span.rotation_degrees == 0.0 && !span.is_monospace && span.char_widths.len() == span.text.chars().count()
}

/// By how much each letter is wider than by nature, where that is the spacing of the span, which its last letter has; else 0.
fn extras(span: &TextSpan, widths: &HashMap<(String, i32, char), f32>) -> Vec<f32> {
    let size = span.font_size;
    let mut key = (span.font_name.clone(), tenths(size), ' ');
    let chars: Vec<char> = span.text.chars().collect();
    let mut extra = |c: char, width: f32| {
        key.2 = c;
        width - widths.get(&key).copied().unwrap_or(width)
    };
    let spacing = chars.last().zip(span.char_widths.last()).map_or(0.0, |(&c, &width)| extra(c, width));
    if spacing < WORD_GAP * size {
        return Vec::new();
    }
    let mut extras: Vec<f32> = Vec::with_capacity(chars.len());
    for (at, (&c, &width)) in chars.iter().zip(&span.char_widths).enumerate() {
        let extra = extra(c, width);
        let is_before_blank = chars.get(at + 1).is_some_and(|it| it.is_whitespace());
        let is_gap = (extra - spacing).abs() < 0.1 * size && extra >= WORD_GAP * size;
        extras.push(if is_gap && !is_before_blank && !c.is_whitespace() { extra } else { 0.0 });
    }
    // Letters that are set wide have no gaps among them.
    let mut from = 0;
    for at in 0..extras.len() {
        if extras[at] > 0.0 {
            continue;
        }
        if at - from >= LETTER_SPACED {
            extras[from..at].fill(0.0);
        }
        from = at + 1;
    }
    let n_last = extras.len() - from;
    if n_last > LETTER_SPACED {
        extras[from..].fill(0.0);
    }
    extras
}

/// Puts blanks of the widths `extra` behind the letters, but for the last one, which becomes as narrow as it is.
fn widen(span: &mut TextSpan, extra: &[f32]) {
    let n_chars = extra.len();
    let mut text = String::with_capacity(span.text.len() + 4);
    let mut widths = Vec::with_capacity(n_chars + 4);
    for (at, ((c, &width), &extra)) in span.text.chars().zip(&span.char_widths).zip(extra).enumerate() {
        text.push(c);
        widths.push(width - extra);
        if extra > 0.0 && at + 1 < n_chars {
            text.push(' ');
            widths.push(extra);
        }
    }
    span.bbox.width -= extra.last().copied().unwrap_or(0.0);
    span.text = text;
    span.char_widths = widths;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A span from `x` on whose letters are 5 points wide, and those before an underscore 3 points wider.
    fn span(drawn: &str, x: f32) -> TextSpan {
        let chars: Vec<char> = drawn.chars().collect();
        let widths = chars.iter().enumerate().filter(|(_, c)| **c != '_');
        let char_widths: Vec<f32> =
            widths.map(|(at, _)| if chars.get(at + 1) == Some(&'_') { 8.0 } else { 5.0 }).collect();
        let mut span = TextSpan { text: drawn.replace('_', ""), font_size: 10.0, ..TextSpan::default() };
        span.bbox.x = x;
        span.bbox.width = char_widths.iter().sum();
        span.char_widths = char_widths;
        span
    }

    /// The spans one after the other, but where one ends in an underscore the next starts before that gap.
    fn check(drawn: &[&str], expected: &[&str]) {
        let alphabet = "abcdefghijklmnopqrstuvwxyz,";
        let mut spans = vec![TextSpan { font_size: 10.0, ..span(&alphabet.repeat(4), 0.0) }];
        spans[0].bbox.y = 100.0;
        let mut x = 0.0;
        for text in drawn {
            spans.push(span(text, x));
            x += spans[spans.len() - 1].bbox.width - if text.ends_with('_') { 3.0 } else { 0.0 };
        }
        restore_blanks(&mut spans);
        let texts: Vec<&str> = spans[1..].iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, expected, "{drawn:?}");
        let is_changed = |it: &TextSpan| it.text.contains(' ');
        let overlaps =
            |it: &[TextSpan]| is_changed(&it[0]) && it[1].bbox.x < it[0].bbox.x + it[0].bbox.width - 0.01;
        assert!(!spans[1..].windows(2).any(overlaps), "{drawn:?}");
        for span in &spans {
            assert_eq!(span.text.chars().count(), span.char_widths.len());
            assert!((span.char_widths.iter().sum::<f32>() - span.bbox.width).abs() < 0.01);
        }
    }

    #[test]
    fn spacing_behind_letters_is_a_blank() {
        check(&["behaves_as_if_t_", "he"], &["behaves as if t", "he"]);
        check(&["invoked_a_s_h_", "ell"], &["invokedash", "ell"]);
        check(&[",_i_", "n that"], &[", i", "n that"]);
        check(&["a word_b_", "x"], &["a word b", "x"]);
    }

    #[test]
    fn letters_that_are_set_wide_have_no_blanks() {
        check(&["s_p_a_c_e_d", "x"], &["spaced", "x"]);
        check(&["s_p_a_c_e_d_", "x"], &["spaced", "x"]);
        check(&["a_b"], &["ab"]);
        check(&["plain_ words", "x"], &["plain words", "x"]);
        check(&["of_fen_sive", "x"], &["offensive", "x"]);
    }
}
