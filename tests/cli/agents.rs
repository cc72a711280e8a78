//! `ragctl mcp`, `tools`, `call`, `trace`. `tests/mcp/client.py` drives the server with the official Python client.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::env::TestEnv;

/// A running server and its client's side of the protocol.
pub(crate) struct Session {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next_id: u64,
    pub(crate) instructions: String,
}

impl Session {
    pub(crate) fn start(env: &TestEnv, args: &[&str]) -> Self {
        let mut command = env.command([&["mcp"], args].concat());
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = server.stdin.take();
        let output = BufReader::new(server.stdout.take().unwrap());
        let mut session = Self { server, input, output, next_id: 0, instructions: String::new() };
        let started = session.ask(
            "initialize",
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}),
        );
        assert_eq!(started["result"]["serverInfo"]["name"], "ragctl", "{started}");
        session.instructions = started["result"]["instructions"].as_str().unwrap_or_default().to_owned();
        session.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        session
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server ended");
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == id {
                return answer;
            }
        }
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> (String, Value) {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        (result["content"][0]["text"].as_str().unwrap_or_default().to_owned(), result.clone())
    }

    /// Closes the client's side and waits for the server to end by itself.
    pub(crate) fn leave(mut self) {
        drop(self.input.take());
        assert!(self.server.wait().unwrap().success());
    }
}

#[test]
fn a_server_answers_follows_the_index_and_ends_with_its_client() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let mut session = Session::start(&env, &[]);
    let tools = session.ask("tools/list", json!({}))["result"]["tools"].clone();
    let names: Vec<&str> = tools.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "hybridSearch",
            "vectorSearch",
            "textSearch",
            "regexSearch",
            "broadenChunk",
            "zoomOut",
            "listSections",
            "readSection",
            "findById"
        ]
    );
    let (text, result) = session.call("hybridSearch", json!({"query": "restore a backup", "topK": 2}));
    assert!(text.starts_with("2 results for \"restore a backup\":\n\n1. id c"), "{text}");
    assert_eq!(result["structuredContent"]["hits"][0]["document"]["uri"], "docs/guides/operations.md");
    let (text, result) = session.call("textSearch", json!({"query": "x", "k": 1}));
    assert!(result["isError"] == true && text.contains("no parameter 'k'"), "{result}");

    env.write("docs/late.md", "# Late\n\nZeppelins arrived.\n");
    env.ingest_docs();
    let (text, _) = session.call("textSearch", json!({"query": "zeppelin"}));
    assert!(text.contains("Zeppelins arrived."), "{text}");
    // An index made anew at the same place.
    std::fs::remove_dir_all(env.path(".ragctl")).unwrap();
    env.write("docs/late.md", "# Late\n\nBalloons arrived.\n");
    env.ingest_docs();
    let (text, _) = session.call("textSearch", json!({"query": "balloons OR zeppelins"}));
    assert!(text.contains("Balloons arrived.") && !text.contains("Zeppelins"), "{text}");
    session.leave();
}

#[test]
fn nothing_but_the_protocol_goes_to_standard_output() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}
    }});
    let run = env.run_with_stdin(["mcp"], format!("{hello}\nno json\n").as_bytes());
    assert!(run.stdout.lines().count() > 0, "the handshake is answered");
    for line in run.stdout.lines() {
        assert_eq!(serde_json::from_str::<Value>(line).unwrap()["jsonrpc"], "2.0", "{line}");
    }
}

#[test]
fn filters_of_the_starter_hide_things_from_every_tool() {
    let env = TestEnv::new();
    env.write("docs/open.md", "---\nlevel: 1\n---\n# Open\n\n## Plan\n\nThe open plan is simple.\n");
    env.write("docs/shut.md", "---\nlevel: 2\n---\n# Shut\n\n## Plan\n\nThe zeugma plan is hidden.\n");
    let _ = env.run(["ingest", "docs"]).expect_code(0);
    let hidden = env.json(["search", "--json", "--text", "zeugma"], 0)["hits"][0].clone();
    let (chunk, section) = (hidden["id"].as_str().unwrap(), hidden["section"]["id"].as_str().unwrap());
    let document = hidden["document"]["id"].as_str().unwrap();
    let mut session = Session::start(&env, &["--base-filter", "level = 1", "--about", "zeugma plan"]);
    let told = session.instructions.clone();
    assert!(
        told.contains("1 document") && told.contains("The open plan is simple.") && !told.contains("hidden"),
        "{told}"
    );
    let prompts = session.ask("prompts/list", json!({})).to_string();
    assert!(prompts.contains("search_strategy"));
    for (tool, arguments) in [
        ("hybridSearch", json!({"query": "zeugma plan", "topK": 50})),
        ("vectorSearch", json!({"query": "hidden zeugma plan"})),
        ("textSearch", json!({"query": "level:2 OR zeugma OR *:*"})),
        ("regexSearch", json!({"regex": "zeugma|hidden|simple"})),
        ("broadenChunk", json!({"chunkId": chunk})),
        ("zoomOut", json!({"id": chunk})),
        ("zoomOut", json!({"id": section})),
        ("findById", json!({"id": document})),
        ("findById", json!({"id": &chunk[..6]})),
        ("listSections", json!({})),
        ("listSections", json!({"documentTitle": "Shut"})),
        ("readSection", json!({"sectionTitle": "Plan"})),
        ("readSection", json!({"sectionTitle": "Plan", "documentTitle": "shut"})),
    ] {
        let (text, result) = session.call(tool, arguments.clone());
        let asked = arguments.to_string();
        let shown = result.to_string().replace(&text.replace('"', "\\\""), "");
        for secret in ["hidden", "shut.md", "zeugma"] {
            assert!(asked.contains(secret) || !text.contains(secret), "{tool} {asked}: {text}");
            assert!(asked.contains(secret) || !shown.contains(secret), "{tool} {asked}: {shown}");
        }
        assert!(!text.is_empty());
    }
    let (text, _) = session.call("readSection", json!({"sectionTitle": "Plan"}));
    assert!(text.contains("The open plan is simple."), "there is only one such section: {text}");
    let resources = session.ask("resources/list", json!({}))["result"]["resources"].clone();
    assert_eq!(resources.as_array().unwrap().len(), 1, "{resources}");
    for uri in [format!("ragctl://document/{document}"), format!("ragctl://chunk/{chunk}")] {
        let read = session.ask("resources/read", json!({"uri": uri}));
        assert!(read["error"].is_object(), "{read}");
    }
    session.leave();
}

