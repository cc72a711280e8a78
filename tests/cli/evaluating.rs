//! `ragctl eval` and `ragctl calibrate`.

use ragctl::eval::formats::{parse_qrels, parse_run};
use ragctl::eval::{Metric, evaluate};
use serde_json::{Value, json};

use crate::env::{TestEnv, copy_folder, testdata};

/// The files come from tools/eval-testdata.py, which says how.
#[test]
fn values_are_those_of_pytrec_eval() {
    for name in ["scifact", "anthropic-docs", "made-up"] {
        let read = |kind: &str| std::fs::read_to_string(testdata(&format!("eval/{name}.{kind}"))).unwrap();
        let expected: Value = serde_json::from_str(&read("json")).unwrap();
        let expected = expected.as_object().unwrap();
        let of_one = expected.values().next().unwrap().as_object().unwrap();
        let metrics: Vec<Metric> = of_one.keys().map(|it| it.parse().unwrap()).collect();
        let (qrels, run) = (parse_qrels(&read("qrels")).unwrap(), parse_run(&read("run")).unwrap());
        let it = evaluate(&run, &qrels, None, None, &metrics);
        assert_eq!(it.queries.len(), expected.len(), "{name}");
        for query in &it.queries {
            for (metric, value) in metrics.iter().zip(&query.values) {
                let expected = expected[&query.id][metric.to_string()].as_f64().unwrap();
                assert!(
                    (value - expected).abs() < 1e-6,
                    "{name}, {}: {metric} is {value}, not {expected}",
                    query.id
                );
            }
        }
    }
}

/// A folder in the form of BEIR: five documents, three queries that are answered, one that is not, one that nobody judged.
fn collection(env: &TestEnv) {
    let corpus = [
        ("d1", "Caching", "A cache keeps answers, so that the next question costs nothing."),
        ("d2", "Backups", "A backup is a copy of the data, made every night and kept elsewhere."),
        ("d3", "Restoring", "To restore data, stop the server and copy the newest backup into place."),
        ("d4", "Networks", "Packets that are lost on the way are sent once more."),
        ("d5", "Gardens", "Tomatoes want sun and water."),
    ];
    let line = |(id, title, text): (&str, &str, &str)| {
        json!({"_id": id, "title": title, "text": text}).to_string() + "\n"
    };
    env.write("set/corpus.jsonl", corpus.map(line).concat());
    let queries = [
        ("q1", "what does a cache keep"),
        ("q2", "restore a backup"),
        ("q3", "lost packets"),
        ("q4", "capital of France"),
        ("q5", "tomatoes"),
    ];
    let line = |(id, text): (&str, &str)| json!({"_id": id, "text": text}).to_string() + "\n";
    env.write("set/queries.jsonl", queries.map(line).concat());
    env.write(
        "set/qrels/test.tsv",
        "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td3\t2\nq2\td2\t1\nq3\td4\t1\nq4\td5\t0\n",
    );
}

fn mean(run: &Value, metric: &str) -> f64 {
    run["means"][metric].as_f64().unwrap()
}

