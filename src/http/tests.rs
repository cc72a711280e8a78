//! A server of this machine for tests, and what clients make of it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::Arc;

use super::*;

/// What a [`Server`] answers: status, further header lines, body; after a pause, and perhaps with pauses in the body.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: String,
    pub(crate) pause: Duration,
    /// After each so many bytes of the body.
    pub(crate) pauses: Option<(usize, Duration)>,
}

impl Reply {
    pub(crate) fn ok(body: impl Into<String>) -> Self {
        Self { status: 200, headers: String::new(), body: body.into(), pause: Duration::ZERO, pauses: None }
    }

    /// A redirect.
    pub(crate) fn to(location: &str) -> Self {
        Self { headers: format!("Location: {location}\r\n"), ..Self::status(307, "") }
    }

    pub(crate) fn status(status: u16, body: &str) -> Self {
        Self { status, ..Self::ok(body) }
    }
}

/// A request as a [`Server`] saw it.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) path: String,
    pub(crate) headers: String,
    pub(crate) body: Value,
}

/// A server on this machine that answers with what a function makes of each request and its number.
pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    pub(crate) fn start(answer: impl Fn(usize, &Seen) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (seen.clone(), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (mut stream, log, answer) = (stream.unwrap(), log.clone(), answer.clone());
                std::thread::spawn(move || {
                    let mut reader = BufReader::new(stream.try_clone().unwrap());
                    let (mut head, mut n_bytes) = (String::new(), 0);
                    loop {
                        let mut line = String::new();
                        if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
                            break;
                        }
                        if let Some(len) = line.to_lowercase().strip_prefix("content-length:") {
                            n_bytes = len.trim().parse().unwrap();
                        }
                        head.push_str(&line);
                    }
                    let mut body = vec![0; n_bytes];
                    reader.read_exact(&mut body).unwrap();
                    let request = Seen {
                        path: head.split(' ').nth(1).unwrap_or_default().to_owned(),
                        headers: head.to_lowercase(),
                        body: serde_json::from_slice(&body).unwrap_or_default(),
                    };
                    let at = {
                        let mut log = log.lock().unwrap();
                        log.push(request.clone());
                        log.len() - 1
                    };
                    let reply = answer(at, &request);
                    std::thread::sleep(reply.pause);
                    let _ = write!(
                        stream,
                        "HTTP/1.1 {} X\r\ncontent-length: {}\r\nconnection: close\r\n{}\r\n",
                        reply.status,
                        reply.body.len(),
                        reply.headers,
                    );
                    let (n_bytes, pause) = reply.pauses.unwrap_or((usize::MAX, Duration::ZERO));
                    for piece in reply.body.as_bytes().chunks(n_bytes) {
                        if stream.write_all(piece).is_err() {
                            break;
                        }
                        std::thread::sleep(pause);
                    }
                });
            }
        });
        Self { url, seen }
    }

    pub(crate) fn n_seen(&self) -> usize {
        self.seen.lock().unwrap().len()
    }
}

pub(crate) const QUICK: Patience =
    Patience { timeout: Duration::from_millis(400), n_retries: 3, pause: Duration::from_millis(1) };

fn post(replies: Vec<Reply>) -> (Result<Value, HttpError>, usize) {
    let server = Server::start(move |at, _| replies[at.min(replies.len() - 1)].clone());
    let result = Client::new(None, QUICK).post_json(&server.url, &Value::from(1), None);
    (result, server.n_seen())
}

#[test]
fn what_may_pass_is_tried_again() {
    let (result, n) = post(vec![
        Reply { headers: "retry-after: 0.05\r\n".to_owned(), ..Reply::status(429, "slow down") },
        Reply::status(503, ""),
        Reply::ok("{\"a\": 1}"),
    ]);
    assert_eq!((result.unwrap()["a"].as_i64(), n), (Some(1), 3));
}

#[test]
fn the_server_decides_how_long_to_wait() {
    let started = Instant::now();
    let headers = "Retry-After: 0.3\r\n".to_owned();
    let (result, _) = post(vec![Reply { headers, ..Reply::status(429, "") }, Reply::ok("1")]);
    assert!(result.is_ok() && started.elapsed() >= Duration::from_millis(300));
}