#[test]
fn a_call_is_what_a_model_would_see() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let call = |tool: &str, arguments: Value, options: &[&str], code: i32| {
        let arguments = arguments.to_string();
        env.run([&["call", tool, &arguments], options].concat()).expect_code(code)
    };
    let found = call("textSearch", json!({"query": "restore", "topK": 50}), &["--budget", "300"], 0);
    assert!(found.stdout.contains("left out to keep the answer short"), "{}", found.stdout);
    assert!(found.stdout.len() < 4 * 300 + 200, "{}", found.stdout.len());
    let all = call("textSearch", json!({"query": "restore"}), &["--json"], 0).json();
    assert_eq!(all["schema"], "ragctl.search/1");
    let id = all["hits"][0]["id"].as_str().unwrap();
    let read = call("broadenChunk", json!({"chunkId": id, "chunksToAdd": "1"}), &[], 0);
    assert!(read.stdout.contains("(the passage asked for)"), "{}", read.stdout);
    assert!(call("zoomOut", json!({"id": id}), &[], 0).stdout.starts_with("Section: "));
    assert!(call("readSection", json!({"sectionTitle": "write-THROUGH"}), &[], 0).stdout.contains("Write"));
    assert!(call("textSearch", json!({"query": "qqqq"}), &[], 1).stdout.contains("Nothing was found"));
    let empty = call("textSearch", json!({"query": "qqqq"}), &["--json"], 1).json();
    assert_eq!((&empty["schema"], &empty["hits"]), (&json!("ragctl.search/1"), &json!([])));
    let unknown = call("zoomOut", json!({"id": "c000000000000000"}), &["--json"], 1).json();
    assert!(unknown["error"].as_str().unwrap().contains("Nothing has the id"), "{unknown}");
    let wrong = call("textSearch", json!({}), &[], 2);
    assert!(wrong.stderr.contains("textSearch needs 'query'"), "{}", wrong.stderr);
    let wrong = env.run(["call", "textSearch", "[1]"]).expect_code(2);
    assert!(wrong.stderr.contains("no JSON object"), "{}", wrong.stderr);
    let unknown = call("deleteAll", json!({}), &[], 2);
    assert!(unknown.stderr.contains("there is no tool 'deleteAll'"), "{}", unknown.stderr);
}

#[test]
fn definitions_come_in_the_shapes_of_apis() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    let tools = |shape: &str| env.json(["tools", "--json", "--shape", shape], 0)[0].clone();
    assert_eq!(tools("openai")["function"]["parameters"]["required"], json!(["query"]));
    assert_eq!(tools("anthropic")["input_schema"]["type"], "object");
    assert_eq!(tools("mcp")["annotations"]["readOnlyHint"], true);
    let about = tools("mcp")["description"].as_str().unwrap().to_owned();
    assert!(about.contains("7 documents"), "{about}");
    let text = env.run(["tools"]).expect_code(0).stdout;
    assert!(text.contains("broadenChunk") && text.contains("chunkId (string)"), "{text}");
}

#[test]
fn a_trace_shows_what_the_documents_lack() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    for (query, code) in [("restore", 0), ("flux capacitor qqq", 1)] {
        let arguments = json!({"query": format!("+{}", query.replace(' ', " +"))}).to_string();
        let _ = env.run(["call", "textSearch", &arguments, "--trace", "calls.jsonl"]).expect_code(code);
    }
    let _ = env.run(["search", "--text", "+nothing +like +this", "--trace", "calls.jsonl"]).expect_code(1);
    let trace = std::fs::read_to_string(env.path("calls.jsonl")).unwrap();
    let first: Value = serde_json::from_str(trace.lines().next().unwrap()).unwrap();
    assert_eq!((&first["schema"], &first["tool"]), (&"ragctl.trace/1".into(), &"textSearch".into()));
    assert!(first["shown"][0]["score"].is_number() && first["shown"][0]["text"].is_null(), "{first}");
    let summary = env.json(["trace", "calls.jsonl", "--json"], 0);
    assert_eq!(summary["nothing_found"][0]["text"], "+flux +capacitor +qqq");
    let text = env.run(["trace", "calls.jsonl"]).expect_code(0).stdout;
    assert!(text.starts_with("3 calls\n") && text.contains("found nothing:"), "{text}");
}
