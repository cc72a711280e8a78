//! Writing a segment of sparse vectors.

use std::collections::BTreeMap;
use std::path::Path;

use super::{HEADER_LEN, Header, MAX_TOKENS, POSTING_LEN, VectorError, check, code_of, file, path_of};
use crate::content::TokenWeight;

/// Writes the segment `name` into `dir`: under a temporary name first, synced, then renamed, then the folder synced.
///
/// `rows` gives strictly ascending row numbers, each with weights above zero of tokens below `dimension`. Returns the number
/// of rows. An error among `rows` ends the writing. Takes some ten bytes of memory a weight.
///
/// # Errors
///
/// [`VectorError::Dimension`], [`VectorError::Token`], [`VectorError::TokenOrder`], [`VectorError::Component`] or
/// [`VectorError::Order`] for rows that do not fit, [`VectorError::Io`] when the file cannot be written. Nothing is left behind then.
pub fn write_segment<V: AsRef<[TokenWeight]>>(
    dir: &Path,
    name: &str,
    dimension: usize,
    rows: impl IntoIterator<Item = Result<(u32, V), VectorError>>,
) -> Result<u64, VectorError> {
    if dimension == 0 || dimension > MAX_TOKENS {
        return Err(VectorError::Dimension { expected: MAX_TOKENS, actual: dimension });
    }
    let mut numbers: Vec<u32> = Vec::new();
    let mut postings: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
    for item in rows {
        let (row, weights) = item?;
        let weights = weights.as_ref();
        check(weights, dimension)?;
        if let Some(&previous) = numbers.last().filter(|&&previous| row <= previous) {
            return Err(VectorError::Order { previous, row });
        }
        // Rows are numbers of 32 bits, each once, so that places are as well.
        let place = numbers.len() as u32;
        for &(token, weight) in weights {
            let list = postings.entry(token).or_default();
            list.extend(place.to_le_bytes());
            list.extend(code_of(weight).to_le_bytes());
        }
        numbers.push(row);
    }
    let mut file = file::Pending::create(path_of(dir, name), HEADER_LEN)?;
    let mut hash = blake3::Hasher::new();
    let mut write = |bytes: &[u8]| {
        hash.update(bytes);
        file.write(bytes)
    };
    for row in &numbers {
        write(&row.to_le_bytes())?;
    }
    let mut end = 0;
    for (token, list) in &postings {
        end += (list.len() / POSTING_LEN) as u64;
        write(&token.to_le_bytes())?;
        write(&end.to_le_bytes())?;
    }
    for list in postings.values() {
        write(list)?;
    }
    let header = Header {
        dimension: dimension as u32,
        n_tokens: postings.len() as u32,
        n_rows: numbers.len() as u64,
        n_postings: end,
        stamp: 0,
    };
    let header = header.stamped(hash);
    file.finish(&header.to_bytes())?;
    file.publish()?;
    file::sync_folder(dir)?;
    Ok(header.n_rows)
}
