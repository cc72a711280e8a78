//! ONNX models through ONNX Runtime, which is loaded when the first such model is opened.
//!
//! The library is the one of [`use_library`]; without it, it is looked for beside the program, in the `onnxruntime` package of Python environments, and
//! where the system keeps libraries. One session a thread, one thread a session, one text at a time: on a processor larger batches
//! are slower, and dynamically quantised models would give vectors that depend on their batch.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use ort::environment::Environment;
use ort::session::Session;
use ort::value::Tensor;
use tokenizers::{PostProcessor as _, Tokenizer, TruncationDirection};

use crate::bert::folder::{FolderError, Output, json};
use crate::local::tokens::open_tokenizer;

/// An ONNX model with its tokenizer.
#[derive(Debug)]
pub(crate) struct OnnxModel {
    path: PathBuf,
    tokenizer: Tokenizer,
    /// Sessions that no thread uses now.
    idle: Mutex<Vec<Session>>,
    inputs: Vec<String>,
    output: String,
    pub(crate) width: usize,
    pub(crate) max_tokens: usize,
    pub(crate) digest: blake3::Hash,
}

impl OnnxModel {
    /// Opens the model `path` with what else lies in `folder`, for `output`.
    ///
    /// # Errors
    ///
    /// When there is no ONNX Runtime, or the model cannot be run or does not give that output.
    pub(crate) fn open(folder: &Path, path: &Path, output: Output) -> Result<Self, FolderError> {
        let failed = |detail: String| FolderError::File { path: path.to_owned(), detail };
        runtime().map_err(|detail| FolderError::Unsupported { path: folder.to_owned(), detail })?;
        let (tokenizer, tokenizer_file) = open_tokenizer(folder)?;
        let max_tokens = [
            ("sentence_bert_config.json", "max_seq_length"),
            ("tokenizer_config.json", "model_max_length"),
            ("config.json", "max_position_embeddings"),
        ]
        .into_iter()
        .filter_map(|(file, key)| json(folder, file).ok().flatten()?[key].as_u64())
        .filter_map(|it| usize::try_from(it).ok())
        .min()
        .unwrap_or(512);
        let session = new_session(path).map_err(|error| failed(error.to_string()))?;
        let inputs: Vec<String> = session.inputs().iter().map(|it| it.name().to_owned()).collect();
        let outputs: Vec<&str> = session.outputs().iter().map(|it| it.name()).collect();
        let known: &[&str] = match output {
            Output::States => {
                &["last_hidden_state", "sentence_embedding", "text_embeds", "token_embeddings", "logits"]
            }
            Output::Logits => &["logits"],
        };
        let name = known.iter().copied().find(|it| outputs.contains(it)).or(outputs.first().copied());
        let name = name.ok_or_else(|| failed("it has no outputs".to_owned()))?.to_owned();
        let bytes = std::fs::read(path).map_err(|error| failed(error.to_string()))?;
        let mut hash = blake3::Hasher::new();
        hash.update(&bytes).update(&tokenizer_file);
        let mut model = Self {
            path: path.to_owned(),
            tokenizer,
            idle: Mutex::new(vec![session]),
            inputs,
            output: name,
            width: 0,
            max_tokens: max_tokens.max(4),
            digest: hash.finalize(),
        };
        let ids = model.ids("dimension", true).map_err(failed)?;
        let (n_rows, values) = model.run(&ids, &vec![0; ids.len()]).map_err(failed)?;
        model.width = values.len() / n_rows.max(1);
        let n_known = model.tokenizer.get_vocab_size(true);
        // Some models have more rows than tokens, and their configuration says how many.
        let n_said = json(folder, "config.json")?.and_then(|it| it["vocab_size"].as_u64());
        let is_vocabulary =
            model.width >= n_known && n_said.is_none_or(|said| usize::try_from(said) == Ok(model.width));
        if output == Output::Logits && (n_rows != ids.len() || !is_vocabulary) {
            return Err(failed(format!(
                "its output '{}' has {n_rows} x {} values for {} tokens, not a logit for each of the {n_known} tokens of the vocabulary \
                 at each: was it exported for the task fill-mask?",
                model.output,
                model.width,
                ids.len()
            )));
        }
        Ok(model)
    }

