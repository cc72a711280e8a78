//! Sparse models in folders: SPLADE (Formal et al., "SPLADE v2: Sparse Lexical and Expansion Model for Information Retrieval", 2021)
//! and its relatives.
//!
//! A text's weight of a token of the vocabulary is `log(1 + x)` of the largest logit `x` above zero that a masked language model
//! gives that token at any place of the text, special tokens included, as in the authors' code; `sum` instead of the largest, and a
//! second logarithm, where the folder says so ([`layout`](super::layout)). Queries go the same way, or need no model: each of their
//! tokens has its own weight.

use std::collections::BTreeMap;
use std::path::Path;

use crate::bert::folder::FolderError;
use crate::bert::math::ln_1p;
use crate::content::{TokenWeight, VectorKind, Vectors};
use crate::embed::folder::FUSION_WEIGHT;
use crate::embed::layout::{QueryWeights, SpladePooling, Strategy};
use crate::embed::prefix::Prefixes;
use crate::embed::{EmbedError, Embedder, Role};
use crate::local::{Engine, Output, read_array};

/// A sparse model in a folder.
#[derive(Debug)]
pub(super) struct Splade {
    name: String,
    model: Engine,
    pooling: SpladePooling,
    /// A weight for each token, where queries do not go through the model.
    query_weights: Option<Vec<f32>>,
    prefixes: Prefixes,
    fingerprint: String,
}

impl Splade {
    /// Opens the transformer in the folder `path`, as the model `name`.
    ///
    /// # Errors
    ///
    /// When it is no masked language model that can be run, or the weights of queries do not fit it.
    pub(super) fn open(
        name: &str,
        path: &Path,
        pooling: SpladePooling,
        query: Option<&QueryWeights>,
        prefixes: Prefixes,
    ) -> Result<Self, FolderError> {
        let model = Engine::open(path, Output::Logits)?;
        let query_weights = query.map(|it| query_weights(&model, it)).transpose()?;
        let mut hash = blake3::Hasher::new();
        hash.update(model.digest().as_bytes());
        let recipe = format!("splade 1, {} tokens, {pooling:?}", model.max_tokens());
        for part in [&recipe, &prefixes.query, &prefixes.passage] {
            hash.update(part.as_bytes()).update(&[0]);
        }
        for weight in query_weights.iter().flatten() {
            hash.update(&weight.to_le_bytes());
        }
        let fingerprint = hash.finalize().to_hex()[..16].to_owned();
        Ok(Self { name: name.to_owned(), model, pooling, query_weights, prefixes, fingerprint })
    }

    /// The weights of a text by the model.
    fn expand(&self, text: &str) -> Result<Vec<TokenWeight>, String> {
        let mut pooled = vec![0.0; self.dimension()];
        let SpladePooling { strategy, n_logs } = self.pooling;
        let squash = |x: f32| (0..n_logs).fold(x, |x, _| ln_1p(x));
        self.model.logits(text, &mut |logits| match strategy {
            // The logarithm keeps the order, so that it is taken once, in the end.
            Strategy::Max => pooled.iter_mut().zip(logits).for_each(|(most, &it)| {
                if it > *most {
                    *most = it;
                }
            }),
            Strategy::Sum => pooled.iter_mut().zip(logits).for_each(|(sum, &it)| {
                if it > 0.0 {
                    *sum += squash(it);
                }
            }),
        })?;
        if strategy == Strategy::Max {
            pooled.iter_mut().filter(|it| **it > 0.0).for_each(|it| *it = squash(*it));
        }
        above_zero((0..).zip(pooled))
    }

    /// The weights of a query's own tokens, each once.
    fn look_up(&self, text: &str, weights: &[f32]) -> Result<Vec<TokenWeight>, String> {
        let mut ids = self.model.ids(text)?;
        ids.sort_unstable();
        ids.dedup();
        above_zero(ids.into_iter().filter_map(|id| Some((id, *weights.get(id as usize)?))))
    }
}

/// The weights above zero.
fn above_zero(weights: impl Iterator<Item = TokenWeight>) -> Result<Vec<TokenWeight>, String> {
    let weights: Vec<TokenWeight> = weights.filter(|(_, weight)| *weight > 0.0).collect();
    match weights.iter().all(|(_, weight)| weight.is_finite()) {
        true => Ok(weights),
        false => Err("it gives a token an infinite weight".to_owned()),
    }
}

