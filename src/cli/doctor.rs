//! `ragctl doctor`: whether this program, this machine and this index are in order, and what to do where they are not.

use std::path::Path;
use std::time::Instant;

use crate::cli::args::{DoctorArgs, Global};
use crate::cli::error::{CliError, Exit};
use crate::cli::index::{self, Index};
use crate::cli::output::Output;
use crate::cli::{calibrate, ingest};
use crate::content::split_member;
use crate::embed::{self, Role};
use crate::hub;
#[cfg(feature = "onnx")]
use crate::local::onnx_library;
use crate::read::worker::read_isolated;
use crate::read::{Blob, ReadOptions, reader_named};
use crate::render::human;
use crate::render::json::{DiagnosisOut, DoctorOut};
use crate::source::location_of_uri;
use crate::store::embedded::{Need, root_of};
use crate::store::{Store, StoreError};

/// What a worker process is tried with.
const SAMPLE_PDF: &[u8] = include_bytes!("../../testdata/docs/reference/release-notes.pdf");
/// A word of its text.
const SAMPLE_WORD: &str = "Kestrel";

/// Variables that change what the program does. Their values are nobody's business.
const VARIABLES: &[&str] = &[
    "RAGCTL_INDEX",
    "RAGCTL_BASE_FILTER",
    "RAGCTL_OFFLINE",
    "RAGCTL_ENDPOINT",
    "RAGCTL_API_KEY",
    "RAGCTL_RERANK_API_KEY",
    "RAGCTL_PASSWORD",
    "RAGCTL_MCP_TOKEN",
    "RAGCTL_HTTP_TIMEOUT",
    "RAGCTL_HTTP_RETRIES",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "HF_HOME",
    "HF_HUB_CACHE",
    "HF_ENDPOINT",
    "HF_TOKEN",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "ORT_DYLIB_PATH",
    "NO_COLOR",
];

pub(super) fn run(args: &DoctorArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let mut checks = vec![program(), settings(), worker(), built_in_model(), downloads(), onnx_runtime()];
    checks.extend(index_checks(global));
    let answer = DoctorOut::new(checks);
    let is_well = answer.ok;
    if args.json {
        output.json(&answer)?;
    } else {
        output.text(&human::diagnoses(&answer.checks, output.style()))?;
    }
    Ok(if is_well { Exit::Success } else { Exit::Failure })
}

fn program() -> DiagnosisOut {
    let parts = [
        ("http", cfg!(feature = "http")),
        ("minilm", cfg!(feature = "minilm")),
        ("onnx", cfg!(feature = "onnx")),
    ];
    let parts: Vec<&str> = parts.into_iter().filter(|it| it.1).map(|it| it.0).collect();
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let detail =
        format!("ragctl {} with {}; {n_threads} threads", env!("CARGO_PKG_VERSION"), parts.join(", "));
    DiagnosisOut::ok("program", detail)
}

fn settings() -> DiagnosisOut {
    let set: Vec<&str> = VARIABLES
        .iter()
        .copied()
        .filter(|name| std::env::var_os(name).is_some_and(|it| !it.is_empty()))
        .collect();
    let detail =
        if set.is_empty() { "no variable is set".to_owned() } else { format!("{} set", set.join(", ")) };
    DiagnosisOut::ok("settings", detail)
}

/// Risky formats need a second process of this program, with limits.
fn worker() -> DiagnosisOut {
    let name = "reader process";
    let (Some(isolation), Some(reader)) = (ingest::isolation(), reader_named("pdf")) else {
        return DiagnosisOut::problem(
            name,
            "this program's own file is not found",
            "start ragctl by its path",
        );
    };
    let blob = Blob { uri: "sample.pdf".to_owned(), bytes: SAMPLE_PDF.to_vec() };
    let started = Instant::now();
    let hint = "PDF and office files cannot be read here; see what keeps ragctl from starting itself (limits, sandbox)";
    match read_isolated(&isolation.program, reader.meta(), &blob, &ReadOptions::default(), &isolation.limits)
    {
        Ok(parsed) if parsed.document.text.contains(SAMPLE_WORD) => {
            DiagnosisOut::ok(name, format!("a PDF is read in {} ms", started.elapsed().as_millis()))
        }
        Ok(_) => DiagnosisOut::problem(name, "the text of a PDF is not what it says", hint),
        Err(error) => DiagnosisOut::problem(name, error.to_string(), hint),
    }
}

