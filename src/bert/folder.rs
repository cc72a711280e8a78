//! A BERT or DistilBERT model in a folder, as sentence-transformers and transformers write it: `config.json`,
//! `model.safetensors`, `tokenizer.json` or `vocab.txt`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::bert::Damaged;
use crate::bert::cpu::Cpu;
use crate::bert::encoder::{Encoder, Layer, Norm};
use crate::bert::masked::{Family, MaskedHead};
use crate::bert::matrix::{Matrix, Scratch};
use crate::bert::safetensors::Safetensors;
use crate::bert::table::{Fnv, MAX_TOKEN_BYTES};
use crate::bert::wordpiece::{self, Vocabulary};

/// Why a folder cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FolderError {
    /// A file cannot be read.
    #[error("cannot read '{}': {detail}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        detail: String,
    },
    /// It holds a model of another kind.
    #[error("'{}' holds a model that is not supported: {detail}", path.display())]
    Unsupported {
        /// The folder.
        path: PathBuf,
        /// What about it.
        detail: String,
    },
}

/// What a model is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// What its last layer gives for each token.
    States,
    /// What its head gives for each token of the vocabulary, as masked language models have it.
    Logits,
}

/// An opened folder.
#[derive(Debug)]
pub(crate) struct BertFolder {
    vocabulary: Words,
    /// Vectors of the tokens, `f32`, row-major.
    tokens: Vec<f32>,
    /// The layers.
    pub(crate) encoder: Encoder,
    /// What the model was told of types: the vector of type 1 minus that of type 0, for the second of two texts.
    second: Vec<f32>,
    /// Most tokens of a text.
    pub(crate) max_tokens: usize,
    /// Hash over weights, vocabulary and the parts of the configuration that matter.
    pub(crate) digest: blake3::Hash,
    /// The weights of layers on top, by name, with their shapes; for cross-encoders.
    pub(crate) head: Option<Head>,
    /// What gives logits, where the model was opened for them.
    masked: Option<MaskedHead>,
}

/// What a cross-encoder puts on top of the first token: a dense layer with tanh, then one number.
#[derive(Debug)]
pub(crate) struct Head {
    pooler: Matrix,
    classifier: Matrix,
}

/// Ids of the special tokens.
#[derive(Clone, Copy, Debug)]
struct Special {
    first: u32,
    last: u32,
}

#[derive(Debug)]
struct Words {
    ids: HashMap<Vec<u8>, u32>,
    unknown: u32,
    special: Special,
}

impl Vocabulary for Words {
    fn token_id(&self, _hash: Fnv, prefix: &[u8], rest: &[u8]) -> Option<u32> {
        let mut key = [0; MAX_TOKEN_BYTES + 2];
        let key = key.get_mut(..prefix.len() + rest.len())?;
        key[..prefix.len()].copy_from_slice(prefix);
        key[prefix.len()..].copy_from_slice(rest);
        self.ids.get(&*key).copied()
    }
}

/// Reads a JSON file of a folder; `None` where there is none.
///
/// # Errors
///
/// When there is one that cannot be read.
pub(crate) fn json(folder: &Path, name: &str) -> Result<Option<Value>, FolderError> {
    let path = folder.join(name);
    let failed = |detail: String| FolderError::File { path: path.clone(), detail };
    match std::fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| failed(error.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(error.to_string())),
    }
}

/// The configuration in a folder, the family of its model, and its vocabulary: all but weights that it takes to run one here.
///
/// # Errors
///
/// As [`BertFolder::open`].
fn family_and_words(folder: &Path) -> Result<(Value, Family, Words), FolderError> {
    let unsupported = |detail: String| FolderError::Unsupported { path: folder.to_owned(), detail };
    let config = json(folder, "config.json")?.ok_or_else(|| FolderError::File {
        path: folder.join("config.json"),
        detail: "there is none".to_owned(),
    })?;
    let kind = config["model_type"].as_str().unwrap_or("of unknown type");
    let family = Family::from_name(kind)
        .ok_or_else(|| unsupported(format!("its architecture is {kind}, neither bert nor distilbert")))?;
    match family.setting(&config, "hidden_act").as_str() {
        Some("gelu") | None => {}
        Some(other) => return Err(unsupported(format!("its activation is {other}, not gelu"))),
    }
    let vocabulary = Words::read(folder)?;
    Ok((config, family, vocabulary))
}