/// Reads the weights of queries' tokens: one for each of the model's.
fn query_weights(model: &Engine, from: &QueryWeights) -> Result<Vec<f32>, FolderError> {
    let n_tokens = model.n_tokens();
    match from {
        QueryWeights::Array(path) => {
            let weights = read_array(path, "weight")?;
            if weights.len() > n_tokens {
                let detail =
                    format!("it has weights of {} tokens, and the model knows {n_tokens}", weights.len());
                return Err(FolderError::File { path: path.clone(), detail });
            }
            Ok(weights)
        }
        QueryWeights::Json(path) => {
            let failed = |detail: String| FolderError::File { path: path.clone(), detail };
            let bytes = std::fs::read(path).map_err(|error| failed(error.to_string()))?;
            let by_token: BTreeMap<String, f32> =
                serde_json::from_slice(&bytes).map_err(|error| failed(error.to_string()))?;
            let mut weights = vec![0.0; n_tokens];
            let mut n_known = 0;
            for (token, weight) in &by_token {
                if let Some(to) = model.token_id(token).and_then(|id| weights.get_mut(id as usize)) {
                    *to = *weight;
                    n_known += 1;
                }
            }
            // A few tokens may be of another version of the vocabulary; most of another model's are.
            if 2 * n_known <= by_token.len() {
                let detail =
                    format!("{n_known} of its {} tokens are in the model's vocabulary", by_token.len());
                return Err(failed(detail));
            }
            Ok(weights)
        }
    }
}

impl Embedder for Splade {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn kind(&self) -> VectorKind {
        VectorKind::Sparse
    }

    fn dimension(&self) -> usize {
        self.model.n_tokens()
    }

    fn fusion_weight(&self) -> f32 {
        FUSION_WEIGHT
    }

    fn max_tokens(&self) -> Option<usize> {
        Some(self.model.max_tokens())
    }

    fn count_tokens(&self, text: &str) -> usize {
        self.model.count_tokens(&self.prefixes.apply(text, Role::Passage))
    }

