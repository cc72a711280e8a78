//! Fonts whose characters are signs rather than letters: from their codes to Unicode.
//!
//! Office files write such characters as plain letters (`a` in the font Symbol is an alpha) or in the private area from
//! U+F000 on, where they mean nothing without the font.

/// Stands in the tables for codes without a sign, or with one that Unicode has not.
const NONE: char = '␀';

/// Rows of 16 codes from 0x20. The encoding of the font Symbol: Adobe's `symbol.txt` of 1999 among the mappings of the Unicode
/// Consortium (MAPPINGS/VENDORS/ADOBE), with Greek letters where it has signs that look alike, the trademark signs without
/// serifs as those with them, and the euro sign of later versions.
const SYMBOL: [&str; 14] = [
    " !∀#∃%&∋()∗+,−./",
    "0123456789:;<=>?",
    "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟ",
    "ΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_",
    "␀αβχδεφγηιϕκλμνο",
    "πθρστυϖωξψζ{|}∼␀",
    "␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀",
    "␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀␀",
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓",
    "°±″≥×∝∂•÷≠≡≈…⏐⎯↵",
    "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉",
    "∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓",
    "◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪",
    "␀⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭␀",
];

/// The same for Wingdings, by the names of its glyphs; Unicode 7 took most of them over, and plain arrows and check marks
/// stand here for those that are drawn otherwise.
const WINGDINGS: [&str; 14] = [
    " ✏✂✁👓🔔📖🕯☎✆✉✉📪📫📬📭",
    "📁📂📄🗏🗐🗄⌛⌨🖰🖲💻🖴💾🖬✇✍",
    "🖎✌👌👍👎☜☞☝☟✋☺😐☹💣☠⚐",
    "🚩✈☼💧❄✝✞🕈✠✡☪☯ॐ☸♈♉",
    "♊♋♌♍♎♏♐♑♒♓&&●❍■□",
    "□❑❒⬧⧫◆❖⬥⌧⍓⌘❀✿❝❞␀",
    "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹",
    "❺❻❼❽❾❿␀␀␀␀␀␀␀␀·•",
    "▪○⭕␀◉◎␀▪◻␀✦★✶✴✹✵",
    "␀⌖⟡⌑␀✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘",
    "🕙🕚🕛␀␀␀␀␀␀␀␀␀␀␀␀␀",
    "␀␀␀␀␀⌫⌦␀➢␀␀␀➲␀␀←",
    "→↑↓↖↗↙↘←➔↑↓↖↗↙↘⇦",
    "⇨⇧⇩⬄⇳⬁⬀⬃⬂▭▫✗✓☒☑␀",
];

/// A font of signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum SymbolFont {
    /// Greek letters and signs of mathematics.
    Symbol,
    /// Arrows, bullets, boxes, hands.
    Wingdings,
    /// Check marks and boxes.
    Wingdings2,
    /// Arrows.
    Wingdings3,
    /// Pictures.
    Webdings,
    /// What Unicode's block of dingbats was made from.
    ZapfDingbats,
}

impl SymbolFont {
    /// The font of signs with this name; `None` for fonts of letters.
    pub(in crate::read) fn named(name: &str) -> Option<Self> {
        let name: String = name.chars().filter(|it| it.is_alphanumeric()).collect();
        Some(match name.to_ascii_lowercase().as_str() {
            "symbol" | "symbolmt" | "symbolps" | "standardsymbolsl" | "standardsymbolsps" => Self::Symbol,
            "wingdings" | "wingdingsregular" => Self::Wingdings,
            "wingdings2" => Self::Wingdings2,
            "wingdings3" => Self::Wingdings3,
            "webdings" => Self::Webdings,
            "zapfdingbats" | "itczapfdingbats" | "dingbats" | "monotypesorts" => Self::ZapfDingbats,
            _ => return None,
        })
    }

