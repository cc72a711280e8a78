//! Models of a hub: where they lie on this machine, and how they get there.
//!
//! Folders are laid out as the hub's own Python library does it (`HF_HOME`, `HF_HUB_CACHE`), so that either finds what the other
//! downloaded. `HF_ENDPOINT` names another hub, `HF_TOKEN` a key. Nothing is downloaded unless the user asks for a download.

#[cfg(feature = "http")]
mod download;

use std::path::{Path, PathBuf};

#[cfg(feature = "http")]
use download::{PullLock, fetch, is_there, write_file};

/// The files that a model is made of beside its weights, as far as the hub has them.
#[cfg(feature = "http")]
const FILES: &[&str] = &[
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "vocab.txt",
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "1_Pooling/config.json",
    // What sparse models have beside those.
    "1_SpladePooling/config.json",
    "router_config.json",
    "document_1_SpladePooling/config.json",
    "query_0_SparseStaticEmbedding/config.json",
    "query_0_SparseStaticEmbedding/model.safetensors",
    "query_0_IDF/config.json",
    "query_0_IDF/model.safetensors",
    "idf.json",
    // And static ones.
    "0_StaticEmbedding/tokenizer.json",
];

/// Where downloaded models lie.
fn cache_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    folder("HF_HUB_CACHE")
        .or_else(|| folder("HF_HOME").map(|it| it.join("hub")))
        .or_else(|| folder("XDG_CACHE_HOME").map(|it| it.join("huggingface/hub")))
        .or_else(|| folder("HOME").map(|it| it.join(".cache/huggingface/hub")))
}

/// Whether `name` can be the name of a hub's repository: `owner/name`.
pub(crate) fn is_repository(name: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.'))
    };
    name.split_once('/').is_some_and(|(owner, name)| is_part(owner) && is_part(name))
}

fn repository_folder(cache: &Path, name: &str) -> PathBuf {
    cache.join(format!("models--{}", name.replace('/', "--")))
}

/// The folder of a model that was downloaded.
fn downloaded(cache: &Path, name: &str) -> Option<PathBuf> {
    if !is_repository(name) {
        return None;
    }
    let folder = repository_folder(cache, name);
    let revision = std::fs::read_to_string(folder.join("refs/main")).ok()?;
    let snapshot = folder.join("snapshots").join(is_revision(revision.trim()).then_some(revision.trim())?);
    (is_model(&snapshot) && !crate::local::has_empty_file(&snapshot)).then_some(snapshot)
}

/// Whether a folder looks like that of a model: as transformers or as sentence-transformers write it.
fn is_model(folder: &Path) -> bool {
    ["config.json", "modules.json"].iter().any(|it| folder.join(it).is_file())
}

fn is_revision(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|it| it.is_ascii_hexdigit())
}

/// The folder of a model that is on this machine and not in the program.
pub fn folder_of(name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    if is_model(path) {
        return Some(path.to_owned());
    }
    cache_folder().and_then(|cache| downloaded(&cache, name))
}

/// A folder's absolute path, so that an index finds it from everywhere; other names as they are.
pub fn canonical_name(name: &str) -> String {
    let path = Path::new(name);
    if is_model(path)
        && let Ok(path) = path.canonicalize()
    {
        return path.display().to_string();
    }
    name.to_owned()
}

