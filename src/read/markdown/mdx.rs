//! MDX: lines of nothing but tags of components (`<Note>`, `</Steps>`, `<Card … />` over several lines) are no HTML, and
//! what stands between them is Markdown, however far it is indented.
//!
//! The Markdown parser reads a copy of the text, as long byte for byte, in which such lines are blank and the indentation
//! of what a component holds stands at the end of its line. [`Moves`] leads from places in the copy back to the text.

use std::ops::Range;

/// How many tags that are never closed are looked for over more than one line. Chosen: a sound file has none, and each can
/// cost a walk to the end of the text.
const MAX_UNCLOSED: usize = 16;

/// How deep components are followed. Chosen: no page goes near it, and a closing tag looks through all that are open.
const MAX_DEPTH: usize = 100;

/// Lines of the copy whose indentation was moved to their end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Moves {
    lines: Vec<Move>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Move {
    /// First byte of the line.
    start: usize,
    /// Bytes of indentation.
    indent: usize,
    /// Bytes of the rest, line ending left out.
    content: usize,
}

impl Moves {
    /// The place in the text of byte `at` of the copy, where something starts.
    pub(super) fn start(&self, at: usize) -> usize {
        self.place(at, at)
    }

    /// The same for the byte after something.
    pub(super) fn end(&self, at: usize) -> usize {
        at.checked_sub(1).map_or(at, |last| self.place(last, at))
    }

    /// The place in the text of byte `at` of the copy, moved as byte `inside` is.
    fn place(&self, inside: usize, at: usize) -> usize {
        let before = self.lines.partition_point(|it| it.start <= inside);
        let Some(line) = before.checked_sub(1).map(|it| self.lines[it]) else { return at };
        let (within, len) = (inside - line.start, line.indent + line.content);
        if within < line.content {
            at + line.indent
        } else if within < len {
            line.start + len
        } else {
            at
        }
    }
}

/// A component that is open.
struct Component<'a> {
    name: &'a str,
    /// Bytes of indentation of its opening tag.
    indent: usize,
    /// How many bytes of indentation are moved around it.
    outer: usize,
    /// How many are moved in it, once its first line with anything on it is known: what it is indented by against the tag,
    /// so that a component in a list item stays there.
    inner: Option<usize>,
}

/// The copy of `text` that the parser reads.
pub(super) fn without_tags(text: &str) -> (String, Moves) {
    let mut copy = String::with_capacity(text.len());
    let mut moves = Moves::default();
    let mut open: Vec<Component<'_>> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut n_unclosed = 0;
    while copy.len() < text.len() {
        let line = copy.len()..line_end(text, copy.len());
        let written = &text[line.clone()];
        let content = written.trim_start_matches([' ', '\t']);
        let indent = &written[..written.len() - content.len()];
        let content = content.trim_end_matches(['\n', '\r']);
        if fence.is_none()
            && let Some((tags, end)) = tags(text, line.start + indent.len(), &mut n_unclosed)
        {
            set_indent(&mut open, indent);
            for tag in tags {
                match tag {
                    Tag::Open(name) if open.len() < MAX_DEPTH => {
                        let outer = open.last().map_or(0, Component::moved);
                        open.push(Component { name, indent: indent.len(), outer, inner: None });
                    }
                    Tag::Open(_) => {}
                    Tag::Close(name) => {
                        if let Some(depth) = open.iter().rposition(|it| it.name == name) {
                            open.truncate(depth);
                        }
                    }
                    Tag::Whole => {}
                }
            }
            push_blank(&mut copy, &text[line.start..line_end(text, end)]);
            continue;
        }
        if !content.trim_end().is_empty() {
            set_indent(&mut open, indent);
        }
        match fence {
            Some(mark) if content.starts_with(mark) && is_run(content.trim_end()) => fence = None,
            Some(_) => {}
            None => fence = opening_fence(content),
        }
        let n_moved = open.last().map_or(0, Component::moved).min(indent.len());
        push_moved(&mut copy, &mut moves, text, line, n_moved);
    }
    (copy, moves)
}

impl Component<'_> {
    fn moved(&self) -> usize {
        self.inner.unwrap_or(self.outer)
    }
}

