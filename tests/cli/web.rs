//! Pages of the web, from a server on this machine.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use crate::env::TestEnv;

const GUIDE: &str = "<!doctype html><meta charset=utf-8><title>Dyke guide</title><nav>Home</nav><main><h1 id=dykes>Dykes</h1>\
    <h2 id=care>Care</h2><p>A d\u{e9}versoir is cleared of reeds twice a year.</p></main>";

/// What the server says of a path, and the paths that were asked for.
type Log = Arc<Mutex<Vec<String>>>;

/// Serves pages in Latin-1 under their paths; `guide` is what `/guide` says now.
fn serve(guide: &Arc<Mutex<String>>) -> (String, Log) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (log, guide) = (Log::default(), guide.clone());
    let seen = log.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let request = lines.next().unwrap().unwrap();
            lines.take_while(|line| line.as_ref().is_ok_and(|it| !it.is_empty())).for_each(drop);
            let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
            let guide = guide.lock().unwrap().clone();
            let (status, content_type, body) = match path.as_str() {
                "/guide" => ("200 OK", "text/html; charset=ISO-8859-1", guide.as_str()),
                "/notes.md" => ("200 OK", "text/plain", "# Notes\n\nSluices open at low tide.\n"),
                "/view/notes.md" => {
                    ("200 OK", "text/html", "<!doctype html><title>notes.md</title><p>A page about a file.")
                }
                "/" => {
                    ("200 OK", "text/html", "<!doctype html><title>Front</title><p>Welcome to the polder.")
                }
                _ => ("404 Not Found", "text/plain", "no such page"),
            };
            let body: Vec<u8> = body.chars().map(|c| c as u8).collect();
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            seen.lock().unwrap().push(path);
            let _ = stream.write_all(&[head.as_bytes(), &body].concat());
        }
    });
    (url, log)
}

#[test]
fn pages_are_ingested_by_their_addresses() {
    let guide = Arc::new(Mutex::new(GUIDE.to_owned()));
    let (url, log) = serve(&guide);
    let env = TestEnv::new();
    env.write("docs/local.md", "# Local\n\nReeds.\n");
    let addresses =
        [format!("{url}/guide#care"), format!("{url}/notes.md"), format!("{url}/view/notes.md"), url.clone()];
    let mut ingest = vec!["ingest", "docs", "--json"];
    ingest.extend(addresses.iter().map(String::as_str));
    let report = env.json(ingest.clone(), 0);
    assert_eq!((&report["added"], &report["failed"]), (&5.into(), &serde_json::json!([])), "{report}");
    let found = env.json(["search", "--text", "d\u{e9}versoir reeds", "--json"], 0);
    let hit = &found["hits"][0];
    assert_eq!(hit["document"]["uri"], format!("{url}/guide"));
    assert_eq!(
        (&hit["document"]["title"], &hit["location"]["anchor"]),
        (&"Dyke guide".into(), &"dykes".into()),
        "{hit}"
    );
    let listed = env.json(["list", "--json"], 0);
    let types: Vec<(&str, &str)> = listed["documents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["uri"].as_str().unwrap(), it["media_type"].as_str().unwrap()))
        .collect();
    for (path, media_type) in
        [("/", "text/html"), ("/notes.md", "text/markdown"), ("/view/notes.md", "text/html")]
    {
        assert!(types.contains(&(&format!("{url}{path}"), media_type)), "{types:?}");
    }
    // What is stored is not even asked for; nor is it pruned, since nobody can tell that it is gone.
    let n_seen = log.lock().unwrap().len();
    let again = env.json([&ingest[..], &["--prune"]].concat(), 0);
    assert_eq!((&again["unchanged"], &again["removed"]), (&5.into(), &0.into()), "{again}");
    assert_eq!(log.lock().unwrap().len(), n_seen);
    *guide.lock().unwrap() = GUIDE.replace("twice", "thrice");
    let changed = env.json([&ingest[..], &["--refresh", "changed"]].concat(), 0);
    assert_eq!((&changed["refreshed"], &changed["unchanged"]), (&1.into(), &4.into()), "{changed}");
    let _ = env.run(["search", "--text", "+thrice"]).expect_code(0);
    env.verify();
}

#[test]
fn a_page_that_cannot_be_fetched_is_named_and_the_rest_goes_on() {
    let (url, _) = serve(&Arc::default());
    let env = TestEnv::new();
    let (gone, notes) = (format!("{url}/gone"), format!("{url}/notes.md"));
    let report = env.json(["ingest", &gone, &notes, "--json"], 3);
    let failed = &report["failed"][0];
    assert_eq!(failed["path"], gone);
    assert!(failed["reason"].as_str().unwrap().contains("answered 404"), "{failed}");
    assert!(failed["hint"].as_str().unwrap().contains("address"), "{failed}");
    let large = env.json(["ingest", &notes, "--refresh", "always", "--max-file-size", "10", "--json"], 2);
    assert!(large["failed"][0]["reason"].as_str().unwrap().contains("larger than 10 bytes"), "{large}");
    let refused = env.run(["--offline", "ingest", &notes]).expect_code(2);
    assert!(refused.stderr.contains("nothing may be fetched"), "{}", refused.stderr);
}
