//! Requests to servers that the user named: time limits, tries, and what went wrong in words.
//!
//! Owns how often and how long it is tried. Knows nothing of what is asked. Proxies come from the usual variables
//! (`HTTPS_PROXY`, `NO_PROXY`, ...), trusted certificates from the system.

mod body;
mod error;
mod redirect;

use std::io::Read as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

pub(crate) use body::Body;
pub(crate) use error::HttpError;
use redirect::Place;

/// Largest answer, bytes: 2,048 vectors of 4,096 dimensions in text are about 100 MB.
const MAX_ANSWER_BYTES: u64 = 256 << 20;

/// How much of a server's message is repeated.
const MAX_MESSAGE_CHARS: usize = 300;

/// No pause between two tries is longer than this, whatever the server asks for.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// A page may take so many times as long as an answer to begin.
const PAGE_TIMEOUTS: u32 = 5;

/// After so many requests in a row that failed in all their tries, the server counts as down.
const MAX_FAILURES: usize = 3;

/// Whether an address is on this machine, whatever else stands in it.
pub(crate) fn is_local(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://")) else {
        return false;
    };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    if authority.contains('@') {
        return false;
    }
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    matches!(host, "localhost" | "127.0.0.1" | "::1")
}

/// How long and how often a request is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Patience {
    /// Time for one try, connecting included.
    pub(crate) timeout: Duration,
    /// Tries after the first one.
    pub(crate) n_retries: u32,
    /// Pause before the second try; doubled each time.
    pub(crate) pause: Duration,
}

impl Default for Patience {
    /// A minute a try and four more tries, within about eight seconds; `RAGCTL_HTTP_TIMEOUT` (seconds) and
    /// `RAGCTL_HTTP_RETRIES` say otherwise.
    fn default() -> Self {
        let number = |name: &str| std::env::var(name).ok().and_then(|it| it.trim().parse::<f64>().ok());
        let timeout = number("RAGCTL_HTTP_TIMEOUT").and_then(|it| Duration::try_from_secs_f64(it).ok());
        let n_retries = number("RAGCTL_HTTP_RETRIES").map(|it| it.clamp(0.0, 20.0) as u32);
        Self {
            timeout: timeout.filter(|it| !it.is_zero()).unwrap_or(Duration::from_secs(60)),
            n_retries: n_retries.unwrap_or(4),
            pause: Duration::from_millis(500),
        }
    }
}

/// Why one try failed, and how long the server asks to wait before the next.
pub(crate) type Failed = (HttpError, Option<Duration>);

type Response = ureq::http::Response<ureq::Body>;

/// A server, with a key that it may ask for. Any number of threads may send requests.
pub(crate) struct Client {
    agent: ureq::Agent,
    key: Option<String>,
    patience: Patience,
    /// Requests wait until then, when the server asked for a pause.
    not_before: Mutex<Option<Instant>>,
    /// Requests in a row that failed in all their tries.
    n_failures: AtomicUsize,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The key is nobody's business.
        f.debug_struct("Client").field("patience", &self.patience).finish_non_exhaustive()
    }
}

impl Client {
    /// A client that sends `key`, where there is one, as bearer token.
    pub(crate) fn new(key: Option<String>, patience: Patience) -> Self {
        let tls = ureq::tls::TlsConfig::builder().root_certs(ureq::tls::RootCerts::PlatformVerifier).build();
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .user_agent(concat!("ragctl/", env!("CARGO_PKG_VERSION")))
            .tls_config(tls)
            .build();
        Self {
            agent: ureq::Agent::new_with_config(config),
            key,
            patience,
            not_before: Mutex::new(None),
            n_failures: AtomicUsize::new(0),
        }
    }

