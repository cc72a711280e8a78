//! Writing a segment so that it is whole or absent, whatever happens.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use super::{HEADER_LEN, Header, Kind, MAX_DIMENSION, VectorError, quantise};

/// Writes the segment `name` into `dir`: under temporary names first, synced, then renamed, then the folder synced.
///
/// `rows` gives strictly ascending row numbers, each with a vector of `dimension` components, in the `f32` that will be
/// searched; vectors need not be normalised. Returns the number of rows. The caller holds the index's writer lock, so
/// that no other process writes the same names.
///
/// # Errors
///
/// [`VectorError::Dimension`], [`VectorError::Component`] or [`VectorError::Order`] for rows that do not fit,
/// [`VectorError::Io`] when the files cannot be written. Nothing is left behind then.
pub fn write_segment<V: AsRef<[f32]>>(
    dir: &Path,
    name: &str,
    dimension: usize,
    rows: impl IntoIterator<Item = (u32, V)>,
) -> Result<u64, VectorError> {
    if dimension == 0 || dimension > MAX_DIMENSION {
        return Err(VectorError::Dimension { expected: MAX_DIMENSION, actual: dimension });
    }
    let mut files = Vec::with_capacity(3);
    for kind in Kind::ALL {
        files.push(Pending::create(kind, dir, name)?);
    }
    let mut stamp = Stamp::default();
    let mut previous = None;
    let mut n_rows = 0;
    let (mut record, mut floats) = (Vec::new(), Vec::new());
    for (row, vector) in rows {
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
        for file in &mut files {
            file.write(match file.kind {
                Kind::Bytes => &record,
                Kind::Floats => &floats,
                Kind::Rows => &number,
            })?;
        }
        previous = Some(row);
        n_rows += 1;
    }
    let header = Header { dimension: dimension as u32, n_rows, stamp: stamp.value() };
    for file in &mut files {
        file.finish(header)?;
    }
    for file in files {
        file.publish()?;
    }
    let synced = File::open(dir).and_then(|dir| dir.sync_all());
    synced.map_err(|source| VectorError::Io { action: "sync", path: dir.to_owned(), source })?;
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
        let hash = self.0.finalize();
        hash.as_bytes()[..8].iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
    }
}

/// A file under its temporary name, removed when it is dropped unpublished.
struct Pending {
    kind: Kind,
    temporary: PathBuf,
    path: PathBuf,
    writer: BufWriter<File>,
    published: bool,
}

impl Pending {
    fn create(kind: Kind, dir: &Path, name: &str) -> Result<Self, VectorError> {
        let path = kind.path(dir, name);
        let temporary = dir.join(format!("{name}.{}.tmp", kind.extension()));
        let file = File::create(&temporary).map_err(|source| VectorError::Io {
            action: "write",
            path: temporary.clone(),
            source,
        })?;
        let mut pending =
            Self { kind, temporary, path, writer: BufWriter::with_capacity(1 << 18, file), published: false };
        pending.write(&[0; HEADER_LEN])?;
        Ok(pending)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), VectorError> {
        let written = self.writer.write_all(bytes);
        written.map_err(|source| self.error("write", source))
    }

    fn finish(&mut self, header: Header) -> Result<(), VectorError> {
        let bytes = header.to_bytes(self.kind);
        let finished = (|| {
            self.writer.seek(SeekFrom::Start(0))?;
            self.writer.write_all(&bytes)?;
            self.writer.flush()?;
            self.writer.get_ref().sync_all()
        })();
        finished.map_err(|source| self.error("write", source))
    }

    fn publish(mut self) -> Result<(), VectorError> {
        fs::rename(&self.temporary, &self.path).map_err(|source| self.error("rename", source))?;
        self.published = true;
        Ok(())
    }

    fn error(&self, action: &'static str, source: io::Error) -> VectorError {
        VectorError::Io { action, path: self.temporary.clone(), source }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if !self.published {
            // A leftover does no harm: the next writer of the name truncates it.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
