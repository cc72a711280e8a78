//! Tokens of RTF: groups, control words, bytes of text.

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Open,
    Close,
    /// A control word with its number.
    Word(&'a str, Option<i32>),
    /// A control symbol such as `~`.
    Symbol(u8),
    /// One byte of text, from `\'hh` or as it is.
    Byte(u8),
}

/// Cuts RTF into tokens.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn control(&mut self) -> Option<Token<'a>> {
        let first = *self.bytes.get(self.at)?;
        if !first.is_ascii_alphabetic() {
            self.at += 1;
            if first == b'\'' {
                let hex = self.bytes.get(self.at..self.at + 2).and_then(|it| std::str::from_utf8(it).ok());
                if let Some(byte) = hex.and_then(|it| u8::from_str_radix(it, 16).ok()) {
                    self.at += 2;
                    return Some(Token::Byte(byte));
                }
            }
            return Some(Token::Symbol(first));
        }
        let rest = &self.bytes[self.at..];
        let len = rest.iter().take(32).take_while(|it| it.is_ascii_alphabetic()).count();
        // Letters are ASCII.
        let name = std::str::from_utf8(&rest[..len]).unwrap_or_default();
        self.at += len;
        let rest = &self.bytes[self.at..];
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest[sign..].iter().take(10).take_while(|it| it.is_ascii_digit()).count();
        let mut number = None;
        if digits > 0 {
            let text = std::str::from_utf8(&rest[..sign + digits]).unwrap_or_default();
            number = text.parse().ok();
            self.at += sign + digits;
        }
        if self.bytes.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        if name == "bin" {
            // Bytes of any kind follow.
            self.at = self
                .at
                .saturating_add(usize::try_from(number.unwrap_or(0)).unwrap_or(0))
                .min(self.bytes.len());
        }
        Some(Token::Word(name, number))
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            return Some(match byte {
                b'{' => Token::Open,
                b'}' => Token::Close,
                b'\\' => return self.control(),
                b'\r' | b'\n' | 0 => continue,
                byte => Token::Byte(byte),
            });
        }
    }
}
