//! What can be typed about embedding models.

use std::time::Duration;

use clap::{Args, Subcommand};

use crate::cli::args::parse_seconds;

/// An embedding model.
#[derive(Debug, Args)]
pub(in crate::cli) struct ModelArgs {
    /// Embed with this model (ragctl models lists them)
    ///
    /// A folder, or OWNER/NAME of a hub, holds a dense model (BERT or DistilBERT as sentence-transformers writes it, others in ONNX
    /// format, or a vector for each token as model2vec writes it) or a sparse one (SPLADE: a masked language model, with weights for
    /// queries or without). All work with every command; ragctl help models says how folders are told apart.
    ///
    /// `openai:NAME` is a model behind an address that serves OpenAI's embeddings request (Ollama, TEI, llama.cpp, vLLM,
    /// LiteLLM and others). A new index gets the model that ingest names, static if it names none. Where embedding takes
    /// minutes, ingest makes documents searchable with static vectors first and fills in the others; a run that was stopped
    /// goes on where it was. An index that exists keeps its models: ingest embeds new documents with all of them, and reembed
    /// changes them.
    #[arg(long, value_name = "NAME", help_heading = "How to embed")]
    pub(in crate::cli) model: Option<String>,
    /// Address of an openai:NAME model, such as http://localhost:11434/v1
    ///
    /// Without it the address is in RAGCTL_ENDPOINT or OPENAI_BASE_URL, or in the index, if it is on this machine. A key is
    /// read from RAGCTL_API_KEY or OPENAI_API_KEY and stored nowhere. RAGCTL_HTTP_TIMEOUT (seconds a try) and
    /// RAGCTL_HTTP_RETRIES say how long and how often to try.
    #[arg(long, value_name = "URL", help_heading = "How to embed")]
    pub(in crate::cli) endpoint: Option<String>,
    /// Put this in front of every query (default: what the model is known to want)
    #[arg(long, value_name = "TEXT", help_heading = "How to embed")]
    pub(in crate::cli) query_prefix: Option<String>,
    /// Put this in front of every passage (default: what the model is known to want)
    #[arg(long, value_name = "TEXT", help_heading = "How to embed")]
    pub(in crate::cli) passage_prefix: Option<String>,
}

/// Embed the stored passages with another model, or go on with what was begun
///
/// Nothing is read or chunked again. The index answers with the vectors that it has until the new ones are whole; then it
/// switches at once, and the vectors of the model before are removed. Without --model it goes on with one that lacks vectors. A run that is stopped or killed goes on where it was when
/// the same command is given again.
///
/// Example: ragctl reembed --model minilm --keep && ragctl search --model static "how do I ..."
#[derive(Debug, Args)]
pub(in crate::cli) struct ReembedArgs {
    #[command(flatten)]
    pub(in crate::cli) model: ModelArgs,
    /// Keep the model that is preferred now beside the new one; search --model chooses
    ///
    /// A run that goes on with what was begun keeps what was said at its start.
    #[arg(long)]
    pub(in crate::cli) keep: bool,
    /// Remove this model with its vectors instead
    #[arg(long, value_name = "NAME", conflicts_with_all = ["model", "keep"])]
    pub(in crate::cli) drop: Option<String>,
    /// Use so many threads, at most 256; 0 for one a core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=256))]
    pub(in crate::cli) threads: u16,
    /// Wait so many seconds for another writer
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    pub(in crate::cli) lock_timeout: Duration,
    /// Print one JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// List the embedding models: built in, on this machine, to be downloaded
///
/// Any other BERT or DistilBERT model in a folder (config.json, model.safetensors, tokenizer.json or vocab.txt, as
/// sentence-transformers writes it) or in a hub's repository can be used too, others in ONNX format, and any model behind an
/// address (openai:NAME).
///
/// A folder is a static model where modules.json names StaticEmbedding, or config.json model2vec: model.safetensors has a vector for
/// each token of tokenizer.json, and a text's vector is their sum at length 1. Such models take thousands of passages a second.
///
/// A folder is a sparse model (SPLADE) where modules.json names SpladePooling, alone or behind a router whose queries go
/// through SparseStaticEmbedding; without modules.json, where config.json says ...ForMaskedLM and there is no 1_Pooling (queries
/// then have the weights of idf.json, if it is there). Of a sparse model a passage's score is d/(d+q), where d is its dot product
/// with the query and q the query's with itself: 0 to 1, in the order of d, one half for what is as near as the query itself.
///
/// Example: ragctl models pull BAAI/bge-small-en-v1.5 && ragctl reembed --model BAAI/bge-small-en-v1.5
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(in crate::cli) struct ModelsArgs {
    #[command(subcommand)]
    pub(in crate::cli) command: Option<ModelsCommand>,
    /// Measure how many passages a second these models embed on this machine; all that are here, if none is named
    ///
    /// Names are those of --model, folders among them; several are separated by commas or blanks.
    #[arg(long, value_name = "NAME", num_args = 0.., value_delimiter = ',')]
    pub(in crate::cli) measure: Option<Vec<String>>,
    /// Print one JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// What can be done with models.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ModelsCommand {
    Pull(PullArgs),
}

/// Download a model from a hub
///
/// Models lie where the hub's own tools keep them (HF_HOME, HF_HUB_CACHE); HF_ENDPOINT names another hub, HF_TOKEN a key,
/// HTTPS_PROXY a proxy. What is large is checked against the hub's SHA-256; a download that broke off goes on where it was.
/// RAGCTL_HTTP_TIMEOUT (seconds) says how long the hub may be silent, RAGCTL_HTTP_RETRIES how often to try again.
#[derive(Debug, Args)]
pub(in crate::cli) struct PullArgs {
    /// Repository, such as BAAI/bge-small-en-v1.5
    #[arg(value_name = "NAME")]
    pub(in crate::cli) name: String,
    /// Print one JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
}
