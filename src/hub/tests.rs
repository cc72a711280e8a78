//! Tests of downloads, from a hub on this machine.

use std::sync::Mutex;
use std::time::Duration;

use super::download::sha256;
use super::*;
use crate::http::Client;
use crate::http::tests::{QUICK, Reply, Server};

const REVISION: &str = "0123456789abcdef0123456789abcdef01234567";

/// A hub with one model, whose weights are the bytes `weights` under the hash of `promised`.
fn hub(weights: &'static str, promised: &str) -> Server {
    let promised = {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        std::fs::write(&path, promised).unwrap();
        sha256(&path).unwrap()
    };
    Server::start(move |_, request| {
        let files = [
            ("config.json", "{\"model_type\": \"bert\"}"),
            ("vocab.txt", "[UNK]\n"),
            ("model.safetensors", weights),
        ];
        if request.path == "/api/models/me/tiny/revision/main" {
            let siblings = files.map(|(name, _)| serde_json::json!({ "rfilename": name }));
            return Reply::ok(serde_json::json!({ "sha": REVISION, "siblings": siblings }).to_string());
        }
        let found =
            files.iter().find(|(name, _)| request.path == format!("/me/tiny/resolve/{REVISION}/{name}"));
        let Some((name, body)) = found else { return Reply::status(404, "Repository not found") };
        let headers = match *name {
            "model.safetensors" => format!("X-Linked-Etag: \"{promised}\"\r\n"),
            _ => "ETag: \"abc\"\r\n".to_owned(),
        };
        Reply { headers, ..Reply::ok(*body) }
    })
}

fn pull(server: &Server, cache: &Path, name: &str) -> Result<Pulled, HubError> {
    pull_from(name, cache, &server.url, &Client::new(None, QUICK), &mut |_| {})
}

#[test]
fn a_model_is_found_where_it_was_downloaded_to() {
    let (cache, server) = (tempfile::tempdir().unwrap(), hub("weights", "weights"));
    assert_eq!(downloaded(cache.path(), "me/tiny"), None);
    let pulled = pull(&server, cache.path(), "me/tiny").unwrap();
    assert_eq!((pulled.n_files, pulled.n_checked), (3, 1));
    let folder = downloaded(cache.path(), "me/tiny").unwrap();
    assert!(folder.ends_with(format!("models--me--tiny/snapshots/{REVISION}")));
    assert_eq!(std::fs::read_to_string(folder.join("model.safetensors")).unwrap(), "weights");
    // What is there is not brought again.
    let n_before = n_gets(&server, "/me/tiny/");
    assert_eq!(pull(&server, cache.path(), "me/tiny").unwrap().n_files, 0);
    assert_eq!(n_gets(&server, "/me/tiny/"), n_before);
}

/// How many files below this path were read.
fn n_gets(server: &Server, path: &str) -> usize {
    let seen = server.seen.lock().unwrap();
    seen.iter().filter(|it| it.headers.starts_with("get ") && it.path.starts_with(path)).count()
}

/// Safetensors without arrays: eight bytes with the length of a header, and the header.
const EMPTY: &str = "\u{2}\0\0\0\0\0\0\0{}";

#[test]
fn what_lies_there_and_is_not_what_the_hub_says_is_brought_again() {
    const FILES: &[(&str, &str)] = &[
        ("config.json", "{\"model_type\": \"bert\"}"),
        ("vocab.txt", "[UNK]\n"),
        ("model.safetensors", EMPTY),
    ];
    let check = |server: &Server, file: &str, damaged: &str, is_present: bool| {
        let cache = tempfile::tempdir().unwrap();
        let path = pull(server, cache.path(), "me/tiny").unwrap().folder.join(file);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, damaged).unwrap();
        assert_eq!(downloaded(cache.path(), "me/tiny").is_some(), is_present, "{damaged}");
        assert_eq!(pull(server, cache.path(), "me/tiny").unwrap().n_files, 1, "{damaged}");
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        assert_eq!(pull(server, cache.path(), "me/tiny").unwrap().n_files, 0, "{damaged}");
    };
    let server = hub("weights", "weights");
    check(&server, "model.safetensors", "", false);
    check(&server, "config.json", "", false);
    check(&server, "model.safetensors", "weig", true);
    check(&server, "model.safetensors", "weightz", true);
    // Where the hub tells no SHA-256, the file itself may say that it is not whole.
    check(&hub_of(FILES), "model.safetensors", "0123456789", true);
}

