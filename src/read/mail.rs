//! Messages (EML, RFC 5322 and MIME).
//!
//! A message is a section named by its subject: sender, receivers and date, then the body. Of two forms of one
//! text ([`body`]) the plain one is read, or the page where it has clearly more words or a table of its own; messages, texts and
//! pages attached are sections below. Other attachments are named in the metadata and left out.

mod body;
mod forms;
mod salvage;

use mail_parser::{Address, HeaderName, Message, MessageParser, MessagePart, MimeHeaders, PartType};

use crate::content::{Metadata, Origin, Warning, WarningKind};
use crate::read::html::part::render_part;
use crate::read::rendered::{self, Writer};
use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta};

use body::Piece;

/// Messages in messages that are followed.
const MAX_DEPTH: u8 = 8;

/// Reads messages.
#[derive(Debug)]
pub(crate) struct Mail;

impl Reader for Mail {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: "eml",
            version: 5,
            summary: "mail messages: subject, people, date, body, forwarded messages",
            media_type: "message/rfc822",
            extensions: &["eml"],
            is_risky: true,
        }
    }

    fn read(&self, blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        salvage::read(&blob.bytes, |bytes| read_message(blob, bytes))
    }
}

/// Reads `bytes` as the message of `blob`.
fn read_message(blob: &Blob, bytes: &[u8]) -> Result<Parsed, ReadError> {
    let damaged = |detail: &str| ReadError::Damaged { format: Mail.meta().name, detail: detail.to_owned() };
    let message = MessageParser::default().parse(bytes).ok_or_else(|| damaged("it has no headers"))?;
    // Drafts and messages that programs write may have no sender, subject or date, but name their type or receivers.
    if message.headers().iter().all(|it| matches!(it.name, HeaderName::Other(_))) {
        return Err(damaged("it has no headers of a message"));
    }
    let mut walk = Walk::default();
    walk.message(&message, 1);
    let metadata = metadata(&message, &walk.attachments);
    let Walk { writer, left_out, mut warnings, .. } = walk;
    if !left_out.is_empty() {
        let message = format!("attachments left out: {}", left_out.join(", "));
        warnings.push(Warning::new(WarningKind::LeftOut, message));
    }
    let title = message.subject().map(one_line).filter(|it| !it.is_empty());
    let document = rendered::document(blob, Mail.meta(), title, writer, metadata, Origin::Unknown);
    Ok(Parsed { document, warnings })
}

#[derive(Default)]
struct Walk {
    writer: Writer,
    /// Names of all attachments.
    attachments: Vec<String>,
    /// Names or types of the attachments that are not read.
    left_out: Vec<String>,
    warnings: Vec<Warning>,
}

impl Walk {
    fn message(&mut self, message: &Message<'_>, level: u8) {
        let subject = message.subject().map(one_line).filter(|it| !it.is_empty());
        self.writer.heading(level, &subject.unwrap_or_else(|| "(no subject)".to_owned()), "");
        let people = [("From", message.from()), ("To", message.to()), ("Cc", message.cc())];
        let mut lines: Vec<String> = people
            .into_iter()
            .map(|(name, address)| (name, address.map(names).unwrap_or_default()))
            .filter(|(_, names)| !names.is_empty())
            .map(|(name, names)| format!("{name}: {}", names.join(", ")))
            .collect();
        lines.extend(date(message).map(|it| format!("Date: {it}")));
        self.writer.paragraph(&lines.join("\n"));
        self.bodies(message, level);
        for part in message.attachments() {
            match &part.body {
                PartType::Message(inner) if level < MAX_DEPTH => self.message(inner, level + 1),
                PartType::Text(page) | PartType::Html(page) if is_page(part) => {
                    self.attached(part, level);
                    let rendered = self.page(page);
                    self.append_below(rendered, level + 1);
                }
                PartType::Text(text) if is_read(part) => {
                    self.attached(part, level);
                    self.plain(text);
                }
                _ => {
                    let media_type = part.content_type().map(|it| match it.subtype() {
                        Some(subtype) => format!("{}/{subtype}", it.ctype()),
                        None => it.ctype().to_owned(),
                    });
                    let name = name(part).or(media_type).unwrap_or_else(|| "unnamed".to_owned());
                    self.attachments.push(name.clone());
                    self.left_out.push(name);
                }
            }
        }
    }

