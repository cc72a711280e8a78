//! Paragraphs of a text body: from runs, breaks and formulas to lines of text.

use crate::read::package::Element;
use crate::read::pdf::is_mono_name;
use crate::read::raised::{Height, Heights};
use crate::read::symbols::SymbolFont;
use crate::read::word::{alternative, formula};

/// The text of a paragraph.
pub(super) fn line(paragraph: Element<'_>) -> String {
    let mut line = Line::default();
    line.walk(paragraph);
    // A vertical tab is how titles break their lines.
    line.text.replace('\u{B}', "\n")
}

/// Whether all words of a paragraph are set in fonts of fixed pitch, as code is.
pub(super) fn is_fixed_pitch(paragraph: Element<'_>) -> bool {
    let is_blank = |run: &Element<'_>| run.named("t").all(|it| it.text().trim().is_empty());
    let is_fixed = |run: Element<'_>| {
        let font = run.at_path(&["rPr", "latin"]).and_then(|it| it.attr("typeface"));
        font.is_some_and(is_mono_name)
    };
    let is_run = |it: &Element<'_>| matches!(it.name(), "r" | "fld");
    let mut runs = paragraph.elements().filter(is_run).filter(|it| !is_blank(it)).peekable();
    runs.peek().is_some() && runs.all(is_fixed)
}

#[derive(Debug, Default)]
struct Line {
    text: String,
    heights: Heights,
}

impl Line {
    fn walk(&mut self, parent: Element<'_>) {
        for element in parent.elements() {
            match element.name() {
                "r" | "fld" => self.run(element),
                "br" => self.text.push('\n'),
                "pPr" | "endParaRPr" => {}
                "AlternateContent" => {
                    if let Some(choice) = alternative(element) {
                        self.walk(choice);
                    }
                }
                _ => self.text.push_str(&formula(element)),
            }
        }
    }

    fn run(&mut self, run: Element<'_>) {
        let properties = run.child("rPr");
        let baseline = properties.and_then(|it| it.attr("baseline")).unwrap_or_default();
        // Thousandths of a per cent of the size (ECMA-376, 21.1.2.3.9), in newer files with a sign of per cent.
        let height = match baseline.trim_end_matches('%').parse::<f64>() {
            Ok(rise) if rise > 0.0 => Height::Raised,
            Ok(rise) if rise < 0.0 => Height::Lowered,
            _ => Height::Line,
        };
        let text: String = run.named("t").map(|it| it.text()).collect();
        let font = |name: &str| {
            let typeface = properties.and_then(|it| it.child(name)).and_then(|it| it.attr("typeface"));
            typeface.and_then(SymbolFont::named)
        };
        let text = match (font("latin"), font("sym")) {
            (Some(font), _) => font.decoded(&text, &mut 0),
            // A font beside that of the letters: for what is a sign.
            (None, Some(font)) => decode_signs(&text, font),
            (None, None) => text,
        };
        self.text.push_str(self.heights.mark(&self.text, height, &text));
        self.text.push_str(&text);
    }
}

/// `text` with the signs in it decoded: what lies in the private area, and letters beyond ASCII that stand alone, as the `à` that
/// PowerPoint makes of `-->`.
fn decode_signs(text: &str, font: SymbolFont) -> String {
    let chars: Vec<char> = text.chars().collect();
    let is_letter =
        |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(|it| it.is_alphanumeric());
    let decoded = chars.iter().enumerate().map(|(at, c)| {
        let code = u32::from(*c);
        let is_alone = !is_letter(at.checked_sub(1)) && !is_letter(Some(at + 1));
        let is_sign = (0xF000..=0xF0FF).contains(&code) || ((0x80..=0xFF).contains(&code) && is_alone);
        if is_sign { font.char(code).unwrap_or(*c) } else { *c }
    });
    decoded.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::package::Tree;

    fn check(runs: &str, expected: &str) {
        let tree = Tree::parse(format!("<a:p><a:pPr/>{runs}</a:p>").as_bytes());
        assert_eq!(line(tree.root().unwrap()), expected, "{runs}");
    }

    fn run(properties: &str, text: &str) -> String {
        format!("<a:r><a:rPr {properties}</a:rPr><a:t>{text}</a:t></a:r>")
    }

    #[test]
    fn formulas_stand_in_the_line() {
        let squared = "<m:oMath><m:sSup><m:e><m:r><m:t>a</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>";
        let before = run(">", "so ");
        check(&format!("{before}<a14:m>{squared}</a14:m>"), "so a^2");
        check(
            &format!(
                "{before}<a14:m><m:oMathPara><m:oMathParaPr><m:jc m:val='left'/></m:oMathParaPr>{squared}</m:oMathPara></a14:m>"
            ),
            "so a^2",
        );
        let choice = format!(
            "<mc:AlternateContent><mc:Choice><a14:m>{squared}</a14:m></mc:Choice><mc:Fallback>{before}</mc:Fallback></mc:AlternateContent>"
        );
        check(&format!("{before}{choice}<a:br/>{before}"), "so a^2\nso ");
    }

    #[test]
    fn raised_and_lowered_numbers_are_set_apart() {
        check(
            &(run(">", "10")
                + &run("baseline='30000'>", "6")
                + &run(">", " m")
                + &run("baseline='30%'>", "2")),
            "10^6 m2",
        );
        check(&(run(">", "101") + &run("baseline='-25000'>", "2")), "101_2");
        check(&(run("baseline='0'>", "10") + &run("baseline='0'>", "6")), "106");
    }

    #[test]
    fn signs_of_symbol_fonts_are_decoded() {
        check(&run("><a:latin typeface='Symbol'/><a:sym typeface='Symbol'/>", "a"), "α");
        check(&run("><a:sym typeface='Wingdings'/>", "à déjà \u{F0E0} x"), "→ déjà → x");
        check(&run("><a:latin typeface='Arial'/>", "à"), "à");
    }
}
