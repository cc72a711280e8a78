//! Messages (EML, RFC 5322 and MIME).
//!
//! A message is a section named by its subject: sender, receivers and date, then the body. Of two forms of one body the plain
//! one is read, unless it is only a stub; messages inside are sections below. Attachments are named in the metadata and
//! left out.

use mail_parser::{Address, Message, MessageParser, MimeHeaders, PartType};

use crate::content::{Metadata, Origin, Warning, WarningKind};
use crate::read::html::part::render_part;
use crate::read::rendered::{self, Writer};
use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta};

/// Messages in messages that are followed.
const MAX_DEPTH: u8 = 8;

/// A plain body with fewer of its words than one in this many of the page's is a stub ("your program cannot show this").
const STUB_RATIO: usize = 3;

/// Reads messages.
#[derive(Debug)]
pub(crate) struct Mail;

impl Reader for Mail {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: "eml",
            version: 1,
            summary: "mail messages: subject, people, date, body, forwarded messages",
            media_type: "message/rfc822",
            extensions: &["eml"],
            is_risky: true,
        }
    }

    fn read(&self, blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        let damaged =
            |detail: &str| ReadError::Damaged { format: self.meta().name, detail: detail.to_owned() };
        let message =
            MessageParser::default().parse(&blob.bytes).ok_or_else(|| damaged("it has no headers"))?;
        if message.from().is_none() && message.subject().is_none() && message.date().is_none() {
            return Err(damaged("it has neither sender nor subject nor date"));
        }
        let mut walk = Walk::default();
        walk.message(&message, 1);
        let metadata = metadata(&message, &walk.attachments);
        let Walk { writer, attachments, mut warnings } = walk;
        if !attachments.is_empty() {
            let message = format!("attachments left out: {}", attachments.join(", "));
            warnings.push(Warning::new(WarningKind::LeftOut, message));
        }
        let title = message.subject().map(one_line).filter(|it| !it.is_empty());
        let document = rendered::document(blob, self.meta(), title, writer, metadata, Origin::Unknown);
        Ok(Parsed { document, warnings })
    }
}

#[derive(Default)]
struct Walk {
    writer: Writer,
    attachments: Vec<String>,
    warnings: Vec<Warning>,
}

impl Walk {
    fn message(&mut self, message: &Message<'_>, level: u8) {
        let subject = message.subject().map(one_line).filter(|it| !it.is_empty());
        self.writer.heading(level, &subject.unwrap_or_else(|| "(no subject)".to_owned()), "");
        let people = [("From", message.from()), ("To", message.to()), ("Cc", message.cc())];
        let mut lines: Vec<String> = people
            .into_iter()
            .filter_map(|(name, address)| Some(format!("{name}: {}", names(address?).join(", "))))
            .collect();
        lines.extend(message.date().map(|it| format!("Date: {}", it.to_rfc3339())));
        self.writer.paragraph(&lines.join("\n"));
        self.bodies(message, level);
        for part in message.attachments() {
            match &part.body {
                PartType::Message(inner) if level < MAX_DEPTH => self.message(inner, level + 1),
                _ => {
                    let media_type = part.content_type().map(|it| match it.subtype() {
                        Some(subtype) => format!("{}/{subtype}", it.ctype()),
                        None => it.ctype().to_owned(),
                    });
                    let name = part.attachment_name().map(one_line).filter(|it| !it.is_empty());
                    self.attachments.push(name.or(media_type).unwrap_or_else(|| "unnamed".to_owned()));
                }
            }
        }
    }

    /// The body: every part that is shown, plain where both forms say the same.
    fn bodies(&mut self, message: &Message<'_>, level: u8) {
        let plain: Vec<&str> = message
            .text_bodies()
            .filter_map(|it| match &it.body {
                PartType::Text(text) => Some(text.as_ref()),
                _ => None,
            })
            .collect();
        let pages: Vec<&str> = message
            .html_bodies()
            .filter_map(|it| match &it.body {
                PartType::Html(page) => Some(page.as_ref()),
                _ => None,
            })
            .collect();
        let n_words = |texts: &[&str]| texts.iter().map(|it| it.split_whitespace().count()).sum::<usize>();
        if pages.is_empty() {
            plain.iter().for_each(|text| self.plain(text));
            return;
        }
        let mut rendered = Writer::default();
        for page in pages {
            let part = render_part(page.as_bytes(), Some("utf-8"), false);
            self.warnings.extend(part.warnings);
            rendered::append(&mut rendered, part.writer);
        }
        if n_words(&plain) * STUB_RATIO >= n_words(&[&rendered.text]) && !plain.is_empty() {
            plain.iter().for_each(|text| self.plain(text));
            return;
        }
        for heading in &mut rendered.headings {
            heading.level = heading.level.saturating_add(level);
        }
        rendered::append(&mut self.writer, rendered);
    }

