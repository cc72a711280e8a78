//! What a terminal makes of control characters in outputs.

/// `text` as it stands on the screen once all of it is written: without escape sequences, and of the writings over one
/// line the last. The end of a longer one before it is left out, since it belongs to something that is gone.
pub(super) fn as_shown(text: &str) -> String {
    let text = without_escapes(text);
    if !text.contains(['\r', '\u{8}']) {
        return text;
    }
    let mut shown = String::with_capacity(text.len());
    let mut line = 0;
    let mut is_returned = false;
    for c in text.chars() {
        match c {
            '\n' => {
                shown.push('\n');
                line = shown.len();
                is_returned = false;
            }
            // What stood there stays until something is written over it.
            '\r' => is_returned = true,
            '\u{8}' if is_returned => {}
            '\u{8}' => {
                if shown.len() > line {
                    shown.pop();
                }
            }
            c => {
                if std::mem::take(&mut is_returned) {
                    shown.truncate(line);
                }
                shown.push(c);
            }
        }
    }
    shown
}

/// `text` without ANSI escape sequences (ECMA-48: CSI and OSC sequences, and two-character escapes).
pub(super) fn without_escapes(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            clean.push(c);
            continue;
        }
        match chars.next() {
            Some('[') => {
                chars.by_ref().find(|c| ('\u{40}'..='\u{7e}').contains(c));
            }
            Some(']') => {
                let mut last = ' ';
                chars.by_ref().find(|&c| {
                    let is_end = c == '\u{7}' || (last == '\u{1b}' && c == '\\');
                    last = c;
                    is_end
                });
            }
            _ => {}
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(as_shown(text), expected, "{text:?}");
    }

    #[test]
    fn what_is_written_over_is_gone() {
        check("Epoch 1 loss 0.50\rEpoch 1 loss 0.42\n", "Epoch 1 loss 0.42\n");
        check("\r  0%\r 50%\r100%\ndone", "100%\ndone");
        check("a\n10%\r50%\n", "a\n50%\n");
        check("loss 123.45\rloss 9.1", "loss 9.1");
        check("bar\r   \r", "   ");
        check("long line\r\u{1b}[Kshort", "short");
        check("\u{1b}[2K\ra\r\u{1b}[2Kb", "b");
    }

    #[test]
    fn returns_before_a_line_end_change_nothing() {
        check("a\r\nb\r\n", "a\nb\n");
        check("a\r\r\nb\r", "a\nb");
        check("\r\n", "\n");
    }

    #[test]
    fn backspaces_delete_within_the_line() {
        check("|\u{8}/\u{8}-", "-");
        check("50%\u{8}\u{8}\u{8}75%", "75%");
        check("a\n\u{8}\u{8}b", "a\nb");
        check("é\u{8}e", "e");
        check("ab\r\u{8}", "ab");
    }

    #[test]
    fn hostile_output_takes_linear_time() {
        for piece in ["\r", "a\r", "\u{8}", "a\u{8}", "\u{1b}[", "aaaa\r\u{8}"] {
            as_shown(&piece.repeat(1_000_000 / piece.len()));
        }
    }
}
