//! The MCP server (Model Context Protocol, <https://modelcontextprotocol.io>): [`crate::tools`] over JSON-RPC, on standard
//! input and output or on HTTP.
//!
//! The only module that is asynchronous: it speaks the protocol through the official SDK (`rmcp`) and hands every call to a
//! thread that may block. [`library`] keeps opened stores and follows the index from generation to generation. Nothing but
//! the protocol goes to standard output.

mod http;
mod library;
mod server;
mod watch;

use std::net::SocketAddr;
use std::path::PathBuf;

use rmcp::ServiceExt as _;
use tokio::runtime::Runtime;

use crate::search::SearchError;
use crate::store::{Scope, StoreError};
use crate::tools::TraceLog;

pub use http::is_loopback;
pub use library::OpenEmbedder;

use library::Library;
use server::Server;

/// How to serve.
pub struct Options {
    /// Folder of the index.
    pub folder: PathBuf,
    /// What every call sees; nothing that a client sends can widen it.
    pub base: Scope,
    /// Opens the model that a store's vectors come from.
    pub embedder: OpenEmbedder,
    /// Most tokens of an answer.
    pub budget: usize,
    /// A topic whose best passages are part of the instructions, and how many of them.
    pub about: Option<(String, usize)>,
    /// Where calls are traced.
    pub trace: Option<TraceLog>,
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("folder", &self.folder)
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}

/// Where to listen on HTTP.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// Address and port.
    pub address: SocketAddr,
    /// What clients have to show as `Authorization: Bearer`.
    pub token: Option<String>,
    /// Names under which the server is reached, beside those of the loopback; checked against `Host`.
    pub allowed_hosts: Vec<String>,
    /// Web pages that may connect, as `https://app.example.com:443`; checked against `Origin`.
    pub allowed_origins: Vec<String>,
}

/// Why the server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum McpError {
    /// The index cannot be opened or read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The search for the topic failed.
    #[error("cannot search for the topic")]
    About(#[from] SearchError),
    /// A topic needs a search by meaning.
    #[error("this index has no vectors, which --about needs")]
    NoVectors,
    /// No thread, or no connection.
    #[error("cannot {action}")]
    Io {
        /// What was tried.
        action: String,
        /// Why not.
        source: std::io::Error,
    },
}

/// Serves one client on standard input and output, until it closes them.
///
/// # Errors
///
/// When the index cannot be read at the start.
pub fn serve_stdio(options: Options) -> Result<(), McpError> {
    let server = Server::new(options)?;
    let runtime = runtime()?;
    runtime.block_on(async {
        tokio::spawn(server.clone().watch());
        // A client that leaves during the handshake is as good as one that leaves after it.
        if let Ok(running) = server.serve(rmcp::transport::stdio()).await {
            let _ = running.waiting().await;
        }
    });
    // A search that is still running has nobody to answer.
    runtime.shutdown_background();
    Ok(())
}

/// Serves any number of clients on HTTP until the process ends; `listening` is told the address once it is bound.
///
/// # Errors
///
/// When the index cannot be read at the start, or the address cannot be bound.
pub fn serve_http(
    options: Options,
    http: &HttpOptions,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), McpError> {
    let server = Server::new(options)?;
    runtime()?.block_on(async {
        tokio::spawn(server.clone().watch());
        http::serve(server, http, listening).await
    })
}

fn runtime() -> Result<Runtime, McpError> {
    let failed = |source| McpError::Io { action: "start the server's threads".to_owned(), source };
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // Each blocking call holds an opened store.
        .max_blocking_threads(16)
        .enable_all()
        .build()
        .map_err(failed)
}
