//! Static models in folders: a vector for each token, averaged, as model2vec and sentence-transformers (`StaticEmbedding`) write them.
//!
//! A text's vector is the sum of its tokens' vectors, each times its weight where the folder has weights, at length 1. Tokens are
//! those of `tokenizer.json`, without special ones, however many. The table is read as it is and decoded row by row, so that opening
//! costs the reading of the file. Formats: `model2vec/persistence` of model2vec 0.10 (`embeddings`, `weights`, `mapping`) and
//! `StaticEmbedding` of sentence-transformers 5 (`embedding.weight`).

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use crate::bert::Damaged;
use crate::bert::folder::FolderError;
use crate::bert::safetensors::{ArrayPlace, Number, Safetensors};
use crate::content::Vectors;
use crate::embed::prefix::Prefixes;
use crate::embed::static_model::normalise;
use crate::embed::{EmbedError, Embedder, Role};
use crate::local::Tokens;

/// Weight of cosines in convex fusion: that of the built-in static model. Measured only with what `tools/distill-multilingual` makes.
const FUSION_WEIGHT: f32 = 0.3;

/// A static model in a folder.
#[derive(Debug)]
pub(super) struct TokenVectors {
    name: String,
    tokens: Tokens,
    table: Table,
    prefixes: Prefixes,
    fingerprint: String,
}

/// The vectors of tokens, in the bytes of their file.
#[derive(Debug)]
struct Table {
    file: Vec<u8>,
    number: Number,
    range: Range<usize>,
    dimension: usize,
    n_rows: usize,
    /// The row of each token; `None` where each has its own.
    rows: Option<Vec<usize>>,
    /// What each token's vector is multiplied with.
    weights: Option<Vec<f32>>,
    /// Whether tokens that stand for unknown words have no vector, as in model2vec.
    skips_unknown: bool,
}

impl Table {
    fn parse(file: Vec<u8>) -> Result<Self, Damaged> {
        let arrays = Safetensors::parse(&file)?;
        let (of_model2vec, other) = (arrays.place("embeddings")?, arrays.place("embedding.weight")?);
        let skips_unknown = of_model2vec.is_some();
        let vectors = of_model2vec.or(other);
        let Some(ArrayPlace { number, shape, range }) = vectors else {
            return Err(Damaged("it has neither an array 'embeddings' nor 'embedding.weight'"));
        };
        let &[n_rows, dimension] = shape.as_slice() else {
            return Err(Damaged("its vectors are no table"));
        };
        if n_rows == 0 || dimension == 0 {
            return Err(Damaged("its table is empty"));
        }
        let list = |name: &str| -> Result<Option<Vec<f32>>, Damaged> {
            let place = arrays.place(name)?;
            Ok(place.map(|it| it.number.values(file.get(it.range).unwrap_or_default())))
        };
        let weights = list("weights")?;
        // Numbers below 2^24 are whole in `f32`, and no vocabulary is that large.
        let rows = list("mapping")?.map(|it| it.into_iter().map(|row| row as usize).collect::<Vec<_>>());
        if rows.iter().flatten().any(|&row| row >= n_rows) {
            return Err(Damaged("a token's row is not in its table"));
        }
        Ok(Self { number, range, dimension, n_rows, rows, weights, skips_unknown, file })
    }

    /// Adds the vector of a token to `sum`; does nothing for a token without one.
    fn add(&self, token: u32, sum: &mut [f32]) {
        let token = token as usize;
        let row = match &self.rows {
            Some(rows) => rows.get(token).copied(),
            None => Some(token).filter(|&it| it < self.n_rows),
        };
        let Some(row) = row else { return };
        let weight = self.weights.as_ref().map_or(1.0, |it| it.get(token).copied().unwrap_or(0.0));
        let n_bytes = self.dimension * self.number.n_bytes();
        let start = self.range.start + row * n_bytes;
        let bytes = self.file.get(start..start + n_bytes).unwrap_or_default();
        sum.iter_mut().zip(self.number.values(bytes)).for_each(|(sum, value)| *sum += weight * value);
    }
}