impl BertFolder {
    /// Whether the model in a folder can be run, as far as can be told without its weights.
    #[cfg(feature = "http")]
    pub(crate) fn is_known(folder: &Path) -> bool {
        family_and_words(folder).is_ok()
    }

    /// Opens a folder for `output`.
    ///
    /// # Errors
    ///
    /// [`FolderError::Unsupported`] when it holds no BERT or DistilBERT model with an uncased WordPiece tokenizer, [`FolderError::File`] when a
    /// file is missing or damaged.
    pub(crate) fn open(folder: &Path, output: Output) -> Result<Self, FolderError> {
        let (config, family, vocabulary) = family_and_words(folder)?;
        let path = folder.join("model.safetensors");
        let failed = |detail: String| FolderError::File { path: path.clone(), detail };
        if !path.exists() && folder.join("pytorch_model.bin").exists() {
            return Err(failed(
                "there is none; weights in pytorch_model.bin are not read, save_pretrained() writes them anew".to_owned(),
            ));
        }
        let bytes = std::fs::read(&path).map_err(|error| failed(error.to_string()))?;
        let opened = Self::assemble(family, &config, vocabulary, &bytes, output)
            .map_err(|error| failed(error.to_string()))?;
        let max_tokens = json(folder, "sentence_bert_config.json")?
            .and_then(|it| it["max_seq_length"].as_u64())
            .or(json(folder, "tokenizer_config.json")?.and_then(|it| it["model_max_length"].as_u64()))
            .and_then(|it| usize::try_from(it).ok())
            .unwrap_or(usize::MAX);
        Ok(Self { max_tokens: max_tokens.clamp(4, opened.max_tokens.max(4)), ..opened })
    }