/// Repositories of a hub that were downloaded, by name.
pub fn downloads() -> Vec<String> {
    let Some(cache) = cache_folder() else { return Vec::new() };
    let entries = std::fs::read_dir(&cache).into_iter().flatten().flatten();
    let names = entries.filter_map(|it| {
        let name = it.file_name().to_str()?.strip_prefix("models--")?.replacen("--", "/", 1);
        downloaded(&cache, &name).is_some().then_some(name)
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Why a model cannot be downloaded.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// The name is not `owner/name`.
    #[error("'{name}' is not the name of a hub's model, such as BAAI/bge-small-en-v1.5")]
    Name {
        /// What was asked for.
        name: String,
    },
    /// The network is not to be used.
    #[error("'{name}' would have to be downloaded, and the network is not to be used")]
    Offline {
        /// What was asked for.
        name: String,
    },
    /// This program was built without a client.
    #[error("this ragctl was built without the feature 'http', so that it cannot download '{name}'")]
    NoClient {
        /// What was asked for.
        name: String,
    },
    /// The hub does not answer as it should.
    #[error("'{name}' cannot be downloaded: {detail}")]
    Hub {
        /// What was asked for.
        name: String,
        /// Why.
        detail: String,
    },
    /// The hub refuses it: it does not know the name, or does not show it to whoever asks.
    #[error("'{name}' cannot be downloaded: {detail}")]
    Refused {
        /// What was asked for.
        name: String,
        /// What the hub answers.
        detail: String,
        /// Status code of HTTP: 401, 403, 404 or 410.
        status: u16,
    },
    /// What came is not what the hub says.
    #[error("'{file}' of '{name}' did not arrive whole: {detail}")]
    Checksum {
        /// What was asked for.
        name: String,
        /// The file.
        file: String,
        /// What differs.
        detail: String,
    },
    /// There is no place for it.
    #[error("cannot write '{}'", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

#[cfg(feature = "http")]
impl HubError {
    fn of_http(name: &str, error: &crate::http::HttpError) -> Self {
        let (name, detail) = (name.to_owned(), error.to_string());
        match *error {
            crate::http::HttpError::Status { status: status @ (401 | 403 | 404 | 410), .. } => {
                Self::Refused { name, detail, status }
            }
            _ => Self::Hub { name, detail },
        }
    }
}

/// What happens during a download.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// Another process downloads the same model; this one waits until it has ended.
    Waiting,
    /// A file comes.
    Bytes {
        /// The file.
        file: &'a str,
        /// Bytes that are here.
        n_done: u64,
        /// Bytes of the file, where the hub says it.
        n_bytes: Option<u64>,
    },
}

/// What a download brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pulled {
    /// The folder.
    pub folder: PathBuf,
    /// Files that were downloaded now.
    pub n_files: usize,
    /// Their bytes.
    pub n_bytes: u64,
    /// Files whose SHA-256 the hub told and that was checked; of the others the length was.
    pub n_checked: usize,
}

/// Downloads the model `name` of a hub; `progress` hears of the bytes. Two at once on one machine: the second waits for the first.
///
/// # Errors
///
/// When it cannot be downloaded.
pub fn pull(
    name: &str,
    is_offline: bool,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Pulled, HubError> {
    if is_offline {
        return Err(HubError::Offline { name: name.to_owned() });
    }
    #[cfg(feature = "http")]
    {
        let variable = |name: &str| std::env::var(name).ok().filter(|it| !it.trim().is_empty());
        let cache = cache_folder().ok_or_else(|| HubError::Hub {
            name: name.to_owned(),
            detail: "there is no home folder for it; HF_HOME names one".to_owned(),
        })?;
        let endpoint = variable("HF_ENDPOINT").unwrap_or_else(|| "https://huggingface.co".to_owned());
        let client = crate::http::Client::new(variable("HF_TOKEN"), crate::http::Patience::default());
        pull_from(name, &cache, &endpoint, &client, progress)
    }
    #[cfg(not(feature = "http"))]
    {
        let _ = progress;
        Err(HubError::NoClient { name: name.to_owned() })
    }
}

/// Downloads the model `name` into `cache`; files that are there already and are what the hub says stay, and one that was cut off is
/// gone on with.
///
/// # Errors
///
/// When the hub does not have it, or something does not arrive whole; what arrived stays for the next try.
#[cfg(feature = "http")]
fn pull_from(
    name: &str,
    cache: &Path,
    hub: &str,
    client: &crate::http::Client,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Pulled, HubError> {
    let failed = |detail: String| HubError::Hub { name: name.to_owned(), detail };
    if !is_repository(name) {
        return Err(HubError::Name { name: name.to_owned() });
    }
    let repository = repository_folder(cache, name);
    // Where the hub's own library has its locks, one for each repository.
    let lock = cache.join(".locks").join(repository.file_name().unwrap_or_default()).join("ragctl.lock");
    let _lock = PullLock::acquire(&lock, &mut || progress(Progress::Waiting))
        .map_err(|source| HubError::Io { path: lock, source })?;
    let hub = hub.trim_end_matches('/');
    let listing = client
        .get_json(&format!("{hub}/api/models/{name}/revision/main"))
        .map_err(|error| HubError::of_http(name, &error))?;
    let revision = listing["sha"].as_str().filter(|it| is_revision(it));
    let revision = revision.ok_or_else(|| failed(format!("{hub} names no revision of it")))?;
    let there: Vec<&str> = listing["siblings"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|it| it["rfilename"].as_str())
        .collect();
    let folder = repository.join("snapshots").join(revision);
    let mut pulled = Pulled { folder: folder.clone(), ..Pulled::default() };
    let mut bring = |file: &str| -> Result<(), HubError> {
        let path = folder.join(file);
        let url = format!("{hub}/{name}/resolve/{revision}/{file}");
        let head = client.head(&url).map_err(|error| HubError::of_http(name, &error))?;
        if is_there(&path, &head).map_err(|error| error.of(name, file))? {
            return Ok(());
        }
        let fetched = fetch(client, &url, &path, &head, &mut |n_done| {
            progress(Progress::Bytes { file, n_done, n_bytes: head.n_bytes });
        });
        pulled.n_checked += usize::from(fetched.map_err(|error| error.of(name, file))?);
        pulled.n_files += 1;
        pulled.n_bytes += path.metadata().map_or(0, |it| it.len());
        Ok(())
    };
    FILES.iter().filter(|it| there.contains(it)).try_for_each(|file| bring(file))?;
    let weights = crate::local::weights_among(&folder, &there)
        .ok_or_else(|| failed("it has no weights that can be run here, as safetensors or ONNX".to_owned()))?;
    bring(weights)?;
    // Where an ONNX file is too large for its format, the weights lie beside it.
    let beside = format!("{weights}_data");
    if there.contains(&beside.as_str()) {
        bring(&beside)?;
    }
    // Last: a model without this file is not found.
    let main = repository.join("refs/main");
    write_file(&main, revision.as_bytes()).map_err(|source| HubError::Io { path: main.clone(), source })?;
    Ok(pulled)
}

#[cfg(all(test, feature = "http"))]
mod tests;