    /// Opens a section for an attachment that is read, when it has a name.
    fn attached(&mut self, part: &MessagePart<'_>, level: u8) {
        if let Some(name) = name(part) {
            self.writer.heading(level + 1, &name, "");
            self.attachments.push(name);
        }
    }

    fn page(&mut self, page: &str) -> Writer {
        let part = render_part(page.as_bytes(), Some("utf-8"), false);
        self.warnings.extend(part.warnings);
        part.writer
    }

    fn append_below(&mut self, mut rendered: Writer, level: u8) {
        for heading in &mut rendered.headings {
            heading.level = heading.level.saturating_add(level);
        }
        rendered::append(&mut self.writer, rendered);
    }

    /// The body: every part that is shown, each in one form.
    fn bodies(&mut self, message: &Message<'_>, level: u8) {
        let (pieces, warnings) = body::pieces(message);
        self.warnings.extend(warnings);
        for piece in pieces {
            match piece {
                Piece::Plain(text) => self.plain(text),
                Piece::Page(page) => {
                    self.warnings.extend(page.warnings);
                    self.append_below(page.writer, level);
                }
            }
        }
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

/// Whether a part is a page; the parser takes one that breaks off for plain text.
fn is_page(part: &MessagePart<'_>) -> bool {
    let subtype = part.content_type().and_then(|it| it.subtype());
    matches!(part.body, PartType::Html(_)) || subtype.is_some_and(|it| it.eq_ignore_ascii_case("html"))
}

/// Whether a part of text holds text for people; appointments and cards are for programs, rich text needs a reader.
fn is_read(part: &MessagePart<'_>) -> bool {
    let subtype = part.content_type().and_then(|it| it.subtype()).unwrap_or("plain").to_ascii_lowercase();
    !matches!(
        subtype.as_str(),
        "calendar" | "directory" | "vcard" | "x-vcard" | "rtf" | "richtext" | "enriched"
    )
}

/// The file name of a part.
fn name(part: &MessagePart<'_>) -> Option<String> {
    part.attachment_name().map(one_line).filter(|it| !it.is_empty())
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
    put("created", date(message).map(Into::into));
    put("message_id", message.message_id().map(Into::into));
    put("attachments", (!attachments.is_empty()).then(|| attachments.to_vec().into()));
    metadata
}

/// The date, when there is such a day.
fn date(message: &Message<'_>) -> Option<String> {
    let date = message.date()?.to_rfc3339();
    date.parse::<jiff::Timestamp>().is_ok().then_some(date)
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
    fn the_form_that_has_the_words_is_read() {
        let check = |plain: &str, page: &str, expected: &str, levels: &[u8], warned: &[&str]| {
            let body = format!(
                "Content-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain\n\n{plain}\n\
                 --x\nContent-Type: text/html\n\n{page}\n--x--\n"
            );
            let Parsed { document, warnings } = read(&format!("{HEAD}{body}")).unwrap();
            assert_eq!(document.text.split("+01:00\n\n").nth(1).unwrap_or_default(), expected);
            assert_eq!(warnings.iter().map(|it| it.message.as_str()).collect::<Vec<_>>(), warned);
            assert_eq!(document.sections.iter().map(|it| it.level).collect::<Vec<_>>(), levels);
        };
        check("one two three", "<p>one <b>two</b> three</p>", "one two three\n", &[1], &[]);
        let page = "<h1>News</h1><p>a b c d e f g h i j k l m n</p>";
        let warning = "left out: the plain form of the body, with 3 words that the form shown lacks";
        check("see the page", page, "# News\n\na b c d e f g h i j k l m n\n", &[1, 2], &[warning]);
    }

    #[test]
    fn parts_that_stand_one_after_the_other_are_all_read() {
        let plain = |text: &str| format!("Content-Type: text/plain\n\n{text}");
        let page = |text: &str| format!("Content-Type: text/html\n\n<p>{text}</p>");
        let many = |kind: &str, mark: &str, parts: &[String]| {
            let parts: String = parts.iter().map(|it| format!("--{mark}\n{it}\n")).collect();
            format!("Content-Type: multipart/{kind}; boundary={mark}\n\n{parts}--{mark}--\n")
        };
        let check = |body: String, expected: &str| {
            let document = read(&format!("{HEAD}{body}")).unwrap().document;
            assert_eq!(document.text.split("+01:00\n\n").nth(1).unwrap_or_default(), expected, "{body}");
        };
        let long = "a b c d e f g h i j k l m n";
        check(many("mixed", "x", &[plain(long), page("the report")]), &format!("{long}\n\nthe report\n"));
        check(many("mixed", "x", &[page(long), plain("an end")]), &format!("{long}\n\nan end\n"));
        let both = || many("alternative", "y", &[plain("the body"), page("the <b>body</b>")]);
        check(both(), "the body\n");
        check(many("mixed", "x", &[both(), page("a footer")]), "the body\n\na footer\n");
        check(many("mixed", "x", &[both(), plain("a footer")]), "the body\n\na footer\n");
        let related = many("related", "z", &[page(long)]);
        let stub = many("alternative", "y", &[plain("see page"), related]);
        check(many("mixed", "x", &[plain("before"), stub]), &format!("before\n\n{long}\n"));
        let nested = many("mixed", "z", &[page("the"), page("body")]);
        check(many("alternative", "y", &[plain("the body"), nested]), "the body\n");
        // Both forms of one text without saying so.
        check(many("mixed", "x", &[plain("the body."), page("the <b>body</b>.")]), "the body.\n");
        check(many("mixed", "x", &[plain("twice"), plain("twice")]), "twice\n\ntwice\n");
        // It breaks off.
        let cut = many("mixed", "x", &[plain("first"), both(), page("last")]);
        check(cut.trim_end_matches("--x--\n").to_owned(), "first\n\nthe body\n\nlast\n");
    }

    #[test]
    fn parts_in_parts_without_end_are_read() {
        let mut body = String::new();
        for at in 0..500 {
            body.push_str(&format!("Content-Type: multipart/mixed; boundary=b{at}\n\n--b{at}\n"));
        }
        body.push_str("Content-Type: text/plain\n\nwords\n");
        assert!(read(&format!("{HEAD}{body}")).unwrap().document.text.ends_with("words\n"));
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
    fn texts_and_pages_attached_are_sections() {
        let body = "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nsee below\n--x\n\
                    Content-Type: text/x-patch; name=\"fix.patch\"\nContent-Disposition: attachment\n\n+ a line\n--x\n\
                    Content-Type: text/html; name=\"p.html\"\nContent-Disposition: attachment\n\n<h1>Page</h1><p>text\n--x\n\
                    Content-Type: text/calendar; name=\"i.ics\"\n\nBEGIN:VCALENDAR\n--x--\n";
        let parsed = read(&format!("{HEAD}{body}")).unwrap();
        let text = parsed.document.text;
        assert!(
            text.ends_with("see below\n\n## fix.patch\n\n+ a line\n\n## p.html\n\n# Page\n\ntext\n"),
            "{text}"
        );
        assert_eq!(
            parsed.document.metadata["attachments"],
            serde_json::json!(["fix.patch", "p.html", "i.ics"])
        );
        assert_eq!(parsed.warnings[0].message, "attachments left out: i.ics");
    }

    #[test]
    fn a_message_without_sender_subject_and_date_is_read() {
        let check =
            |message: &str, expected: &str| assert_eq!(read(message).unwrap().document.text, expected);
        let parts = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\n\
                     words\n--x--\n";
        check(parts, "# (no subject)\n\nwords\n");
        let no_day = "To: a@example.org\nDate: Tue, 30 Feb 2024 25:00:00 +0100\n\nwords\n";
        check(no_day, "# (no subject)\n\nTo: a@example.org\n\nwords\n");
        check("To: undisclosed-recipients:;\n\nwords\n", "# (no subject)\n\nwords\n");
        check("To: a@example.org\n\na draft\n", "# (no subject)\n\nTo: a@example.org\n\na draft\n");
    }

    #[test]
    fn what_is_no_message_is_damaged() {
        for text in ["", "just words\n\nand more", "Note: words\n\nand more"] {
            assert!(matches!(read(text), Err(ReadError::Damaged { .. })), "{text:?}");
        }
    }
}
