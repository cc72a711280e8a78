//! Pages on the web, each named by its address: from the address to the page's bytes.

use std::borrow::Cow;
use std::sync::OnceLock;

use encoding_rs::{Encoding, UTF_8};

use crate::http::{Client, HttpError, Page, Patience};

/// The byte order mark of UTF-8.
const BOM: &[u8] = "\u{feff}".as_bytes();

/// Fetches the page at `url`, of at most `max_bytes`; where the server names the encoding of a text, the text comes in UTF-8.
/// Redirects are followed; the page keeps the name that was asked for.
///
/// # Errors
///
/// In words, with the address: what the server said in the last of several tries, or that the page is larger.
pub fn fetch_page(url: &str, max_bytes: u64) -> Result<Vec<u8>, String> {
    static CLIENT: OnceLock<Client> = OnceLock::new();
    let client = CLIENT.get_or_init(|| Client::new(None, Patience::default()));
    let page = client.get_page(url, max_bytes).map_err(|error: HttpError| error.to_string())?;
    Ok(in_utf8(page))
}

/// A text in the encoding that the server declares, which the standard puts above what the page says of itself; anything else as
/// it is.
fn in_utf8(page: Page) -> Vec<u8> {
    let Page { bytes, content_type } = page;
    let content_type = content_type.unwrap_or_default().to_ascii_lowercase();
    let (media_type, parameters) = content_type.split_once(';').unwrap_or((&content_type, ""));
    let is_html = media_type.trim().ends_with("html");
    let is_text = is_html || media_type.trim().starts_with("text/") || media_type.trim().ends_with("xml");
    let declared = parameters.split(';').find_map(|it| it.trim().strip_prefix("charset="));
    let encoding =
        declared.and_then(|it| Encoding::for_label(it.trim().trim_matches(['"', '\'']).as_bytes()));
    let Some(encoding) = encoding.filter(|_| is_text && Encoding::for_bom(&bytes).is_none()) else {
        return bytes;
    };
    // What is not in the declared encoding is left for detection.
    let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(&bytes) else {
        return bytes;
    };
    // A mark, so that a page that says otherwise is not believed.
    match text {
        text if is_html => [BOM, text.as_bytes()].concat(),
        Cow::Owned(text) => text.into_bytes(),
        Cow::Borrowed(_) if encoding == UTF_8 => bytes,
        Cow::Borrowed(text) => text.as_bytes().to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::tests::{Reply, Server};

    #[test]
    fn the_encoding_that_the_server_names_counts() {
        #[track_caller]
        fn check(content_type: Option<&str>, bytes: &[u8], expected: &[u8]) {
            let content_type = content_type.map(str::to_owned);
            let found = in_utf8(Page { bytes: bytes.to_vec(), content_type });
            assert_eq!(String::from_utf8_lossy(&found), String::from_utf8_lossy(expected));
        }
        check(Some("text/html; charset=ISO-8859-2"), b"<p>\xb1", "\u{feff}<p>ą".as_bytes());
        check(Some("text/html;charset=\"utf-8\""), "<p>ą".as_bytes(), "\u{feff}<p>ą".as_bytes());
        check(Some("text/html"), b"<p>\xb1", b"<p>\xb1");
        check(Some("text/html; charset=utf-8"), b"<p>\xb1", b"<p>\xb1");
        check(Some("text/html; charset=latin1"), "\u{feff}ą".as_bytes(), "\u{feff}ą".as_bytes());
        check(Some("Text/Markdown; variant=GFM; charset=KOI8-R"), b"\xc1", "а".as_bytes());
        check(Some("text/plain; charset=UTF-8"), "ą".as_bytes(), "ą".as_bytes());
        check(Some("text/plain; charset=klingon"), b"a", b"a");
        check(Some("application/pdf; charset=utf-8"), b"%PDF", b"%PDF");
        check(None, b"\xb1", b"\xb1");
    }

    #[test]
    fn a_page_comes_by_way_of_redirects_or_with_a_reason() {
        let server = Server::start(|_, seen| match seen.path.as_str() {
            "/old" => Reply { headers: "location: /new\r\n".to_owned(), ..Reply::status(301, "") },
            "/new" => Reply {
                headers: "content-type: text/html; charset=utf-8\r\n".to_owned(),
                ..Reply::ok("<p>here")
            },
            "/round" => Reply { headers: "location: /round\r\n".to_owned(), ..Reply::status(302, "") },
            _ => Reply::status(404, "nothing"),
        });
        let fetch = |path: &str, max_bytes| fetch_page(&format!("{}{path}", server.url), max_bytes);
        assert_eq!(fetch("/old", 100), Ok("\u{feff}<p>here".as_bytes().to_vec()));
        for (path, max_bytes, expected) in [
            ("/new", 3, "larger than 3 bytes"),
            ("/gone", 100, "answered 404: nothing"),
            ("/round", 100, "redirect"),
        ] {
            let error = fetch(path, max_bytes).unwrap_err();
            assert!(error.contains(expected) && error.contains(&server.url), "{error}");
        }
    }
}
