use std::time::Duration;

use super::*;
use crate::content::{
    Block, BlockKind, Document, DocumentId, Heading, Origin, SectionKind, Span, Warning, WarningKind,
    build_sections,
};

fn parsed() -> Parsed {
    let text = "intro\nTitle — ü\nbody".to_owned();
    let id = DocumentId::of_uri("a.pdf");
    let heading =
        Heading { start: 6, end: 18, level: 2, title: "Title — ü".into(), kind: SectionKind::Font };
    let blocks = [
        (Span::new(0, 5), BlockKind::Paragraph),
        (Span::new(6, 18), BlockKind::Heading),
        (Span::new(19, 20), BlockKind::Table { header: Span::new(19, 20) }),
        (Span::new(20, 21), BlockKind::Code { fence: Some(Span::new(20, 20)) }),
        (Span::new(21, 22), BlockKind::Code { fence: None }),
        (Span::new(22, 23), BlockKind::ListItem),
    ];
    Parsed {
        document: Document {
            id,
            uri: "a.pdf".into(),
            title: "A".into(),
            media_type: "application/pdf".into(),
            sections: build_sections(id, &text, &[heading], |text| text.trim().is_empty()),
            blocks: blocks.map(|(span, kind)| Block { span, kind }).to_vec(),
            metadata: [("pages".to_owned(), 3.into()), ("tags".to_owned(), vec!["a", "b"].into())].into(),
            language: None,
            labels: ["L".to_owned()].into(),
            origin: Origin::Pages(vec![(0, 1), (19, 2)]),
            text,
        },
        warnings: vec![Warning::new(WarningKind::NoText, "page 3 has no text")],
    }
}

fn meta() -> &'static ReaderMeta {
    reader_named("pdf").expect("the registry lists the PDF reader").meta()
}

fn answer(result: &Result<Parsed, ReadError>) -> Vec<u8> {
    let mut bytes = Vec::new();
    wire::write_answer(&mut bytes, result).unwrap();
    bytes
}

#[test]
fn answers_round_trip() {
    let errors = [
        ReadError::Binary,
        ReadError::Encrypted,
        ReadError::WrongPassword,
        ReadError::Damaged { format: "pdf", detail: "no page tree".into() },
        ReadError::Limit { detail: "too deep".into() },
        ReadError::Unsupported { detail: "old".into() },
        ReadError::Locked { detail: "encrypted".into() },
        ReadError::Worker { format: "pdf", detail: "died".into() },
    ];
    for result in std::iter::once(Ok(parsed())).chain(errors.map(Err)) {
        assert_eq!(wire::decode_answer(&answer(&result), meta()), Some(result));
    }
}

#[test]
fn every_origin_round_trips() {
    for origin in [
        Origin::Verbatim { byte: 3, line: 2 },
        Origin::Decoded { points: vec![(0, 0), (2, 1)], line: 1 },
        Origin::Anchors(vec![(0, "top".into())]),
        Origin::Cells(vec![(4, 7)]),
        Origin::Slides(vec![(0, 3)]),
        Origin::Rows { sheets: vec![(0, "A".into())], rows: vec![(2, 9)] },
        Origin::Lines(vec![(0, 4)]),
        Origin::Cells(vec![(4, 7)]).with_anchors(vec![(0, "top".into())]),
        Origin::Unknown,
    ] {
        let mut parsed = parsed();
        parsed.document.origin = origin;
        assert_eq!(wire::decode_answer(&answer(&Ok(parsed.clone())), meta()), Some(Ok(parsed)));
    }
}

#[test]
fn half_an_answer_is_no_answer() {
    let whole = answer(&Ok(parsed()));
    for length in 0..whole.len() {
        assert_eq!(wire::decode_answer(&whole[..length], meta()), None, "{length} of {} bytes", whole.len());
    }
}

#[test]
fn spans_outside_the_text_are_refused() {
    for span in [(0, 999), (0, 13), (5, 3)] {
        let mut wrong = parsed();
        // Written as a literal, because `Span::new` asserts in debug builds.
        wrong.document.blocks[0].span = Span { start: span.0, end: span.1 };
        assert_eq!(wire::decode_answer(&answer(&Ok(wrong)), meta()), None, "{span:?}");
    }
}

fn request(reader: &str, bytes: &[u8]) -> Vec<u8> {
    let blob = Blob { uri: "docs/ü.pdf".into(), bytes: bytes.to_vec() };
    let options = ReadOptions { full_page: true, links: true, password: Some("geheim".into()) };
    let mut request = Vec::new();
    wire::write_request(&mut request, reader, &blob, &options, &Limits::default()).unwrap();
    request
}