impl TokenVectors {
    /// Opens the folder `path`, as the model `name`.
    ///
    /// # Errors
    ///
    /// When a file is missing or damaged, or the table has fewer rows than the tokenizer has tokens.
    pub(super) fn open(name: &str, path: &Path, prefixes: Prefixes) -> Result<Self, FolderError> {
        let weights = path.join("model.safetensors");
        let failed = |detail: String| FolderError::File { path: weights.clone(), detail };
        let file = std::fs::read(&weights).map_err(|error| failed(error.to_string()))?;
        let tokens = Tokens::open(path)?;
        let mut hash = blake3::Hasher::new();
        hash.update(blake3::hash(&file).as_bytes()).update(tokens.digest().as_bytes());
        let table = Table::parse(file).map_err(|error| failed(error.to_string()))?;
        let n_vectors = table.rows.as_ref().map_or(table.n_rows, Vec::len);
        if tokens.n_tokens() > n_vectors {
            return Err(failed(format!(
                "it has vectors of {n_vectors} tokens, and the tokenizer knows {}",
                tokens.n_tokens()
            )));
        }
        for part in ["static 1, sum without special tokens, unit length", &prefixes.query, &prefixes.passage]
        {
            hash.update(part.as_bytes()).update(&[0]);
        }
        let fingerprint = hash.finalize().to_hex()[..16].to_owned();
        Ok(Self { name: name.to_owned(), tokens, table, prefixes, fingerprint })
    }

    fn failed(&self, detail: String) -> EmbedError {
        EmbedError::Failed { name: self.name.clone(), detail, is_lasting: false }
    }
}

impl Embedder for TokenVectors {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn dimension(&self) -> usize {
        self.table.dimension
    }

    fn fusion_weight(&self) -> f32 {
        FUSION_WEIGHT
    }

    fn settings(&self) -> BTreeMap<String, String> {
        self.prefixes.settings()
    }

    fn embed(&self, texts: &[&str], role: Role) -> Result<Vectors, EmbedError> {
        let dimension = self.dimension();
        let mut values = vec![0.0; texts.len() * dimension];
        for (text, vector) in texts.iter().zip(values.chunks_exact_mut(dimension)) {
            let ids = self.tokens.ids(&self.prefixes.apply(text, role));
            let ids = ids.map_err(|detail| self.failed(detail))?;
            let unknown = self.tokens.unknown().filter(|_| self.table.skips_unknown);
            ids.into_iter().filter(|&id| Some(id) != unknown).for_each(|id| self.table.add(id, vector));
            if !vector.iter().all(|it| it.is_finite()) {
                return Err(self.failed("a token's vector has a number that is none".to_owned()));
            }
            normalise(vector);
        }
        Ok(Vectors::Dense { dimension, values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKENIZER: &str = r#"{"version": "1.0", "truncation": {"max_length": 1, "strategy": "LongestFirst", "stride": 0, "direction": "Right"},
        "padding": null, "added_tokens": [], "normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": null, "decoder": null,
        "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "cats": 1, "purr": 2}, "unk_token": "[UNK]"}}"#;

    /// A safetensors file of arrays with their kinds of numbers.
    fn file(arrays: &[(&str, &str, &[usize], Vec<u8>)]) -> Vec<u8> {
        let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
        for (name, dtype, shape, bytes) in arrays {
            let place = [data.len(), data.len() + bytes.len()];
            data.extend(bytes);
            let entry = serde_json::json!({ "dtype": dtype, "shape": shape, "data_offsets": place });
            header.insert((*name).to_owned(), entry);
        }
        let header = serde_json::to_vec(&header).unwrap();
        [&(header.len() as u64).to_le_bytes()[..], &header, &data].concat()
    }

    fn f32s(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|it| it.to_le_bytes()).collect()
    }

    fn open(arrays: &[(&str, &str, &[usize], Vec<u8>)]) -> Result<TokenVectors, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("tokenizer.json"), TOKENIZER).unwrap();
        std::fs::write(folder.path().join("model.safetensors"), file(arrays)).unwrap();
        TokenVectors::open("m", folder.path(), Prefixes::default()).map_err(|error| error.to_string())
    }