    fn assemble(
        family: Family,
        config: &Value,
        vocabulary: Words,
        bytes: &[u8],
        output: Output,
    ) -> Result<Self, Damaged> {
        let size = |key: &str| family.size(config, key);
        let (width, inner, n_layers) =
            (size("hidden_size")?, size("intermediate_size")?, size("num_hidden_layers")?);
        let (n_heads, n_positions, n_tokens) =
            (size("num_attention_heads")?, size("max_position_embeddings")?, size("vocab_size")?);
        if width % n_heads != 0 {
            return Err(Damaged("its heads do not divide its width"));
        }
        let epsilon = config["layer_norm_eps"].as_f64().unwrap_or(1e-12) as f32;
        let file = Safetensors::parse(bytes)?;
        let floats = |name: &str, shape: &[usize]| file.floats(&family.array(name), shape);
        let norm = |name: &str| {
            let (weight, bias) = (format!("{name}.weight"), format!("{name}.bias"));
            Ok(Norm { weight: floats(&weight, &[width])?, bias: floats(&bias, &[width])? })
        };
        let matrix = |names: &[String], rows: usize, columns: usize| {
            let (mut weights, mut bias) = (Vec::new(), Vec::new());
            for name in names {
                weights.extend(floats(&format!("{name}.weight"), &[rows, columns])?);
                bias.extend(floats(&format!("{name}.bias"), &[rows])?);
            }
            Matrix::rounded(&weights, bias).ok_or(Damaged("a weight is not a number"))
        };
        let mut positions = floats("embeddings.position_embeddings.weight", &[n_positions, width])?;
        let n_types = config["type_vocab_size"].as_u64().and_then(|it| usize::try_from(it).ok()).unwrap_or(2);
        let types = match family {
            Family::Bert => floats("embeddings.token_type_embeddings.weight", &[n_types, width])?,
            Family::DistilBert => Vec::new(),
        };
        for row in positions.chunks_exact_mut(width) {
            row.iter_mut().zip(&types).for_each(|(value, of_type)| *value += of_type);
        }
        let second = match types.get(width..2 * width) {
            Some(second) => second.iter().zip(&types).map(|(b, a)| b - a).collect(),
            None => vec![0.0; width],
        };
        let mut layers = Vec::new();
        for layer in 0..n_layers {
            let name = |part: &str| format!("encoder.layer.{layer}.{part}");
            let parts = ["query", "key", "value"].map(|it| name(&format!("attention.self.{it}")));
            layers.push(Layer {
                attention: matrix(&parts, width, width)?,
                attention_output: matrix(&[name("attention.output.dense")], width, width)?,
                attention_norm: norm(&name("attention.output.LayerNorm"))?,
                intermediate: matrix(&[name("intermediate.dense")], inner, width)?,
                output: matrix(&[name("output.dense")], width, inner)?,
                output_norm: norm(&name("output.LayerNorm"))?,
            });
        }
        let tokens = floats("embeddings.word_embeddings.weight", &[n_tokens, width])?;
        if vocabulary.ids.values().any(|&id| id as usize >= n_tokens) {
            return Err(Damaged("the vocabulary has more tokens than the model"));
        }
        let head = matrix(&["classifier".to_owned()], 1, width).and_then(|classifier| {
            Ok(Head { pooler: matrix(&["pooler.dense".to_owned()], width, width)?, classifier })
        });
        let masked = || -> Result<MaskedHead, Damaged> {
            let table = match floats("cls.predictions.decoder.weight", &[n_tokens, width]) {
                Err(error) if config["tie_word_embeddings"].as_bool() == Some(false) => return Err(error),
                Err(_) => Cow::Borrowed(&tokens),
                Ok(table) => Cow::Owned(table),
            };
            let bias = floats("cls.predictions.bias", &[n_tokens])
                .or_else(|_| floats("cls.predictions.decoder.bias", &[n_tokens]))?;
            Ok(MaskedHead {
                transform: matrix(&["cls.predictions.transform.dense".to_owned()], width, width)?,
                norm: norm("cls.predictions.transform.LayerNorm")?,
                decoder: Matrix::rounded(&table, bias).ok_or(Damaged("a weight is not a number"))?,
            })
        };
        let no_head = Damaged(
            "it has no whole head of a masked language model (cls.predictions.* of BERT, vocab_* of DistilBERT), which gives tokens \
             their weights: was it saved from ...ForMaskedLM?",
        );
        let masked = match output {
            Output::States => None,
            Output::Logits => Some(masked().map_err(|_| no_head)?),
        };
        let mut hash = blake3::Hasher::new();
        hash.update(bytes).update(config["layer_norm_eps"].to_string().as_bytes());
        let mut ids: Vec<_> = vocabulary.ids.iter().collect();
        ids.sort();
        for (token, id) in ids {
            hash.update(token).update(&id.to_le_bytes());
        }
        let encoder = Encoder {
            width,
            n_heads,
            epsilon,
            positions,
            norm: norm("embeddings.LayerNorm")?,
            layers,
            cpu: Cpu::detect(),
        };
        Ok(Self {
            vocabulary,
            tokens,
            encoder,
            second,
            max_tokens: n_positions,
            digest: hash.finalize(),
            head: head.ok(),
            masked,
        })
    }

    /// Ids of a text's tokens, without special ones.
    pub(crate) fn ids(&self, text: &str) -> Vec<u32> {
        let mut ids = Vec::new();
        wordpiece::tokenize_with(text, &self.vocabulary, self.vocabulary.unknown, |id| ids.push(id));
        ids
    }

    /// Whether a text has a token that the vocabulary knows.
    pub(crate) fn says_something(&self, ids: &[u32]) -> bool {
        ids.iter().any(|&id| id != self.vocabulary.unknown)
    }

    /// The last layer's outputs for the tokens of a text, with the special tokens around them; what is longer than the model
    /// reads is cut.
    pub(crate) fn encode(&self, ids: &[u32]) -> Vec<f32> {
        let Special { first, last } = self.vocabulary.special;
        let ids = &ids[..ids.len().min(self.max_tokens - 2)];
        let ids: Vec<u32> = [&[first], ids, &[last]].concat();
        self.encoder.encode(&self.rows(&ids))
    }

    /// Size of the vocabulary that logits are given for.
    pub(crate) fn n_tokens(&self) -> usize {
        self.tokens.len() / self.encoder.width()
    }

