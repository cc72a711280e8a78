//! Formulas (OMML, ECMA-376 part 1, chapter 22) on one line: `a/b`, `x^2`, `x_i`.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{compose, is_combining_mark};

use crate::read::package::Element;

/// The formula in `element`, be it of a document or of a slide.
pub(in crate::read) fn formula(element: Element<'_>) -> String {
    let of = |name: &str| element.child(name).map(formula).unwrap_or_default();
    let property = |of: &str, name: &str| element.child(of).and_then(|it| it.child(name));
    let part = |mark: &str, text: String| {
        if text.is_empty() { text } else { format!("{mark}{}", grouped(text)) }
    };
    match element.name() {
        "t" => element.text(),
        "f" => format!("{}/{}", grouped(of("num")), grouped(of("den"))),
        "sSup" => format!("{}{}", of("e"), part("^", of("sup"))),
        "sSub" => format!("{}{}", of("e"), part("_", of("sub"))),
        "sSubSup" => format!("{}{}{}", of("e"), part("_", of("sub")), part("^", of("sup"))),
        "sPre" => format!("{}{}{}", part("_", of("sub")), part("^", of("sup")), of("e")),
        "limLow" => format!("{}{}", of("e"), part("_", of("lim"))),
        "limUpp" => format!("{}{}", of("e"), part("^", of("lim"))),
        "rad" => {
            let degree = of("deg");
            format!("{degree}√{}", grouped(of("e")))
        }
        "nary" => {
            let sign = property("naryPr", "chr").and_then(|it| it.attr("val")).unwrap_or("∫");
            format!("{sign}{}{} {}", part("_", of("sub")), part("^", of("sup")), of("e"))
        }
        "func" => {
            let (name, argument) = (of("fName"), of("e"));
            let is_bracketed =
                argument.starts_with(['(', '[', '{', '|']) && name.ends_with(char::is_alphabetic);
            let space = if is_bracketed || argument.is_empty() { "" } else { " " };
            format!("{}{space}{}", name.trim(), argument.trim_start())
        }
        "acc" => {
            let sign = property("accPr", "chr").map(|it| it.attr("val").unwrap_or_default());
            accented(of("e"), sign.unwrap_or("\u{302}"))
        }
        "bar" => {
            let is_above = property("barPr", "pos").and_then(|it| it.attr("val")) == Some("top");
            accented(of("e"), if is_above { "\u{304}" } else { "\u{332}" })
        }
        "groupChr" => {
            let sign = property("groupChrPr", "chr").map_or("⏟", |it| it.attr("val").unwrap_or_default());
            // A brace only groups; an arrow means something.
            if sign.is_empty() || "⏞⏟⏜⏝⎴⎵".contains(sign) {
                of("e")
            } else {
                format!("{sign}{}", part("^", of("e")))
            }
        }
        "d" => {
            let sign = |name: &str, usual: &'static str| {
                property("dPr", name).and_then(|it| it.attr("val")).map_or(usual.to_owned(), str::to_owned)
            };
            let parts: Vec<String> = element.named("e").map(formula).collect();
            format!("{}{}{}", sign("begChr", "("), parts.join(&sign("sepChr", "|")), sign("endChr", ")"))
        }
        // The element around a formula of a slide has the same name.
        "m" if element.child("mr").is_some() => element
            .named("mr")
            .map(|row| row.named("e").map(formula).collect::<Vec<_>>().join(", "))
            .collect::<Vec<_>>()
            .join("; "),
        // Where lines are aligned stands as `&` in their text.
        "eqArr" => element.named("e").map(|it| formula(it).replace('&', "")).collect::<Vec<_>>().join("; "),
        "phant" if property("phantPr", "show").and_then(|it| it.attr("val")).is_some_and(is_off) => {
            String::new()
        }
        "del" => String::new(),
        name if name.ends_with("Pr") => String::new(),
        _ => joined(element),
    }
}

/// The formulas inside one after the other; the names of functions are words of their own.
fn joined(element: Element<'_>) -> String {
    let mut text = String::new();
    let mut was_word = false;
    for child in element.elements() {
        let piece = formula(child);
        let is_word = matches!(child.name(), "func" | "limLow" | "limUpp" | "sPre");
        let is_behind = text.ends_with(|it: char| it.is_alphanumeric() || it == ')');
        let is_glued = is_behind && piece.starts_with(|it: char| it.is_alphanumeric() || "_^√(".contains(it));
        if (is_word || was_word) && is_glued {
            text.push(' ');
        }
        was_word = is_word || (was_word && piece.is_empty());
        text.push_str(&piece);
    }
    text
}

