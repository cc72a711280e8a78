//! What a page says about itself: charset, title, metadata.

use scraper::node::Element;
use serde_json::Value;

use crate::content::Metadata;

use super::dom::{self, NodeRef};
use super::scan::{Attributes, Scanner};

/// How far into the bytes a declaration is looked for. The standard says 1,024; browsers read on to the end of the head,
/// because pages put long comments or scripts first.
const DECLARATION_BYTES: usize = 4096;

/// Names of `meta` elements that tell browsers how to draw a page and nobody what is in it.
const TECHNICAL_NAMES: &[&str] =
    &["viewport", "theme-color", "color-scheme", "format-detection", "csrf-token", "csrf-param", "referrer"];

/// Longest value kept of a `meta` element, in bytes; longer ones are data, not descriptions.
const MAX_META_BYTES: usize = 4096;

/// Whether the bytes of a file without a telling name are an HTML page: the first thing in it besides comments and an XML
/// declaration is a doctype or one of the elements that only pages start with.
pub(crate) fn looks_like_html(bytes: &[u8]) -> bool {
    let start = ascii_prefix(bytes);
    let mut rest = start.trim_start_matches(|it: char| !it.is_ascii()).trim_start();
    loop {
        let after = if rest.starts_with("<!--") {
            rest.find("-->").map(|at| at + 3)
        } else if rest.starts_with("<?xml") {
            rest.find("?>").map(|at| at + 2)
        } else {
            break;
        };
        let Some(after) = after else { return false };
        rest = rest[after..].trim_start();
    }
    ["<!doctype html", "<html", "<head", "<body"].iter().any(|it| {
        rest.get(..it.len()).is_some_and(|start| start.eq_ignore_ascii_case(it))
            && !rest[it.len()..].starts_with(|next: char| next.is_ascii_alphanumeric() || next == '-')
    })
}

/// The label of the encoding that the page declares, in its XML declaration or in a `meta` element.
pub(super) fn declared_charset(bytes: &[u8]) -> Option<String> {
    let start = ascii_prefix(bytes);
    let label = xml_encoding(&start).or_else(|| meta_charset(&start))?;
    // The standard: a page in which this could be read is not in UTF-16, and this label means windows-1252.
    let label = label.trim().to_ascii_lowercase();
    Some(match label.as_str() {
        it if it.starts_with("utf-16") || it.starts_with("utf-32") => "utf-8".to_owned(),
        "x-user-defined" => "windows-1252".to_owned(),
        _ => label,
    })
}

/// The first bytes, with everything outside ASCII as one other character.
fn ascii_prefix(bytes: &[u8]) -> String {
    let prefix = &bytes[..bytes.len().min(DECLARATION_BYTES)];
    prefix.iter().map(|&byte| if byte.is_ascii() { char::from(byte) } else { '\u{FFFD}' }).collect()
}

fn xml_encoding(start: &str) -> Option<String> {
    let declaration = start.trim_start_matches('\u{FFFD}').strip_prefix("<?xml")?;
    let declaration = &declaration[..declaration.find("?>")?];
    let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    Some(value[1..].split(quote).next()?.to_owned())
}

fn meta_charset(start: &str) -> Option<String> {
    let mut scanner = Scanner::new(start, false);
    while let Some(tag) = scanner.next_tag() {
        if tag.is_end || tag.name != b"meta" {
            continue;
        }
        let (mut charset, mut content, mut is_content_type) = (None, None, false);
        for (name, value) in Attributes::of_tag(start, &tag) {
            match name.to_ascii_lowercase().as_str() {
                "charset" => charset = Some(value),
                "content" => content = Some(value),
                "http-equiv" => is_content_type = value.trim().eq_ignore_ascii_case("content-type"),
                _ => {}
            }
        }
        if let Some(label) =
            charset.or_else(|| content.filter(|_| is_content_type).and_then(charset_of_content_type))
        {
            return Some(label.to_owned());
        }
    }
    None
}

/// The charset of a value such as `text/html; charset=utf-8`.
fn charset_of_content_type(value: &str) -> Option<&str> {
    let at = value.to_ascii_lowercase().find("charset")?;
    let label = value[at + "charset".len()..].trim_start().strip_prefix('=')?.trim_start();
    Some(match label.chars().next()? {
        quote @ ('"' | '\'') => label[1..].split(quote).next()?,
        _ => label.split(|it: char| it.is_ascii_whitespace() || it == ';').next()?,
    })
}

/// Title and metadata of a page, collected from its elements in document order.
#[derive(Debug, Default)]
pub(super) struct Head {
    title: Option<String>,
    pub(super) metadata: Metadata,
}

impl Head {
    /// Takes what `element` says about the page, if anything.
    pub(super) fn take(&mut self, node: NodeRef<'_>, element: &Element) {
        match element.name() {
            "html" => {
                let lang = dom::attr(element, "lang").map(str::trim).filter(|it| !it.is_empty());
                if let Some(lang) = lang {
                    self.metadata.entry("lang".to_owned()).or_insert_with(|| lang.into());
                }
            }
            "title" if self.title.is_none() && dom::is_html(element) => {
                let text: String =
                    node.children().filter_map(|it| it.value().as_text().map(|it| &**it)).collect();
                self.title = Some(dom::fold(&text)).filter(|it| !it.is_empty());
            }
            "link" => {
                let is_canonical = dom::attr(element, "rel").is_some_and(|rel| {
                    rel.split_ascii_whitespace().any(|it| it.eq_ignore_ascii_case("canonical"))
                });
                if let Some(href) = dom::attr(element, "href").filter(|_| is_canonical) {
                    self.metadata.entry("canonical".to_owned()).or_insert_with(|| href.trim().into());
                }
            }
            "meta" => self.take_meta(element),
            _ => {}
        }
    }

    fn take_meta(&mut self, element: &Element) {
        let Some(name) = dom::attr(element, "name").or_else(|| dom::attr(element, "property")) else {
            return;
        };
        let name = name.trim().to_ascii_lowercase();
        let content = dom::fold(dom::attr(element, "content").unwrap_or_default());
        let is_technical = TECHNICAL_NAMES.contains(&name.as_str())
            || name.starts_with("msapplication-")
            || name.starts_with("apple-")
            || name.ends_with("-verification");
        if name.is_empty() || content.is_empty() || content.len() > MAX_META_BYTES || is_technical {
            return;
        }
        match self.metadata.get_mut(&name) {
            None => {
                self.metadata.insert(name, content.into());
            }
            // Several authors, tags, images.
            Some(Value::Array(values)) => values.push(content.into()),
            Some(value) if *value != content.as_str() => {
                *value = Value::Array(vec![value.take(), content.into()]);
            }
            Some(_) => {}
        }
    }

    /// The page's title: `<title>`, `og:title`, or `None`.
    pub(super) fn title(&self) -> Option<String> {
        let og_title = || match self.metadata.get("og:title")? {
            Value::Array(values) => values.first()?.as_str(),
            value => value.as_str(),
        };
        self.title.clone().or_else(|| og_title().map(str::to_owned))
    }
}
