//! Running text: folds white space and sets inline code, for one paragraph, heading or table cell at a time.

/// Text of one block in the making.
#[derive(Debug, Default)]
pub(super) struct Line {
    text: String,
    /// A blank was seen that becomes a space if more text follows.
    has_space: bool,
    /// What came last stands apart, such as an image's alternative text; a word after it needs a space.
    is_apart: bool,
    code: Option<Code>,
    /// Whether a line of the code that is open has ended.
    has_code_line: bool,
    /// The code that ended last: where its opening backtick stands, and where it ended.
    last_code: Option<(usize, usize)>,
    /// Blocks taken so far.
    n_blocks: usize,
}

/// Where the text of a link, or text that is struck out, starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceStart {
    block: usize,
    at: usize,
}

/// Inline code that is open.
#[derive(Debug)]
struct Code {
    /// Where its opening backtick stands.
    start: usize,
    /// Open elements that mean code, nested.
    depth: usize,
}

impl Line {
    /// Adds text: runs of blanks fold to one space, soft hyphens go.
    pub(super) fn push(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match Piece::at(bytes, at) {
                Piece::Blank(n_bytes) => {
                    self.has_space = true;
                    at += n_bytes;
                }
                Piece::SoftHyphen => at += 2,
                Piece::Text => {
                    let start = at;
                    // Words with single spaces between them are copied in one piece.
                    while at < bytes.len()
                        && (Piece::at(bytes, at) == Piece::Text
                            || (bytes[at] == b' ' && Piece::at(bytes, at + 1) == Piece::Text))
                    {
                        at += 1;
                    }
                    self.push_words(&text[start..at]);
                }
            }
        }
    }

    fn push_words(&mut self, words: &str) {
        if self.is_apart && words.starts_with(|c: char| c.is_alphanumeric() || "$€£¥".contains(c)) {
            self.has_space = true;
        }
        self.is_apart = false;
        self.place_code_line();
        self.place_space();
        self.text.push_str(words);
    }

    /// Ends a line of the code that is open; the next one is code of its own: `a`; `b`.
    pub(super) fn end_code_line(&mut self) {
        self.has_space = true;
        self.has_code_line |= self.code.as_ref().is_some_and(|code| self.text.len() > code.start + 1);
    }

    /// Starts the next line of code, if one has ended.
    fn place_code_line(&mut self) {
        let Some(depth) = self.code.as_ref().filter(|_| self.has_code_line).map(|code| code.depth) else {
            return;
        };
        self.end_code();
        self.last_code = None;
        self.has_space = false;
        self.text.push_str("; ");
        self.code = Some(Code { start: self.text.len(), depth });
        self.text.push('`');
    }

    /// Writes a pending space, unless the line (or the code in it) has just started.
    fn place_space(&mut self) {
        let is_at_start = self.text.is_empty()
            || self.text.ends_with('\n')
            || self.code.as_ref().is_some_and(|code| self.text.len() == code.start + 1);
        if self.has_space && !is_at_start {
            self.text.push(' ');
        }
        self.has_space = false;
    }

    /// Whether a digit came last, with nothing behind it.
    pub(super) fn ends_with_digit(&self) -> bool {
        !self.has_space && self.text.ends_with(|it: char| it.is_ascii_digit())
    }

    /// What was added since the last [`take`](Self::take).
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// The last character, whatever white space waits behind it.
    pub(super) fn last_char(&self) -> Option<char> {
        self.text.chars().next_back()
    }

    /// Whether inline code is open.
    pub(super) fn is_in_code(&self) -> bool {
        self.code.is_some()
    }

    /// Makes sure that what follows is a word of its own.
    pub(super) fn space(&mut self) {
        self.has_space = true;
    }

    /// Adds the alternative text of an image, apart from the words around it.
    pub(super) fn push_alt(&mut self, alt: &str) {
        if alt.starts_with(char::is_alphanumeric) && self.text.ends_with(char::is_alphanumeric) {
            self.has_space = true;
        }
        self.push(alt);
        self.is_apart = alt.ends_with(char::is_alphanumeric);
    }

    /// Sets what follows apart from the word before it, where that is a word too.
    pub(super) fn part_words(&mut self) {
        self.is_apart |= self.text.ends_with(char::is_alphanumeric);
    }

    /// Strikes the text out that started at `start`, unless it is empty or its paragraph has ended within it.
    pub(super) fn close_struck(&mut self, start: PieceStart) {
        let PieceStart { block, at: start } = start;
        if self.code.is_some() || block != self.n_blocks || start >= self.text.len() {
            return;
        }
        self.last_code = None;
        let n_blanks = self.text[start..].len() - self.text[start..].trim_start().len();
        self.text.insert_str(start + n_blanks, "~~");
        self.text.push_str("~~");
        self.is_apart = true;
    }

    /// Breaks the line; `true` when it was broken already, so that a new paragraph begins.
    pub(super) fn push_break(&mut self) -> bool {
        self.has_space = false;
        self.is_apart = false;
        if self.text.ends_with('\n') {
            return true;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        false
    }

    /// Starts the text of a link, or text that is struck out.
    pub(super) fn open_piece(&mut self) -> PieceStart {
        self.place_space();
        PieceStart { block: self.n_blocks, at: self.text.len() }
    }

    /// Ends the text of the link that started at `start`, unless it is empty or its paragraph has ended within it.
    pub(super) fn close_link(&mut self, start: PieceStart, target: &str) {
        let PieceStart { block, at: start } = start;
        if self.code.is_some() || block != self.n_blocks || start >= self.text.len() {
            return;
        }
        self.last_code = None;
        self.text.insert(start, '[');
        // CommonMark: a target with blanks or brackets stands between angle brackets.
        let is_plain = !target.contains(|c: char| c.is_whitespace() || "()<>".contains(c));
        let target =
            if is_plain { target.to_owned() } else { format!("<{}>", target.replace(['<', '>', '\n'], "")) };
        self.text.push_str(&format!("]({target})"));
    }

    /// Opens inline code.
    pub(super) fn open_code(&mut self) {
        if let Some(code) = &mut self.code {
            code.depth += 1;
            return;
        }
        // `a.` and `b` side by side, as older Sphinx writes signatures, are one piece of code.
        if let Some((start, end)) = self.last_code.take()
            && end == self.text.len()
            && !self.has_space
        {
            self.text.pop();
            self.code = Some(Code { start, depth: 1 });
            return;
        }
        self.has_space |= std::mem::take(&mut self.is_apart);
        self.place_space();
        self.code = Some(Code { start: self.text.len(), depth: 1 });
        self.text.push('`');
    }

    /// Closes inline code; without an open one (it ended with its paragraph) nothing happens.
    pub(super) fn close_code(&mut self) {
        let Some(code) = &mut self.code else { return };
        code.depth -= 1;
        if code.depth == 0 {
            self.end_code();
        }
    }

    fn end_code(&mut self) {
        self.has_code_line = false;
        let Some(Code { start, .. }) = self.code.take() else { return };
        let content = self.text.split_off(start + 1);
        let trimmed = content.trim_end_matches('\n');
        if trimmed.is_empty() {
            self.text.truncate(start);
            return;
        }
        let n_ticks = longest_run(trimmed, b'`') + 1;
        if n_ticks == 1 {
            self.text.push_str(trimmed);
            self.text.push('`');
            self.last_code = Some((start, self.text.len()));
        } else {
            // CommonMark: a longer fence than any run inside, and a space where the content starts or ends with one.
            let fence = "`".repeat(n_ticks);
            self.text.truncate(start);
            let space = if trimmed.starts_with('`') || trimmed.ends_with('`') { " " } else { "" };
            for part in [&fence, space, trimmed, space, &fence] {
                self.text.push_str(part);
            }
        }
    }

    /// Ends the block and gives its text, which may be empty.
    pub(super) fn take(&mut self) -> String {
        self.end_code();
        self.n_blocks += 1;
        self.has_space = false;
        self.is_apart = false;
        self.last_code = None;
        let mut text = std::mem::take(&mut self.text);
        text.truncate(text.trim_end().len());
        text
    }

    /// Whether nothing was added since the last [`take`](Self::take).
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// What stands at a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// White space that folds, and its length: ASCII blanks and the no-break space, which is there for looks.
    Blank(usize),
    SoftHyphen,
    /// A byte of anything else.
    Text,
}

