//! Where redirects lead, and how far the key goes along: to the host that the user named, and to no other.

use ureq::http::Uri;

use super::{Failed, HttpError, Response, header, with_key};

/// So many redirects in a row lead nowhere. As many as curl's and browsers' limits allow at least.
const MAX_REDIRECTS: usize = 10;

/// Where a request goes, after some redirects.
pub(super) struct Place<'a> {
    pub(super) url: String,
    /// Whether it is on the host that was asked first, and has been on it all the time.
    pub(super) is_home: bool,
    key: &'a Option<String>,
    n_redirects: usize,
}

impl<'a> Place<'a> {
    /// The address that was asked for; the key goes to its host.
    pub(super) fn of(url: &str, key: &'a Option<String>) -> Self {
        Self { url: url.to_owned(), is_home: true, key, n_redirects: 0 }
    }

    /// The request with the key, where that may go.
    pub(super) fn authorised<T>(&self, request: ureq::RequestBuilder<T>) -> ureq::RequestBuilder<T> {
        with_key(request, self.key.as_deref().filter(|_| self.is_home))
    }

    /// Where an answer sends whoever asks; `None`: the answer is what was asked for.
    ///
    /// # Errors
    ///
    /// When it leads nowhere.
    pub(super) fn next(&self, answer: &Response) -> Result<Option<Self>, Failed> {
        if !answer.status().is_redirection() {
            return Ok(None);
        }
        let failed = |detail: String| (HttpError::Answer { url: self.url.clone(), detail }, None);
        if self.n_redirects >= MAX_REDIRECTS {
            return Err(failed(format!("more than {MAX_REDIRECTS} redirects")));
        }
        let location = header(answer.headers(), "location").unwrap_or_default();
        let url = resolve(&self.url, &location)
            .ok_or_else(|| failed(format!("a redirect to '{location}', which is no address")))?;
        let is_home = self.is_home && is_same_host(&self.url, &url);
        Ok(Some(Self { url, is_home, key: self.key, n_redirects: self.n_redirects + 1 }))
    }
}

/// Whether what one may know, the other may: the same host and port by the same protocol, or by https in place of http.
fn is_same_host(from: &str, to: &str) -> bool {
    let (Ok(from), Ok(to)) = (from.parse::<Uri>(), to.parse::<Uri>()) else { return false };
    let place = |it: &Uri| {
        let scheme = it.scheme_str().unwrap_or_default().to_lowercase();
        let port = it.port_u16().unwrap_or(if scheme == "https" { 443 } else { 80 });
        (it.host().unwrap_or_default().to_lowercase(), scheme, port)
    };
    let (from, to) = (place(&from), place(&to));
    let is_upgrade = (from.1.as_str(), from.2) == ("http", 80) && (to.1.as_str(), to.2) == ("https", 443);
    from.0 == to.0 && (from == to || is_upgrade)
}

/// The address that `location` means in an answer from `base` (RFC 3986, section 5.2, but for `.` and `..`, which servers take out
/// themselves); `None` where it is no address of the web.
fn resolve(base: &str, location: &str) -> Option<String> {
    let location = location.split('#').next().unwrap_or_default().trim();
    let uri: Uri = base.parse().ok()?;
    let origin = format!("{}://{}", uri.scheme_str()?, uri.authority()?);
    let before_query = location.split('?').next().unwrap_or_default();
    let has_scheme = before_query.split('/').next().is_some_and(|it| it.contains(':'));
    let url = match location {
        "" => return None,
        it if has_scheme => it.to_owned(),
        it if it.starts_with("//") => format!("{}:{it}", uri.scheme_str()?),
        it if it.starts_with('/') => format!("{origin}{it}"),
        it if it.starts_with('?') => format!("{origin}{}{it}", uri.path()),
        it => {
            let folder = uri.path().rsplit_once('/').map_or("", |(folder, _)| folder);
            format!("{origin}{folder}/{it}")
        }
    };
    let parsed: Uri = url.parse().ok()?;
    let is_web = matches!(parsed.scheme_str(), Some("http" | "https")) && parsed.host().is_some();
    is_web.then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_is_read_from_where_it_stands() {
        let check = |location: &str, expected: Option<&str>| {
            let found = resolve("https://hub.org:8443/a/b?x=1", location);
            assert_eq!(found.as_deref(), expected, "{location}");
        };
        check("/c/d?e=f", Some("https://hub.org:8443/c/d?e=f"));
        check("c", Some("https://hub.org:8443/a/c"));
        check("?y=2", Some("https://hub.org:8443/a/b?y=2"));
        check("//cdn.org/c", Some("https://cdn.org/c"));
        check("http://cdn.org/c?to=http://x#top", Some("http://cdn.org/c?to=http://x"));
        check("/c?to=http://x", Some("https://hub.org:8443/c?to=http://x"));
        for wrong in ["", "#top", "file:///etc/passwd", "javascript:1", "http://", "/a b"] {
            check(wrong, None);
        }
    }

    #[test]
    fn a_key_stays_with_its_host() {
        let check = |from: &str, to: &str, expected: bool| {
            assert_eq!(is_same_host(from, to), expected, "{from} {to}");
        };
        check("https://hub.org/a", "https://HUB.org:443/b", true);
        check("http://hub.org/a", "https://hub.org/b", true);
        check("http://127.0.0.1:8080/a", "http://127.0.0.1:8080/b", true);
        check("https://hub.org/a", "http://hub.org/b", false);
        check("https://hub.org/a", "https://cdn.hub.org/b", false);
        check("http://127.0.0.1:8080/a", "http://127.0.0.1:8081/b", false);
        check("http://127.0.0.1:8080/a", "https://127.0.0.1/b", false);
        check("https://hub.org/a", "https://hub.org@evil.org/b", false);
    }
}
