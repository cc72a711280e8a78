//! The words of a header or footer part, a line for each paragraph, without the numbers of pages.

use super::inline::alternative;
use crate::read::package::Element;
use crate::read::page_lines::is_page_number;

/// The lines of the part with this root.
pub(super) fn of(root: Element<'_>) -> Vec<String> {
    let mut lines = Lines::default();
    lines.walk(root);
    lines.lines.push(lines.line);
    lines.lines
}

#[derive(Debug, Default)]
struct Lines {
    lines: Vec<String>,
    line: String,
    /// Fields that are open: the code, and whether it is over.
    fields: Vec<(String, bool)>,
}

impl Lines {
    fn walk(&mut self, parent: Element<'_>) {
        for element in parent.elements() {
            match element.name() {
                "p" => {
                    self.end_line();
                    self.walk(element);
                    self.end_line();
                }
                "t" if self.fields.iter().all(|(code, is_over)| *is_over && !is_page_number(code)) => {
                    self.line.push_str(&element.text());
                }
                "tab" | "ptab" | "br" => self.line.push(' '),
                "fldChar" => match element.attr("fldCharType") {
                    Some("begin") => self.fields.push((String::new(), false)),
                    Some("separate") => {
                        if let Some((_, is_over)) = self.fields.last_mut() {
                            *is_over = true;
                        }
                    }
                    _ => {
                        self.fields.pop();
                    }
                },
                "instrText" => {
                    if let Some((code, false)) = self.fields.last_mut() {
                        code.push_str(&element.text());
                    }
                }
                "fldSimple" if element.attr("instr").is_some_and(is_page_number) => {}
                "AlternateContent" => {
                    if let Some(choice) = alternative(element) {
                        self.walk(choice);
                    }
                }
                "t" | "del" | "moveFrom" | "pPr" | "rPr" | "sdtPr" => {}
                _ => self.walk(element),
            }
        }
    }

    fn end_line(&mut self) {
        if !self.line.is_empty() {
            self.lines.push(std::mem::take(&mut self.line));
        }
    }
}
