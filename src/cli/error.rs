//! From errors to messages, hints and exit codes. The only place that decides them.

use std::process::ExitCode;

use crate::chunk::{ChunkConfigError, UnknownChunker};
use crate::cli::output::Output;
use crate::embed::EmbedError;
use crate::eval::RunError;
use crate::eval::collection::CollectionError;
use crate::filter::FilterError;
use crate::hub::HubError;
use crate::mcp::McpError;
use crate::read::ReadError;
use crate::render::{hints, json};
use crate::rerank::RerankError;
use crate::search::{MAX_CANDIDATES, NavigateError, SearchError};
use crate::source::{ContainerError, WalkError};
use crate::store::{PatternError, StoreError};
use crate::transform::PipelineError;

/// How the program ends (SPEC 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// Found, or done.
    Success,
    /// Nothing found.
    NothingFound,
    /// An error, or bad usage.
    Failure,
    /// Partly done.
    Partial,
    /// A measured value is below its bar.
    BelowBar,
    /// Told to stop.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Success => 0,
            Exit::NothingFound => 1,
            Exit::Failure => 2,
            Exit::Partial => 3,
            Exit::BelowBar => 4,
            Exit::Interrupted => 130,
        })
    }
}

/// Anything that ends a command.
#[derive(Debug, thiserror::Error)]
pub(super) enum CliError {
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The search fails.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// An id leads nowhere.
    #[error(transparent)]
    Navigate(#[from] NavigateError),
    /// The walk cannot begin.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// A file cannot be read as a document.
    #[error("cannot read '{path}'")]
    Read {
        /// The file.
        path: String,
        /// Why.
        source: ReadError,
    },
    /// A member of an archive cannot be read.
    #[error("cannot read '{path}'")]
    Member {
        /// The member.
        path: String,
        /// Why.
        source: ContainerError,
    },
    /// A filter does not parse.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// A pattern does not compile.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// No such model.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// No such reranker.
    #[error(transparent)]
    Rerank(#[from] RerankError),
    /// A model cannot be downloaded.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// No such transformer.
    #[error(transparent)]
    Transform(#[from] PipelineError),
    /// The server cannot be started.
    #[error("cannot {action}")]
    Start {
        /// What was tried.
        action: String,
        /// Why not.
        source: std::io::Error,
    },
    /// No such chunker.
    #[error(transparent)]
    Chunker(#[from] UnknownChunker),
    /// The chunker's limits make no sense.
    #[error(transparent)]
    ChunkConfig(#[from] ChunkConfigError),
    /// A test collection cannot be used.
    #[error(transparent)]
    Collection(#[from] CollectionError),
    /// A question of a test collection cannot be asked.
    #[error(transparent)]
    Question(#[from] RunError),
    /// An argument makes no sense.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        hint: String,
    },
    /// A file cannot be read or written.
    #[error("cannot {action} '{path}'")]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The reader of our output has gone.
    #[error("the output is closed")]
    ClosedPipe,
}

impl From<McpError> for CliError {
    fn from(error: McpError) -> Self {
        match error {
            McpError::Store(error) => error.into(),
            McpError::About(error) => error.into(),
            McpError::NoVectors => {
                Self::usage(error.to_string(), "leave --about out, or ingest documents first")
            }
            McpError::Io { action, source } => Self::Start { action, source },
        }
    }
}

impl CliError {
    /// Bad usage.
    pub(super) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), hint: hint.into() }
    }

    /// An error on a file; a closed pipe is told apart.
    pub(super) fn io(action: &'static str, path: impl Into<String>, source: std::io::Error) -> Self {
        match source.kind() {
            std::io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Io { action, path: path.into(), source },
        }
    }

    pub(super) fn exit(&self) -> Exit {
        match self {
            Self::Navigate(NavigateError::Unknown { .. }) => Exit::NothingFound,
            Self::ClosedPipe => Exit::Success,
            _ => Exit::Failure,
        }
    }

    /// Writes the message, its causes and the next step to stderr.
    pub(super) fn report(&self, output: &Output, as_json: bool) {
        if matches!(self, Self::ClosedPipe) {
            return;
        }
        let (message, hint) = (self.chain(), self.hint());
        if as_json {
            output.error_json(&json::ErrorOut::new(message, hint));
            return;
        }
        output.error(&format!("error: {message}"));
        if let Self::Search(SearchError::Query { error, text }) = self {
            error.pointed(text).lines().for_each(|line| output.error(&format!("  {line}")));
        }
        if let Self::Navigate(NavigateError::Ambiguous { candidates, .. }) = self {
            for candidate in candidates {
                output.error(&format!("  {candidate}"));
            }
            if candidates.len() == MAX_CANDIDATES {
                output.error("  and perhaps more");
            }
        }
        if let Some(hint) = hint {
            output.error(&format!("hint: {hint}"));
        }
    }

    /// The message with its causes, each once.
    fn chain(&self) -> String {
        let mut message = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(it) = cause {
            let text = it.to_string();
            if !message.ends_with(&text) {
                message.push_str(": ");
                message.push_str(&text);
            }
            cause = it.source();
        }
        message
    }

    pub(super) fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Store(error) => return store_hint(error),
            Self::Search(error) => return search_hint(error),
            Self::Navigate(error) => match error {
                NavigateError::Unknown { .. } => "ragctl list, ragctl sections and ragctl search print ids",
                NavigateError::Ambiguous { .. } => "give more characters of the id",
                NavigateError::NotAChunk { .. } => {
                    "use ragctl zoom or ragctl show for documents and sections"
                }
                NavigateError::Store(error) => return store_hint(error),
            },
            Self::Walk(WalkError::Root { .. }) => "check the path; nothing was ingested",
            Self::Walk(WalkError::Glob { .. }) => "write globs as in .gitignore, such as '*.md' or 'drafts/'",
            Self::Read { source, .. } => hints::for_read_error(source),
            Self::Member { source, .. } => hints::for_container_error(source),
            Self::Filter(_) => "write filters such as: owner = \"alice\" AND year >= 2024 AND NOT archived",
            Self::Pattern(_) => "quote the pattern for the shell, or search for it literally with -F",
            Self::Embed(error) => return embed_hint(error),
            Self::Hub(error) => match error {
                HubError::Offline { .. } => "leave --offline and RAGCTL_OFFLINE out",
                HubError::Name { .. } => "ragctl models lists some",
                HubError::NoClient { .. } => "put the model's files into a folder and give that as --model",
                HubError::Io { .. } => "HF_HOME names another folder for models",
                HubError::Refused { status: 404 | 410, .. } => {
                    "check the name, OWNER/NAME as the hub writes it; private models need a key in HF_TOKEN; HF_ENDPOINT names \
                     another hub"
                }
                HubError::Refused { .. } => {
                    "gated and private models need a key in HF_TOKEN that may read them; hubs answer so for names that they do not \
                     know, too: check the name"
                }
                HubError::Hub { .. } | HubError::Checksum { .. } => {
                    "run the same command again; HF_ENDPOINT names another hub, HTTPS_PROXY a proxy"
                }
            },
            Self::Start { .. } => "another address may be free: --http 127.0.0.1:0 takes any port",
            Self::Rerank(RerankError::Offline { .. }) => "leave --offline and RAGCTL_OFFLINE out",
            Self::Rerank(_) | Self::Transform(_) | Self::Chunker(_) => return None,
            Self::ChunkConfig(_) => "the defaults are --max-chunk-size 1500 --overlap 200 --min-chunk-size 0",
            Self::Collection(error) => match error {
                CollectionError::Store(error) => return store_hint(error),
                CollectionError::Missing { .. } => "name the files with --corpus, --queries and --qrels",
                CollectionError::Format { .. } => "ragctl help eval names the forms that are read",
                CollectionError::TooLarge { .. } => "is it the corpus? that is named with --corpus",
                CollectionError::OtherIndex { .. } => {
                    "name another folder with --corpus-index; leave --corpus out to ask this index"
                }
                CollectionError::Document { .. } | CollectionError::Io { .. } => {
                    "check the file and its permissions"
                }
            },
            Self::Question(error) => return search_hint(&error.source),
            Self::Usage { hint, .. } => return Some(hint.clone()),
            Self::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
                "free some space and run the same command again"
            }
            Self::Io { .. } => "check the path and its permissions",
            Self::ClosedPipe => return None,
        };
        Some(hint.to_owned())
    }
}

