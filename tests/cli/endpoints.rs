//! Models behind addresses, against a server in the test that serves the built-in model's vectors.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ragctl::embed::{Role, embedder};
use serde_json::{Value, json};

use crate::env::{TestEnv, testdata};

/// Serves `POST /v1/embeddings`; refuses texts that hold "poison", everything while `is_down`, and the first `n_busy` requests.
struct Server {
    url: String,
    n_requests: Arc<AtomicUsize>,
    is_down: Arc<AtomicBool>,
}

impl Server {
    fn start(n_busy: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (n_requests, is_down) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let (count, down) = (n_requests.clone(), is_down.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut n_bytes = 0;
                loop {
                    let mut line = String::new();
                    if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
                        break;
                    }
                    if let Some(len) = line.to_lowercase().strip_prefix("content-length:") {
                        n_bytes = len.trim().parse().unwrap();
                    }
                }
                let mut body = vec![0; n_bytes];
                reader.read_exact(&mut body).unwrap();
                let request: Value = serde_json::from_slice(&body).unwrap();
                let is_busy = count.fetch_add(1, Ordering::SeqCst) < n_busy;
                let (status, answer) = if down.load(Ordering::SeqCst) {
                    (503, json!({ "error": { "message": "the model is being loaded" } }))
                } else if is_busy {
                    (429, json!({ "error": { "message": "slow down" } }))
                } else if request["input"].to_string().contains("poison") {
                    (400, json!({ "error": "this text is not wanted" }))
                } else {
                    (200, vectors(&request))
                };
                let answer = answer.to_string();
                let _ = write!(
                    stream,
                    "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nretry-after: 0\r\nconnection: close\r\n\r\n{answer}",
                    answer.len()
                );
            }
        });
        Self { url, n_requests, is_down }
    }
}

