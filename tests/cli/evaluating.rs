//! `ragctl eval` and `ragctl calibrate`.

use ragctl::eval::formats::{parse_qrels, parse_run};
use ragctl::eval::{Metric, evaluate};
use serde_json::{Value, json};

use crate::env::{TestEnv, testdata};

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