#[test]
fn a_folder_of_beir_is_measured_with_one_command() {
    let env = TestEnv::new();
    collection(&env);
    let args = [
        "eval",
        "run",
        "--beir",
        "set",
        "--mode",
        "all",
        "--json",
        "--run-out",
        "run.trec",
        "--html",
        "report.html",
    ];
    let answer = env.json(args, 0);
    assert_eq!(answer["schema"], "ragctl.eval/1");
    assert_eq!(answer["index"]["documents"], 5);
    let runs = answer["runs"].as_array().unwrap();
    assert_eq!(
        runs.iter().map(|it| it["setup"].as_str().unwrap()).collect::<Vec<_>>(),
        ["text", "vector", "hybrid"]
    );
    for run in runs {
        assert_eq!(run["queries"].as_array().unwrap().len(), 3, "q4 has no answer, nobody judged q5");
        assert_eq!(mean(run, "success@1"), 1.0, "{run}");
        assert_eq!(run["answerability"]["false_answers"]["of"], 1);
    }
    assert!(!env.path(".ragctl").exists(), "the index of a corpus is temporary");
    let page = std::fs::read_to_string(env.path("report.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("nDCG@10") && !page.contains("<script"));
    // The run file alone gives the same figures.
    let same = env.json(
        ["eval", "compare", "run.vector.trec", "run.hybrid.trec", "--qrels", "set/qrels/test.tsv", "--json"],
        0,
    );
    for metric in same["metrics"].as_array().unwrap() {
        let name = metric["metric"].as_str().unwrap();
        for (side, run) in [("first", &runs[1]), ("second", &runs[2])] {
            assert!((metric[side].as_f64().unwrap() - mean(run, name)).abs() < 1e-9, "{name} of {side}");
        }
    }
    let args =
        ["eval", "run", "--beir", "set", "--run", "run.text.trec", "--run", "run.hybrid.trec", "--json"];
    let of_files = env.json(args, 0);
    for (file, run) in of_files["runs"].as_array().unwrap().iter().zip([&runs[0], &runs[2]]) {
        assert_eq!(file["means"], run["means"]);
    }
    let bar = [
        "eval",
        "run",
        "--qrels",
        "set/qrels/test.tsv",
        "--run",
        "run.text.trec",
        "--fail-under",
        "success@1=1.1",
    ];
    let _ = env.run(bar).expect_code(4);
}

#[test]
fn a_bar_that_is_missed_ends_with_4() {
    let env = TestEnv::new();
    collection(&env);
    let _ = env.run(["eval", "run", "--beir", "set", "--fail-under", "success@1=0.9"]).expect_code(0);
    let run = env
        .run(["eval", "run", "--beir", "set", "--fail-under", "P@5=0.9", "--metric", "MRR@10"])
        .expect_code(4);
    assert!(run.stderr.contains("hybrid: P@5 is 0.2667, below 0.9"), "{}", run.stderr);
    assert!(run.stdout.contains("MRR@10") && !run.stdout.contains("P@5"), "{}", run.stdout);
}

#[test]
fn an_index_is_measured_by_the_names_of_its_files() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    env.write("topics.txt", "<top>\n<num> Number: 7\n<title> restore a backup\n</top>\n");
    env.write("qrels.txt", "7 0 operations 1\n7 0 nowhere 1\n");
    let args = [
        "eval",
        "run",
        "--queries",
        "topics.txt",
        "--qrels",
        "qrels.txt",
        "--mode",
        "text",
        "--metric",
        "recall@10",
    ];
    let run = env.run(args).expect_code(2);
    assert!(
        run.stderr.contains("none of the 2 relevant documents is in the index")
            && run.stderr.contains("--id-from"),
        "{}",
        run.stderr
    );
    let run = env.run([&args[..], &["--id-from", "stem"]].concat()).expect_code(0);
    assert!(run.stderr.contains("1 of 2 relevant documents are not in the index"), "{}", run.stderr);
    assert!(run.stdout.contains("0.5000"), "{}", run.stdout);
    env.write("qrels.txt", "7 0 operations 1\n7 0 operations many\n");
    let run = env.run([&args[..], &["--id-from", "stem"]].concat()).expect_code(2);
    assert!(
        run.stderr.contains("'qrels.txt', line 2: the grade 'many' is no whole number"),
        "{}",
        run.stderr
    );
}

#[test]
fn ways_to_search_are_compared_and_taken_apart() {
    let env = TestEnv::new();
    collection(&env);
    let compared = env.json(
        ["eval", "compare", "text", "hybrid,weight=1", "--beir", "set", "--json", "--html", "c.html"],
        0,
    );
    assert_eq!((&compared["n"], &compared["second"]), (&json!(3), &json!("hybrid,weight=1")));
    assert!(std::fs::read_to_string(env.path("c.html")).unwrap().contains("<svg"));
    let report =
        env.run(["eval", "run", "--beir", "set", "--mode", "text,hybrid", "--json"]).expect_code(0).stdout;
    env.write("report.json", report);
    let again = env.run(["eval", "compare", "report.json#text", "report.json#hybrid"]).expect_code(0);
    assert!(
        again.stdout.starts_with("first report.json#text, second report.json#hybrid, 3 queries\n"),
        "{}",
        again.stdout
    );
    let run = env.run(["eval", "compare", "report.json", "report.json#hybrid"]).expect_code(2);
    assert!(run.stderr.contains("text and hybrid"), "{}", run.stderr);
    let run = env.run(["eval", "compare", "no-such-file", "text"]).expect_code(2);
    assert!(run.stderr.contains("neither a file nor a way to search"), "{}", run.stderr);
    let ablated = env.json(["eval", "ablate", "--beir", "set", "--setup", "hybrid,dedupe", "--json"], 0);
    let names: Vec<&str> =
        ablated["stages"].as_array().unwrap().iter().map(|it| it["without"].as_str().unwrap()).collect();
    assert_eq!(names, ["vectors", "words", "weighted scores", "identifiers", "dedupe"]);
}

#[test]
fn a_calibrated_threshold_refuses_what_nothing_answers() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    env.write("in.txt", "# questions of the manual\nhow do I restore a backup\nwhat is a write through cache\n\nhow often are snapshots taken\n");
    env.write(
        "out.txt",
        "zebra migration in Botswana\nwho won the chess tournament in 1987\nrecipe for pancakes\n",
    );
    for mode in ["hybrid", "vector", "text"] {
        let flag = format!("--{mode}");
        let search = |query: &str| env.run(["search", &flag, query, "--threshold", "calibrated"]);
        let run = search("backup").expect_code(2);
        assert!(
            run.stderr.contains(&format!("ragctl calibrate --in FILE --out FILE --mode {mode}")),
            "{}",
            run.stderr
        );
        let args = ["calibrate", "--in", "in.txt", "--out", "out.txt", "--mode", mode, "--json"];
        let answer = env.json(args, 0);
        assert_eq!(
            (&answer["auroc"][0]["auroc"], &answer["is_kept"]),
            (&json!(1.0), &json!(true)),
            "{answer}"
        );
        let _ = search("how do I restore a backup").expect_code(0);
        let _ = search("zebra migration in Botswana").expect_code(1);
    }
    env.verify();
    let kept = |void: Value| {
        let info = env.json(["info", "--json"], 0);
        let kept = info["calibrations"].as_array().unwrap();
        assert_eq!(
            kept.iter().map(|it| it["mode"].as_str().unwrap()).collect::<Vec<_>>(),
            ["hybrid", "vector", "text"]
        );
        assert!(kept.iter().all(|it| it["void"] == void && it["rerank"] == false), "{kept:?}");
    };
    kept(Value::Null);
    // The same threshold, measured: what it was chosen from is told apart.
    let line = |(id, text): (&str, &str)| {
        json!({"_id": id, "text": text, "answerable": id == "a"}).to_string() + "\n"
    };
    env.write(
        "q.jsonl",
        [("a", "how do I restore a backup"), ("b", "recipe for pancakes")].map(line).concat(),
    );
    env.write("r.tsv", "a\tdocs/guides/operations.md\t1\n");
    let args = ["eval", "run", "--queries", "q.jsonl", "--qrels", "r.tsv", "--mode", "all", "--json"];
    for (more, n_false) in [(&[][..], 1), (&["--threshold", "calibrated"][..], 0)] {
        let answer = env.json([&args[..], more].concat(), 0);
        // By words alone pancakes find nothing anyway.
        for run in &answer["runs"].as_array().unwrap()[1..] {
            assert_eq!(run["answerability"]["false_answers"]["n"], n_false, "{run}");
            assert_eq!(run["answerability"]["false_refusals"]["n"], 0, "{run}");
        }
    }
    // Other chunks, other scores.
    let _ = env
        .run(["ingest", "docs", "--refresh", "always", "--max-chunk-size", "600", "--overlap", "0"])
        .expect_code(0);
    let run = env.run(["search", "backup", "--threshold", "calibrated"]).expect_code(2);
    assert!(run.stderr.contains("void: the chunker or the transformers changed"), "{}", run.stderr);
    kept(json!("the chunker or the transformers"));
    let info = env.run(["info"]).expect_code(0).stdout;
    assert!(info.contains("void: the chunker or the transformers changed since"), "{info}");
}

