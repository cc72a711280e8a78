//! Models behind the embeddings request that OpenAI made common: Ollama, TEI, llama.cpp, vLLM, LiteLLM and others serve it.
//!
//! `POST URL/embeddings` with `{"model": .., "input": [..]}`; the answer has one vector a text under `data`. A key comes from the
//! environment alone and is in no index. The address of a server that an index names is not trusted: queries, and the key,
//! would go to whoever wrote the index. It is used if it is on this machine or the user names it too.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::content::Vectors;
use crate::embed::prefix::Prefixes;
use crate::embed::static_model::normalise;
use crate::embed::{EmbedError, Embedder, Role};
use crate::http::{Client, Patience, is_local};

/// What names of such models begin with.
pub(super) const SCHEME: &str = "openai:";

/// Keys under which an index keeps the address and the dimension.
const ENDPOINT: &str = "endpoint";
const DIMENSION: &str = "dimension";

const OPENAI: &str = "https://api.openai.com/v1";

/// Texts of one request: TEI refuses more than 32 unless told otherwise.
const MAX_TEXTS: usize = 32;

/// Tokens of one request, guessed as a third of the bytes: half of what TEI takes unless told otherwise.
const MAX_TOKENS: usize = 8192;
const BYTES_PER_TOKEN: usize = 3;

/// Weight of cosines in convex fusion: that of `minilm`, as most models that people serve are better than it. Not measured.
const FUSION_WEIGHT: f32 = 0.4;

/// A model behind an address.
#[derive(Debug)]
pub(crate) struct OpenAi {
    name: String,
    model: String,
    endpoint: String,
    url: String,
    client: Client,
    dimension: usize,
    prefixes: Prefixes,
    fingerprint: String,
}

/// What the environment says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    /// `RAGCTL_ENDPOINT`, else `OPENAI_BASE_URL`.
    pub(crate) endpoint: Option<String>,
    /// `RAGCTL_API_KEY`, else `OPENAI_API_KEY`.
    pub(crate) key: Option<String>,
    /// How long and how often is tried.
    pub(crate) patience: Patience,
    /// Whether other machines must not be asked.
    pub(crate) is_offline: bool,
}

impl Environment {
    /// Of this process.
    pub(crate) fn read() -> Self {
        let first = |names: [&str; 2]| {
            names.iter().find_map(|name| std::env::var(name).ok().filter(|it| !it.trim().is_empty()))
        };
        Self {
            endpoint: first(["RAGCTL_ENDPOINT", "OPENAI_BASE_URL"]),
            key: first(["RAGCTL_API_KEY", "OPENAI_API_KEY"]),
            patience: Patience::default(),
            is_offline: false,
        }
    }
}

impl OpenAi {
    /// Opens the model `name` (with its scheme). `named` is the address that the user gives now, `settings` what an index keeps.
    /// Asks the server for the dimension unless that is among the settings.
    ///
    /// # Errors
    ///
    /// When there is no address, it is not trusted, or the server does not answer as it should.
    pub(crate) fn open(
        name: &str,
        settings: &BTreeMap<String, String>,
        named: Option<&str>,
        environment: &Environment,
    ) -> Result<Self, EmbedError> {
        let model = name.strip_prefix(SCHEME).unwrap_or(name).to_owned();
        let endpoint = choose_endpoint(name, settings.get(ENDPOINT).map(String::as_str), named, environment)?;
        let endpoint = endpoint.trim_end_matches('/').to_owned();
        if environment.is_offline && !is_local(&endpoint) {
            return Err(EmbedError::Offline { name: name.to_owned(), endpoint });
        }
        let url = match endpoint.ends_with("/embeddings") {
            true => endpoint.clone(),
            false => format!("{endpoint}/embeddings"),
        };
        let mut opened = Self {
            name: name.to_owned(),
            prefixes: Prefixes::of(&model, settings),
            client: Client::new(environment.key.clone(), environment.patience),
            model,
            endpoint,
            url,
            dimension: settings.get(DIMENSION).and_then(|it| it.parse().ok()).unwrap_or(0),
            fingerprint: String::new(),
        };
        if opened.dimension == 0 {
            let probe = opened.request(&["dimension".to_owned()])?;
            opened.dimension = probe[0].len();
        }
        let mut hash = blake3::Hasher::new();
        let Prefixes { query, passage } = &opened.prefixes;
        for part in [&opened.model, query, passage, &opened.dimension.to_string()] {
            hash.update(part.as_bytes()).update(&[0]);
        }
        opened.fingerprint = hash.finalize().to_hex()[..16].to_owned();
        Ok(opened)
    }

