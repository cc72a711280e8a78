//! Raised and lowered numbers: a raised 6 behind `10` is written `10^6`, not 106.
//!
//! One rule for all readers whose formats say how high a piece of text stands. Signs of notes are not its business: formats
//! have elements of their own for them, and behind a word a raised number is left as it is (`m2`).

/// How high a piece of text stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::read) enum Height {
    /// On the line.
    #[default]
    Line,
    /// Above it, as exponents do.
    Raised,
    /// Below it, as indexes do.
    Lowered,
}

impl Height {
    /// What stands between a number and another at this height behind it.
    pub(in crate::read) fn mark(self) -> &'static str {
        match self {
            Self::Line => "",
            Self::Raised => "^",
            Self::Lowered => "_",
        }
    }
}

/// Whether `text` starts as a number does, with or without a sign.
pub(in crate::read) fn is_number(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_digit() || "+-−–".contains(it))
}

/// Follows the pieces of a text through their heights.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::read) struct Heights {
    last: Height,
}

impl Heights {
    /// What to write between `before` and `piece`, which stands at `height`: `^` or `_` where digits behind a number would be
    /// more of it, else nothing.
    pub(in crate::read) fn mark(&mut self, before: &str, height: Height, piece: &str) -> &'static str {
        if piece.is_empty() {
            return "";
        }
        let is_new = std::mem::replace(&mut self.last, height) != height;
        let is_joined = before.ends_with(|it: char| it.is_ascii_digit()) && is_number(piece);
        if is_new && is_joined { height.mark() } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces on the line start with a blank or a letter, `^` raises and `_` lowers one.
    fn check(pieces: &[&str], expected: &str) {
        let mut heights = Heights::default();
        let mut text = String::new();
        for piece in pieces {
            let (height, piece) = match (piece.strip_prefix('^'), piece.strip_prefix('_')) {
                (Some(piece), _) => (Height::Raised, piece),
                (_, Some(piece)) => (Height::Lowered, piece),
                _ => (Height::Line, *piece),
            };
            text.push_str(heights.mark(&text, height, piece));
            text.push_str(piece);
        }
        assert_eq!(text, expected, "{pieces:?}");
    }

    #[test]
    fn digits_behind_digits_are_set_apart() {
        check(&["10", "^6", " cells"], "10^6 cells");
        check(&["10", "^-1", "^2", " m", "^2"], "10^-12 m2");
        check(&["101", "_2", " is 5"], "101_2 is 5");
        check(&["SO", "_4", "^2-"], "SO4^2-");
        check(&["H", "_2", "O, 4", "^th", ", a note.", "^3"], "H2O, 4th, a note.3");
        check(&["7 ", "^1", "", "^", "8"], "7 18");
    }
}