    /// The character with this code, from 0x20 to 0xFF or the same from U+F000 on; `None` where none is known.
    pub(in crate::read) fn char(self, code: u32) -> Option<char> {
        let code = if (0xF000..=0xF0FF).contains(&code) { code - 0xF000 } else { code };
        let of_rows = |rows: &[&str; 14]| {
            let at = usize::try_from(code).ok()?.checked_sub(0x20)?;
            rows.get(at / 16)?.chars().nth(at % 16).filter(|it| *it != NONE)
        };
        match self {
            Self::Symbol => of_rows(&SYMBOL),
            Self::Wingdings => of_rows(&WINGDINGS),
            _ if code == 0x20 => Some(' '),
            Self::Wingdings2 => Some(match code {
                0x4F => '✗',
                0x50 => '✓',
                0x51 | 0x53 | 0x54 => '☒',
                0x52 => '☑',
                0x96..=0x98 => '•',
                0xA2 => '■',
                0xA3 => '□',
                _ => return None,
            }),
            Self::Wingdings3 => Some(match code {
                0x66 => '←',
                0x67 => '→',
                0x68 => '↑',
                0x69 => '↓',
                0x70 => '▲',
                0x71 => '▼',
                0x74 => '◀',
                0x75 | 0x7D => '▶',
                _ => return None,
            }),
            Self::Webdings => Some(match code {
                0x33 => '◀',
                0x34 => '▶',
                0x35 => '▲',
                0x36 => '▼',
                0x61 => '✔',
                0x63 => '□',
                0x67 => '■',
                0x6E => '●',
                0x72 => '✖',
                _ => return None,
            }),
            Self::ZapfDingbats => zapf_dingbats(code),
        }
    }

    /// `text` in this font with its characters as Unicode has them; those of other alphabets are left. Counts in `n_lost` what has no
    /// counterpart and goes.
    pub(in crate::read) fn decoded(self, text: &str, n_lost: &mut usize) -> String {
        let mut decoded = String::with_capacity(text.len());
        for c in text.chars() {
            let code = u32::from(c);
            if !(0x20..=0xFF).contains(&code) && !(0xF000..=0xF0FF).contains(&code) {
                decoded.push(c);
            } else if let Some(c) = self.char(code) {
                decoded.push(c);
            } else if code != 0xA0 {
                *n_lost += 1;
            }
        }
        decoded
    }
}

/// Adobe's `zdingbat.txt` (see [`SYMBOL`]): the block of dingbats in its order, but for what Unicode had before.
fn zapf_dingbats(code: u32) -> Option<char> {
    let moved = match code {
        0x25 => 0x260E,
        0x2A => 0x261B,
        0x2B => 0x261E,
        0x48 => 0x2605,
        0x6C => 0x25CF,
        0x6E => 0x25A0,
        0x73 => 0x25B2,
        0x74 => 0x25BC,
        0x75 => 0x25C6,
        0x77 => 0x25D7,
        0x21..=0x7E => code - 0x21 + 0x2701,
        0xA8 => 0x2663,
        0xA9 => 0x2666,
        0xAA => 0x2665,
        0xAB => 0x2660,
        0xA1..=0xA7 => code - 0xA1 + 0x2761,
        0xAC..=0xB5 => code - 0xAC + 0x2460,
        0xD5 => 0x2192,
        0xD6 => 0x2194,
        0xD7 => 0x2195,
        0xB6..=0xEF | 0xF1..=0xFE => code - 0xB6 + 0x2776,
        _ => return None,
    };
    char::from_u32(moved)
}