    /// Sends `body` and reads the answer, both JSON. Tries again what may pass, pausing as the server asks; no try and no pause
    /// goes beyond `time`.
    ///
    /// # Errors
    ///
    /// What the last try failed with.
    pub(crate) fn post_json(
        &self,
        url: &str,
        body: &Value,
        time: Option<Duration>,
    ) -> Result<Value, HttpError> {
        let deadline = time.map(|it| Instant::now() + it);
        let mut pause = self.patience.pause;
        let mut n_tries = 0;
        loop {
            self.wait_for_permission(deadline);
            let (error, asked) = match self.try_post(url, body, deadline) {
                Ok(answer) => {
                    self.n_failures.store(0, Ordering::Relaxed);
                    return Ok(answer);
                }
                Err(failed) => failed,
            };
            let is_late = deadline.is_some_and(|it| Instant::now() >= it);
            let is_down = self.n_failures.load(Ordering::Relaxed) >= MAX_FAILURES;
            if !error.is_passing() || is_late || is_down || n_tries >= self.patience.n_retries {
                if error.is_passing() {
                    self.n_failures.fetch_add(1, Ordering::Relaxed);
                }
                return Err(error);
            }
            n_tries += 1;
            self.pause(asked.unwrap_or(pause).min(MAX_PAUSE));
            pause = (pause * 2).min(MAX_PAUSE);
        }
    }

    /// Whether request after request has failed, so that it is no use to send more.
    pub(crate) fn is_down(&self) -> bool {
        self.n_failures.load(Ordering::Relaxed) >= MAX_FAILURES
    }

    /// What a hub says of a file. A redirect to the same host is followed, as that of a renamed repository; the answer that counts
    /// is the first one that describes the file (`X-Linked-Etag`) or leads away from the host.
    ///
    /// # Errors
    ///
    /// What the last try failed with.
    pub(crate) fn head(&self, url: &str) -> Result<Head, HttpError> {
        self.again(|| {
            let mut place = Place::of(url, &self.key);
            loop {
                let request = place.authorised(self.agent.head(&place.url)).config().max_redirects(0);
                let request = request.max_redirects_will_error(false);
                let request = request.timeout_global(Some(self.patience.timeout)).build();
                let answer = self.answer(&place.url, request.call(), true)?;
                let text = |name: &str| header(answer.headers(), name);
                if text("x-linked-etag").is_none()
                    && let Some(next) = place.next(&answer)?
                    && next.is_home
                {
                    place = next;
                    continue;
                }
                let etag = text("x-linked-etag").or_else(|| text("etag"));
                let own_length = text("content-length").filter(|_| answer.status().is_success());
                let n_bytes = text("x-linked-size").or(own_length);
                return Ok(Head {
                    etag: etag.map(|it| it.trim_start_matches("W/").trim_matches('"').to_owned()),
                    n_bytes: n_bytes.and_then(|it| it.parse().ok()),
                });
            }
        })
    }

    /// Opens `url` for reading, from byte `start` on, in one try; gives the first byte that the body holds and the body. Redirects
    /// are followed; the key stays with the host. A body may take hours: only a server that is silent for the time of one try is
    /// given up.
    ///
    /// # Errors
    ///
    /// What it failed with.
    pub(crate) fn try_get(&self, url: &str, start: u64) -> Result<(u64, Body), Failed> {
        let mut place = Place::of(url, &self.key);
        loop {
            let mut request = place.authorised(self.agent.get(&place.url));
            if start > 0 {
                request = request.header("range", format!("bytes={start}-"));
            }
            let timeout = Some(self.patience.timeout);
            let request = request.config().max_redirects(0).max_redirects_will_error(false);
            let request = request.timeout_connect(timeout).timeout_recv_response(timeout);
            let answer = self.answer(&place.url, request.timeout_per_read(timeout).build().call(), true)?;
            if let Some(next) = place.next(&answer)? {
                place = next;
                continue;
            }
            let first = if answer.status().as_u16() == 206 { start } else { 0 };
            let reader = Box::new(answer.into_body().into_reader());
            return Ok((first, Body::new(place.url, first, self.patience.timeout, reader)));
        }
    }

