//! The safetensors format: named arrays of numbers (<https://github.com/huggingface/safetensors>, format of 2022).
//!
//! Eight bytes with the length of a JSON header, the header with type, shape and place of each array, then the arrays.

use std::collections::BTreeMap;
#[cfg(feature = "http")]
use std::io::Read as _;
use std::ops::Range;
#[cfg(feature = "http")]
use std::path::Path;

use serde::Deserialize;

use crate::bert::Damaged;

/// The longest header that is read, as in the reference reader.
const MAX_HEADER_BYTES: usize = 100_000_000;

/// Arrays in the bytes of a file.
#[derive(Debug)]
pub(crate) struct Safetensors<'a> {
    entries: BTreeMap<String, Entry>,
    data: &'a [u8],
    /// Where the data begin in the file.
    data_start: usize,
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
        Ok(Self { entries, data, data_start: 8 + len })
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
        let number = Number::from_name(&entry.dtype)
            .filter(|it| it.is_float())
            .ok_or(Damaged("an array is not of floating-point numbers"))?;
        let values = number.values(bytes);
        let n = shape.iter().try_fold(1_usize, |n, &it| n.checked_mul(it));
        if entry.shape != shape || n != Some(values.len()) {
            return Err(Damaged("an array has another shape than the configuration says"));
        }
        Ok(values)
    }
}

/// Whether the file at `path` is as long as its header says, without reading its arrays.
///
/// # Errors
///
/// When it cannot be read.
#[cfg(feature = "http")]
pub(crate) fn is_whole(path: &Path) -> std::io::Result<bool> {
    let mut file = std::fs::File::open(path)?;
    let n_bytes = file.metadata()?.len();
    let mut head = Vec::new();
    (&mut file).take(8).read_to_end(&mut head)?;
    let Some(len) = head.first_chunk::<8>().map(|it| u64::from_le_bytes(*it)) else { return Ok(false) };
    if len > MAX_HEADER_BYTES as u64 {
        return Ok(false);
    }
    file.take(len).read_to_end(&mut head)?;
    let Ok(parsed) = Safetensors::parse(&head) else { return Ok(false) };
    let end = parsed.entries.values().map(|it| it.data_offsets.1 as u64).max().unwrap_or(0);
    Ok(end.checked_add(8 + len) == Some(n_bytes))
}

impl Safetensors<'_> {
    /// Where the array called `name` lies in the whole file, and what of; `None` without such an array.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when its place does not fit its shape.
    pub(crate) fn place(&self, name: &str) -> Result<Option<ArrayPlace>, Damaged> {
        let Some(entry) = self.entries.get(name) else { return Ok(None) };
        let number = Number::from_name(&entry.dtype)
            .ok_or(Damaged("an array is of a kind of numbers that is not read"))?;
        let (start, end) = entry.data_offsets;
        let n_values = entry.shape.iter().try_fold(number.n_bytes(), |n, &it| n.checked_mul(it));
        if self.data.get(start..end).map(<[u8]>::len) != n_values {
            return Err(Damaged("it is truncated"));
        }
        let range = self.data_start + start..self.data_start + end;
        Ok(Some(ArrayPlace { number, shape: entry.shape.clone(), range }))
    }
}

/// Where an array lies in the bytes of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArrayPlace {
    /// What it is of.
    pub(crate) number: Number,
    /// Its dimensions, the slowest first.
    pub(crate) shape: Vec<usize>,
    /// Bytes of the file.
    pub(crate) range: Range<usize>,
}

/// A kind of number, little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    F64,
    F32,
    F16,
    Bf16,
    I64,
    I32,
    I8,
}

impl Number {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "F64" => Self::F64,
            "F32" => Self::F32,
            "F16" => Self::F16,
            "BF16" => Self::Bf16,
            "I64" => Self::I64,
            "I32" => Self::I32,
            "I8" => Self::I8,
            _ => return None,
        })
    }

    fn is_float(self) -> bool {
        !matches!(self, Self::I64 | Self::I32 | Self::I8)
    }

    /// Size of one.
    pub(crate) fn n_bytes(self) -> usize {
        match self {
            Self::F64 | Self::I64 => 8,
            Self::F32 | Self::I32 => 4,
            Self::F16 | Self::Bf16 => 2,
            Self::I8 => 1,
        }
    }

    /// The values in `bytes`, the nearest `f32` each.
    pub(crate) fn values(self, bytes: &[u8]) -> Vec<f32> {
        fn all<const N: usize>(bytes: &[u8], of: impl Fn([u8; N]) -> f32) -> Vec<f32> {
            bytes.as_chunks().0.iter().map(|it| of(*it)).collect()
        }
        match self {
            Self::F64 => all(bytes, |it| f64::from_le_bytes(it) as f32),
            Self::F32 => all(bytes, f32::from_le_bytes),
            Self::F16 => all(bytes, |it| half_to_f32(u16::from_le_bytes(it))),
            Self::Bf16 => all(bytes, |it| f32::from_bits(u32::from(u16::from_le_bytes(it)) << 16)),
            Self::I64 => all(bytes, |it| i64::from_le_bytes(it) as f32),
            Self::I32 => all(bytes, |it| i32::from_le_bytes(it) as f32),
            Self::I8 => all(bytes, |[it]| f32::from(it.cast_signed())),
        }
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

    #[cfg(feature = "http")]
    #[test]
    fn a_file_that_is_cut_off_is_not_whole() {
        let bytes = file(&[("a", &[2], &[1.0, 2.0]), ("b", &[1], &[5.0])]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.safetensors");
        let check = |bytes: &[u8], expected: bool| {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(is_whole(&path).unwrap(), expected, "{} bytes", bytes.len());
        };
        check(&bytes, true);
        (0..bytes.len()).for_each(|len| check(&bytes[..len], false));
        check(&[&bytes[..], &[0]].concat(), false);
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