impl Piece {
    fn at(bytes: &[u8], at: usize) -> Self {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r' | b'\x0C') => Self::Blank(1),
            Some(0xC2) if bytes.get(at + 1) == Some(&0xA0) => Self::Blank(2),
            Some(0xC2) if bytes.get(at + 1) == Some(&0xAD) => Self::SoftHyphen,
            // The end counts as a blank, so that a space before it is not taken.
            None => Self::Blank(0),
            Some(_) => Self::Text,
        }
    }
}

/// Length of the longest run of `byte` in `text`.
pub(super) fn longest_run(text: &str, byte: u8) -> usize {
    let (mut longest, mut run) = (0, 0);
    for &it in text.as_bytes() {
        run = if it == byte { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `«` and `»` stand for the start and end of code, `|` for a line break, `¶` for the end of a line of code.
    fn check(input: &str, expected: &str) {
        let mut line = Line::default();
        for piece in input.split_inclusive(['«', '»', '|', '¶']) {
            line.push(piece.trim_end_matches(['«', '»', '|', '¶']));
            match piece.chars().last() {
                Some('«') => line.open_code(),
                Some('»') => line.close_code(),
                Some('¶') => line.end_code_line(),
                Some('|') => {
                    line.push_break();
                }
                _ => {}
            }
        }
        assert_eq!(line.take(), expected, "{input}");
    }

    #[test]
    fn blanks_fold() {
        check("", "");
        check("  a \n\t b\u{A0}c  ", "a b c");
        check("hy\u{AD}phen", "hyphen");
        check("a | b", "a\nb");
    }

    #[test]
    fn code_stands_in_backticks() {
        check("call «f()» now", "call `f()` now");
        check("a« b »c", "a`b` c");
        check("«a.»«b»", "`a.b`");
        check("«a» «b»", "`a` `b`");
        check("«»x« »y", "x y");
        check("«a `b`»", "`` a `b` ``");
        check("«x«y»z» a", "`xyz` a");
        check("open «a", "open `a`");
        check("see «¶ a b¶¶  c¶» d", "see `a b`; `c` d");
        check("«a`b¶«c»¶d»", "``a`b``; `c`; `d`");
        check("a¶ b", "a b");
    }

    #[test]
    fn struck_text_is_marked() {
        let check = |before: &str, struck: &str, after: &str, expected: &str| {
            let mut line = Line::default();
            line.push(before);
            let start = line.open_piece();
            line.push(struck);
            line.close_struck(start);
            line.push(after);
            assert_eq!(line.take(), expected);
        };
        check("Price ", "$100", "$80", "Price ~~$100~~ $80");
        check("a", " b ", "c", "a ~~b~~ c");
        check("a ", "b", ", c", "a ~~b~~, c");
        check("a ", "", "b", "a b");
    }

    #[test]
    fn alternative_text_is_a_word_of_its_own() {
        let mut line = Line::default();
        line.push("see");
        line.push_alt("Logo");
        line.push("here, ");
        line.push_alt("★");
        line.push("x");
        assert_eq!(line.take(), "see Logo here, ★x");
    }
}
