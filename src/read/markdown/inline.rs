//! Inline markup as plain text.

use pulldown_cmark::Event;

/// Appends what `event` shows to a reader: text, code, line breaks as blanks; images give their alternative text (as
/// text events of their own), raw tags and footnote marks nothing.
pub(super) fn push_plain(text: &mut String, event: &Event<'_>) {
    match event {
        Event::Text(piece) | Event::Code(piece) | Event::InlineMath(piece) | Event::DisplayMath(piece) => {
            text.push_str(piece);
        }
        Event::SoftBreak | Event::HardBreak => text.push(' '),
        Event::InlineHtml(tag) if tag.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("<br")) => {
            text.push(' ');
        }
        _ => {}
    }
}

/// `text` without blanks at its ends and with single spaces for runs of blanks inside.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}