/// Takes the indentation of a line with anything on it.
fn set_indent(open: &mut [Component<'_>], indent: &str) {
    if let Some(component) = open.last_mut() {
        let deeper = indent.len().saturating_sub(component.indent);
        component.inner.get_or_insert(component.outer + deeper);
    }
}

/// Appends the line with its first `n_moved` bytes, which are blanks, at the end.
fn push_moved(copy: &mut String, moves: &mut Moves, text: &str, line: Range<usize>, n_moved: usize) {
    let (written, start) = (&text[line.clone()], line.start);
    let bare = written.trim_end_matches(['\n', '\r']);
    if n_moved == 0 || bare.trim_start_matches([' ', '\t']).is_empty() {
        copy.push_str(written);
        return;
    }
    copy.push_str(&bare[n_moved..]);
    copy.extend(std::iter::repeat_n(' ', n_moved));
    copy.push_str(&written[bare.len()..]);
    moves.lines.push(Move { start, indent: n_moved, content: bare.len() - n_moved });
}

/// Appends blanks for every byte but line endings.
fn push_blank(copy: &mut String, lines: &str) {
    copy.extend(lines.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' }));
}

/// One past the end, line ending included, of the line that holds byte `at`; a line ends at LF, since the parser gets no
/// other endings but CRLF.
fn line_end(text: &str, at: usize) -> usize {
    text.as_bytes()[at..].iter().position(|&it| it == b'\n').map_or(text.len(), |found| at + found + 1)
}

fn is_run(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|first| chars.all(|c| c == first))
}

/// The run of backticks or tildes that opens a fence, also right behind the mark of a list item.
fn opening_fence(content: &str) -> Option<&str> {
    let digits = content.trim_start_matches(|c: char| c.is_ascii_digit());
    let item = if digits.len() < content.len() {
        digits.strip_prefix([')', '.'])
    } else {
        content.strip_prefix(['-', '*', '+'])
    };
    let content = item.filter(|it| it.starts_with(' ')).map_or(content, str::trim_start);
    let mark = content.chars().next().filter(|it| matches!(it, '`' | '~'))?;
    let rest = content.trim_start_matches(mark);
    let run = &content[..content.len() - rest.len()];
    (run.len() >= 3 && !(mark == '`' && rest.contains('`'))).then_some(run)
}

/// One tag of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag<'a> {
    Open(&'a str),
    Close(&'a str),
    /// One that closes itself.
    Whole,
}

/// The tags at byte `at`, if nothing else stands on their lines, and one past the last of them.
fn tags<'a>(text: &'a str, at: usize, n_unclosed: &mut usize) -> Option<(Vec<Tag<'a>>, usize)> {
    let mut found = Vec::new();
    let mut end = at;
    loop {
        let next = text[end..].trim_start_matches([' ', '\t']);
        if next.is_empty() || next.starts_with(['\n', '\r']) {
            return (!found.is_empty()).then_some((found, end));
        }
        let (tag, len) = tag(next, n_unclosed)?;
        found.push(tag);
        end = text.len() - next.len() + len;
    }
}

/// The tag at the start of `text`, and its bytes.
fn tag<'a>(text: &'a str, n_unclosed: &mut usize) -> Option<(Tag<'a>, usize)> {
    let inner = text.strip_prefix('<')?;
    let (is_closing, inner) = inner.strip_prefix('/').map_or((false, inner), |it| (true, it));
    if !inner.starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    let name_len = inner.find(|c: char| !c.is_alphanumeric() && !"_.-:".contains(c)).unwrap_or(inner.len());
    let (name, rest) = inner.split_at(name_len);
    if !rest.starts_with(|c: char| c.is_whitespace() || "/>".contains(c)) {
        return None;
    }
    let within = if *n_unclosed < MAX_UNCLOSED { rest } else { rest.split('\n').next().unwrap_or_default() };
    let Some(end) = tag_end(within) else {
        *n_unclosed += 1;
        return None;
    };
    let tag = if is_closing {
        Tag::Close(name)
    } else if rest[..end - 1].ends_with('/') {
        Tag::Whole
    } else {
        Tag::Open(name)
    };
    Some((tag, text.len() - rest.len() + end))
}

