//! Tokenizers of any kind in folders (`tokenizer.json`), by the `tokenizers` library.

use std::path::Path;

use serde_json::Value;
use tokenizers::Tokenizer;

use crate::bert::folder::FolderError;

/// A tokenizer.
#[derive(Debug)]
pub(crate) struct Tokens {
    tokenizer: Tokenizer,
    /// The token that stands for what the vocabulary does not have.
    unknown: Option<u32>,
    digest: blake3::Hash,
}

/// Opens the tokenizer in `folder`, and gives the bytes of its file; it neither pads nor cuts, whatever the file says for training.
///
/// # Errors
///
/// [`FolderError::File`] when there is none, or it is damaged.
pub(super) fn open_tokenizer(folder: &Path) -> Result<(Tokenizer, Vec<u8>), FolderError> {
    let path = folder.join("tokenizer.json");
    let failed = |detail: String| FolderError::File { path: path.clone(), detail };
    let bytes = std::fs::read(&path).map_err(|error| failed(error.to_string()))?;
    let mut tokenizer = Tokenizer::from_bytes(&bytes).map_err(|error| failed(error.to_string()))?;
    tokenizer.with_padding(None);
    tokenizer.with_truncation(None).map_err(|error| failed(error.to_string()))?;
    Ok((tokenizer, bytes))
}

impl Tokens {
    /// Opens the one in `folder`.
    ///
    /// # Errors
    ///
    /// [`FolderError::File`] when there is none, or it is damaged.
    pub(crate) fn open(folder: &Path) -> Result<Self, FolderError> {
        let (tokenizer, bytes) = open_tokenizer(folder)?;
        let json: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let model = &json["model"];
        let by_id = model["unk_id"].as_u64().and_then(|it| u32::try_from(it).ok());
        let unknown = by_id.or_else(|| tokenizer.token_to_id(model["unk_token"].as_str()?));
        Ok(Self { tokenizer, unknown, digest: blake3::hash(&bytes) })
    }

    /// Size of the vocabulary.
    pub(crate) fn n_tokens(&self) -> usize {
        self.tokenizer.get_vocab_size(true)
    }

    /// Hash of the file.
    pub(crate) fn digest(&self) -> blake3::Hash {
        self.digest
    }

    /// The token that stands for what the vocabulary does not have.
    pub(crate) fn unknown(&self) -> Option<u32> {
        self.unknown
    }

    /// The tokens of a text, without special ones, however many.
    pub(crate) fn ids(&self, text: &str) -> Result<Vec<u32>, String> {
        let encoding = self.tokenizer.encode_fast(text, false).map_err(|error| error.to_string())?;
        Ok(encoding.get_ids().to_vec())
    }
}
