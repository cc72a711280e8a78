//! A base filter hides, whatever is asked: by id, prefix, neighbour, section, count and message.

use serde_json::Value;

use crate::env::TestEnv;

/// Two documents that everybody may see and one that nobody may, with a word of their own each.
fn env() -> TestEnv {
    let env = TestEnv::new();
    let page = |access: &str, word: &str| {
        let body = format!("Shared words about {word}, at some length. ").repeat(30);
        format!("---\naccess: {access}\n---\n# Page {word}\n\n{body}\n\n## Part {word}\n\n{body}\n")
    };
    env.write("docs/a.md", page("public", "alpaca"));
    env.write("docs/b.md", page("secret", "basilisk"));
    env.write("docs/c.md", page("public", "caribou"));
    let _ = env.run(["ingest", "docs"]).expect_code(0);
    env
}

const BASE: [&str; 2] = ["--base-filter", "access = \"public\""];

/// The same command behind the base filter.
fn behind<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [args, &BASE].concat()
}

fn secret_ids(env: &TestEnv) -> Vec<String> {
    let tree = env.json(["tree", "docs/b.md", "--json"], 0);
    let mut ids: Vec<String> =
        tree["sections"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect();
    ids.extend(
        env.hits(&["--regex", "basilisk", "-k", "50"]).iter().map(|it| it["id"].as_str().unwrap().to_owned()),
    );
    ids.push(env.json(["show", "docs/b.md", "--json"], 0)["id"].as_str().unwrap().to_owned());
    ids
}

#[test]
fn nothing_hidden_is_found_in_any_mode() {
    let env = env();
    for mode in ["--hybrid", "--vector", "--text", "--regex"] {
        for query in ["basilisk", "shared words"] {
            let run = env.run(behind(&["search", mode, query, "-k", "50", "--expand", "9", "--json", "-q"]));
            assert!(run.code <= 1, "{mode} {query}: {}", run.stderr);
            assert!(
                !run.stdout.replace("\"query\": \"basilisk\"", "").contains("basilisk"),
                "{mode} {query}"
            );
        }
    }
    let filters = [
        "access = \"secret\"",
        "access = \"secret\" OR uri IS NOT NULL",
        "NOT access = \"public\"",
        "uri = \"docs/b.md\"",
    ];
    for filter in filters {
        let run = env.run(behind(&["search", "words", "--filter", filter, "-k", "50", "--json"]));
        assert!(run.code <= 1 && !run.stdout.contains("basilisk"), "{filter}: {}", run.stderr);
    }
    let counts =
        env.run(behind(&["search", "--regex", "-c", "[a-z]+", "--path-prefix", "docs"])).expect_code(0);
    assert!(!counts.stdout.contains("docs/b.md") && counts.stdout.contains("docs/a.md"));
}

#[test]
fn ids_of_hidden_things_are_as_unknown_as_ids_that_never_were() {
    let env = env();
    for id in secret_ids(&env) {
        let never = format!("{}{}", &id[..1], "0".repeat(id.len() - 1));
        for command in ["expand", "zoom", "show", "tree"] {
            for prefix in [&id[..], &id[..8]] {
                let hidden = env.run(behind(&[command, prefix]));
                let unknown = env.run(behind(&[command, &never[..prefix.len()]]));
                assert_eq!(hidden.code, unknown.code, "{command} {prefix}: {}", hidden.stdout);
                assert_eq!(hidden.stdout, unknown.stdout, "{command} {prefix}");
                let message = unknown.stderr.replace(&never[..prefix.len()], prefix);
                assert_eq!(hidden.stderr, message, "{command} {prefix}");
            }
        }
    }
    // A prefix that only hidden candidates make ambiguous is unique, and candidates are never hidden ones.
    for prefix in ["c", "s", "d"] {
        let run = env.run(behind(&["show", prefix]));
        for id in secret_ids(&env) {
            assert!(!run.stderr.contains(&id) && !run.stdout.contains(&id), "{}", run.stderr);
        }
    }
}

#[test]
fn lists_trees_and_counts_leave_hidden_documents_out() {
    let env = env();
    for command in ["list", "tree", "sections"] {
        let run = env.run(behind(&[command])).expect_code(0);
        assert!(run.stdout.contains("docs/c.md") && !run.stdout.contains("docs/b.md"), "{}", run.stdout);
    }
    let run = env.run(behind(&["list", "docs/b.md"])).expect_code(1);
    assert_eq!(run.stdout, "");
    let all = env.json(["info", "--json"], 0);
    let some = env.json(behind(&["info", "--json"]), 0);
    let count = |info: &Value, key: &str| info[key].as_u64().unwrap();
    assert_eq!((count(&all, "documents"), count(&some, "documents")), (3, 2));
    assert_eq!(count(&all, "chunks") * 2, count(&some, "chunks") * 3);
    for document in ["docs/b.md", "./docs/b.md"] {
        let hidden = env.run(behind(&["show", document]));
        assert_eq!(hidden.code, 1);
        assert!(!hidden.stdout.contains("basilisk") && !hidden.stderr.contains("Page"));
        let _ = env.run(behind(&["remove", document])).expect_code(1);
    }
    assert_eq!(env.json(["list", "--json"], 0)["documents"].as_array().unwrap().len(), 3);
}

#[test]
fn environment_and_configuration_hold_whatever_the_command_line_says() {
    let env = env();
    let n_found = |args: &[&str], variable: Option<&str>| {
        let mut command = env.command(["list", "--json"].iter().chain(args));
        if let Some(variable) = variable {
            command.env("RAGCTL_BASE_FILTER", variable);
        }
        let output = command.output().unwrap();
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        json["documents"].as_array().unwrap().len()
    };
    assert_eq!(n_found(&[], None), 3);
    assert_eq!(n_found(&[], Some("access = \"public\"")), 2);
    assert_eq!(n_found(&["--base-filter", "access = \"secret\""], Some("access = \"public\"")), 0);
    env.write(".ragctl/config.toml", "base_filter = ['access = \"public\"', 'uri ENDS WITH \"c.md\"']\n");
    assert_eq!(n_found(&[], None), 1);
    assert_eq!(n_found(&["--base-filter", "access = \"secret\""], None), 0);
    // A configuration that cannot be read hides everything rather than nothing.
    env.write(".ragctl/config.toml", "base_fliter = 'x = 1'\n");
    let run = env.run(["list"]).expect_code(2);
    assert!(run.stderr.contains("config.toml") && run.stdout.is_empty(), "{}", run.stderr);
    env.write(".ragctl/config.toml", "base_filter = 'access ='\n");
    assert_eq!(env.run(["search", "words"]).expect_code(2).stdout, "");
}

#[test]
fn a_filter_on_sections_hides_parts_of_documents() {
    let env = env();
    let base = ["--base-filter", "NOT section = \"Part alpaca\""];
    let with = |args: &[&'static str]| [args, &base].concat();
    let tree = env.json(with(&["tree", "docs/a.md", "--json"]), 0);
    let titles: Vec<&str> =
        tree["sections"].as_array().unwrap().iter().map(|it| it["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Page alpaca"]);
    let hits = env.json(with(&["search", "--regex", "alpaca", "-k", "50", "--expand", "5", "--json"]), 0);
    for hit in hits["hits"].as_array().unwrap() {
        assert_eq!(hit["section"]["title"], "Page alpaca");
        let id = hit["id"].as_str().unwrap();
        for command in ["expand", "zoom"] {
            let args: Vec<&str> = [command, id, "--json"].iter().chain(&base).copied().collect();
            let run = env.run(args).expect_code(0);
            assert!(!run.stdout.contains("Part alpaca"), "{}", run.stdout);
        }
    }
}
