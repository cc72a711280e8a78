//! Tests of downloads, from a hub on this machine.

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
    // What is there is not asked for again.
    let n_seen = server.n_seen();
    assert_eq!(pull(&server, cache.path(), "me/tiny").unwrap().n_files, 0);
    assert_eq!(server.n_seen(), n_seen + 1);
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
    for name in ["tiny", "../x/y", "a/..", "a/b/c", "a b/c", "/x"] {
        assert!(matches!(pull(&server, cache.path(), name), Err(HubError::Name { .. })), "{name}");
        assert_eq!(downloaded(cache.path(), name), None);
    }
}
