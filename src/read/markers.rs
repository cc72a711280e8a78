//! What stands before the items of lists: numbers in their formats, bullets, boxes of tasks.

/// How a list counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum Ordinal {
    /// 1, 2, 3.
    Decimal,
    /// a to z, then aa, bb, cc (ECMA-376, 17.18.59).
    Letter {
        /// A, B, C.
        is_upper: bool,
    },
    /// a to z, then aa, ab, ac (HTML; OpenDocument without `style:num-letter-sync`).
    Alphabet {
        /// A, B, C.
        is_upper: bool,
    },
    /// i, ii, iii.
    Roman {
        /// I, II, III.
        is_upper: bool,
    },
}

impl Ordinal {
    /// `number` in this format; decimal where the format ends.
    pub(in crate::read) fn write(self, number: i64) -> String {
        let cased = |text: String, is_upper: bool| if is_upper { text.to_uppercase() } else { text };
        // Both are called with numbers from 1.
        let letter = |number: i64| char::from(b'a' + ((number - 1) % 26) as u8);
        match self {
            Self::Letter { is_upper } if (1..=780).contains(&number) => {
                cased(letter(number).to_string().repeat((number as usize - 1) / 26 + 1), is_upper)
            }
            Self::Alphabet { is_upper } if number > 0 => {
                let mut letters = Vec::new();
                let mut rest = number;
                while rest > 0 {
                    letters.push(letter(rest));
                    rest = (rest - 1) / 26;
                }
                cased(letters.into_iter().rev().collect(), is_upper)
            }
            Self::Roman { is_upper } if (1..4000).contains(&number) => cased(roman(number), is_upper),
            _ => number.to_string(),
        }
    }
}

fn roman(mut number: i64) -> String {
    const DIGITS: [(i64, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut text = String::new();
    for (value, digit) in DIGITS {
        while number >= value {
            text.push_str(digit);
            number -= value;
        }
    }
    text
}

/// What the sign of a list without numbers means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum Bullet {
    /// Any bullet.
    Usual,
    /// Nothing that can be seen: how programs write further paragraphs of an item.
    Blank,
    /// A box, empty or ticked.
    Task {
        /// Ticked or crossed.
        is_done: bool,
    },
}

impl Bullet {
    /// What `sign` is.
    pub(in crate::read) fn of(sign: &str) -> Self {
        match sign.trim() {
            "" => Self::Blank,
            "☐" => Self::Task { is_done: false },
            "☑" | "☒" => Self::Task { is_done: true },
            _ => Self::Usual,
        }
    }

    /// What stands between the bullet and the text of an item: nothing, or the box as Markdown writes it.
    pub(in crate::read) fn task(self) -> &'static str {
        match self {
            Self::Task { is_done: false } => "[ ] ",
            Self::Task { is_done: true } => "[x] ",
            Self::Usual | Self::Blank => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_formats() {
        let check = |format: Ordinal, number, expected: &str| assert_eq!(format.write(number), expected);
        check(Ordinal::Roman { is_upper: true }, 1994, "MCMXCIV");
        check(Ordinal::Roman { is_upper: false }, 4000, "4000");
        check(Ordinal::Letter { is_upper: false }, 28, "bb");
        check(Ordinal::Letter { is_upper: true }, 26, "Z");
        check(Ordinal::Letter { is_upper: true }, 0, "0");
        check(Ordinal::Alphabet { is_upper: false }, 28, "ab");
        check(Ordinal::Alphabet { is_upper: true }, 702, "ZZ");
        check(Ordinal::Alphabet { is_upper: true }, u32::MAX.into(), "MWLQKWU");
        check(Ordinal::Decimal, 7, "7");
    }

    #[test]
    fn numbers_of_any_size_are_written() {
        let check =
            |ordinal: Ordinal, number: i64, expected: &str| assert_eq!(ordinal.write(number), expected);
        check(Ordinal::Alphabet { is_upper: false }, 1, "a");
        check(Ordinal::Alphabet { is_upper: false }, 26, "z");
        check(Ordinal::Alphabet { is_upper: true }, 27, "AA");
        check(Ordinal::Alphabet { is_upper: false }, 703, "aaa");
        check(Ordinal::Alphabet { is_upper: false }, 0, "0");
        check(Ordinal::Alphabet { is_upper: false }, i64::MAX, "crpxnlskvljfhg");
        check(Ordinal::Roman { is_upper: false }, 1994, "mcmxciv");
        check(Ordinal::Roman { is_upper: true }, 4, "IV");
        check(Ordinal::Roman { is_upper: false }, 4000, "4000");
        check(Ordinal::Decimal, -3, "-3");
    }

    #[test]
    fn boxes_are_tasks() {
        let check = |sign: &str, expected: &str| assert_eq!(Bullet::of(sign).task(), expected, "{sign}");
        check("☐", "[ ] ");
        check(" ☑", "[x] ");
        check("☒", "[x] ");
        check("✓", "");
        assert_eq!(Bullet::of("\u{A0} "), Bullet::Blank);
    }
}