    /// Reads the whole of `url`, at most `max_bytes`, following redirects.
    ///
    /// # Errors
    ///
    /// What the last try failed with.
    pub(crate) fn get_page(&self, url: &str, max_bytes: u64) -> Result<Page, HttpError> {
        self.again(|| {
            let request = self.authorised(self.agent.get(url)).config();
            let request = request.timeout_recv_response(Some(self.patience.timeout));
            let whole = self.patience.timeout.saturating_mul(PAGE_TIMEOUTS);
            let mut answer = self.answer(url, request.timeout_global(Some(whole)).build().call(), false)?;
            let content_type = answer.headers().get("content-type").and_then(|it| it.to_str().ok());
            let content_type = content_type.map(str::to_owned);
            let mut bytes = Vec::new();
            let mut body = answer.body_mut().as_reader().take(max_bytes.saturating_add(1));
            body.read_to_end(&mut bytes).map_err(|error| {
                let detail = format!("it broke off: {error}");
                (HttpError::Answer { url: url.to_owned(), detail }, None)
            })?;
            if bytes.len() as u64 > max_bytes {
                let detail = format!("it is larger than {max_bytes} bytes");
                return Err((HttpError::Answer { url: url.to_owned(), detail }, None));
            }
            Ok(Page { bytes, content_type })
        })
    }

    /// Reads a small JSON answer.
    ///
    /// # Errors
    ///
    /// What the last try failed with.
    pub(crate) fn get_json(&self, url: &str) -> Result<Value, HttpError> {
        self.again(|| {
            let (_, mut body) = self.try_get(url, 0)?;
            let (mut bytes, mut buffer) = (Vec::new(), vec![0; 1 << 16]);
            loop {
                let n = body.read(&mut buffer).map_err(|error| (error, None))?;
                bytes.extend_from_slice(&buffer[..n]);
                let wrong = |detail: String| (HttpError::Answer { url: url.to_owned(), detail }, None);
                if bytes.len() as u64 > MAX_ANSWER_BYTES {
                    return Err(wrong(format!("it is longer than {MAX_ANSWER_BYTES} bytes")));
                }
                if n == 0 {
                    return serde_json::from_slice(&bytes)
                        .map_err(|error| wrong(format!("not JSON ({error})")));
                }
            }
        })
    }

    fn authorised<T>(&self, request: ureq::RequestBuilder<T>) -> ureq::RequestBuilder<T> {
        with_key(request, self.key.as_deref())
    }

    /// Tries again what may pass.
    ///
    /// # Errors
    ///
    /// What the last try failed with.
    pub(crate) fn again<T>(&self, mut attempt: impl FnMut() -> Result<T, Failed>) -> Result<T, HttpError> {
        let mut pause = self.patience.pause;
        let mut n_tries = 0;
        loop {
            let (error, asked) = match attempt() {
                Ok(value) => return Ok(value),
                Err(failed) => failed,
            };
            if !error.is_passing() || n_tries >= self.patience.n_retries {
                return Err(error);
            }
            n_tries += 1;
            std::thread::sleep(asked.unwrap_or(pause).min(MAX_PAUSE));
            pause = (pause * 2).min(MAX_PAUSE);
        }
    }

    fn answer(
        &self,
        url: &str,
        result: Result<Response, ureq::Error>,
        may_redirect: bool,
    ) -> Result<Response, Failed> {
        let mut answer =
            result.map_err(|error| (transport_error(url, self.patience.timeout, &error), None))?;
        let status = answer.status();
        if status.is_success() || (may_redirect && status.is_redirection()) {
            return Ok(answer);
        }
        let asked = retry_after(answer.headers());
        let text = answer.body_mut().with_config().limit(1 << 16).read_to_string().unwrap_or_default();
        let message = message_of(&text);
        Err((HttpError::Status { url: url.to_owned(), status: status.as_u16(), message }, asked))
    }

    /// Makes every request wait; the longest wish counts.
    fn pause(&self, pause: Duration) {
        let until = Instant::now() + pause;
        let mut not_before = self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
        *not_before = Some(not_before.map_or(until, |before| before.max(until)));
    }

    fn wait_for_permission(&self, deadline: Option<Instant>) {
        let until = *self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
        let until = match (until, deadline) {
            (Some(until), Some(deadline)) => Some(until.min(deadline)),
            (until, _) => until,
        };
        if let Some(left) = until.and_then(|it| it.checked_duration_since(Instant::now())) {
            std::thread::sleep(left);
        }
    }