#[test]
fn two_downloads_at_once_are_one() {
    let cache = tempfile::tempdir().unwrap();
    let server = Server::start(|_, request| {
        let files = [("config.json", "{\"model_type\": \"bert\"}"), ("model.safetensors", EMPTY)];
        let pause = Duration::from_millis(50);
        if request.path.starts_with("/api/") {
            let siblings = files.map(|(name, _)| serde_json::json!({ "rfilename": name }));
            let listing = serde_json::json!({ "sha": REVISION, "siblings": siblings }).to_string();
            return Reply { pause, ..Reply::ok(listing) };
        }
        let body = files.iter().find(|(name, _)| request.path.ends_with(name)).map(|it| it.1);
        Reply { pause, pauses: Some((2, pause)), ..Reply::ok(body.unwrap_or_default()) }
    });
    let waits = Mutex::new(0);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let client = Client::new(None, QUICK);
                let mut progress = |it: Progress<'_>| {
                    if matches!(it, Progress::Waiting) {
                        *waits.lock().unwrap() += 1;
                    }
                };
                pull_from("me/tiny", cache.path(), &server.url, &client, &mut progress).unwrap();
            });
        }
    });
    assert_eq!((n_gets(&server, "/me/tiny/"), *waits.lock().unwrap()), (2, 2));
    let folder = downloaded(cache.path(), "me/tiny").unwrap();
    assert_eq!(std::fs::read_to_string(folder.join("model.safetensors")).unwrap(), EMPTY);
}

#[test]
fn a_body_that_falls_silent_is_gone_on_with() {
    const WEIGHTS: &str = "0123456789";
    let server = Server::start(|_, request| {
        if request.path.starts_with("/api/") {
            let siblings =
                ["config.json", "model.safetensors"].map(|it| serde_json::json!({ "rfilename": it }));
            return Reply::ok(serde_json::json!({ "sha": REVISION, "siblings": siblings }).to_string());
        }
        if request.path.ends_with("config.json") {
            return Reply::ok("{}");
        }
        match request.headers.split("range: bytes=").nth(1).and_then(|it| it.split('-').next()) {
            Some(start) => Reply::status(206, &WEIGHTS[start.parse::<usize>().unwrap()..]),
            None if request.headers.starts_with("head ") => Reply::ok(WEIGHTS),
            None => Reply { pauses: Some((4, Duration::from_secs(20))), ..Reply::ok(WEIGHTS) },
        }
    });
    let cache = tempfile::tempdir().unwrap();
    let folder = pull(&server, cache.path(), "me/tiny").unwrap().folder;
    assert_eq!(std::fs::read_to_string(folder.join("model.safetensors")).unwrap(), WEIGHTS);
    let seen = server.seen.lock().unwrap();
    assert!(seen.last().unwrap().headers.contains("range: bytes=4-"), "{seen:?}");
}

#[test]
fn a_renamed_model_is_checked_and_the_key_stays_at_the_hub() {
    let check = |came: &'static str| {
        let disk = Server::start(move |_, _| Reply::ok(came));
        let place = format!("{}/weights", disk.url);
        let behind = hub("weights", "weights");
        let url = behind.url.clone();
        let server = Server::start(move |_, request| {
            let path = request.path.replace("/me/old", "/me/tiny");
            if path != request.path {
                return Reply::to(&path);
            }
            let is_head = request.headers.starts_with("head ");
            let agent = ureq::Agent::new_with_defaults();
            let full = format!("{url}{path}");
            // Sizes and hashes stand in the hub's own answer; the bytes come from elsewhere.
            if path.ends_with("model.safetensors") {
                let answer = agent.head(&full).call().unwrap();
                let etag = answer.headers()["x-linked-etag"].to_str().unwrap();
                let headers = format!("X-Linked-Etag: {etag}\r\nX-Linked-Size: 7\r\nLocation: {place}\r\n");
                return Reply { headers, ..Reply::status(302, "") };
            }
            let body = agent.get(&full).call().unwrap().body_mut().read_to_string().unwrap();
            Reply {
                headers: if is_head { "ETag: \"x\"\r\n".to_owned() } else { String::new() },
                ..Reply::ok(body)
            }
        });
        let cache = tempfile::tempdir().unwrap();
        let client = Client::new(Some("secret".to_owned()), QUICK);
        let pulled = pull_from("me/old", cache.path(), &server.url, &client, &mut |_| {});
        let has_key = |server: &Server| {
            let seen = server.seen.lock().unwrap();
            seen.iter().map(|it| it.headers.contains("bearer secret")).collect::<Vec<_>>()
        };
        assert!(has_key(&server).iter().all(|it| *it) && has_key(&disk).iter().all(|it| !it));
        pulled
    };
    assert_eq!(check("weights").unwrap().n_checked, 1);
    let error = check("weightz").unwrap_err();
    assert!(error.to_string().contains("SHA-256"), "{error}");
}