    /// The id of a token.
    pub(crate) fn token_id(&self, token: &str) -> Option<u32> {
        self.tokenizer.token_to_id(token)
    }

    /// Ids of a text's tokens, however many, with or without special ones.
    pub(crate) fn ids(&self, text: &str, with_special: bool) -> Result<Vec<u32>, String> {
        self.tokenizer
            .encode(text, with_special)
            .map(|it| it.get_ids().to_vec())
            .map_err(|error| error.to_string())
    }

    /// The model's outputs for a text: one row a token, or one for all. What is longer than the model reads is cut, but for the last
    /// token, which marks the end.
    pub(crate) fn encode(&self, text: &str) -> Result<Vec<f32>, String> {
        let mut ids = self.ids(text, true)?;
        if let (true, Some(&last)) = (ids.len() > self.max_tokens, ids.last()) {
            ids.truncate(self.max_tokens - 1);
            ids.push(last);
        }
        let types = vec![0; ids.len()];
        self.run(&ids, &types).map(|(_, values)| values)
    }

    /// How well a passage answers a query, for a cross-encoder: the longer of the two is cut first.
    ///
    /// # Errors
    ///
    /// When the model has not one output for a pair of texts, or fails.
    pub(crate) fn judge(&self, query: &str, passage: &str) -> Result<f32, String> {
        let encode = |text: &str| self.tokenizer.encode(text, false).map_err(|error| error.to_string());
        let (mut query, mut passage) = (encode(query)?, encode(passage)?);
        let n_special = self.tokenizer.get_post_processor().map_or(0, |it| it.added_tokens(true));
        let room = self.max_tokens.saturating_sub(n_special);
        let (mut n_query, mut n_passage) = (query.get_ids().len(), passage.get_ids().len());
        while n_query + n_passage > room {
            if n_passage >= n_query { n_passage -= 1 } else { n_query -= 1 }
        }
        query.truncate(n_query, 0, TruncationDirection::Right);
        passage.truncate(n_passage, 0, TruncationDirection::Right);
        let pair = self.tokenizer.post_process(query, Some(passage), true);
        let pair = pair.map_err(|error| error.to_string())?;
        let (_, values) = self.run(pair.get_ids(), pair.get_type_ids())?;
        match values.as_slice() {
            [score] => Ok(*score),
            other => Err(format!(
                "it gives {} numbers for a pair of texts, not one: it is no cross-encoder",
                other.len()
            )),
        }
    }

    fn run(&self, ids: &[u32], types: &[u32]) -> Result<(usize, Vec<f32>), String> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut session = match idle {
            Some(session) => session,
            None => new_session(&self.path).map_err(|error| error.to_string())?,
        };
        let result = self.run_in(&mut session, ids, types);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(session);
        result.map_err(|error| error.to_string())
    }

    fn run_in(&self, session: &mut Session, ids: &[u32], types: &[u32]) -> ort::Result<(usize, Vec<f32>)> {
        let mut inputs = Vec::new();
        for name in &self.inputs {
            let values: Vec<i64> = match name.as_str() {
                "attention_mask" => vec![1; ids.len()],
                "token_type_ids" => types.iter().map(|&it| i64::from(it)).collect(),
                "position_ids" => (0..).take(ids.len()).collect(),
                _ => ids.iter().map(|&it| i64::from(it)).collect(),
            };
            inputs.push((name.as_str(), Tensor::from_array(([1, ids.len()], values))?));
        }
        let outputs = session.run(inputs)?;
        let (shape, values) = outputs[self.output.as_str()].try_extract_tensor::<f32>()?;
        let n_rows = if shape.len() == 3 { ids.len() } else { 1 };
        Ok((n_rows, values.to_vec()))
    }
}

fn new_session(path: &Path) -> ort::Result<Session> {
    let environment = runtime().map_err(ort::Error::new)?;
    let builder = Session::builder(&environment)?;
    let mut builder = builder.with_intra_threads(1)?;
    builder.commit_from_file(path)
}

