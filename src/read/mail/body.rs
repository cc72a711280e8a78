//! The body of a message: which of its parts are shown, and in which of their forms.
//!
//! Parts stand one after the other. Only those of a `multipart/alternative` are forms of one text (RFC 2046, 5.1.4), of
//! which the one that has the words is taken ([`super::forms`]). Attachments are left to the caller.

use std::collections::HashSet;

use mail_parser::{Message, MessagePartId, MimeHeaders, PartType};

use super::forms::fuller;
use crate::content::Warning;
use crate::read::html::part::{RenderedPart, render_part};

/// Parts in parts that are followed by their nesting; what is deeper is shown in the order of the message. Chosen: mail
/// programs nest four deep.
const MAX_DEPTH: usize = 32;

/// One part of the body.
pub(super) enum Piece<'m> {
    Plain(&'m str),
    Page(RenderedPart),
}

impl Piece<'_> {
    /// Its words; a page is rendered.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Plain(text) => text,
            Self::Page(page) => &page.writer.text,
        }
    }

    /// Whether both say the same in two forms, as programs write them that do not know of alternatives.
    fn repeats(&self, before: &Self) -> bool {
        let words = |text: &str| -> Vec<String> { text.split_whitespace().filter_map(bare).collect() };
        matches!((self, before), (Self::Plain(_), Self::Page(_)) | (Self::Page(_), Self::Plain(_)))
            && words(self.text()) == words(before.text())
    }
}

/// The letters and digits of a word.
fn bare(word: &str) -> Option<String> {
    let word: String = word.chars().filter(|it| it.is_alphanumeric()).collect();
    (!word.is_empty()).then_some(word)
}

/// The body of `message` in the order of its parts, with warnings about forms that were left out and say something else.
pub(super) fn pieces<'m>(message: &'m Message<'m>) -> (Vec<Piece<'m>>, Vec<Warning>) {
    let attached: HashSet<MessagePartId> = message.attachments.iter().copied().collect();
    let is_shown = |it: &MessagePartId| !attached.contains(it);
    let shown = message.text_body.iter().chain(&message.html_body).copied().filter(is_shown).collect();
    let mut body = Body { message, shown, warnings: Vec::new() };
    let mut pieces = body.part(0, 0);
    // Parts that nothing leads to, since the message breaks off or nests too deep.
    let mut rest: Vec<MessagePartId> = body.shown.iter().copied().collect();
    rest.sort_unstable();
    for id in rest {
        let more = body.part(id, MAX_DEPTH);
        add(&mut pieces, more);
    }
    (pieces, body.warnings)
}

struct Body<'m> {
    message: &'m Message<'m>,
    /// The parts that are shown and were not met yet.
    shown: HashSet<MessagePartId>,
    warnings: Vec<Warning>,
}

impl<'m> Body<'m> {
    fn part(&mut self, id: MessagePartId, depth: usize) -> Vec<Piece<'m>> {
        let message = self.message;
        let Some(part) = message.parts.get(id as usize) else { return Vec::new() };
        let subtype = part.content_type().and_then(|it| it.subtype()).unwrap_or_default();
        match &part.body {
            PartType::Text(text) if self.shown.remove(&id) => vec![Piece::Plain(text)],
            PartType::Html(page) if self.shown.remove(&id) => {
                vec![Piece::Page(render_part(page.as_bytes(), Some("utf-8"), false))]
            }
            PartType::Multipart(parts) if depth < MAX_DEPTH => {
                // Parts are numbered in order, each after the one that holds it.
                let inner: Vec<MessagePartId> = parts.iter().copied().filter(|it| *it > id).collect();
                match subtype.eq_ignore_ascii_case("alternative") {
                    true => self.alternative(&inner, depth + 1),
                    false => {
                        let mut pieces = Vec::new();
                        for id in inner {
                            let more = self.part(id, depth + 1);
                            add(&mut pieces, more);
                        }
                        pieces
                    }
                }
            }
            _ => Vec::new(),
        }
    }

    /// That of the forms of one text which has the words.
    fn alternative(&mut self, forms: &[MessagePartId], depth: usize) -> Vec<Piece<'m>> {
        let (mut plain, mut rich) = (Vec::new(), Vec::new());
        for &id in forms {
            let form = self.part(id, depth);
            let is_plain = form.iter().all(|it| matches!(it, Piece::Plain(_)));
            if is_plain { plain.extend(form) } else { rich.extend(form) }
        }
        let (form, warning) = fuller(plain, rich);
        self.warnings.extend(warning);
        form
    }
}

/// Adds what stands after the pieces so far, and does not say the same as the last of them.
fn add<'m>(pieces: &mut Vec<Piece<'m>>, more: Vec<Piece<'m>>) {
    for piece in more {
        if pieces.last().is_none_or(|before| !piece.repeats(before)) {
            pieces.push(piece);
        }
    }
}