#[test]
fn reranking_that_runs_out_of_time_is_said() {
    // A server that takes requests and never answers.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let env = TestEnv::new();
    collection(&env);
    let setup = |budget: &str| {
        let url = format!("http://{}/rerank", silent.local_addr().unwrap());
        format!("text,rerank={url},rerank-budget={budget}")
    };
    let (first, second) = (setup("0.05"), setup("0.1"));
    let check = |answer: &Value, run: &str| {
        let notes = answer["notes"].as_array().unwrap();
        let is_said = |it: &Value| {
            it.as_str().unwrap().starts_with(&format!("{run}: reranking ran out of its time in "))
        };
        assert!(notes.iter().any(is_said), "{run}: {notes:?}");
    };
    let args =
        ["eval", "run", "--beir", "set", "--setup", &first, "--setup", &second, "--html", "r.html", "--json"];
    let answer = env.json(args, 0);
    let runs = answer["runs"].as_array().unwrap();
    // Ways to search that differ in the time alone are two.
    assert_eq!(runs.iter().map(|it| it["setup"].as_str().unwrap()).collect::<Vec<_>>(), [&first, &second]);
    for run in runs {
        assert!(run["not_reranked"].as_u64().unwrap() >= 3, "{run}");
        check(&answer, run["setup"].as_str().unwrap());
    }
    let page = |name: &str| std::fs::read_to_string(env.path(name)).unwrap();
    assert!(page("r.html").contains("reranking ran out of its time in "));
    env.write("report.json", answer.to_string());
    let report = format!("report.json#{second}");
    let args = ["eval", "compare", &first, &report, "--beir", "set", "--html", "c.html", "--json"];
    let run = env.run(args).expect_code(0);
    assert!(run.stderr.contains("note: text,rerank=") && run.stderr.contains("ran out"), "{}", run.stderr);
    check(&run.json(), &first);
    check(&run.json(), &report);
    assert!(page("c.html").contains("reranking ran out of its time in "));
    let args = ["eval", "ablate", "--beir", "set", "--setup", &first, "--json"];
    let run = env.run(args).expect_code(0);
    assert!(run.stderr.contains("ran out of its time"), "{}", run.stderr);
    check(&run.json(), &first);
    check(&run.json(), "without identifiers");
    let plain = env.json(["eval", "run", "--beir", "set", "--setup", "text", "--json"], 0);
    assert!(plain["runs"][0]["not_reranked"].is_null() && plain["notes"] == json!([]), "{plain}");
}