/// The file that the user names. The library is loaded once a process, so that its name is one of the process as well.
static NAMED: OnceLock<PathBuf> = OnceLock::new();

/// Takes ONNX Runtime from `path` and nowhere else, from its first use on.
pub(crate) fn use_library(path: PathBuf) {
    // One command line, one name.
    let _ = NAMED.set(path);
}

/// Where ONNX Runtime was found; loads it.
///
/// # Errors
///
/// That it was not found, what was tried, and how to get it.
pub(crate) fn library() -> Result<PathBuf, String> {
    loaded().map(|(path, _)| path)
}

fn runtime() -> Result<Environment, String> {
    loaded().map(|(_, environment)| environment)
}

/// ONNX Runtime with the file that it came from, loaded once; what came of that is said again each time.
fn loaded() -> Result<(PathBuf, Environment), String> {
    static LOADED: OnceLock<Result<(PathBuf, Environment), String>> = OnceLock::new();
    LOADED.get_or_init(load).clone()
}

fn load() -> Result<(PathBuf, Environment), String> {
    let candidates = match NAMED.get() {
        Some(path) => vec![path.clone()],
        None => candidates(),
    };
    let mut failures = Vec::new();
    for path in &candidates {
        let built = ort::init_from(path).map_err(|error| error.to_string());
        match built.and_then(|builder| builder.build().map_err(|error| error.to_string())) {
            Ok(environment) => return Ok((path.clone(), environment)),
            Err(error) => failures.push(format!("'{}': {error}", path.display())),
        }
    }
    let tried = if failures.is_empty() { "none was found".to_owned() } else { failures.join("; ") };
    Err(format!(
        "it needs ONNX Runtime, and {tried}. To get it: python3 -m venv ~/.onnxruntime && ~/.onnxruntime/bin/pip install onnxruntime, \
         then give --ort-lib $(ls ~/.onnxruntime/lib/python3*/site-packages/onnxruntime/capi/libonnxruntime.so.*), or export it as ORT_DYLIB_PATH"
    ))
}

/// Libraries that exist, in the order in which they are tried.
fn candidates() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    folders.extend(std::env::current_exe().ok().and_then(|it| Some(it.parent()?.to_owned())));
    let environments =
        ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let users = home.iter().flat_map(|it| [it.join(".onnxruntime"), it.join(".local")]);
    for root in environments.chain(users).chain([PathBuf::from("/usr/local"), PathBuf::from("/usr")]) {
        for entry in std::fs::read_dir(root.join("lib")).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with("python3") {
                let packages = ["site-packages", "dist-packages"].map(|it| entry.path().join(it));
                folders.extend(packages.map(|it| it.join("onnxruntime/capi")));
            }
        }
    }
    folders.extend(
        [
            "/usr/local/lib",
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64",
            "/usr/lib",
            "/opt/homebrew/lib",
        ]
        .map(PathBuf::from),
    );
    let mut found = Vec::new();
    for folder in folders {
        let names = std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|it| it.file_name());
        let mut libraries: Vec<_> = names.filter(|it| is_library(&it.to_string_lossy())).collect();
        libraries.sort();
        found.extend(libraries.into_iter().map(|name| folder.join(name)));
    }
    found
}

fn is_library(name: &str) -> bool {
    let rest = name.strip_prefix("libonnxruntime.").or_else(|| name.strip_prefix("onnxruntime."));
    rest.is_some_and(|rest| {
        rest == "so" || rest.starts_with("so.") || rest == "dll" || rest.ends_with("dylib")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_known_by_their_names() {
        for name in [
            "libonnxruntime.so",
            "libonnxruntime.so.1.32.0",
            "onnxruntime.dll",
            "libonnxruntime.1.32.0.dylib",
        ] {
            assert!(is_library(name), "{name}");
        }
        for name in ["libonnxruntime_providers_shared.so", "onnxruntime.py", "libonnx.so"] {
            assert!(!is_library(name), "{name}");
        }
    }
}
