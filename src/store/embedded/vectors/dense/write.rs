//! Writing a segment of dense vectors.

use std::path::Path;

use super::{HEADER_LEN, Header, Kind, MAX_DIMENSION, VectorError, file, quantise};

/// Writes the segment `name` into `dir`: under temporary names first, synced, then renamed, then the folder synced.
///
/// `rows` gives strictly ascending row numbers, each with a vector of `dimension` components, in the `f32` that will be
/// searched; vectors need not be normalised. Returns the number of rows. An error among `rows` ends the writing.
///
/// # Errors
///
/// [`VectorError::Dimension`], [`VectorError::Component`] or [`VectorError::Order`] for rows that do not fit,
/// [`VectorError::Io`] when the files cannot be written. Nothing is left behind then.
pub fn write_segment<V: AsRef<[f32]>>(
    dir: &Path,
    name: &str,
    dimension: usize,
    rows: impl IntoIterator<Item = Result<(u32, V), VectorError>>,
) -> Result<u64, VectorError> {
    if dimension == 0 || dimension > MAX_DIMENSION {
        return Err(VectorError::Dimension { expected: MAX_DIMENSION, actual: dimension });
    }
    let mut files = Vec::with_capacity(3);
    for kind in Kind::ALL {
        files.push((kind, file::Pending::create(kind.path(dir, name), HEADER_LEN)?));
    }
    let mut stamp = Stamp::default();
    let mut previous = None;
    let mut n_rows = 0;
    let (mut record, mut floats) = (Vec::new(), Vec::new());
    for item in rows {
        let (row, vector) = item?;
        let vector = vector.as_ref();
        if vector.len() != dimension {
            return Err(VectorError::Dimension { expected: dimension, actual: vector.len() });
        }
        if let Some(previous) = previous.filter(|&previous| row <= previous) {
            return Err(VectorError::Order { previous, row });
        }
        quantise::check(vector)?;
        record.clear();
        quantise::write_record(vector, &mut record);
        floats.clear();
        floats.extend(vector.iter().flat_map(|x| x.to_le_bytes()));
        stamp.add(row, &floats);
        let number = row.to_le_bytes();
        for (kind, file) in &mut files {
            file.write(match kind {
                Kind::Bytes => &record,
                Kind::Floats => &floats,
                Kind::Rows => &number,
            })?;
        }
        previous = Some(row);
        n_rows += 1;
    }
    let header = Header { dimension: dimension as u32, n_rows, stamp: stamp.value() };
    for (kind, file) in &mut files {
        file.finish(&header.to_bytes(*kind))?;
    }
    for (_, file) in files {
        file.publish()?;
    }
    file::sync_folder(dir)?;
    Ok(n_rows)
}

/// The stamp over the content of a segment: the first eight bytes of a BLAKE3 hash over rows and vectors.
#[derive(Default)]
pub(super) struct Stamp(blake3::Hasher);

impl Stamp {
    pub(super) fn add(&mut self, row: u32, floats: &[u8]) {
        self.0.update(&row.to_le_bytes());
        self.0.update(floats);
    }

    pub(super) fn value(&self) -> u64 {
        file::stamp(&self.0)
    }
}