/// One past the `>` that ends a tag, whose attributes start at the start of `text`: values are strings or expressions in
/// braces. `None` where a tag starts before, or there is none.
fn tag_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut quote = None;
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        match quote {
            Some(_) if byte == b'\\' && depth > 0 => at += 1,
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None => match byte {
                b'"' | b'\'' => quote = Some(byte),
                b'`' if depth > 0 => quote = Some(byte),
                b'{' => depth += 1,
                b'}' => depth = depth.checked_sub(1)?,
                b'/' if depth > 0 && bytes.get(at + 1) == Some(&b'*') => {
                    at += text.get(at..)?.find("*/")? + 1;
                }
                b'>' if depth == 0 => return Some(at + 1),
                b'<' if depth == 0 => return None,
                _ => {}
            },
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Checks the copy; `·` marks blanks that were none.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let (copy, _) = without_tags(text);
        assert_eq!(copy, expected.replace('·', " "), "{text:?}");
        assert_eq!(copy.len(), text.len());
    }

    #[test]
    fn lines_of_tags_are_blank() {
        check("<Note>\n## A\n</Note>\n", "······\n## A\n·······\n");
        check("<Card\r\n  a=\"x\"\r\n/>\r\nb", "·····\r\n·······\r\n··\r\nb");
        check("<A b={() => <C d=\">\"/>} />\n", "··························\n");
        check("<A b={`}>`} c={/* don't */ 1}>\n# x", "······························\n# x");
        check("<Tabs><Tab.Item>\n</Tab.Item></Tabs>", "················\n··················");
        for same in [
            "<note>\n",
            "<Note> x\n",
            "x <Note>\n",
            "<Card>x</Card>\n",
            "<A b\n\n# C\n<",
            "<A<B>\n",
            "<A }>\n",
            "```\n<Note>\n```\n",
            "- ~~~\n  <Note>\n  ~~~\n",
            "1. ```js\n   <Note>\n",
            "<Note",
            "<",
            "",
        ] {
            check(same, same);
        }
        check("```` `\n<A>\n", "```` `\n···\n");
    }

    #[test]
    fn indentation_in_components_stands_at_the_end() {
        check(
            "<A>\n  <B>\n    # x\n      y\n  </B>\n  z\n</A>\n    c\n",
            "···\n·····\n# x    \n  y    \n······\nz  \n····\n    c\n",
        );
        check("<A>\n\n\tx\n  y\n</A>\n", "···\n\nx \n y \n····\n");
        check("- <\n  <A>\n    # x\n  y\n  </A>\n", "- <\n·····\n  # x  \ny  \n······\n");
        check("- z\n  <A>\n  # x\n  </A>\n", "- z\n·····\n  # x\n······\n");
        check("</A>\n  x\n", "····\n  x\n");
    }

    #[test]
    fn places_lead_back_to_the_text() {
        let text = "<A>\n  é1\n</A>\nb\n";
        let (copy, moves) = without_tags(text);
        let at = copy.find('é').unwrap();
        assert_eq!(&text[moves.start(at)..moves.end(at + 3)], "é1");
        assert_eq!(moves.start(at), 6);
        // Into the blanks, to the line's end, to the next line.
        assert_eq!([3, 4, 5, 6].map(|it| moves.end(at + it)), [9, 9, 9, 10]);
        assert_eq!([3, 4, 5, 6].map(|it| moves.start(at + it)), [9, 9, 9, 10]);
        assert_eq!((moves.start(0), moves.end(0), moves.end(4)), (0, 0, 4));
    }

    #[test]
    fn hostile_tags_take_linear_time() {
        for piece in ["<A\n", "<A {\n", "<A \"\n", "<A>\n", "<A><A>", "<A>\n ", "</A>\n", "<A {/*", "```\n"] {
            without_tags(&piece.repeat(200_000 / piece.len()));
        }
        without_tags(&("<A>\n".repeat(50_000) + &"</B>\n".repeat(50_000)));
    }

    proptest! {
        #[test]
        fn copies_are_as_long_and_places_sound(pieces in prop::collection::vec(prop::sample::select(vec![
            "<A>", "</A>", "<B x={", "}", "\"", ">", "/>", "\n", "\n", "\r\n", "  ", "\t", "é", "# x", "```", "- ", "<C>\n    ",
        ]), 0..40)) {
            let text = pieces.concat();
            let (copy, moves) = without_tags(&text);
            prop_assert_eq!(copy.len(), text.len());
            for (at, c) in copy.char_indices() {
                prop_assert!(moves.start(at) <= moves.end(at + c.len_utf8()));
                if !c.is_whitespace() {
                    prop_assert!(text[moves.start(at)..].starts_with(c));
                }
            }
        }
    }
}