#[test]
fn errors_name_the_address_and_the_cause() {
    let check = |reply: Reply, n_tries: usize, expected: &str| {
        let (result, n) = post(vec![reply]);
        let error = result.unwrap_err().to_string();
        assert!(error.starts_with("http://127.0.0.1:") && error.contains(expected), "{error}");
        assert_eq!(n, n_tries, "{error}");
    };
    check(Reply::status(500, "oh no"), 4, "answered 500: oh no");
    check(Reply::status(401, "{\"error\": {\"message\": \"bad key\"}}"), 1, "answered 401: bad key");
    check(Reply::status(404, "{\"error\": \"model 'x' not found\"}"), 1, "answered 404: model 'x' not found");
    check(Reply::ok("<html>"), 1, "not JSON");
    check(Reply { pause: Duration::from_secs(2), ..Reply::ok("1") }, 4, "did not answer within 0.4 s");
}

#[test]
fn a_server_that_is_not_there_is_given_up() {
    let client = Client::new(None, QUICK);
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for _ in 0..MAX_FAILURES {
        let error = client.post_json(&format!("http://{address}"), &Value::Null, None).unwrap_err();
        assert!(matches!(error, HttpError::Unreachable { .. }), "{error}");
    }
    assert!(client.is_down());
}

#[test]
fn no_try_goes_beyond_the_time() {
    let server = Server::start(|_, _| Reply { pause: Duration::from_secs(5), ..Reply::ok("1") });
    let started = Instant::now();
    let time = Some(Duration::from_millis(100));
    let error = Client::new(None, QUICK).post_json(&server.url, &Value::Null, time).unwrap_err();
    assert!(matches!(error, HttpError::Timeout { .. }), "{error}");
    assert!(started.elapsed() < Duration::from_secs(1));
}

#[test]
fn a_silence_in_a_body_ends_the_try_and_a_slow_body_does_not() {
    let silent = Reply { pauses: Some((3, Duration::from_secs(20))), ..Reply::ok("{\"a\": 1}") };
    let slow = Reply { pauses: Some((1, Duration::from_millis(100))), ..Reply::ok("{\"a\": 1}") };
    let get = |replies: Vec<Reply>| {
        let server = Server::start(move |at, _| replies[at.min(replies.len() - 1)].clone());
        (Client::new(None, QUICK).get_json(&server.url), server.n_seen())
    };
    let (result, n) = get(vec![silent.clone(), slow]);
    assert_eq!((result.unwrap()["a"].as_i64(), n), (Some(1), 2));
    let (result, n) = get(vec![silent]);
    let error = result.unwrap_err().to_string();
    assert!(error.ends_with("broke off after 3 bytes: nothing came for 0.4 s"), "{error}");
    assert_eq!(n, 4);
}

#[test]
fn a_redirect_takes_the_key_along_on_its_host_only() {
    let other = Server::start(|_, _| Reply::ok("2"));
    let away = format!("{}/there", other.url);
    let server = Server::start(move |_, request| match request.path.as_str() {
        "/old" => Reply::to("/new?x=1"),
        "/new?x=1" => Reply::to(&away),
        "/loop" => Reply::to("loop"),
        _ => Reply::to(""),
    });
    let client = Client::new(Some("secret".to_owned()), QUICK);
    assert_eq!(client.get_json(&format!("{}/old", server.url)).unwrap(), 2);
    let has_key = |server: &Server| {
        let seen = server.seen.lock().unwrap();
        seen.iter().map(|it| it.headers.contains("bearer secret")).collect::<Vec<_>>()
    };
    assert_eq!((has_key(&server), has_key(&other)), (vec![true, true], vec![false]));
    let error = client.get_json(&format!("{}/loop", server.url)).unwrap_err().to_string();
    assert!(error.ends_with("more than 10 redirects"), "{error}");
    assert!(client.get_json(&format!("{}/nowhere", server.url)).is_err());
}

#[test]
fn the_key_is_sent_and_never_shown() {
    let server = Server::start(|_, _| Reply::ok("1"));
    let client = Client::new(Some("secret-key".to_owned()), QUICK);
    client.post_json(&server.url, &Value::Null, None).unwrap();
    assert!(server.seen.lock().unwrap()[0].headers.contains("authorization: bearer secret-key"));
    assert!(!format!("{client:?}").contains("secret"));
}