/// A hub with one model of these files.
fn hub_of(files: &'static [(&'static str, &'static str)]) -> Server {
    Server::start(move |_, request| {
        if request.path == "/api/models/me/tiny/revision/main" {
            let siblings: Vec<_> =
                files.iter().map(|(name, _)| serde_json::json!({ "rfilename": name })).collect();
            return Reply::ok(serde_json::json!({ "sha": REVISION, "siblings": siblings }).to_string());
        }
        let path = |name: &str| format!("/me/tiny/resolve/{REVISION}/{name}");
        match files.iter().find(|(name, _)| request.path == path(name)) {
            Some((_, body)) => Reply::ok(*body),
            None => Reply::status(404, "Entry not found"),
        }
    })
}

#[test]
fn weights_are_those_that_the_model_can_be_run_with() {
    const UNIGRAM: &str = "{\"model\": {\"type\": \"Unigram\"}}";
    const BERT: (&str, &str) = ("config.json", "{\"model_type\": \"bert\"}");
    let check = |files: &'static [(&'static str, &'static str)], expected: &[&str]| {
        let cache = tempfile::tempdir().unwrap();
        let folder = pull(&hub_of(files), cache.path(), "me/tiny").unwrap().folder;
        let weights = files.iter().map(|it| it.0).filter(|it| it.contains("model."));
        let came: Vec<&str> = weights.filter(|it| folder.join(it).is_file()).collect();
        assert_eq!(came, expected);
    };
    const WORDS: (&str, &str) = ("vocab.txt", "[UNK]\n[CLS]\n[SEP]\n");
    const OWN: (&str, &str) = ("model.safetensors", "w");
    const ONNX: (&str, &str) = ("onnx/model.onnx", "w");
    check(&[BERT, WORDS, ONNX, OWN], &["model.safetensors"]);
    check(&[BERT, WORDS, ONNX], &["onnx/model.onnx"]);
    // Words in another way than this program reads them: the runtime's model, with what lies beside it.
    check(
        &[BERT, ("tokenizer.json", UNIGRAM), OWN, ONNX, ("onnx/model.onnx_data", "w")],
        &["onnx/model.onnx", "onnx/model.onnx_data"],
    );
    check(&[("config.json", "{\"model_type\": \"model2vec\"}"), ONNX, OWN], &["model.safetensors"]);
    check(
        &[
            ("modules.json", "[{\"type\": \"x.StaticEmbedding\"}]"),
            ("0_StaticEmbedding/model.safetensors", "w"),
            ("pytorch_model.bin", "w"),
        ],
        &["0_StaticEmbedding/model.safetensors"],
    );
    let none =
        pull(&hub_of(&[BERT, ("pytorch_model.bin", "w")]), tempfile::tempdir().unwrap().path(), "me/tiny");
    assert!(none.unwrap_err().to_string().contains("no weights"));
}

#[test]
fn what_does_not_arrive_whole_is_not_used() {
    let cache = tempfile::tempdir().unwrap();
    let error = pull(&hub("weightz", "weights"), cache.path(), "me/tiny").unwrap_err();
    assert!(error.to_string().contains("SHA-256"), "{error}");
    assert_eq!(downloaded(cache.path(), "me/tiny"), None);
    pull(&hub("weights", "weights"), cache.path(), "me/tiny").unwrap();
    assert!(downloaded(cache.path(), "me/tiny").is_some());
}

#[test]
fn errors_name_the_model_and_the_hub() {
    let (cache, server) = (tempfile::tempdir().unwrap(), hub("weights", "weights"));
    let error = pull(&server, cache.path(), "me/other").unwrap_err().to_string();
    assert!(error.contains("me/other") && error.contains("404: Repository not found"), "{error}");
    let refused = pull(&server, cache.path(), "me/other");
    assert!(matches!(refused, Err(HubError::Refused { status: 404, .. })), "{refused:?}");
    for name in ["tiny", "../x/y", "a/..", "a/b/c", "a b/c", "/x"] {
        assert!(matches!(pull(&server, cache.path(), name), Err(HubError::Name { .. })), "{name}");
        assert_eq!(downloaded(cache.path(), name), None);
    }
}