/// The character of a field such as `SYMBOL 97 \f "Symbol"` (ECMA-376, 17.16.5); `None` for other fields, `Some(None)` for a
/// character that is not known.
pub(in crate::read) fn of_field(instruction: &str) -> Option<Option<char>> {
    let mut words = instruction.split_whitespace();
    if !words.next()?.eq_ignore_ascii_case("SYMBOL") {
        return None;
    }
    let number = words.next()?.trim_matches('"');
    let hex = number.strip_prefix("0x").or_else(|| number.strip_prefix("0X"));
    let code = match hex {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => number.parse().ok(),
    };
    let Some(code) = code else { return Some(None) };
    let font = instruction.split_once("\\f").and_then(|(_, rest)| {
        let rest = rest.trim_start();
        let name = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next(),
            None => rest.split_whitespace().next(),
        };
        SymbolFont::named(name?)
    });
    Some(
        match font {
            Some(font) => font.char(code),
            None if instruction.contains("\\u") => char::from_u32(code),
            None => {
                let byte = u8::try_from(code).ok();
                byte.and_then(|byte| {
                    encoding_rs::WINDOWS_1252.decode_without_bom_handling(&[byte]).0.chars().next()
                })
            }
        }
        .filter(|it| !it.is_control()),
    )
}

/// Says how many characters of such fonts were left out.
pub(in crate::read) fn warn_of_lost(n_lost: usize, warnings: &mut Vec<crate::content::Warning>) {
    if n_lost > 0 {
        let signs = if n_lost == 1 { "character" } else { "characters" };
        let message =
            format!("left out: {n_lost} {signs} of symbol fonts without a known counterpart in Unicode");
        warnings.push(crate::content::Warning::new(crate::content::WarningKind::Unreadable, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_16_signs() {
        for row in SYMBOL.iter().chain(&WINGDINGS) {
            assert_eq!(row.chars().count(), 16, "{row}");
        }
    }

    #[test]
    fn codes_give_signs() {
        let check = |font: &str, text: &str, expected: &str, lost: usize| {
            let mut n_lost = 0;
            assert_eq!(
                SymbolFont::named(font).unwrap().decoded(text, &mut n_lost),
                expected,
                "{font} {text}"
            );
            assert_eq!(n_lost, lost, "{font} {text}");
        };
        check("Symbol", "a + b = 3.5 W", "α + β = 3.5 Ω", 0);
        check("Symbol", "\u{F061}\u{F0B7}\u{F0AE}\u{F0A3}\u{B1}\u{D6}", "α•→≤±√", 0);
        check("Symbol", "já", "ϕ⟨", 0);
        check("Symbol", "漢 \u{F081}\t", "漢 \t", 1);
        check("wingdings", "\u{F0FC}\u{FE}\u{FD}\u{A8}\u{E0}lqvJ\u{A7}\u{D8}", "✓☑☒◻→●❑❖☺▪➢", 0);
        check("Wingdings", "\u{F080}\u{F095}\u{F09F}\u{F0DF}\u{F0F0}\u{F0FF}", "⓪❿•←⇨", 1);
        check("Wingdings 2", "P\u{A3}\u{F021}", "✓□", 1);
        check("Wingdings 3", "}", "▶", 0);
        check("Webdings", "a", "✔", 0);
        check("ITC Zapf Dingbats", "4n\u{AC}\u{B6}\u{D4}\u{D8}\u{FE}", "✔■①❶➔➘➾", 0);
        assert_eq!(SymbolFont::named("Segoe UI Symbol"), None);
    }

    #[test]
    fn fields_name_their_sign() {
        let check =
            |instruction: &str, expected| assert_eq!(of_field(instruction), expected, "{instruction}");
        check(" SYMBOL 97 \\f \"Symbol\" \\s 11 ", Some(Some('α')));
        check("symbol 0xFC \\f Wingdings", Some(Some('✓')));
        check("SYMBOL 8364 \\u", Some(Some('€')));
        check("SYMBOL 169", Some(Some('©')));
        check("SYMBOL 61537 \\f Symbol", Some(Some('α')));
        check("SYMBOL x", Some(None));
        check("SYMBOL 1", Some(None));
        check("PAGE", None);
        check("", None);
    }
}