    fn failed(&self, detail: impl Into<String>, is_lasting: bool) -> EmbedError {
        EmbedError::Failed { name: self.name.clone(), detail: detail.into(), is_lasting }
    }

    /// One request: a vector a text, all of one length, which is the model's where that is known.
    fn request(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let body = json!({ "model": self.model, "input": texts });
        let answer = self
            .client
            .post_json(&self.url, &body, None)
            .map_err(|error| self.failed(error.to_string(), error.is_lasting() || self.client.is_down()))?;
        let vectors = vectors_of(&answer, texts.len())
            .map_err(|detail| self.failed(format!("{} gave {detail}", self.url), true))?;
        if vectors.iter().any(|it| it.iter().all(|&it| it == 0.0)) {
            // Nothing would ever find such a passage; no model says this of a text.
            return Err(self.failed(format!("{} gave a vector of zeros", self.url), true));
        }
        let dimension = if self.dimension == 0 { vectors[0].len() } else { self.dimension };
        match vectors.iter().find(|it| it.len() != dimension) {
            Some(other) => Err(self.failed(
                format!("{} gave a vector of {} dimensions, not {dimension}", self.url, other.len()),
                true,
            )),
            None => Ok(vectors),
        }
    }
}

fn choose_endpoint(
    name: &str,
    stored: Option<&str>,
    named: Option<&str>,
    environment: &Environment,
) -> Result<String, EmbedError> {
    if let Some(endpoint) = named.or(environment.endpoint.as_deref()) {
        return match is_url(endpoint) {
            true => Ok(endpoint.to_owned()),
            false => Err(EmbedError::Failed {
                name: name.to_owned(),
                detail: format!("'{endpoint}' is not an address such as http://localhost:11434/v1"),
                is_lasting: true,
            }),
        };
    }
    match stored {
        Some(stored) if is_local(stored) || (stored == OPENAI && environment.key.is_some()) => {
            Ok(stored.to_owned())
        }
        Some(stored) => Err(EmbedError::Untrusted { name: name.to_owned(), endpoint: stored.to_owned() }),
        None if environment.key.is_some() => Ok(OPENAI.to_owned()),
        None => Err(EmbedError::NoEndpoint { name: name.to_owned() }),
    }
}

fn is_url(text: &str) -> bool {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace))
}

/// The vectors of an answer, in the order of the texts.
fn vectors_of(answer: &Value, n_texts: usize) -> Result<Vec<Vec<f32>>, String> {
    let data = answer["data"].as_array().ok_or("an answer without a list 'data'")?;
    if data.len() != n_texts {
        return Err(format!("{} vectors for {n_texts} texts", data.len()));
    }
    let mut vectors = vec![Vec::new(); n_texts];
    for (at, item) in data.iter().enumerate() {
        let at = item["index"].as_u64().and_then(|it| usize::try_from(it).ok()).unwrap_or(at);
        let values = item["embedding"].as_array().ok_or("an entry without a list 'embedding'")?;
        let vector: Option<Vec<f32>> =
            values.iter().map(|it| it.as_f64().map(|it| it as f32).filter(|it| it.is_finite())).collect();
        let vector = vector.filter(|it| !it.is_empty()).ok_or("a vector that is not made of numbers")?;
        *vectors.get_mut(at).ok_or_else(|| format!("index {at} for {n_texts} texts"))? = vector;
    }
    if vectors.iter().any(Vec::is_empty) {
        return Err("two vectors for one text".to_owned());
    }
    Ok(vectors)
}