fn vectors(request: &Value) -> Value {
    let model = embedder("static").unwrap();
    let texts: Vec<&str> =
        request["input"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    let vectors = model.embed(&texts, Role::Passage).unwrap();
    let data = vectors
        .values()
        .chunks(model.dimension())
        .enumerate()
        .map(|(at, it)| json!({ "index": at, "embedding": it }));
    json!({ "data": data.collect::<Vec<_>>() })
}

#[test]
fn a_model_behind_an_address_finds_what_the_same_model_inside_finds() {
    let server = Server::start(1);
    let (env, inside) = (TestEnv::with_docs(), TestEnv::with_docs());
    inside.ingest_docs();
    let report =
        env.json(["ingest", "docs", "--model", "openai:tiny", "--endpoint", &server.url, "--json"], 0);
    assert_eq!(report["filled"]["whole"], true);
    let info = env.json(["info", "--json"], 0);
    assert_eq!(info["models"].as_array().unwrap().len(), 1);
    assert_eq!((&info["model"]["name"], &info["model"]["dimension"]), (&"openai:tiny".into(), &256.into()));
    assert_eq!(info["models"][0]["settings"]["endpoint"], server.url);
    let ids = |env: &TestEnv| -> Vec<String> {
        env.hits(&["--vector", "how do I restore a snapshot"]).iter().map(|it| it["id"].to_string()).collect()
    };
    assert_eq!(ids(&env), ids(&inside));
    env.verify();
    // The dimension was asked for once: a search is one request.
    let n_before = server.n_requests.load(Ordering::SeqCst);
    let _ = env.hits(&["cache"]);
    assert_eq!(server.n_requests.load(Ordering::SeqCst), n_before + 1);
}

#[test]
fn what_a_server_refuses_fails_by_name_and_the_rest_is_kept() {
    let server = Server::start(0);
    let env = TestEnv::new();
    for at in 0..5 {
        env.write(&format!("notes/{at}.md"), format!("Note {at}.\n"));
    }
    env.write("notes/bad.md", "This is poison.\n");
    let args = ["ingest", "notes", "--model", "openai:tiny", "--endpoint", &server.url];
    let run = env.run(args).expect_code(3);
    assert!(
        run.stderr.contains("'notes/bad.md'") && run.stderr.contains("this text is not wanted"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains(&server.url), "{}", run.stderr);
    // Searches go on with static vectors until the model is whole.
    assert_eq!(env.hits(&["--vector", "note"]).len(), 6);
    let _ = env.run(["remove", "notes/bad.md"]).expect_code(0);
    let report = env.json(["reembed", "--json"], 0);
    assert_eq!(
        (&report["kept"], &report["embedded"], &report["whole"]),
        (&5.into(), &0.into(), &true.into())
    );
    env.verify();
}

#[test]
fn what_was_begun_goes_on_as_it_was_said_and_is_not_thrown_away() {
    let server = Server::start(0);
    let env = TestEnv::new();
    for at in 0..5 {
        env.write(&format!("notes/{at}.md"), format!("Note {at}.\n"));
    }
    env.write("notes/bad.md", "This is poison.\n");
    let _ = env.run(["ingest", "notes"]).expect_code(0);
    let reembed = ["reembed", "--model", "openai:tiny", "--endpoint", &server.url];
    let _ = env.run([&reembed[..], &["--keep"]].concat()).expect_code(3);
    // Another model would cost what is embedded by now.
    let folder = testdata("embed/tiny-bert");
    let run = env.run(["reembed", "--model", folder.to_str().unwrap()]).expect_code(2);
    assert!(run.stderr.contains("vectors of 'openai:tiny' are being filled in"), "{}", run.stderr);
    assert!(run.stderr.contains("ragctl reembed --drop openai:tiny"), "{}", run.stderr);
    let _ = env.run(["remove", "notes/bad.md"]).expect_code(0);
    // What was to be kept is kept, although nothing is said of it now.
    let report = env.json(["reembed", "--json"], 0);
    assert_eq!((&report["kept"], &report["whole"]), (&5.into(), &true.into()));
    let models = || -> Vec<String> {
        let info = env.json(["info", "--json"], 0);
        info["models"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(models(), ["openai:tiny", "static"]);
    // Two of one name could not be told apart; one in the place of the other can.
    let other = [&reembed[..], &["--passage-prefix", "passage: "]].concat();
    let run = env.run([&other[..], &["--keep"]].concat()).expect_code(2);
    assert!(run.stderr.contains("another model called 'openai:tiny'"), "{}", run.stderr);
    assert_eq!(models(), ["openai:tiny", "static"]);
    let _ = env.run(other).expect_code(0);
    assert_eq!(models(), ["openai:tiny", "static"]);
    // Each model has a threshold of its own.
    env.write("in.txt", "note 1\nnote 2\n");
    env.write("out.txt", "zebra migration\npancakes\n");
    let calibrate = ["calibrate", "--in", "in.txt", "--out", "out.txt", "--mode", "vector"];
    let _ = env.run([&calibrate[..], &["--model", "static"]].concat()).expect_code(0);
    let search = ["search", "--vector", "note 3", "--threshold", "calibrated"];
    let _ = env.run([&search[..], &["--model", "static"]].concat()).expect_code(0);
    let run = env.run(search).expect_code(2);
    assert!(run.stderr.contains("no threshold is calibrated"), "{}", run.stderr);
    env.verify();
}

#[test]
fn offline_nothing_goes_to_a_reranker_elsewhere() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    for name in ["http://192.0.2.2:9/rerank", "https://rerank.example.invalid/v1/rerank#m"] {
        let run = env.run(["search", "cache", "--offline", "--rerank", name]).expect_code(2);
        assert!(run.stderr.contains("the network is not to be used"), "{}", run.stderr);
    }
}

#[test]
fn a_server_that_is_down_ends_the_command_and_text_search_goes_on() {
    let server = Server::start(0);
    let env = TestEnv::with_docs();
    let _ = env.run(["ingest", "docs", "--model", "openai:tiny", "--endpoint", &server.url]).expect_code(0);
    server.is_down.store(true, Ordering::SeqCst);
    let mut command = env.command(["search", "cache"]);
    let output = command.env("RAGCTL_HTTP_RETRIES", "1").output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr.contains(&server.url) && stderr.contains("503: the model is being loaded"), "{stderr}");
    assert!(!env.hits(&["--text", "cache"]).is_empty());
}

#[test]
fn the_address_of_another_machine_must_be_named_by_the_user() {
    let server = Server::start(0);
    let env = TestEnv::with_docs();
    let _ = env.run(["ingest", "docs", "--model", "openai:tiny", "--endpoint", &server.url]).expect_code(0);
    let database = rusqlite::Connection::open(env.path(".ragctl/ragctl.db")).unwrap();
    let sql = "UPDATE model SET settings = json_set(settings, '$.endpoint', 'http://example.invalid/v1')";
    assert_eq!(database.execute(sql, []).unwrap(), 1);
    drop(database);
    let run = env.run(["search", "cache"]).expect_code(2);
    assert!(
        run.stderr.contains("only the index names") && run.stderr.contains("--endpoint"),
        "{}",
        run.stderr
    );
    let _ = env.run(["search", "cache", "--endpoint", &server.url]).expect_code(0);
    let mut command = env.command(["search", "cache"]);
    assert!(command.env("RAGCTL_ENDPOINT", &server.url).output().unwrap().status.success());
    let run = env.run(["ingest", "docs", "--model", "openai:tiny", "--index", "other"]).expect_code(2);
    assert!(run.stderr.contains("--endpoint"), "{}", run.stderr);
}