#[test]
fn requests_round_trip() {
    let request = request("pdf", b"%PDF-");
    let mut input = request.as_slice();
    let header = wire::read_request(&mut input).unwrap();
    assert_eq!((header.reader.as_str(), header.uri.as_str()), ("pdf", "docs/ü.pdf"));
    assert_eq!(header.options, ReadOptions { full_page: true, links: true, password: Some("geheim".into()) });
    assert_eq!(header.limits, Limits::default());
    assert_eq!(wire::read_bytes(&mut input).unwrap(), b"%PDF-");
}

#[test]
fn serving_gives_what_the_reader_gives() {
    let hello = include_bytes!("../../../testdata/pdf/helloworld-bad.pdf");
    for bytes in [hello.as_slice(), b"%PDF-1.4\nnothing else"] {
        let (mut output, mut limited) = (Vec::new(), None);
        serve_with(request("pdf", bytes).as_slice(), &mut output, |limits| {
            limited = Some(*limits);
            Ok(())
        })
        .unwrap();
        assert_eq!(limited, Some(Limits::default()));
        let blob = Blob { uri: "docs/ü.pdf".into(), bytes: bytes.to_vec() };
        let options = ReadOptions { full_page: true, links: true, password: Some("geheim".into()) };
        let direct = reader_named("pdf").unwrap().read(&blob, &options);
        assert_eq!(wire::decode_answer(&output, meta()), Some(direct));
    }
}

#[test]
fn limits_come_before_the_file() {
    let request = request("pdf", b"%PDF-1.4");
    let refused = |_: &Limits| Err(io::Error::other("no limits"));
    let mut output = Vec::new();
    let error = serve_with(request.as_slice(), &mut output, refused).unwrap_err();
    assert_eq!((error.to_string().as_str(), output.len()), ("no limits", 0));
}

#[test]
fn malformed_requests_are_errors() {
    for input in [&b""[..], b"\x05", &[0xFF; 8], b"\x02\0\0\0\0\0\0\0{}", &request("nonsense", b"x")] {
        let mut output = Vec::new();
        assert!(serve_with(input, &mut output, |_| Ok(())).is_err());
        assert!(output.is_empty());
    }
}

/// Runs a shell script in the place of the worker.
fn with_script(script: &str, limits: &Limits) -> ReadError {
    let mut command = Command::new("sh");
    command.arg("-c").arg(script);
    // Larger than a pipe holds, so that a worker that does not read leaves the writer waiting.
    let blob = Blob { uri: "a.pdf".into(), bytes: vec![b'x'; 1 << 20] };
    read_with(command, meta(), &blob, &ReadOptions::default(), limits).unwrap_err()
}

fn check(script: &str, limits: Limits, expected: &str) {
    let error = with_script(script, &limits).to_string();
    assert!(error.contains(expected), "{script:?} gave {error:?}, not {expected:?}");
}

#[test]
fn a_dead_worker_is_an_error_that_says_why() {
    let limits = Limits::default();
    check("exit 0", limits, "the pdf reader failed: ended without a readable answer");
    check("exit 7", limits, "exited with code 7");
    check(
        "echo \"thread 'main' panicked at x.rs:1\" >&2; exit 101",
        limits,
        "code 101 (thread 'main' panicked at",
    );
    check("kill -SEGV $$", limits, "died of signal 11 SIGSEGV");
    check("kill -XCPU $$", limits, "CPU limit of 60 s");
    check(
        "echo 'memory allocation of 99 bytes failed' >&2; kill -ABRT $$",
        limits,
        "memory limit of 1024 MiB",
    );
    check("echo nonsense; cat >/dev/null", limits, "ended without a readable answer");
}

#[test]
fn wall_time_and_output_are_limited() {
    let limits = Limits { wall: Duration::from_millis(200), ..Limits::default() };
    check("exec sleep 60", limits, "time limit of 0.2 s");
    let limits = Limits { output_bytes: 1 << 20, ..Limits::default() };
    check("exec cat /dev/zero", limits, "output limit of 1 MiB");
    check("cat /dev/zero | head -c 3000000 >&2", Limits::default(), "without a readable answer");
}

#[test]
fn a_missing_program_is_an_error() {
    let blob = Blob { uri: "a.pdf".into(), bytes: Vec::new() };
    let missing = Path::new("/nonexistent/program");
    let error =
        read_isolated(missing, meta(), &blob, &ReadOptions::default(), &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("cannot start the worker process"));
}
