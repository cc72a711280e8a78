//! The safetensors format: named arrays of numbers (<https://github.com/huggingface/safetensors>, format of 2022).
//!
//! Eight bytes with the length of a JSON header, the header with type, shape and place of each array, then the arrays.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::bert::Damaged;

/// The longest header that is read, as in the reference reader.
const MAX_HEADER_BYTES: usize = 100_000_000;

/// Arrays in the bytes of a file.
#[derive(Debug)]
pub(crate) struct Safetensors<'a> {
    entries: BTreeMap<String, Entry>,
    data: &'a [u8],
}

#[derive(Debug, Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

impl<'a> Safetensors<'a> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when the bytes are not in the format.
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self, Damaged> {
        let (len, rest) = bytes.split_first_chunk::<8>().ok_or(Damaged("it is shorter than a header"))?;
        let len = usize::try_from(u64::from_le_bytes(*len)).unwrap_or(usize::MAX);
        let (header, data) = (len <= MAX_HEADER_BYTES)
            .then(|| rest.split_at_checked(len))
            .flatten()
            .ok_or(Damaged("it is not in the safetensors format"))?;
        let header: BTreeMap<String, serde_json::Value> =
            serde_json::from_slice(header).map_err(|_| Damaged("its header is not JSON"))?;
        let mut entries = BTreeMap::new();
        for (name, value) in header {
            if name == "__metadata__" {
                continue;
            }
            let entry: Entry = serde_json::from_value(value)
                .map_err(|_| Damaged("its header describes an array wrongly"))?;
            entries.insert(name, entry);
        }
        Ok(Self { entries, data })
    }

    /// The shape of the array called `name`.
    pub(crate) fn shape(&self, name: &str) -> Option<&[usize]> {
        self.find(name).map(|it| it.shape.as_slice())
    }

    /// The entry called `name`, or that with the name of the model around it in front.
    fn find(&self, name: &str) -> Option<&Entry> {
        ["", "bert.", "distilbert."].into_iter().find_map(|outer| self.entries.get(&format!("{outer}{name}")))
    }

    /// The array called `name`, or that with `bert.` or `distilbert.` in front, as `f32`, which must have this shape.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when there is no such array, or it is of another shape or not of floating-point numbers.
    pub(crate) fn floats(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Damaged> {
        let entry = self.find(name).ok_or(Damaged("it lacks an array of a BERT model"))?;
        let (start, end) = entry.data_offsets;
        let bytes = self.data.get(start..end).ok_or(Damaged("it is truncated"))?;
        let values: Vec<f32> = match entry.dtype.as_str() {
            "F32" => bytes.as_chunks().0.iter().map(|it| f32::from_le_bytes(*it)).collect(),
            "F16" => bytes.as_chunks().0.iter().map(|it| half_to_f32(u16::from_le_bytes(*it))).collect(),
            "BF16" => bytes
                .as_chunks()
                .0
                .iter()
                .map(|it| f32::from_bits(u32::from(u16::from_le_bytes(*it)) << 16))
                .collect(),
            _ => return Err(Damaged("an array is not of floating-point numbers")),
        };
        let n = shape.iter().try_fold(1_usize, |n, &it| n.checked_mul(it));
        if entry.shape != shape || n != Some(values.len()) {
            return Err(Damaged("an array has another shape than the configuration says"));
        }
        Ok(values)
    }
}

/// A number of IEEE 754 binary16.
fn half_to_f32(half: u16) -> f32 {
    let sign = u32::from(half >> 15) << 31;
    let (exponent, fraction) = (u32::from(half >> 10) & 0x1f, u32::from(half) & 0x3ff);
    match (exponent, fraction) {
        // 2^-24 is the smallest subnormal.
        (0, _) => f32::from_bits(sign | 0x3f80_0000) * fraction as f32 * (-24_f32).exp2(),
        (0x1f, _) => f32::from_bits(sign | 0x7f80_0000 | (fraction << 13)),
        _ => f32::from_bits(sign | ((exponent + 112) << 23) | (fraction << 13)),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A file of `f32` arrays.
    pub(crate) fn file(arrays: &[(&str, &[usize], &[f32])]) -> Vec<u8> {
        let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
        for (name, shape, values) in arrays {
            let start = data.len();
            data.extend(values.iter().flat_map(|it| it.to_le_bytes()));
            let entry =
                serde_json::json!({ "dtype": "F32", "shape": shape, "data_offsets": [start, data.len()] });
            header.insert((*name).to_owned(), entry);
        }
        let header = serde_json::to_vec(&header).unwrap();
        [&(header.len() as u64).to_le_bytes()[..], &header, &data].concat()
    }

    #[test]
    fn arrays_are_found_by_name_and_shape() {
        let bytes = file(&[("a", &[2, 2], &[1.0, 2.0, 3.0, 4.0]), ("bert.b", &[1], &[5.0])]);
        let file = Safetensors::parse(&bytes).unwrap();
        assert_eq!(file.floats("a", &[2, 2]).unwrap(), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(file.floats("b", &[1]).unwrap(), [5.0]);
        assert!(file.floats("a", &[4]).is_err());
        assert!(file.floats("c", &[1]).is_err());
        for len in 0..bytes.len() {
            let cut = Safetensors::parse(&bytes[..len]);
            assert!(cut.is_err() || cut.unwrap().floats("b", &[1]).is_err(), "{len}");
        }
    }

    #[test]
    fn half_precision_numbers_are_read() {
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0x0000, 0.0),
            (0x7bff, 65504.0),
        ] {
            assert_eq!(half_to_f32(bits), value, "{bits:x}");
        }
    }
}