    /// One try; with what the server asks to wait.
    fn try_post(&self, url: &str, body: &Value, deadline: Option<Instant>) -> Result<Value, Failed> {
        let left = deadline.map(|it| it.saturating_duration_since(Instant::now()));
        let timeout = left.map_or(self.patience.timeout, |left| left.min(self.patience.timeout));
        let failed = |error| (transport_error(url, timeout, &error), None);
        if timeout.is_zero() {
            return Err((HttpError::Timeout { url: url.to_owned(), timeout }, None));
        }
        let request = self.authorised(self.agent.post(url).content_type("application/json"));
        let request = request.config().timeout_global(Some(timeout)).build();
        let mut answer = request.send(body.to_string().as_bytes()).map_err(failed)?;
        let (status, asked) = (answer.status(), retry_after(answer.headers()));
        let bytes = answer.body_mut().with_config().limit(MAX_ANSWER_BYTES).read_to_vec().map_err(failed)?;
        if !status.is_success() {
            let error = HttpError::Status {
                url: url.to_owned(),
                status: status.as_u16(),
                message: message_of(&String::from_utf8_lossy(&bytes)),
            };
            return Err((error, asked));
        }
        serde_json::from_slice(&bytes).map_err(|error| {
            let text = String::from_utf8_lossy(&bytes);
            let detail = format!("not JSON ({error}): {}", message_of(&text));
            (HttpError::Answer { url: url.to_owned(), detail }, None)
        })
    }
}

/// A page as a server sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// Its content.
    pub(crate) bytes: Vec<u8>,
    /// What the server says of it: the header `Content-Type`.
    pub(crate) content_type: Option<String>,
}

/// What is known of a file before it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// What names the content: for a large file of a hub its SHA-256.
    pub(crate) etag: Option<String>,
    /// Length, bytes.
    pub(crate) n_bytes: Option<u64>,
}

impl Head {
    /// The SHA-256 of the content, in hexadecimal digits, where it is known.
    pub(crate) fn sha256(&self) -> Option<&str> {
        self.etag.as_deref().filter(|it| it.len() == 64 && it.bytes().all(|it| it.is_ascii_hexdigit()))
    }
}

fn with_key<T>(request: ureq::RequestBuilder<T>, key: Option<&str>) -> ureq::RequestBuilder<T> {
    match key {
        Some(key) => request.header("authorization", format!("Bearer {key}")),
        None => request,
    }
}

fn header(headers: &ureq::http::HeaderMap, name: &str) -> Option<String> {
    headers.get(name).and_then(|it| it.to_str().ok()).map(str::to_owned)
}

fn transport_error(url: &str, timeout: Duration, error: &ureq::Error) -> HttpError {
    let url = url.to_owned();
    match error {
        ureq::Error::Timeout(_) => HttpError::Timeout { url, timeout },
        ureq::Error::BodyExceedsLimit(limit) => {
            HttpError::Answer { url, detail: format!("it is longer than {limit} bytes") }
        }
        error => HttpError::Unreachable { url, detail: error.to_string() },
    }
}

/// `Retry-After` in seconds; dates are for browsers.
fn retry_after(headers: &ureq::http::HeaderMap) -> Option<Duration> {
    let seconds: f64 = headers.get("retry-after")?.to_str().ok()?.trim().parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// What a server says, from the shapes in use: `{"error": {"message": ..}}`, `{"error": ..}`, `{"message": ..}`,
/// `{"detail": ..}`, or the text itself.
fn message_of(body: &str) -> String {
    let json: Option<Value> = serde_json::from_str(body).ok();
    let found = json.as_ref().and_then(|json| {
        let error = &json["error"];
        [&error["message"], error, &json["message"], &json["detail"]].into_iter().find_map(Value::as_str)
    });
    let text: String = found.unwrap_or(body).split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(MAX_MESSAGE_CHARS) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}

#[cfg(test)]
pub(crate) mod tests;