impl Embedder for OpenAi {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn fusion_weight(&self) -> f32 {
        FUSION_WEIGHT
    }

    fn batch_size(&self) -> usize {
        MAX_TEXTS
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn settings(&self) -> BTreeMap<String, String> {
        let mut settings = self.prefixes.settings();
        settings.insert(ENDPOINT.to_owned(), self.endpoint.clone());
        settings.insert(DIMENSION.to_owned(), self.dimension.to_string());
        settings
    }

    fn embed(&self, texts: &[&str], role: Role) -> Result<Vectors, EmbedError> {
        let mut vectors = vec![0.0; texts.len() * self.dimension];
        // Servers refuse empty texts, which say nothing anyway.
        let mut left: Vec<usize> = (0..texts.len()).filter(|&at| !texts[at].trim().is_empty()).collect();
        while !left.is_empty() {
            let mut n_tokens = 0;
            let fits = |&&at: &&usize| {
                n_tokens += texts[at].len() / BYTES_PER_TOKEN + 1;
                n_tokens <= MAX_TOKENS
            };
            let n = left.iter().take(MAX_TEXTS).take_while(fits).count().max(1);
            let batch: Vec<usize> = left.drain(..n).collect();
            let prefixed: Vec<String> =
                batch.iter().map(|&at| self.prefixes.apply(texts[at], role)).collect();
            for (at, vector) in batch.into_iter().zip(self.request(&prefixed)?) {
                let to = &mut vectors[at * self.dimension..][..self.dimension];
                to.copy_from_slice(&vector);
                normalise(to);
            }
        }
        Ok(Vectors::Dense { dimension: self.dimension, values: vectors })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::registry::embedder;
    use crate::http::tests::{QUICK, Reply, Seen, Server};

    /// What the built-in static model says, in the common shape, last text first.
    fn embed(request: &Seen) -> Reply {
        let model = embedder("static").unwrap();
        let texts: Vec<&str> =
            request.body["input"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
        let vectors = model.embed(&texts, Role::Passage).unwrap();
        let entry = |(at, vector): (usize, &[f32])| json!({ "index": at, "embedding": vector.iter().map(|it| it * 2.0).collect::<Vec<_>>() });
        let mut data: Vec<Value> =
            vectors.values().chunks(model.dimension()).enumerate().map(entry).collect();
        data.reverse();
        Reply::ok(json!({ "data": data }).to_string())
    }

    fn open(name: &str, url: &str) -> Result<OpenAi, EmbedError> {
        let environment = Environment { patience: QUICK, ..Environment::default() };
        OpenAi::open(name, &BTreeMap::new(), Some(url), &environment)
    }

    #[test]
    fn vectors_are_those_of_the_server_at_length_1_in_the_order_of_the_texts() {
        let server = Server::start(|_, request| embed(request));
        let model = open("openai:nomic-embed-text", &format!("{}/v1/", server.url)).unwrap();
        assert_eq!((model.dimension(), server.n_seen()), (256, 1));
        let texts = ["how to bake bread", "", "a tax form"];
        let found = model.embed(&texts, Role::Query).unwrap();
        let expected: Vec<String> = texts.iter().map(|it| format!("search_query: {it}")).collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        let expected = embedder("static").unwrap().embed(&expected, Role::Query).unwrap();
        for (at, text) in texts.iter().enumerate() {
            let (found, expected) =
                (&found.values()[at * 256..][..256], &expected.values()[at * 256..][..256]);
            let cosine: f32 = found.iter().zip(expected).map(|(a, b)| a * b).sum();
            assert!(if text.is_empty() { cosine == 0.0 } else { cosine > 0.999_99 }, "{text}: {cosine}");
        }
        let seen = server.seen.lock().unwrap();
        assert_eq!(
            (seen[1].path.as_str(), &seen[1].body["model"]),
            ("/v1/embeddings", &"nomic-embed-text".into())
        );
    }

    #[test]
    fn what_an_index_keeps_opens_the_same_model_without_asking() {
        let server = Server::start(|_, request| embed(request));
        let model = open("openai:m", &server.url).unwrap();
        let again = OpenAi::open("openai:m", &model.settings(), None, &Environment::default()).unwrap();
        assert_eq!((again.fingerprint(), again.dimension()), (model.fingerprint(), 256));
        assert_eq!(server.n_seen(), 1);
        assert_ne!(open("openai:other", &server.url).unwrap().fingerprint(), model.fingerprint());
    }

    #[test]
    fn requests_are_small_enough() {
        let server = Server::start(|_, request| embed(request));
        let model = open("openai:m", &server.url).unwrap();
        let (short, long) = ("a ".repeat(10), "word ".repeat(2000));
        let _ = model.embed(&[short.as_str(); 70], Role::Passage).unwrap();
        let _ = model.embed(&[long.as_str(); 5], Role::Passage).unwrap();
        let sizes: Vec<usize> = server.seen.lock().unwrap()[1..]
            .iter()
            .map(|it| it.body["input"].as_array().unwrap().len())
            .collect();
        assert_eq!(sizes, [32, 32, 6, 2, 2, 1]);
    }

    #[test]
    fn answers_that_make_no_sense_are_errors_that_name_the_address() {
        let check = |body: &'static str, expected: &str| {
            let server =
                Server::start(move |at, request| if at == 0 { embed(request) } else { Reply::ok(body) });
            let model = open("openai:m", &server.url).unwrap();
            let error = model.embed(&["a"], Role::Passage).unwrap_err();
            assert!(error.is_lasting());
            let error = error.to_string();
            assert!(error.contains(&server.url) && error.contains(expected), "{error}");
        };
        check("{}", "an answer without a list 'data'");
        check("{\"data\": []}", "0 vectors for 1 texts");
        check("{\"data\": [{\"embedding\": [1, 2]}]}", "a vector of 2 dimensions, not 256");
        check("{\"data\": [{\"embedding\": [1, \"x\"]}]}", "not made of numbers");
        check("{\"data\": [{\"index\": 9, \"embedding\": [1]}]}", "index 9");
        check("{\"data\": [{\"embedding\": [0, 0.0]}]}", "a vector of zeros");
    }

    #[test]
    fn the_address_in_an_index_is_trusted_on_this_machine_only() {
        let check = |stored: &str, is_trusted: bool| {
            let environment = Environment { key: Some("k".to_owned()), ..Environment::default() };
            let chosen = choose_endpoint("openai:m", Some(stored), None, &environment);
            assert_eq!(chosen.is_ok(), is_trusted, "{stored}");
        };
        check("http://localhost:11434/v1", true);
        check("http://127.0.0.1:8080/v1", true);
        check("http://[::1]:8080/v1", true);
        check(OPENAI, true);
        check("https://example.org/v1", false);
        check("http://localhost.example.org/v1", false);
        check("http://localhost@example.org/v1", false);
        check("http://localhost:x@example.org/v1", false);
        check("http://127.0.0.1.example.org", false);
        check("http://example.org\\@localhost/", false);
        check("file:///etc/passwd", false);
        let named = choose_endpoint("m", Some("http://a/"), Some("http://b/"), &Environment::default());
        assert_eq!(named.unwrap(), "http://b/");
        assert!(choose_endpoint("m", None, None, &Environment::default()).is_err());
        assert!(choose_endpoint("m", None, Some("localhost:1"), &Environment::default()).is_err());
    }
}
