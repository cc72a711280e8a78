//! Letters that are drawn twice at nearly the same place to look bold: they count once.

use pdf_oxide::layout::TextSpan;

/// Farthest that the second drawing is off, as a share of the type size. The narrowest letters are twice as wide.
const NEAR: f32 = 0.1;

/// Spans before one that it is compared with: the letters may be drawn one by one, each twice.
const REACH: usize = 6;

/// Takes away what is drawn once more: whole spans, or the letters at the start of a span that end the one before.
pub(super) fn drop_overprinted(spans: &mut Vec<TextSpan>) {
    let mut kept: Vec<TextSpan> = Vec::with_capacity(spans.len());
    for mut span in spans.drain(..) {
        let before = &kept[kept.len().saturating_sub(REACH)..];
        let n_twice = before.iter().map(|it| n_overprinted(it, &span)).max().unwrap_or(0);
        if n_twice == 0 {
            kept.push(span);
        } else if n_twice < span.char_widths.len() {
            let cut: f32 = span.char_widths.drain(..n_twice).sum();
            span.text = span.text.chars().skip(n_twice).collect();
            span.bbox.x += cut;
            span.bbox.width = (span.bbox.width - cut).max(0.0);
            kept.push(span);
        }
    }
    *spans = kept;
}

/// How many of the first letters of `span` stand where `before` has the same ones.
fn n_overprinted(before: &TextSpan, span: &TextSpan) -> usize {
    let near = NEAR * span.font_size;
    let is_apart = (before.bbox.y - span.bbox.y).abs() > near
        || span.bbox.x > before.bbox.x + before.bbox.width - near
        || span.bbox.x < before.bbox.x - near
        || before.font_name != span.font_name
        || before.rotation_degrees != 0.0
        || span.rotation_degrees != 0.0;
    let is_measured = |it: &TextSpan| it.char_widths.len() == it.text.chars().count();
    if is_apart || !is_measured(before) || !is_measured(span) || span.text.trim().is_empty() {
        return 0;
    }
    let letters = places(before).skip_while(|(_, x)| *x < span.bbox.x - near);
    letters.zip(places(span)).take_while(|((a, x), (b, y))| a == b && (x - y).abs() <= near).count()
}

/// The letters of a span with the places where they start.
fn places(span: &TextSpan) -> impl Iterator<Item = (char, f32)> {
    let mut x = span.bbox.x;
    span.text.chars().zip(&span.char_widths).map(move |(c, width)| {
        let start = x;
        x += width;
        (c, start)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spans of letters 5 points wide, each with its place.
    fn check(drawn: &[(&str, f32)], expected: &[(&str, f32)]) {
        let span = |&(text, x): &(&str, f32)| {
            let mut span = TextSpan { text: text.to_owned(), font_size: 10.0, ..TextSpan::default() };
            span.char_widths = vec![5.0; text.chars().count()];
            span.bbox.x = x;
            span.bbox.width = span.char_widths.iter().sum();
            span
        };
        let mut spans: Vec<TextSpan> = drawn.iter().map(span).collect();
        drop_overprinted(&mut spans);
        let given: Vec<(&str, f32)> = spans.iter().map(|it| (it.text.as_str(), it.bbox.x)).collect();
        assert_eq!(given, expected, "{drawn:?}");
    }

    #[test]
    fn letters_that_are_drawn_twice_count_once() {
        check(&[("bold", 0.0), ("bold", 0.4)], &[("bold", 0.0)]);
        check(
            &[("BO", 0.0), ("OL", 5.2), ("LD", 10.2), ("D", 15.2)],
            &[("BO", 0.0), ("L", 10.2), ("D", 15.2)],
        );
        check(&[("bo", 0.0), ("bo", 0.4), ("ld", 10.0), ("ld", 10.4)], &[("bo", 0.0), ("ld", 10.0)]);
    }

    #[test]
    fn letters_beside_each_other_stay() {
        for drawn in [[("al", 0.0), ("l", 10.0)], [("al", 0.0), ("l", 8.5)], [("ab", 0.0), ("cd", 0.2)]] {
            check(&drawn, &drawn);
        }
    }
}