fn built_in_model() -> DiagnosisOut {
    let started = Instant::now();
    let embedded = embed::embedder(embed::DEFAULT_MODEL)
        .and_then(|model| Ok(model.embed(&["water"], Role::Query)?.into_rows().pop()));
    match embedded {
        Ok(Some(vector)) if !vector.as_ref().is_zero() => {
            let detail =
                format!("'{}' answers in {} ms", embed::DEFAULT_MODEL, started.elapsed().as_millis());
            DiagnosisOut::ok("built-in model", detail)
        }
        Ok(_) => DiagnosisOut::problem("built-in model", "it gives no vector", "build or fetch ragctl again"),
        Err(error) => {
            DiagnosisOut::problem("built-in model", error.to_string(), "build or fetch ragctl again")
        }
    }
}

fn downloads() -> DiagnosisOut {
    let names = hub::downloads();
    let detail = match names.len() {
        0 => "none; ragctl models lists what there is".to_owned(),
        _ => names.join(", "),
    };
    DiagnosisOut::ok("downloaded models", detail)
}

#[cfg(feature = "onnx")]
fn onnx_runtime() -> DiagnosisOut {
    match onnx_library() {
        Ok(path) => DiagnosisOut::ok("ONNX Runtime", path.display().to_string()),
        Err(why) => DiagnosisOut::note("ONNX Runtime", "not found; only models in ONNX format need it", why),
    }
}

#[cfg(not(feature = "onnx"))]
fn onnx_runtime() -> DiagnosisOut {
    DiagnosisOut::note(
        "ONNX Runtime",
        "this ragctl was built without it",
        "build with the cargo feature 'onnx'",
    )
}

fn index_checks(global: &Global) -> Vec<DiagnosisOut> {
    let index = match index::open_quietly(global, Need::ALL) {
        Ok(index) => index,
        Err(error) if matches!(error, CliError::Store(StoreError::NotFound { .. })) => {
            return vec![DiagnosisOut::note("index", error.to_string(), "ragctl ingest FOLDER makes one")];
        }
        Err(error) => {
            let hint = error.hint().unwrap_or_else(|| "ragctl verify says more".to_owned());
            return vec![DiagnosisOut::problem("index", error.to_string(), hint)];
        }
    };
    looked_at(&index).unwrap_or_else(|error| {
        vec![DiagnosisOut::problem("index", error.to_string(), "ragctl verify says more".to_owned())]
    })
}

fn looked_at(index: &Index) -> Result<Vec<DiagnosisOut>, CliError> {
    let store = index.store()?;
    let info = store.info()?;
    let detail = format!(
        "{} (format {}, generation {}), {}, {} chunks",
        info.path.display(),
        info.format,
        info.generation,
        documents(info.n_documents),
        info.n_chunks
    );
    let mut checks = vec![DiagnosisOut::ok("index", detail)];
    checks
        .extend(info.degraded.iter().map(|it| DiagnosisOut::problem("index", it.clone(), "ragctl reindex")));
    for model in info.models.iter().filter(|it| !it.is_whole) {
        let detail = format!("vectors of '{}' are not all there yet", model.info.name);
        checks.push(DiagnosisOut::note(
            "vectors",
            detail,
            format!("ragctl reembed --model {} goes on", model.info.name),
        ));
    }
    for kept in calibrate::kept(index, &store)? {
        if let Some(what) = kept.void {
            let detail = format!("the threshold for {} searches is void: {what} changed since", kept.mode);
            checks.push(DiagnosisOut::note(
                "threshold",
                detail,
                format!("ragctl calibrate --mode {}", kept.mode),
            ));
        }
    }
    let root = root_of(index.folder());
    let n_gone = store.documents()?.iter().filter(|it| is_gone(&root, &it.uri)).count();
    if n_gone > 0 {
        let detail = format!("the files of {} are not there any more", documents(n_gone));
        checks.push(DiagnosisOut::note(
            "sources",
            detail,
            "ragctl ingest PATH --prune removes what is gone below PATH",
        ));
    }
    if info.n_documents_with_warnings > 0 {
        let detail = format!("read with warnings: {}", documents(info.n_documents_with_warnings));
        checks.push(DiagnosisOut::note("sources", detail, "ragctl list shows them"));
    }
    Ok(checks)
}

fn documents(n: usize) -> String {
    format!("{n} document{}", human::plural(n))
}

/// Whether a document's file, or the file that it is a part of, is certainly not there.
fn is_gone(root: &Path, uri: &str) -> bool {
    let file = split_member(uri).map_or(uri, |(file, _)| file);
    location_of_uri(root, file).is_some_and(|path| matches!(path.try_exists(), Ok(false)))
}
