//! Running text: from the inside of a paragraph to a line, with the heights of its spans.

use std::collections::HashMap;

use crate::read::package::{Child, Element, Tree};
use crate::read::raised::{Height, Heights};

/// Styles that a style may be based on, one on the other.
const MAX_CHAIN: usize = 16;

/// The styles of spans, as far as they raise or lower text.
#[derive(Debug, Default)]
pub(super) struct Spans<'a>(HashMap<&'a str, Style<'a>>);

#[derive(Debug)]
struct Style<'a> {
    own: Option<Height>,
    parent: Option<&'a str>,
}

impl<'a> Spans<'a> {
    /// Reads the styles of both files; those of the content go first.
    pub(super) fn of(content: &'a Tree, styles: Option<&'a Tree>) -> Self {
        let mut spans = HashMap::new();
        for root in [styles.and_then(Tree::root), content.root()].into_iter().flatten() {
            let groups = root.named("styles").chain(root.named("automatic-styles"));
            let all = groups.flat_map(|it| it.named("style")).filter(|it| it.attr("family") == Some("text"));
            for style in all {
                let Some(name) = style.attr("name") else { continue };
                let position = style.child("text-properties").and_then(|it| it.attr("text-position"));
                let style = Style { own: position.and_then(height), parent: style.attr("parent-style-name") };
                spans.insert(name, style);
            }
        }
        Self(spans)
    }

    fn height(&self, style: &str) -> Option<Height> {
        let mut next = Some(style);
        for _ in 0..MAX_CHAIN {
            let style = self.0.get(next?)?;
            if style.own.is_some() {
                return style.own;
            }
            next = style.parent;
        }
        None
    }

    /// The words of `element`; hands what is not running text to `aside`.
    pub(super) fn text<'e>(
        &self,
        element: Element<'e>,
        aside: &mut impl FnMut(Element<'e>, &mut String),
    ) -> String {
        let mut line =
            Line { spans: self, text: String::new(), height: Height::Line, heights: Heights::default() };
        line.push(element, aside);
        line.text
    }
}

/// `super 58%`, `sub 58%` or the rise in per cent (ODF 1.3 part 3, `style:text-position`).
fn height(position: &str) -> Option<Height> {
    let first = position.split_whitespace().next()?;
    Some(match first {
        "super" => Height::Raised,
        "sub" => Height::Lowered,
        rise => match rise.trim_end_matches('%').parse::<f64>().ok()? {
            rise if rise > 0.0 => Height::Raised,
            rise if rise < 0.0 => Height::Lowered,
            _ => Height::Line,
        },
    })
}

/// A line in the making.
struct Line<'s> {
    spans: &'s Spans<'s>,
    text: String,
    height: Height,
    heights: Heights,
}

impl Line<'_> {
    fn push<'e>(&mut self, element: Element<'e>, aside: &mut impl FnMut(Element<'e>, &mut String)) {
        for child in element.children() {
            match child {
                Child::Text(piece) => self.push_text(piece),
                Child::Element(child) => self.push_element(child, aside),
            }
        }
    }

    /// White space folds as in HTML (ODF 1.3 part 3, 6.1.2); what is meant to stay is an element.
    fn push_text(&mut self, piece: &str) {
        self.text.push_str(self.heights.mark(&self.text, self.height, piece));
        for c in piece.chars() {
            if !c.is_ascii_whitespace() {
                self.text.push(c);
            } else if !self.text.ends_with([' ', '\n']) {
                self.text.push(' ');
            }
        }
    }

    fn push_element<'e>(&mut self, element: Element<'e>, aside: &mut impl FnMut(Element<'e>, &mut String)) {
        match element.name() {
            "s" => {
                let n = element.attr("c").and_then(|it| it.parse().ok()).unwrap_or(1_usize);
                self.text.extend(std::iter::repeat_n(' ', n.min(64)));
            }
            "tab" => self.text.push('\t'),
            "line-break" => self.text.push('\n'),
            "note" | "annotation" | "frame" | "text-box" | "custom-shape" | "rect" | "ellipse" | "g" => {
                aside(element, &mut self.text);
            }
            "ruby-text" => {
                self.text.push('(');
                self.push(element, aside);
                self.text.push(')');
            }
            "span" => {
                let own = element.attr("style-name").and_then(|it| self.spans.height(it));
                let outer = self.height;
                self.height = own.unwrap_or(outer);
                self.push(element, aside);
                self.height = outer;
            }
            "tracked-changes" | "annotation-end" | "event-listeners" => {}
            _ => self.push(element, aside),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raised_and_lowered_numbers_are_set_apart() {
        let style = |name: &str, parent: &str, position: &str| {
            format!(
                "<style:style style:name='{name}' style:family='text' style:parent-style-name='{parent}'>\
                 <style:text-properties style:text-position='{position}'/></style:style>"
            )
        };
        let styles =
            style("Up", "", "super 58%") + &style("Down", "", "-33% 100%") + &style("On", "Up", "0% 100%");
        let own = "<style:style style:name='T1' style:family='text' style:parent-style-name='Up'/>\
                   <style:style style:name='Loop' style:family='text' style:parent-style-name='Loop'/>";
        let styles = Tree::parse(format!("<a><office:styles>{styles}</office:styles></a>").as_bytes());
        let check = |text: &str, expected: &str| {
            let xml = format!(
                "<a><office:automatic-styles>{own}</office:automatic-styles><text:p>{text}</text:p></a>"
            );
            let content = Tree::parse(xml.as_bytes());
            let spans = Spans::of(&content, Some(&styles));
            let paragraph = content.root().unwrap().child("p").unwrap();
            assert_eq!(spans.text(paragraph, &mut |_, _| {}), expected, "{text}");
        };
        let span =
            |style: &str, text: &str| format!("<text:span text:style-name='{style}'>{text}</text:span>");
        check(&format!("10{} cells, m{}", span("T1", "6"), span("T1", "2")), "10^6 cells, m2");
        check(&format!("10{}", span("Up", &span("Loop", "-6"))), "10^-6");
        check(&format!("101{}", span("Down", "2")), "101_2");
        check(&format!("10{}{}", span("On", "6"), span("Loop", "7")), "1067");
    }
}
