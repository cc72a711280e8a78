//! Which of two forms of one text has the words.
//!
//! Compares what the plain form and the page of a `multipart/alternative` say, as sets of words without markup and links.
//! Knows nothing of parts and their order; [`super::body`] does.

use std::collections::BTreeSet;

use super::body::Piece;
use crate::content::{BlockKind, Warning, WarningKind, is_unspaced};

/// A page says clearly more when it has so many words that the plain form lacks, and one in [`MORE_SHARE`] of its own. Chosen:
/// less are the words of pictures, buttons and footers.
const MORE_WORDS: usize = 5;

/// See [`MORE_WORDS`].
const MORE_SHARE: usize = 5;

/// A plain form with fewer words than one in so many of the page's own is a stub, however short the page.
const STUB_RATIO: usize = 3;

/// A page is taken for its table only when it has one in so many of the plain form's words.
const KEPT_SHARE: usize = 3;

/// The form to read of the `plain` and the `rich` pieces of one text, with a warning when the other says something else.
pub(super) fn fuller<'m>(plain: Vec<Piece<'m>>, rich: Vec<Piece<'m>>) -> (Vec<Piece<'m>>, Option<Warning>) {
    if plain.is_empty() || rich.is_empty() {
        return (if plain.is_empty() { rich } else { plain }, None);
    }
    let (of_plain, of_rich) = (words_of(&plain), words_of(&rich));
    let n_more = of_rich.difference(&of_plain).count();
    let n_less = of_plain.difference(&of_rich).count();
    let is_clearly_more = n_more >= MORE_WORDS && n_more * MORE_SHARE >= of_rich.len() && n_more > n_less;
    let has_table =
        || (of_plain.len() - n_less) * KEPT_SHARE >= of_plain.len() && has_own_table(&rich, &of_plain);
    let is_stub = of_plain.len() * STUB_RATIO < n_more;
    let (form, left_out, n_lost) = if is_stub || is_clearly_more || has_table() {
        (rich, "the plain form of the body", n_less)
    } else {
        (plain, "the HTML form of the body", n_more)
    };
    let words = if n_lost == 1 { "word" } else { "words" };
    let message = format!("left out: {left_out}, with {n_lost} {words} that the form shown lacks");
    (form, (n_lost > 0).then(|| Warning::new(WarningKind::LeftOut, message)))
}

/// Whether the page has a table at least half of whose words `plain` lacks.
fn has_own_table(rich: &[Piece<'_>], plain: &BTreeSet<String>) -> bool {
    let pages = rich.iter().filter_map(|it| match it {
        Piece::Page(page) => Some(&page.writer),
        Piece::Plain(_) => None,
    });
    let mut tables = pages.flat_map(|it| {
        let tables = it.blocks.iter().filter(|block| matches!(block.kind, BlockKind::Table { .. }));
        tables.map(|block| block.span.slice(&it.text))
    });
    tables.any(|table| {
        let mut words = BTreeSet::new();
        add_words(table, &mut words);
        let n_own = words.difference(plain).count();
        n_own > 1 && n_own * 2 >= words.len()
    })
}

fn words_of(pieces: &[Piece<'_>]) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    pieces.iter().for_each(|it| add_words(it.text(), &mut words));
    words
}

/// Adds the words of `text` in lower case; scripts without blanks give their characters.
fn add_words(text: &str, words: &mut BTreeSet<String>) {
    for piece in text.split_whitespace().map(without_link) {
        // Soft hyphens and joiners of no width stand inside words.
        let is_inside =
            |c: char| c.is_alphanumeric() || matches!(c, '\u{AD}' | '\u{200B}'..='\u{200D}' | '\u{FEFF}');
        for run in piece.split(|c| !is_inside(c)) {
            let mut word = String::new();
            for c in run.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase) {
                if is_unspaced(c) {
                    words.insert(c.to_string());
                } else {
                    word.push(c);
                }
            }
            if !word.is_empty() {
                words.insert(word);
            }
        }
    }
}

/// `piece` up to the address in it.
fn without_link(piece: &str) -> &str {
    let start =
        ["http://", "https://", "mailto:", "www.", "cid:"].iter().filter_map(|it| piece.find(it)).min();
    &piece[..start.unwrap_or(piece.len())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::html::part::render_part;

    fn check(plain: &str, page: &str, is_page: bool, n_lost: usize) {
        let rich = vec![Piece::Page(render_part(page.as_bytes(), Some("utf-8"), false))];
        let (form, warning) = fuller(vec![Piece::Plain(plain)], rich);
        assert_eq!(matches!(form[0], Piece::Page(_)), is_page, "{plain}");
        let expected = match n_lost {
            0 => None,
            1 => Some("1 word ".to_owned()),
            n => Some(format!("{n} words ")),
        };
        let message = warning.map(|it| it.message);
        assert_eq!(message.is_some(), expected.is_some(), "{message:?}");
        assert!(message.unwrap_or_default().contains(&expected.unwrap_or_default()), "{plain}");
    }

    const TABLE: &str = "<table><tr><th>Q</th><th>EUR</th></tr><tr><td>Q4</td><td>48,200</td></tr></table>";

    #[test]
    fn the_page_is_read_where_it_says_clearly_more() {
        check(
            "Your program does not show HTML. View this in your browser: https://x.example/v/1",
            "<p>Order 77231 has been shipped.</p><p>It arrives on Friday between nine and twelve.</p>",
            true,
            10,
        );
        check("", "<p>words</p>", true, 0);
        check("https://x.example/view/1", "<p>words</p>", true, 0);
        check("- -", "<p></p>", false, 0);
        // The words are as many, and others.
        check("one two three four five six", "<p>a b c d e f</p>", false, 6);
    }

    #[test]
    fn forms_that_say_the_same_are_read_as_plain_text() {
        check(
            "See *the* [page](https://x.example/a).\n> it’s",
            "<p>See <b>the</b> <a href='https://x.example/a'>page</a>.</p>it’s",
            false,
            0,
        );
        check("foo/bar CO\u{AD}operate", "<p>foo / bar COoperate</p>", false, 0);
        check("東京都は\n大きい", "<p>東京都は大きい</p>", false, 0);
        check("Total <https://x.example/b>", "<p>Total</p><p>unsubscribe here</p>", false, 2);
    }

    #[test]
    fn a_table_that_the_plain_form_lacks_decides() {
        let text = "See the table in the HTML part.";
        check(text, &format!("<p>{text}</p>{TABLE}"), true, 0);
        check(&format!("{text}\nBo wrote:"), &format!("<p>{text}</p>{TABLE}"), true, 2);
        check(&format!("{text} Q EUR\nQ4 48,200"), &format!("<p>{text}</p>{TABLE}"), false, 0);
        check("a long text of its own that the page has not", TABLE, false, 5);
    }
}