#[test]
fn options_of_a_measurement_have_an_effect_or_are_refused() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    copy_folder(&testdata("embed/tiny-bert"), &env.path("tiny"));
    env.write("q.tsv", "7\trestore a backup\n");
    env.write("r.txt", "7 0 operations 1\n");
    let args = ["eval", "run", "--queries", "q.tsv", "--qrels", "r.txt", "--id-from", "stem", "--json"];
    let run = |more: &[&str], code: i32| env.run([&args[..], more].concat()).expect_code(code);
    let setups = |more: &[&str]| {
        let answer = run(more, 0).json();
        let names =
            answer["runs"].as_array().unwrap().iter().map(|it| it["setup"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(setups(&[]), ["hybrid"]);
    assert_eq!(setups(&["--setup", "text"]), ["text"]);
    assert_eq!(setups(&["--mode", "hybrid", "--setup", "text"]), ["hybrid", "text"]);
    assert_eq!(setups(&["--stages", "dedupe", "--setup", "text"]), ["hybrid,dedupe", "text"]);
    for model in ["nonsense", "none"] {
        let refused = run(&["--model", model], 2);
        assert!(refused.stderr.contains(&format!("ragctl reembed --model {model}")), "{}", refused.stderr);
    }
    for (name, value) in
        [("--max-chunk-size", "700"), ("--corpus-index", "kept"), ("--transform", "none"), ("--lang", "de")]
    {
        let refused = run(&[name, value], 2);
        assert!(
            refused.stderr.contains(&format!("{name} has no meaning without a corpus")),
            "{}",
            refused.stderr
        );
    }
    let _ = env.run(["reembed", "--model", "tiny", "--keep"]).expect_code(0);
    let model = |more: &[&str]| run(more, 0).json()["index"]["model"].as_str().unwrap().to_owned();
    assert!(model(&[]).ends_with("tiny"));
    assert_eq!(model(&["--model", "static"]), "static");
    let noted = run(&["--threshold", "0.99", "--mode", "hybrid,text"], 0);
    let note = "--threshold has no effect on hybrid; it applies to vector and text";
    assert!(noted.stderr.contains(note), "{}", noted.stderr);
    assert_eq!(noted.json()["notes"], json!([note]));
    assert_eq!(mean(&noted.json()["runs"][1], "success@1"), 0.0);
}

#[test]
fn a_metric_looks_as_far_as_it_says() {
    let env = TestEnv::new();
    let line =
        |at: usize| json!({"_id": format!("d{at}"), "text": format!("common w{at}")}).to_string() + "\n";
    env.write("set/corpus.jsonl", (0..130).map(line).collect::<String>());
    env.write("set/queries.jsonl", "{\"_id\": \"q\", \"text\": \"common\"}\n");
    env.write("set/qrels.tsv", (0..130).map(|at| format!("q\td{at}\t1\n")).collect::<String>());
    let args = ["eval", "run", "--beir", "set", "--mode", "text", "--metric", "recall@1000", "--json"];
    let answer = env.json(args, 0);
    assert_eq!((mean(&answer["runs"][0], "recall@1000"), &answer["depth"]), (1.0, &json!(1000)));
    let run = env.run([&args[..], &["-k", "13"]].concat()).expect_code(0);
    assert_eq!(mean(&run.json()["runs"][0], "recall@1000"), 0.1);
    assert!(run.stderr.contains("recall@1000 would look further than the 13 documents"), "{}", run.stderr);
    // A bar that is not printed is measured as deep.
    let args =
        ["eval", "run", "--beir", "set", "--mode", "text", "--metric", "P@1", "--fail-under", "recall@130=1"];
    let _ = env.run(args).expect_code(0);
}

#[test]
fn a_kept_index_is_that_of_the_corpus() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    collection(&env);
    let n_documents = |index: &str| {
        let args = ["eval", "run", "--beir", "set", "--corpus-index", index, "--json"];
        let run = env.run(args).expect_code(0);
        (run.json()["index"]["documents"].as_u64().unwrap(), run.stderr)
    };
    assert_eq!(n_documents("kept").0, 5);
    let corpus = std::fs::read_to_string(env.path("set/corpus.jsonl")).unwrap();
    let rest: Vec<&str> = corpus.lines().filter(|it| !it.contains("\"d5\"")).collect();
    env.write("set/corpus.jsonl", rest.join("\n"));
    let (n, stderr) = n_documents("kept");
    assert!(n == 4 && stderr.contains("0 of them ingested now; 1 removed"), "{n}: {stderr}");
    assert_eq!(n_documents("kept").0, 4);
    // An index of something else is left alone.
    let n_before = env.json(["info", "--json"], 0)["documents"].clone();
    let run = env.run(["eval", "run", "--beir", "set", "--corpus-index", ".ragctl"]).expect_code(2);
    assert!(run.stderr.contains("was not made of a corpus"), "{}", run.stderr);
    assert_eq!(env.json(["info", "--json"], 0)["documents"], n_before);
}

#[test]
fn ids_with_blanks_have_the_same_figures_in_files() {
    let env = TestEnv::new();
    let line = |(id, text): (&str, &str)| json!({"_id": id, "text": text}).to_string() + "\n";
    let corpus = [
        ("a cache", "A cache keeps answers."),
        ("b%20c", "A backup is a copy."),
        ("100% sun", "Tomatoes want sun."),
    ];
    env.write("set/corpus.jsonl", corpus.map(line).concat());
    let queries = [("q 1", "cache"), ("q2", "backup"), ("q3", "tomatoes")];
    env.write("set/queries.jsonl", queries.map(line).concat());
    env.write("set/qrels.tsv", "q 1\ta cache\t1\nq2\tb%20c\t1\nq3\t100% sun\t1\n");
    let args = ["eval", "run", "--beir", "set", "--mode", "text", "--run-out", "run.trec", "--json"];
    let answer = env.json(args, 0);
    assert_eq!(mean(&answer["runs"][0], "success@1"), 1.0);
    let file = std::fs::read_to_string(env.path("run.trec")).unwrap();
    assert!(file.lines().all(|it| it.split_whitespace().count() == 6), "{file}");
    let again = env.json(["eval", "run", "--beir", "set", "--run", "run.trec", "--json"], 0);
    assert_eq!(again["runs"][0]["means"], answer["runs"][0]["means"]);
    let same = env.json(["eval", "compare", "run.trec", "run.trec", "--beir", "set", "--json"], 0);
    assert_eq!((&same["n"], &same["metrics"][0]["first"]), (&json!(3), &json!(1.0)));
}

#[test]
fn what_has_nothing_in_common_is_an_error() {
    let env = TestEnv::with_docs();
    env.ingest_docs();
    env.write("q.tsv", "7\trestore a backup\n");
    let args = ["eval", "run", "--queries", "q.tsv", "--qrels", "r.txt", "--mode", "text", "--id-from"];
    env.write("r.txt", "7 0 operations 1\n7 0 c000000000000000 1\n7 0 s000000000000000 1\n");
    for (from, what) in [("chunk", "passages"), ("section", "sections")] {
        let run = env.run([&args[..], &[from]].concat()).expect_code(2);
        let expected = format!("none of the 3 relevant {what} is in the index");
        assert!(run.stderr.contains(&expected), "{}", run.stderr);
    }
    let hit = &env.hits(&["--text", "restore a backup"])[0];
    let (chunk, section) = (hit["id"].as_str().unwrap(), hit["section"]["id"].as_str().unwrap());
    env.write("r.txt", format!("7 0 {chunk} 1\n7 0 {section} 1\n"));
    for (from, what) in [("chunk", "passages"), ("section", "sections")] {
        let run = env.run([&args[..], &[from]].concat()).expect_code(0);
        assert!(
            run.stderr.contains(&format!("1 of 2 relevant {what} are not in the index")),
            "{}",
            run.stderr
        );
        assert!(run.stdout.contains("0.5000"), "{}", run.stdout);
    }
    env.write("other.trec", "8 Q0 x 1 1.0 t\n");
    for command in
        [&["eval", "run", "--run", "other.trec"][..], &["eval", "compare", "other.trec", "other.trec"]]
    {
        let run = env.run([command, &["--qrels", "r.txt"]].concat()).expect_code(2);
        assert!(run.stderr.contains("none of the 1 queries of 'other.trec' is judged"), "{}", run.stderr);
    }
    env.write("other.trec", "7 Q0 x 1 1.0 t\n");
    let run = env.run(["eval", "run", "--run", "other.trec", "--qrels", "r.txt", "--json"]).expect_code(0);
    assert!(run.stderr.contains("no document of 'other.trec' is judged"), "{}", run.stderr);
    assert!(!run.stdout.contains("-0.0"), "{}", run.stdout);
}
