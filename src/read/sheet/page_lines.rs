//! The words of the headers and footers of printed sheets, out of their codes.

/// The lines that a header or footer of Excel prints, without fields such as the number of the page.
///
/// The codes are those of ECMA-376, 18.3.1.39: `&L`, `&C` and `&R` begin the three parts, fonts, sizes and colours stand in
/// `&"Arial,Bold"`, `&12` and `&KFF0000`, and `&&` is the sign itself.
pub(super) fn of_codes(codes: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut rest = codes.chars().peekable();
    while let Some(c) = rest.next() {
        let is_break = match c {
            '&' => match rest.next() {
                Some('&') => {
                    push(&mut lines, '&');
                    false
                }
                Some('"') => {
                    rest.by_ref().find(|it| *it == '"');
                    false
                }
                Some('K') => {
                    // Six digits in hexadecimal, or a colour of the theme with a tint: `01+034`.
                    for _ in 0..6 {
                        rest.next_if(|it| it.is_ascii_hexdigit() || matches!(it, '+' | '-'));
                    }
                    false
                }
                Some('0'..='9') => {
                    while rest.next_if(char::is_ascii_digit).is_some() {}
                    false
                }
                Some('L' | 'C' | 'R') => true,
                _ => false,
            },
            '\n' => true,
            _ => {
                push(&mut lines, c);
                false
            }
        };
        if is_break {
            lines.push(String::new());
        }
    }
    lines.retain(|it| !it.trim().is_empty());
    lines
}

fn push(lines: &mut [String], c: char) {
    if let Some(line) = lines.last_mut() {
        line.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_no_words() {
        let check = |codes: &str, expected: &[&str]| assert_eq!(of_codes(codes), expected, "{codes}");
        check("", &[]);
        check("&L&\"Arial,Bold\"&12Budget &KFF00002026&CR&&D&R&P/&N", &["Budget 2026", "R&D", "/"]);
        check("&K01+034Draft\nsecond &A&", &["Draft", "second "]);
        check("plain", &["plain"]);
        check("&\"open", &[]);
    }
}
