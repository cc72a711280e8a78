//! `ragctl models`, downloads from a hub on this machine, and models in folders.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;

use serde_json::json;

use crate::env::{TestEnv, copy_folder, testdata};

const REVISION: &str = "0123456789abcdef0123456789abcdef01234567";

/// Serves `testdata/embed/tiny-bert` as the repository `me/tiny`, as a hub lays it out.
fn hub() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut request = String::new();
            reader.read_line(&mut request).unwrap();
            let mut line = String::new();
            while reader.read_line(&mut line).unwrap_or(0) > 2 {
                line.clear();
            }
            let path = request.split(' ').nth(1).unwrap_or_default();
            let body = answer(path);
            let status = if body.is_some() { 200 } else { 404 };
            let body = body.unwrap_or_else(|| b"{\"error\": \"Repository not found\"}".to_vec());
            let head =
                format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            let _ = stream.write_all(head.as_bytes());
            if !request.starts_with("HEAD") {
                let _ = stream.write_all(&body);
            }
        }
    });
    url
}

fn answer(path: &str) -> Option<Vec<u8>> {
    let folder = testdata("embed/tiny-bert");
    if path == "/api/models/me/tiny/revision/main" {
        let names = fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap());
        let siblings: Vec<_> = names.map(|name| json!({ "rfilename": name })).collect();
        return Some(json!({ "sha": REVISION, "siblings": siblings }).to_string().into_bytes());
    }
    let file = path.strip_prefix(&format!("/me/tiny/resolve/{REVISION}/"))?;
    fs::read(folder.join(Path::new(file).file_name()?)).ok()
}

fn with_notes() -> TestEnv {
    let env = TestEnv::new();
    env.write("notes/cats.md", "Cats purr.\n");
    env.write("notes/dogs.md", "Dogs bark.\n");
    env.write("notes/herons.md", "Herons fish.\n");
    env
}

#[test]
fn models_are_listed_with_what_is_known_of_them() {
    let env = TestEnv::new();
    let list = env.json(["models", "--json"], 0);
    let models = list["models"].as_array().unwrap();
    assert_eq!(
        (&models[0]["name"], &models[0]["built_in"], &models[0]["present"]),
        (&"static".into(), &true.into(), &true.into())
    );
    for model in models {
        for key in ["dimension", "languages", "bytes", "licence", "summary"] {
            assert!(!model[key].is_null(), "{}: {key}", model["name"]);
        }
        assert_eq!(model["present"], model["built_in"]);
        let known = env.run(["models"]).expect_code(0).stdout;
        assert!(known.contains(model["name"].as_str().unwrap()));
    }
    copy_folder(&testdata("embed/tiny-bert"), &env.path("tiny"));
    let measured = |name: &str| {
        let list = env.json(["models", "--json", "--measure", name], 0);
        let models = list["models"].as_array().unwrap().clone();
        let is_measured =
            |it: &&serde_json::Value| it["passages_per_second"].as_f64().is_some_and(|it| it > 0.0);
        models
            .iter()
            .filter(is_measured)
            .map(|it| it["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(measured("static"), ["static"]);
    assert_eq!(measured("static,tiny,static"), ["static", "tiny"]);
    for (name, expected) in [
        ("nope", "no embedding model is called 'nope'; there is: static"),
        ("static,nope", "no embedding model is called 'nope'"),
        ("BAAI/bge-small-en-v1.5", "ragctl models pull BAAI/bge-small-en-v1.5"),
    ] {
        let run = env.run(["models", "--measure", name]).expect_code(2);
        assert!(run.stderr.contains(expected) && run.stdout.is_empty(), "{}", run.stderr);
    }
}

#[test]
fn a_model_is_downloaded_and_used_and_its_name_is_enough() {
    let (env, hub) = (with_notes(), hub());
    let run = |args: &[&str], code: i32| {
        let mut command = env.command(args);
        let output = command.env("HF_ENDPOINT", &hub).env("HF_HOME", env.path("hf")).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        (String::from_utf8(output.stdout).unwrap(), stderr)
    };
    let (_, stderr) = run(&["ingest", "notes", "--model", "me/tiny"], 2);
    assert!(stderr.contains("ragctl models pull me/tiny"), "{stderr}");
    let (_, stderr) = run(&["models", "pull", "me/tiny", "--offline"], 2);
    assert!(stderr.contains("the network is not to be used"), "{stderr}");
    let (_, stderr) = run(&["models", "pull", "me/other"], 2);
    assert!(stderr.contains("404: Repository not found") && stderr.contains("me/other"), "{stderr}");
    assert!(stderr.contains("HF_TOKEN") && !stderr.contains("run the same command again"), "{stderr}");
    let (stdout, _) = run(&["models", "pull", "me/tiny", "--json"], 0);
    let pulled: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((&pulled["schema"], &pulled["files"]), (&"ragctl.pull/1".into(), &4.into()));
    assert!(env.path(format!("hf/hub/models--me--tiny/snapshots/{REVISION}/model.safetensors")).is_file());
    let (stdout, _) = run(&["models"], 0);
    assert!(stdout.lines().any(|it| it.starts_with("me/tiny") && it.contains("present")), "{stdout}");
    // From here on without any network.
    run(&["ingest", "notes", "--model", "me/tiny", "--transform", "none", "--offline"], 0);
    let (stdout, _) = run(&["search", "--vector", "cats purr.", "--json", "--offline"], 0);
    let found: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(found["index"]["model"], "me/tiny");
    assert_eq!(found["hits"][0]["document"]["uri"], "notes/cats.md");
}

#[test]
fn a_folder_is_a_model_and_is_found_from_everywhere() {
    let env = with_notes();
    copy_folder(&testdata("embed/tiny-bert"), &env.path("models/tiny"));
    let _ = env.run(["ingest", "notes", "--model", "models/tiny"]).expect_code(0);
    let info = env.json(["info", "--json"], 0);
    assert_eq!(info["model"]["dimension"], 16);
    assert!(Path::new(info["model"]["name"].as_str().unwrap()).is_absolute());
    let mut command = env.command(["search", "--vector", "dogs bark.", "--model", "tiny"]);
    assert!(command.current_dir(env.path("notes")).output().unwrap().status.success());
    env.verify();
    // Other weights in the same folder are another model.
    let path = env.path("models/tiny/model.safetensors");
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 100;
    bytes[last] ^= 1;
    fs::write(&path, bytes).unwrap();
    let run = env.run(["search", "--vector", "dogs"]).expect_code(2);
    assert!(run.stderr.contains("ragctl reembed --model"), "{}", run.stderr);
    let _ = env.run(["search", "--text", "dogs"]).expect_code(0);
    let _ = env.run(["reembed", "--model", "models/tiny"]).expect_code(0);
    let _ = env.run(["search", "--vector", "dogs"]).expect_code(0);
    let run = env.run(["ingest", "notes", "--model", "notes", "--index", "other"]).expect_code(2);
    assert!(run.stderr.contains("ragctl models"), "{}", run.stderr);
}