    /// The id of a token.
    pub(crate) fn token_id(&self, token: &str) -> Option<u32> {
        self.vocabulary.ids.get(token.as_bytes()).copied()
    }

    /// Hands the logits of each token of a text, the special ones included, to `each`; what is longer than the model reads is cut.
    /// Nothing unless the model was opened for [`Output::Logits`].
    pub(crate) fn logits(&self, ids: &[u32], each: &mut dyn FnMut(&[f32])) {
        if let Some(head) = &self.masked {
            head.logits(&self.encoder, &self.encode(ids), each);
        }
    }

    /// How well the second text answers the first, for a cross-encoder: the longer of the two is cut first.
    pub(crate) fn judge(&self, query: &[u32], passage: &[u32]) -> Option<f32> {
        let head = self.head.as_ref()?;
        let room = self.max_tokens.saturating_sub(3);
        let (mut n_query, mut n_passage) = (query.len(), passage.len());
        while n_query + n_passage > room {
            if n_passage >= n_query { n_passage -= 1 } else { n_query -= 1 }
        }
        let Special { first, last } = self.vocabulary.special;
        let ids: Vec<u32> = [&[first], &query[..n_query], &[last], &passage[..n_passage], &[last]].concat();
        let width = self.encoder.width();
        let mut rows = self.rows(&ids);
        for row in rows.chunks_exact_mut(width).skip(n_query + 2) {
            row.iter_mut().zip(&self.second).for_each(|(value, second)| *value += second);
        }
        let outputs = self.encoder.encode(&rows);
        let (cpu, mut scratch, mut pooled, mut score) =
            (self.encoder.cpu, Scratch::default(), Vec::new(), Vec::new());
        head.pooler.apply(cpu, &outputs[..width], &mut scratch, &mut pooled);
        pooled.iter_mut().for_each(|it| *it = it.tanh());
        head.classifier.apply(cpu, &pooled, &mut scratch, &mut score);
        score.first().copied()
    }

    fn rows(&self, ids: &[u32]) -> Vec<f32> {
        let width = self.encoder.width();
        ids.iter().flat_map(|&id| &self.tokens[id as usize * width..][..width]).copied().collect()
    }
}

impl Words {
    /// From `tokenizer.json`, which also tells how texts are normalised, or from `vocab.txt`.
    fn read(folder: &Path) -> Result<Self, FolderError> {
        let unsupported =
            |detail: &str| FolderError::Unsupported { path: folder.to_owned(), detail: detail.to_owned() };
        let settings = json(folder, "tokenizer_config.json")?.unwrap_or_default();
        let mut is_uncased = settings["do_lower_case"].as_bool();
        let mut ids = HashMap::new();
        if let Some(tokenizer) = json(folder, "tokenizer.json")? {
            if tokenizer["model"]["type"].as_str().is_some_and(|it| it != "WordPiece") {
                return Err(unsupported("its tokenizer is not WordPiece"));
            }
            is_uncased = tokenizer["normalizer"]["lowercase"].as_bool().or(is_uncased);
            let words = tokenizer["model"]["vocab"].as_object().into_iter().flatten();
            ids.extend(words.filter_map(|(word, id)| {
                Some((word.clone().into_bytes(), u32::try_from(id.as_u64()?).ok()?))
            }));
        } else {
            let path = folder.join("vocab.txt");
            let text = std::fs::read_to_string(&path)
                .map_err(|error| FolderError::File { path, detail: error.to_string() })?;
            ids.extend(text.lines().zip(0..).map(|(word, id)| (word.as_bytes().to_vec(), id)));
        }
        if is_uncased == Some(false) {
            return Err(unsupported("its tokenizer tells upper from lower case"));
        }
        let id = |word: &str| {
            ids.get(word.as_bytes())
                .copied()
                .ok_or_else(|| unsupported("its vocabulary is not that of a BERT model"))
        };
        let (unknown, special) = (id("[UNK]")?, Special { first: id("[CLS]")?, last: id("[SEP]")? });
        Ok(Self { ids, unknown, special })
    }
}

#[cfg(test)]
pub(crate) mod tests;
