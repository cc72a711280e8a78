//! The `minilm` model: all-MiniLM-L6-v2, int8, inside the program.
//!
//! Six layers of attention read up to 256 tokens; a text's vector is the mean of its tokens' outputs, 384 dimensions. Passages
//! and queries are treated alike. Vectors are bit-identical on every machine (`bert`) and have a cosine of
//! 0.9995 and more with those of the original weights (a test holds them to 0.999).

use crate::bert::file::EncoderFile;
use crate::bert::wordpiece;
use crate::content::Vectors;
use crate::embed::{EmbedError, Embedder, Role, static_model::normalise};

pub(super) const NAME: &str = "minilm";
static FILE: &[u8] = include_bytes!("../../models/minilm-v1.bin");

/// Names how a text becomes a vector beside the file: tokenizer, length, pooling. Change it with the code.
const RECIPE: &str = "wordpiece 1, 256 tokens, bert 1, mean, unit length";

/// Ids of `[CLS]` and `[SEP]` in BERT's vocabularies.
const FIRST: u32 = 101;
const LAST: u32 = 102;

/// Weight of cosines in convex fusion. nDCG@10 of hybrid at .4, .5, .6: SciFact .726, .730, .730 (text alone .685); Cranfield .425, .437,
/// .440 (.390); ADI .536, .544, .526 (.497); anthropic-docs .846, .855, .852 (.797); XQuAD English .981, .981, .981 (.969).
const FUSION_WEIGHT: f32 = 0.5;

/// The built-in transformer.
#[derive(Debug)]
pub struct MiniLm {
    file: EncoderFile,
    fingerprint: String,
}

impl MiniLm {
    /// Opens the built-in model; its matrices are used where they lie in the program.
    ///
    /// # Errors
    ///
    /// `DamagedModel`, when the program was built with a file of another format.
    pub fn open() -> Result<Self, EmbedError> {
        let file =
            EncoderFile::parse(FILE).map_err(|source| EmbedError::DamagedModel { name: NAME, source })?;
        let mut hash = blake3::Hasher::new();
        hash.update(file.digest).update(RECIPE.as_bytes());
        let fingerprint = hash.finalize().to_hex()[..16].to_owned();
        Ok(Self { file, fingerprint })
    }

    /// The ids of a text's tokens, `[CLS]` and `[SEP]` included, cut to what the model reads.
    fn ids(&self, text: &str) -> Vec<u32> {
        let mut ids = vec![FIRST];
        let max = self.file.encoder.max_positions() - 1;
        wordpiece::tokenize(text, &self.file.tokens, |id| {
            if ids.len() < max {
                ids.push(id);
            }
        });
        ids.push(LAST);
        ids
    }

    fn embed_one(&self, text: &str, vector: &mut [f32]) {
        let ids = self.ids(text);
        // A text without a known token says nothing; the model would give all such texts nearly the same vector.
        if ids[1..].iter().all(|&id| id == wordpiece::UNKNOWN || id == LAST) {
            return;
        }
        let width = self.file.encoder.width();
        let mut tokens = vec![0.0; ids.len() * width];
        for (row, &id) in tokens.chunks_exact_mut(width).zip(&ids) {
            if let Some((bytes, scale)) = self.file.tokens.row(id) {
                for (value, byte) in row.iter_mut().zip(bytes) {
                    *value = scale * f32::from(byte.cast_signed());
                }
            }
        }
        for output in self.file.encoder.encode(&tokens).chunks_exact(width) {
            for (sum, value) in vector.iter_mut().zip(output) {
                *sum += value;
            }
        }
        normalise(vector);
    }
}

impl Embedder for MiniLm {
    fn name(&self) -> &str {
        NAME
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn dimension(&self) -> usize {
        self.file.encoder.width()
    }

    fn fusion_weight(&self) -> f32 {
        FUSION_WEIGHT
    }

    fn max_tokens(&self) -> Option<usize> {
        Some(self.file.encoder.max_positions())
    }

    fn count_tokens(&self, text: &str) -> usize {
        let mut n = 2;
        wordpiece::tokenize(text, &self.file.tokens, |_| n += 1);
        n
    }

    fn batch_size(&self) -> usize {
        1
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn embed(&self, texts: &[&str], _role: Role) -> Result<Vectors, EmbedError> {
        let mut vectors = vec![0.0; texts.len() * self.dimension()];
        for (text, vector) in texts.iter().zip(vectors.chunks_exact_mut(self.dimension())) {
            self.embed_one(text, vector);
        }
        Ok(Vectors::Dense { dimension: self.dimension(), values: vectors })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embed(texts: &[&str]) -> Vec<Vec<f32>> {
        let model = MiniLm::open().unwrap();
        model.embed(texts, Role::Passage).unwrap().values().chunks(384).map(<[f32]>::to_vec).collect()
    }

    fn cosine(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    /// Vectors of the original f32 weights: `tools/minilm/reference.py`.
    fn reference() -> Vec<(String, Vec<f32>)> {
        #[derive(serde::Deserialize)]
        struct Line {
            text: String,
            vector: Vec<f32>,
        }
        let lines: Vec<Line> =
            serde_json::from_str(include_str!("../../testdata/embed/minilm-reference.json")).unwrap();
        lines.into_iter().map(|it| (it.text, it.vector)).collect()
    }

    #[test]
    fn the_digest_in_the_file_is_that_of_the_file() {
        let (before, digest, after) = (&FILE[..40], &FILE[40..72], &FILE[72..]);
        assert_eq!(blake3::Hasher::new().update(before).update(after).finalize().as_bytes(), digest);
    }

    #[test]
    fn vectors_are_those_of_the_original_weights() {
        for (text, expected) in reference() {
            let found = cosine(&embed(&[&text])[0], &expected);
            assert!(found > 0.999, "{text}: {found}");
        }
    }

    #[test]
    fn vectors_are_the_same_on_every_machine() {
        let hash = |text: &str| {
            let bytes: Vec<u8> = embed(&[text])[0].iter().flat_map(|value| value.to_le_bytes()).collect();
            blake3::hash(&bytes).to_hex()[..16].to_owned()
        };
        let found =
            [hash("cat"), hash("東京タワー, Ünïcödé"), MiniLm::open().unwrap().fingerprint().to_owned()];
        assert_eq!(found, ["8e8e41960892bdef", "4a09a9102809007f", "a65c940ea966656c"]);
    }

    #[test]
    fn a_vector_does_not_depend_on_its_batch() {
        let texts = ["one", "", "two words"];
        let alone: Vec<Vec<f32>> = texts.iter().flat_map(|text| embed(&[text])).collect();
        assert_eq!(embed(&texts), alone);
    }

    #[test]
    fn a_text_without_a_known_token_is_a_zero_vector() {
        for vector in embed(&["", " \n", "😀 🦀"]) {
            assert!(vector.iter().all(|&value| value == 0.0));
        }
    }

    #[test]
    fn what_is_longer_than_the_model_reads_is_cut() {
        let model = MiniLm::open().unwrap();
        let long = "a ".repeat(10_000);
        assert_eq!(model.ids(&long).len(), 256);
        assert_eq!(model.ids(&long).last(), Some(&LAST));
        assert_eq!(
            (model.count_tokens(&long), model.count_tokens("a b"), model.count_tokens("")),
            (10_002, 4, 2)
        );
    }

    #[test]
    fn damaged_files_are_refused() {
        for len in [0, 7, 40, 71, 72, 1000, FILE.len() - 1] {
            assert!(EncoderFile::parse(&FILE[..len]).is_err(), "{len}");
        }
    }
}