    fn batch_size(&self) -> usize {
        1
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn settings(&self) -> BTreeMap<String, String> {
        self.prefixes.settings()
    }

    fn embed(&self, texts: &[&str], role: Role) -> Result<Vectors, EmbedError> {
        let failed = |detail| EmbedError::Failed { name: self.name.clone(), detail, is_lasting: false };
        let embed = |text: &&str| match (&self.query_weights, role) {
            _ if !self.model.says_something(text) => Ok(Vec::new()),
            (Some(weights), Role::Query) => self.look_up(&self.prefixes.apply(text, role), weights),
            _ => self.expand(&self.prefixes.apply(text, role)),
        };
        let rows: Result<_, String> = texts.iter().map(embed).collect();
        rows.map(Vectors::Sparse).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::bert::folder::BertFolder;
    use crate::bert::folder::tests::{Top, write_tiny};
    use crate::bert::safetensors::tests::file;
    use crate::embed::folder;

    const SPLADE: (&str, &str) = (
        "modules.json",
        "[{\"path\": \"\", \"type\": \"a.MLMTransformer\"}, {\"path\": \"s\", \"type\": \"a.SpladePooling\"}]",
    );
    const ROUTER: (&str, &str) = ("modules.json", "[{\"path\": \"\", \"type\": \"a.Router\"}]");
    const ROUTES: (&str, &str) = (
        "router_config.json",
        "{\"types\": {\"q\": \"a.SparseStaticEmbedding\", \"\": \"a.MLMTransformer\", \"d\": \"a.SpladePooling\"},
          \"structure\": {\"query\": [\"q\"], \"document\": [\"\", \"d\"]}}",
    );

    /// Opens a tiny model (tokens 4 to 8 are the words `a` to `e`) with these files; says which logits its texts have.
    fn open(files: &[(&str, &[u8])]) -> Result<(Arc<dyn Embedder>, BertFolder), String> {
        let folder = tempfile::tempdir().unwrap();
        write_tiny(folder.path(), Top::Masked);
        for (name, content) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        let logits = BertFolder::open(folder.path(), Output::Logits).map_err(|error| error.to_string())?;
        match folder::open("tiny", folder.path(), &BTreeMap::new()) {
            Ok(model) => Ok((model, logits)),
            Err(EmbedError::Folder { source, .. }) => Err(source.to_string()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn bytes<'a>((name, content): (&'a str, &'a str)) -> (&'a str, &'a [u8]) {
        (name, content.as_bytes())
    }

    fn embed(model: &dyn Embedder, text: &str, role: Role) -> Vec<TokenWeight> {
        match model.embed(&[text], role).unwrap() {
            Vectors::Sparse(mut rows) => rows.remove(0),
            Vectors::Dense { .. } => panic!("a dense vector"),
        }
    }

    #[test]
    fn weights_are_pooled_from_the_logits_as_the_folder_says() {
        let check = |config: &str, pool: &dyn Fn(&[f32]) -> f64| {
            let (model, folder) = open(&[bytes(SPLADE), ("s/config.json", config.as_bytes())]).unwrap();
            assert_eq!((model.kind(), model.dimension()), (VectorKind::Sparse, 10));
            let text = "a c ab";
            let mut columns = vec![Vec::new(); 10];
            folder.logits(&folder.ids(text), &mut |row| {
                columns.iter_mut().zip(row).for_each(|(column, it)| column.push(*it));
            });
            let found = embed(model.as_ref(), text, Role::Passage);
            assert_eq!(found, embed(model.as_ref(), text, Role::Query));
            let mut expected = (0..).zip(&columns).map(|(id, it)| (id, pool(it))).filter(|it| it.1 > 0.0);
            for (id, weight) in &found {
                let (expected_id, expected) = expected.next().unwrap();
                assert_eq!(*id, expected_id);
                assert!((f64::from(*weight) - expected).abs() < 1e-6 * expected, "{weight} {expected}");
            }
            assert!(expected.next().is_none() && (1..10).contains(&found.len()), "{found:?}");
        };
        let once = |it: f32| f64::from(it.max(0.0)).ln_1p();
        let twice = |it: f32| once(it).ln_1p();
        let most = |column: &[f32]| column.iter().copied().fold(0.0, f32::max);
        check("{}", &|column| once(most(column)));
        check("{\"activation_function\": \"log1p_relu\"}", &|column| twice(most(column)));
        check("{\"pooling_strategy\": \"sum\"}", &|column| column.iter().map(|it| once(*it)).sum());
    }

    #[test]
    fn a_text_without_a_known_token_has_no_weights() {
        let (model, _) = open(&[bytes(SPLADE)]).unwrap();
        for text in ["", " \n", "x y"] {
            assert_eq!(embed(model.as_ref(), text, Role::Passage), []);
        }
    }

    #[test]
    fn queries_without_a_model_have_their_tokens_own_weights() {
        let weights = file(&[("weight", &[10], &[9.0, 9.0, 9.0, 9.0, 0.5, 0.0, 2.0, 3.0, 4.0, 5.0])]);
        let (array, _) = open(&[bytes(ROUTER), bytes(ROUTES), ("q/model.safetensors", &weights)]).unwrap();
        assert_eq!(embed(array.as_ref(), "c a b c", Role::Query), [(4, 0.5), (6, 2.0)]);
        assert_ne!(embed(array.as_ref(), "c a b c", Role::Passage), [(4, 0.5), (6, 2.0)]);
        let idf = "{\"a\": 0.5, \"c\": 2.0, \"unheard\": 7.0}".as_bytes();
        let named: (&str, &[u8]) = ("q/config.json", b"{\"path\": \"idf.json\"}");
        let (json, _) = open(&[bytes(ROUTER), bytes(ROUTES), named, ("idf.json", idf)]).unwrap();
        assert_eq!(embed(json.as_ref(), "c a b c", Role::Query), [(4, 0.5), (6, 2.0)]);
        assert_ne!(array.fingerprint(), json.fingerprint());
    }

    #[test]
    fn what_does_not_fit_the_model_is_told_with_the_file() {
        let check = |files: &[(&str, &[u8])], expected: [&str; 2]| {
            let error = open(files).map(|_| ()).unwrap_err();
            assert!(expected.iter().all(|it| error.contains(it)), "{error}");
        };
        let routed = [bytes(ROUTER), bytes(ROUTES)];
        let with = |name: &'static str, content: &'static [u8]| [routed[0], routed[1], (name, content)];
        check(&routed, ["q/model.safetensors", "No such file"]);
        check(&with("q/model.safetensors", b"{}"), ["q/model.safetensors", "shorter than a header"]);
        let long = file(&[("weight", &[11], &[1.0; 11])]);
        check(
            &[routed[0], routed[1], ("q/model.safetensors", &long)],
            ["q/model.safetensors", "of 11 tokens, and the model knows 10"],
        );
        let other = file(&[("idf", &[1], &[1.0])]);
        check(&[routed[0], routed[1], ("q/model.safetensors", &other)], ["q/model.safetensors", "'weight'"]);
        check(
            &[("idf.json", b"{\"x\": 1, \"y\": 2, \"a\": 1}"), ("config.json", MASKED)],
            ["idf.json", "1 of its 3 tokens"],
        );
        check(
            &[bytes(SPLADE), ("vocab.txt", b"[UNK]\n[CLS]\n[SEP]\na\nb\nc\nd\ne\nf\ng\nh\n")],
            ["model.safetensors", "more tokens than the model"],
        );
    }

    const MASKED: &[u8] = b"{\"architectures\": [\"BertForMaskedLM\"], \"model_type\": \"bert\", \"hidden_size\": 4, \"intermediate_size\": 8,
        \"num_hidden_layers\": 1, \"num_attention_heads\": 2, \"max_position_embeddings\": 8, \"vocab_size\": 10}";
}
