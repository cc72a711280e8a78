//! The `static` model: one vector a token, summed and normalised.
//!
//! The table was distilled from all-MiniLM-L6-v2, given whole words and trained to find passages (`models/README.md`); it is
//! part of the binary. There is no context, no length limit and no difference between passages and queries; 256 dimensions.
//!
//! Vectors are bit-identical on every machine: every sum is taken in the order of the text, one IEEE operation at a time
//! (Rust neither reorders nor fuses floating-point operations), and no function is used whose rounding IEEE leaves open.

use crate::bert::table::ModelFile;
use crate::bert::wordpiece;
use crate::content::Vectors;
use crate::embed::{EmbedError, Embedder, Role};

const NAME: &str = "static";
static FILE: &[u8] = include_bytes!("../../models/static-v2.bin");

/// Names how a text becomes a vector beside the file: tokenizer, weights, pooling. Change it with the code.
const RECIPE: &str = "wordpiece 1, sum of rows without special tokens, unit length";

/// Weight of cosines in convex fusion. nDCG@10 of hybrid at .15, .2, .25, .3, .35, .4, by an offline copy of the search that fuses
/// by document: SciFact .705, .708, .712, .713, .714, .714 (text alone .701); Cranfield .403, .408, .411, .415, .416, .417 (.388);
/// ADI .513, .515, .519, .519, .522, .522 (.495); anthropic-docs .798, .800, .804, .807, .803, .804 (.782); XQuAD English .976, .976,
/// .977, .976, .977, .976 (.972). The program itself gives .710, .415, .519, .808 and .976 at .3.
const FUSION_WEIGHT: f32 = 0.3;

/// The built-in static model.
#[derive(Debug)]
pub struct StaticModel {
    file: ModelFile<'static>,
    fingerprint: String,
}

impl StaticModel {
    /// Opens the built-in model: reads a header, whatever the size of the vocabulary.
    ///
    /// # Errors
    ///
    /// `DamagedModel`, when the binary was built with a file of another format.
    pub fn open() -> Result<Self, EmbedError> {
        let file =
            ModelFile::parse(FILE).map_err(|source| EmbedError::DamagedModel { name: NAME, source })?;
        let mut hash = blake3::Hasher::new();
        hash.update(file.digest()).update(RECIPE.as_bytes());
        // 16 hex digits: enough to tell models apart, short enough to print.
        let fingerprint = hash.finalize().to_hex()[..16].to_owned();
        Ok(Self { file, fingerprint })
    }
}

impl Embedder for StaticModel {
    fn name(&self) -> &str {
        NAME
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn dimension(&self) -> usize {
        self.file.dimension()
    }

    fn fusion_weight(&self) -> f32 {
        FUSION_WEIGHT
    }

    fn embed(&self, texts: &[&str], _role: Role) -> Result<Vectors, EmbedError> {
        let mut vectors = vec![0.0; texts.len() * self.dimension()];
        for (text, vector) in texts.iter().zip(vectors.chunks_exact_mut(self.dimension())) {
            wordpiece::tokenize(text, &self.file, |id| {
                // Words that the vocabulary cannot spell have no row and say nothing.
                if let Some((row, scale)) = self.file.row(id) {
                    add(vector, row, scale);
                }
            });
            normalise(vector);
        }
        Ok(Vectors::Dense { dimension: self.dimension(), values: vectors })
    }
}

/// Adds `scale` times the int8 values of `row` to `sum`.
///
/// Fetching the row from memory takes most of the time; summing 16 to 128 columns at once in registers was not faster.
fn add(sum: &mut [f32], row: &[u8], scale: f32) {
    for (sum, value) in sum.iter_mut().zip(row) {
        *sum += scale * f32::from(value.cast_signed());
    }
}

/// Scales `vector` to length 1; leaves a zero vector as it is.
pub(super) fn normalise(vector: &mut [f32]) {
    let square: f64 = vector.iter().map(|&value| f64::from(value) * f64::from(value)).sum();
    if square > 0.0 {
        let length = square.sqrt();
        for value in vector {
            *value = (f64::from(*value) / length) as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embed(texts: &[&str]) -> Vec<f32> {
        StaticModel::open().unwrap().embed(texts, Role::Passage).unwrap().values().to_vec()
    }

    #[test]
    fn the_digest_in_the_file_is_that_of_the_file() {
        let (before, digest, after) = (&FILE[..32], &FILE[32..64], &FILE[64..]);
        assert_eq!(blake3::Hasher::new().update(before).update(after).finalize().as_bytes(), digest);
    }

    #[test]
    fn vectors_are_the_same_on_every_machine() {
        let check = |text: &str, expected: &str| {
            let bytes: Vec<u8> = embed(&[text]).iter().flat_map(|value| value.to_le_bytes()).collect();
            assert_eq!(blake3::hash(&bytes).to_hex()[..16], *expected, "{text}");
        };
        check("the", "c9286813a819d75d");
        check("Turns folders of documents into a searchable, navigable knowledge base.", "0993208510df0bf3");
        check("東京タワー, Ünïcödé and std::vec::Vec", "5ade44fad319e566");
    }

    #[test]
    fn the_fingerprint_changes_only_with_the_model() {
        assert_eq!(StaticModel::open().unwrap().fingerprint(), "d9e49b9fd2190da4");
    }

    #[test]
    fn a_vector_does_not_depend_on_its_batch() {
        let texts = ["one text", "", "another, longer text about rivers", "one text"];
        let alone: Vec<f32> = texts.iter().flat_map(|text| embed(&[text])).collect();
        assert_eq!(embed(&texts), alone);
        assert!(embed(&[]).is_empty());
    }

    #[test]
    fn vectors_have_length_1_however_long_the_text() {
        let check = |text: &str| {
            let square: f64 = embed(&[text]).iter().map(|&value| f64::from(value).powi(2)).sum();
            assert!((square - 1.0).abs() < 1e-6, "{square} for a text of {} bytes", text.len());
        };
        check("a");
        check("?");
        check(&"knowledge ".repeat(20_000));
        check(&"中".repeat(200_000));
    }

    #[test]
    fn a_text_without_a_known_token_is_a_zero_vector() {
        let check = |text: &str| assert!(embed(&[text]).iter().all(|&value| value == 0.0), "{text:?}");
        check("");
        check(" \n\t");
        check("\u{0}\u{301}");
        check("😀 🦀");
        check(&"x".repeat(101));
    }

    #[test]
    fn related_texts_are_nearer_than_unrelated_ones() {
        let check = |query: &str, near: &str, far: &str| {
            let vectors = embed(&[query, near, far]);
            let rows: Vec<&[f32]> = vectors.chunks(256).collect();
            let cosine = |row: &[f32]| rows[0].iter().zip(row).map(|(a, b)| a * b).sum::<f32>();
            let (near, far) = (cosine(rows[1]), cosine(rows[2]));
            assert!(near > far + 0.1, "{query}: {near} {far}");
        };
        check(
            "how to bake bread",
            "Knead the dough and put it into the oven.",
            "The senate passed the bill.",
        );
        check("car insurance", "Policies for motor vehicles", "Photosynthesis in algae");
        check("database index", "B-trees make SQL queries faster", "A walk along the beach");
    }
}