fn search_hint(error: &SearchError) -> Option<String> {
    match error {
        SearchError::EmptyQuery => Some("give some words to look for".to_owned()),
        SearchError::Query { .. } => Some(
            "ragctl help query explains the syntax; without --strict, what does not parse is text".to_owned(),
        ),
        SearchError::Unsupported { .. } => Some("ragctl info says what the index holds".to_owned()),
        SearchError::Rerank(_) => None,
        SearchError::Embed(error) => embed_hint(error),
        SearchError::Store(error) => store_hint(error),
    }
}

fn embed_hint(error: &EmbedError) -> Option<String> {
    match error {
        EmbedError::Changed { name } => Some(format!(
            "ragctl reembed --model {name} embeds the stored passages anew; text search (--text) works meanwhile"
        )),
        EmbedError::NotDownloaded { name } => Some(format!("ragctl models pull {name} downloads it")),
        EmbedError::UnknownModel { .. } => {
            Some("ragctl models lists what there is; a folder, OWNER/NAME of a hub and openai:NAME work too".to_owned())
        }
        EmbedError::Folder { .. } => Some(
            "a folder holds config.json, model.safetensors and tokenizer.json or vocab.txt of a BERT or DistilBERT model, dense or sparse, or a \
             static model (ragctl help models); serve others with Ollama, TEI or vLLM and use openai:NAME"
                .to_owned(),
        ),
        EmbedError::Offline { .. } => Some("leave --offline and RAGCTL_OFFLINE out".to_owned()),
        EmbedError::NoEndpoint { .. } => Some(
            "name it with --endpoint or RAGCTL_ENDPOINT, such as http://localhost:11434/v1 for Ollama; a key goes into \
             RAGCTL_API_KEY or OPENAI_API_KEY"
                .to_owned(),
        ),
        EmbedError::Untrusted { endpoint, .. } => Some(format!(
            "if you want your queries to go there, say so: --endpoint {endpoint}, or RAGCTL_ENDPOINT={endpoint}; text search \
             (--text) needs no model"
        )),
        _ => None,
    }
}

