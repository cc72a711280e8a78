//! The server on HTTP (MCP's "streamable HTTP"), on the loopback unless told otherwise.
//!
//! A page in a browser can reach a server on the loopback: `Host` and `Origin` are checked, by the SDK, before anything is
//! answered. A token is compared without saying by its time how much of it was right.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use http_body_util::{BodyExt as _, Full, combinators::BoxBody};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, HeaderValue, WWW_AUTHENTICATE};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use super::server::Server;
use super::{HttpOptions, McpError};

/// Path of the endpoint.
const PATH: &str = "/mcp";

type Service = StreamableHttpService<Server, LocalSessionManager>;
type Answer = Response<BoxBody<Bytes, Infallible>>;

/// Whether an address is reached from this machine alone.
pub fn is_loopback(address: &SocketAddr) -> bool {
    address.ip().is_loopback()
}

/// Serves until the process ends.
pub(super) async fn serve(
    server: Server,
    options: &HttpOptions,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), McpError> {
    let failed = |source| McpError::Io { action: format!("listen on {}", options.address), source };
    let listener = TcpListener::bind(options.address).await.map_err(failed)?;
    let bound = listener.local_addr().map_err(failed)?;
    let mut hosts: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).to_vec();
    hosts.extend(options.allowed_hosts.iter().cloned());
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts)
        .with_allowed_origins(options.allowed_origins.iter().cloned())
        .enforce_origin_validation();
    let sessions = Arc::new(LocalSessionManager::default());
    let service = Service::new(move || Ok(server.clone()), sessions, config);
    let token: Option<Arc<str>> = options.token.as_deref().map(Arc::from);
    listening(bound);
    loop {
        // One connection that cannot be accepted (too many open files) is no reason to end the others.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            continue;
        };
        let (service, token) = (service.clone(), token.clone());
        tokio::spawn(async move {
            let answer = hyper::service::service_fn(move |request| {
                let (service, token) = (service.clone(), token.clone());
                async move { Ok::<_, Infallible>(answer(&service, token.as_deref(), request).await) }
            });
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), answer);
            let _ = connection.await;
        });
    }
}

async fn answer(service: &Service, token: Option<&str>, request: Request<Incoming>) -> Answer {
    if request.uri().path() != PATH {
        return refuse(StatusCode::NOT_FOUND, "the server answers at /mcp\n");
    }
    if token.is_some_and(|token| !shows(&request, token)) {
        let mut answer = refuse(StatusCode::UNAUTHORIZED, "a token is needed: Authorization: Bearer TOKEN\n");
        answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        return answer;
    }
    service.handle(request).await
}

/// Whether a request shows the token.
fn shows(request: &Request<Incoming>, token: &str) -> bool {
    let shown = request.headers().get(AUTHORIZATION).map(HeaderValue::as_bytes).unwrap_or_default();
    let (scheme, shown) = shown.split_at(shown.len().min(7));
    // Hashes differ all over as soon as one byte does, so that the time of comparing them says nothing.
    scheme.eq_ignore_ascii_case(b"Bearer ") && blake3::hash(shown) == blake3::hash(token.as_bytes())
}

fn refuse(status: StatusCode, text: &'static str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *answer.status_mut() = status;
    answer
}
