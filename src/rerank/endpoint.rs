//! Rerankers behind an address with the common rerank request.
//!
//! `URL` alone is asked as TEI serves it (`{"query", "texts"}`, answer `[{"index", "score"}]`), `URL#MODEL` as Jina, Cohere,
//! vLLM, llama.cpp and LiteLLM do (`{"model", "query", "documents"}`, answer `{"results": [{"index", "relevance_score"}]}`); either
//! answer is understood. A key comes from `RAGCTL_RERANK_API_KEY` or `RAGCTL_API_KEY`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http::{Client, HttpError, Patience};
use crate::rerank::{RerankError, Reranker};

/// Passages of one request: what TEI takes unless told otherwise.
const BATCH: usize = 32;

/// Timeouts end this much too early at most.
const TICK: Duration = Duration::from_millis(20);

/// A reranker behind an address.
#[derive(Debug)]
pub(super) struct Endpoint {
    name: String,
    url: String,
    model: Option<String>,
    client: Client,
}

/// Whether a reranker's name is an address.
pub(super) fn is_address(name: &str) -> bool {
    name.starts_with("http://") || name.starts_with("https://")
}

impl Endpoint {
    /// The reranker at the address `name`.
    pub(super) fn open(name: &str) -> Self {
        let variable = |name: &str| std::env::var(name).ok().filter(|it| !it.trim().is_empty());
        let key = variable("RAGCTL_RERANK_API_KEY").or_else(|| variable("RAGCTL_API_KEY"));
        Self::with(name, key, Patience::default())
    }

    fn with(name: &str, key: Option<String>, patience: Patience) -> Self {
        let (url, model) = match name.split_once('#') {
            Some((url, model)) => (url, Some(model.to_owned()).filter(|it| !it.is_empty())),
            None => (name, None),
        };
        Self { name: name.to_owned(), url: url.to_owned(), model, client: Client::new(key, patience) }
    }

    fn body(&self, query: &str, passages: &[&str]) -> Value {
        match &self.model {
            Some(model) => {
                json!({ "model": model, "query": query, "documents": passages, "top_n": passages.len() })
            }
            None => json!({ "query": query, "texts": passages, "truncate": true }),
        }
    }
}

impl Reranker for Endpoint {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> &str {
        &self.name
    }

    fn batch_size(&self) -> usize {
        BATCH
    }

    fn rerank(
        &self,
        query: &str,
        passages: &[&str],
        time: Option<Duration>,
    ) -> Result<Vec<f32>, RerankError> {
        let failed = |detail: String| RerankError::Failed { model: self.name.clone(), detail };
        let started = Instant::now();
        let answer = match self.client.post_json(&self.url, &self.body(query, passages), time) {
            Ok(answer) => answer,
            // Whose time is over, the caller's or the one that a server has for an answer?
            Err(HttpError::Timeout { .. }) if time.is_some_and(|it| started.elapsed() + TICK >= it) => {
                return Err(RerankError::OutOfTime { model: self.name.clone() });
            }
            Err(error) => return Err(failed(error.to_string())),
        };
        scores_of(&answer, passages.len()).map_err(|detail| failed(format!("{} gave {detail}", self.url)))
    }
}

/// The scores of an answer, in the order of the passages.
fn scores_of(answer: &Value, n_passages: usize) -> Result<Vec<f32>, String> {
    let list =
        answer.as_array().or_else(|| answer["results"].as_array()).or_else(|| answer["data"].as_array());
    let list = list.ok_or("an answer without a list of scores")?;
    let mut scores = vec![None; n_passages];
    for item in list {
        let score = item["relevance_score"].as_f64().or_else(|| item["score"].as_f64());
        let at = item["index"].as_u64().and_then(|it| usize::try_from(it).ok());
        let (Some(score), Some(slot)) = (score, at.and_then(|at| scores.get_mut(at))) else {
            return Err(format!("an entry that makes no sense: {item}"));
        };
        if slot.replace(score as f32).is_some() {
            return Err(format!("two scores for passage {}", item["index"]));
        }
    }
    let n_scores = scores.iter().flatten().count();
    scores.into_iter().collect::<Option<_>>().ok_or(format!("{n_scores} scores for {n_passages} passages"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::tests::{QUICK, Reply, Seen, Server};

    /// Scores passages by their length, in either shape, best first as servers do.
    fn answer(request: &Seen) -> Reply {
        let is_tei = request.body["texts"].is_array();
        let texts = if is_tei { &request.body["texts"] } else { &request.body["documents"] };
        let mut scored: Vec<(usize, usize)> =
            texts.as_array().unwrap().iter().map(|it| it.as_str().unwrap().len()).enumerate().collect();
        scored.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
        let entries: Vec<Value> = scored
            .into_iter()
            .map(|(index, score)| match is_tei {
                true => json!({ "index": index, "score": score }),
                false => json!({ "index": index, "relevance_score": score }),
            })
            .collect();
        Reply::ok(if is_tei { json!(entries) } else { json!({ "results": entries }) }.to_string())
    }

    #[test]
    fn both_shapes_are_spoken() {
        let server = Server::start(|_, request| answer(request));
        for (name, key) in [("/rerank", "texts"), ("/v1/rerank#some-model", "documents")] {
            let reranker = Endpoint::with(&format!("{}{name}", server.url), None, QUICK);
            assert_eq!(reranker.rerank("q", &["aa", "", "aaaa"], None).unwrap(), [2.0, 0.0, 4.0]);
            let seen = server.seen.lock().unwrap();
            let request = seen.last().unwrap();
            assert!(request.body[key].is_array() && request.body["query"] == "q", "{}", request.body);
            assert!(name.starts_with(&request.path), "{}", request.path);
        }
        assert_eq!(server.seen.lock().unwrap()[1].body["model"], "some-model");
    }

    #[test]
    fn time_that_is_over_is_told_apart_from_failing() {
        let server = Server::start(|_, _| Reply { pause: Duration::from_secs(3), ..Reply::ok("[]") });
        let reranker = Endpoint::with(&server.url, None, QUICK);
        let error = reranker.rerank("q", &["a"], Some(Duration::from_millis(50))).unwrap_err();
        assert!(matches!(error, RerankError::OutOfTime { .. }), "{error}");
        // A server that is too slow for its own time limit fails, however much the caller has left.
        let impatient = Patience { timeout: Duration::from_millis(50), n_retries: 0, ..QUICK };
        let reranker = Endpoint::with(&server.url, None, impatient);
        let error = reranker.rerank("q", &["a"], Some(Duration::from_secs(10))).unwrap_err();
        assert!(matches!(error, RerankError::Failed { .. }), "{error}");
    }

    #[test]
    fn answers_that_make_no_sense_are_errors_that_name_the_address() {
        for body in [
            "{}",
            "[]",
            "[{\"index\": 5, \"score\": 1}]",
            "[{\"index\": 0}]",
            "no",
            "[{\"index\":0,\"score\":1},{\"index\":0,\"score\":2}]",
        ] {
            let server = Server::start(move |_, _| Reply::ok(body));
            let error =
                Endpoint::with(&server.url, None, QUICK).rerank("q", &["a"], None).unwrap_err().to_string();
            assert!(error.contains(&server.url), "{error}");
        }
    }
}