fn store_hint(error: &StoreError) -> Option<String> {
    let hint = match error {
        StoreError::NotFound { .. } => {
            "make one with: ragctl ingest PATH, or name one with --index".to_owned()
        }
        StoreError::Format { path, .. } => {
            format!("use the ragctl that made it, or move '{}' away and ingest again", path.display())
        }
        StoreError::NotAnIndex { .. } => {
            "name an index folder with --index, or another place for a new one".to_owned()
        }
        StoreError::Locked { .. } => "wait for it to finish, or wait longer with --lock-timeout".to_owned(),
        StoreError::Model { indexed, asked } => format!(
            "ragctl reembed --model {asked} embeds the stored passages with it (--keep keeps {} too)",
            indexed.join(" and ")
        ),
        StoreError::Unfinished { name } => {
            format!("ragctl reembed goes on with them; ragctl reembed --drop {name} throws them away")
        }
        StoreError::SameName { name } => {
            format!("ragctl reembed --drop {name} removes it; without --keep the new one takes the place of the preferred one")
        }
        StoreError::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
            "free some space and run the same command again; nothing is lost".to_owned()
        }
        StoreError::Io { .. } => "check the folder's permissions and that its disk can be written".to_owned(),
        StoreError::Database { source, .. } => match source.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => {
                "free some space and run the same command again; nothing is lost".to_owned()
            }
            Some(rusqlite::ErrorCode::ReadOnly | rusqlite::ErrorCode::CannotOpen) => {
                "check the folder's permissions and that its disk can be written".to_owned()
            }
            _ => "ragctl verify tells what is damaged".to_owned(),
        },
        StoreError::Corrupt { .. } => {
            "ragctl verify tells what is damaged; ingest again into a new index".to_owned()
        }
        StoreError::Text(_) | StoreError::Vectors(_) => {
            "check that the disk has space and can be written, then run the same command again; ragctl reindex builds it anew"
                .to_owned()
        }
        StoreError::PatternTimeout { .. } => {
            "make the pattern narrower, or narrow the search with --path-prefix".to_owned()
        }
    };
    Some(hint)
}