/// Brackets around what would fall apart without them.
fn grouped(text: String) -> String {
    let is_one = text.chars().count() <= 1 || text.chars().all(char::is_alphanumeric);
    if is_one { text } else { format!("({text})") }
}

/// `base` with `sign` above or below it.
fn accented(base: String, sign: &str) -> String {
    let mut signs = sign.chars();
    match (signs.next(), signs.next()) {
        (None, _) => base,
        _ if base.is_empty() => base,
        (Some(mark), None) if is_combining_mark(mark) => {
            let mut chars = base.chars();
            match (chars.next(), chars.next()) {
                (Some(letter), None) => {
                    compose(letter, mark).map_or_else(|| format!("{letter}{mark}"), String::from)
                }
                _ => format!("({base}){mark}").nfc().collect(),
            }
        }
        _ => format!("{base}^{sign}"),
    }
}

fn is_off(value: &str) -> bool {
    matches!(value, "0" | "false" | "off")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::package::Tree;

    /// `'x'` stands for a run.
    fn check(omml: &str, expected: &str) {
        let mut xml = String::new();
        for (at, piece) in omml.split('\'').enumerate() {
            xml.push_str(&if at % 2 == 0 {
                piece.to_owned()
            } else {
                format!("<m:r><m:rPr><m:sty m:val=\"p\"/></m:rPr><m:t>{piece}</m:t></m:r>")
            });
        }
        let tree = Tree::parse(format!("<m:oMath>{xml}</m:oMath>").as_bytes());
        assert_eq!(formula(tree.root().unwrap()), expected, "{omml}");
    }

    #[test]
    fn names_of_functions_stand_apart() {
        check("<m:func><m:fName>'sin'</m:fName><m:e>'x'</m:e></m:func>", "sin x");
        check(
            "'2'<m:func><m:fName>'sin'</m:fName><m:e><m:d><m:e>'x+1'</m:e></m:d></m:e></m:func><m:func><m:fName>'cos'\
             </m:fName><m:e>'x'</m:e></m:func>'=1'",
            "2 sin(x+1) cos x=1",
        );
        let limit = "<m:limLow><m:e>'lim'</m:e><m:lim>'x→0'</m:lim></m:limLow>";
        check(&format!("{limit}'f'"), "lim_(x→0) f");
        check(&format!("<m:func><m:fName>{limit}</m:fName><m:e>'f(x)'</m:e></m:func>"), "lim_(x→0) f(x)");
        check("<m:limUpp><m:e>'→'</m:e><m:lim>'n'</m:lim></m:limUpp>", "→^n");
    }

    #[test]
    fn parts_of_formulas_keep_their_places() {
        check("<m:eqArr><m:e>'a&amp;=1'</m:e><m:e>'b&amp;=2'</m:e></m:eqArr>", "a=1; b=2");
        check("<m:sPre><m:sub>'92'</m:sub><m:sup>'235'</m:sup><m:e>'U'</m:e></m:sPre>", "_92^235U");
        check("<m:sSup><m:e>'x'</m:e><m:sup/></m:sSup>", "x");
        check("<m:m><m:mr><m:e>'1'</m:e><m:e>'2'</m:e></m:mr><m:mr><m:e>'3'</m:e></m:mr></m:m>", "1, 2; 3");
        check("<a14:m><m:oMathPara><m:oMath>'x+1'</m:oMath></m:oMathPara></a14:m>", "x+1");
        check("<m:phant><m:phantPr><m:show m:val='0'/></m:phantPr><m:e/></m:phant>", "");
    }

    #[test]
    fn accents_stay() {
        let accent = |sign: &str, base: &str| {
            format!("<m:acc><m:accPr><m:chr m:val=\"{sign}\"/></m:accPr><m:e>'{base}'</m:e></m:acc>")
        };
        check(&accent("\u{302}", "x"), "x\u{302}");
        check(&accent("\u{303}", "n"), "ñ");
        check(&accent("\u{20D7}", "AB"), "(AB)\u{20D7}");
        check(&accent("", "x"), "x");
        check("<m:acc><m:e>'a'</m:e></m:acc>", "â");
        check("<m:bar><m:barPr><m:pos m:val=\"top\"/></m:barPr><m:e>'q'</m:e></m:bar>", "q\u{304}");
        check(
            "<m:groupChr><m:groupChrPr><m:chr m:val=\"→\"/></m:groupChrPr><m:e>'heat'</m:e></m:groupChr>",
            "→^heat",
        );
        check("<m:groupChr><m:e>'a+b'</m:e></m:groupChr>", "a+b");
    }
}