    fn vector(model: &TokenVectors, text: &str) -> Vec<f32> {
        model.embed(&[text], Role::Passage).unwrap().values().to_vec()
    }

    const ROWS: [f32; 6] = [0.0, 9.0, 3.0, 0.0, 0.0, 4.0];

    #[test]
    fn tokens_are_summed_however_many_and_unknown_ones_by_the_format() {
        let of_model2vec = open(&[("embeddings", "F32", &[3, 2], f32s(&ROWS))]).unwrap();
        assert_eq!(vector(&of_model2vec, "Cats purr"), [0.6, 0.8]);
        assert_eq!(vector(&of_model2vec, "cats ?? cats"), [1.0, 0.0]);
        assert_eq!(vector(&of_model2vec, "nothing"), [0.0, 0.0]);
        let other = open(&[("embedding.weight", "F32", &[3, 2], f32s(&ROWS))]).unwrap();
        assert_eq!(vector(&other, "nothing"), [0.0, 1.0]);
        assert_ne!(of_model2vec.fingerprint(), other.fingerprint());
    }

    #[test]
    fn tables_of_all_kinds_of_numbers_give_the_same_directions() {
        let check = |dtype: &str, bytes: Vec<u8>| {
            let model = open(&[("embeddings", dtype, &[3, 2], bytes)]).unwrap();
            assert_eq!(vector(&model, "cats purr"), [0.6, 0.8], "{dtype}");
        };
        check("F64", ROWS.iter().flat_map(|it| f64::from(*it).to_le_bytes()).collect());
        check("BF16", ROWS.iter().flat_map(|it| ((it.to_bits() >> 16) as u16).to_le_bytes()).collect());
        check("F16", [0, 0x4880, 0x4200, 0, 0, 0x4400_u16].iter().flat_map(|it| it.to_le_bytes()).collect());
        check("I8", vec![0, 9, 3, 0, 0, 4]);
    }

    #[test]
    fn tokens_can_share_rows_and_have_weights() {
        let rows: [i64; 3] = [0, 1, 1];
        let arrays = [
            ("embeddings", "F32", &[2, 2][..], f32s(&[1.0, 0.0, 0.0, 1.0])),
            ("mapping", "I64", &[3], rows.iter().flat_map(|it| it.to_le_bytes()).collect()),
            ("weights", "F32", &[3], f32s(&[1.0, 2.0, -2.0])),
        ];
        let model = open(&arrays).unwrap();
        assert_eq!(vector(&model, "cats"), [0.0, 1.0]);
        assert_eq!(vector(&model, "purr"), [0.0, -1.0]);
        assert_eq!(vector(&model, "cats purr"), [0.0, 0.0]);
    }

    #[test]
    fn what_does_not_fit_names_the_file() {
        let check = |arrays: &[(&str, &str, &[usize], Vec<u8>)], expected: &str| {
            let error = open(arrays).unwrap_err();
            assert!(error.contains("model.safetensors") && error.contains(expected), "{error}");
        };
        check(&[("other", "F32", &[3, 2], f32s(&ROWS))], "neither an array 'embeddings'");
        check(&[("embeddings", "F32", &[6], f32s(&ROWS))], "no table");
        check(&[("embeddings", "F32", &[0, 2], vec![])], "empty");
        check(
            &[("embeddings", "F32", &[2, 2], f32s(&ROWS[..4]))],
            "vectors of 2 tokens, and the tokenizer knows 3",
        );
        check(&[("embeddings", "F32", &[4, 2], f32s(&ROWS))], "truncated");
        check(&[("embeddings", "U8", &[3, 2], vec![0; 6])], "kind of numbers");
        let rows = [0_i64, 1, 7].iter().flat_map(|it| it.to_le_bytes()).collect();
        check(
            &[("embeddings", "F32", &[3, 2], f32s(&ROWS)), ("mapping", "I64", &[3], rows)],
            "row is not in its table",
        );
        let broken = open(&[("embeddings", "F32", &[3, 2], f32s(&[f32::NAN; 6]))]).unwrap();
        assert!(broken.embed(&["cats"], Role::Query).is_err());
    }
}