    /// Paragraphs of plain text, lines kept.
    fn plain(&mut self, text: &str) {
        let mut lines: Vec<&str> = Vec::new();
        for line in text.lines().map(str::trim_end).chain([""]) {
            if !line.is_empty() {
                lines.push(line);
            } else if !lines.is_empty() {
                self.writer.paragraph(&std::mem::take(&mut lines).join("\n"));
            }
        }
    }
}

/// `Ann Lee <ann@example.org>`, one for each person.
fn names(address: &Address<'_>) -> Vec<String> {
    let named = |it: &mail_parser::Addr<'_>| match (it.name(), it.address()) {
        (Some(name), Some(address)) => Some(format!("{} <{address}>", one_line(name))),
        (Some(one), None) | (None, Some(one)) => Some(one_line(one)),
        (None, None) => None,
    };
    address.iter().filter_map(named).collect()
}

fn metadata(message: &Message<'_>, attachments: &[String]) -> Metadata {
    let mut metadata = Metadata::new();
    let mut put = |name: &str, value: Option<serde_json::Value>| {
        if let Some(value) = value {
            metadata.insert(name.to_owned(), value);
        }
    };
    put("title", message.subject().map(one_line).filter(|it| !it.is_empty()).map(Into::into));
    put("author", message.from().map(|it| names(it).join(", ").into()));
    put("to", message.to().map(|it| names(it).into()));
    put("cc", message.cc().map(|it| names(it).into()));
    put("created", message.date().map(|it| it.to_rfc3339().into()));
    put("message_id", message.message_id().map(Into::into));
    put("attachments", (!attachments.is_empty()).then(|| attachments.to_vec().into()));
    metadata
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(message: &str) -> Result<Parsed, ReadError> {
        let blob = Blob { uri: "a/m.eml".into(), bytes: message.replace('\n', "\r\n").into_bytes() };
        Mail.read(&blob, &ReadOptions::default())
    }

    const HEAD: &str = "From: =?utf-8?Q?J=C3=BCrgen?= <j@example.org>\nTo: a@example.org, B <b@example.org>\n\
                        Subject: =?iso-8859-1?Q?Gr=FC=DFe?=\n and more\nDate: Wed, 3 Jan 2024 12:00:00 +0100\nMIME-Version: 1.0\n";

    #[test]
    fn a_plain_message_keeps_people_and_paragraphs() {
        let body = "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n\
                    sch=F6n\nline two\n\n> quoted\n";
        let parsed = read(&format!("{HEAD}{body}")).unwrap();
        assert_eq!(
            parsed.document.text,
            "# Grüße and more\n\nFrom: Jürgen <j@example.org>\nTo: a@example.org, B <b@example.org>\n\
             Date: 2024-01-03T12:00:00+01:00\n\nschön\nline two\n\n> quoted\n"
        );
        assert_eq!(parsed.document.title, "Grüße and more");
        assert_eq!(parsed.document.metadata["author"], "Jürgen <j@example.org>");
        assert_eq!(parsed.document.metadata["created"], "2024-01-03T12:00:00+01:00");
        assert_eq!(parsed.warnings, []);
    }

    #[test]
    fn the_plain_form_is_read_unless_it_is_a_stub() {
        let check = |plain: &str, page: &str, expected: &str, levels: &[u8]| {
            let body = format!(
                "Content-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain\n\n{plain}\n\
                 --x\nContent-Type: text/html\n\n{page}\n--x--\n"
            );
            let document = read(&format!("{HEAD}{body}")).unwrap().document;
            assert_eq!(document.text.split("+01:00\n\n").nth(1).unwrap_or_default(), expected);
            assert_eq!(document.sections.iter().map(|it| it.level).collect::<Vec<_>>(), levels);
        };
        check("one two three", "<p>one <b>two</b> three</p>", "one two three\n", &[1]);
        let page = "<h1>News</h1><p>a b c d e f g h i j k l m n</p>";
        check("see the page", page, "# News\n\na b c d e f g h i j k l m n\n", &[1, 2]);
    }

    #[test]
    fn attachments_are_named_and_messages_inside_are_sections() {
        let body = "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nsee below\n--x\n\
                    Content-Type: application/pdf; name=\"r.pdf\"\nContent-Disposition: attachment; filename=\"r.pdf\"\n\
                    Content-Transfer-Encoding: base64\n\nJVBERg==\n--x\nContent-Type: message/rfc822\n\n\
                    From: c@example.org\nSubject: Inner\n\ninner words\n--x--\n";
        let parsed = read(&format!("{HEAD}{body}")).unwrap();
        let titles: Vec<_> =
            parsed.document.sections.iter().map(|it| (it.level, it.title.as_str())).collect();
        assert_eq!(titles, [(1, "Grüße and more"), (2, "Inner")]);
        assert!(parsed.document.text.ends_with("inner words\n"));
        assert_eq!(parsed.document.metadata["attachments"][0], "r.pdf");
        assert_eq!(parsed.warnings[0].message, "attachments left out: r.pdf");
    }

    #[test]
    fn what_is_no_message_is_damaged() {
        for text in ["", "just words\n\nand more"] {
            assert!(matches!(read(text), Err(ReadError::Damaged { .. })), "{text:?}");
        }
    }
}
