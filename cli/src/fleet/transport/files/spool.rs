//! Temporary copy of the lines of a file that cannot be read from any place: compressed by gzip, or a pipe. It has no name, and is gone
//! when the program ends.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use crate::fetch_error::FetchError;

/// Length from which a line is compressed, bytes.
const MIN_PACKED: usize = 1024;
/// Bytes of a write.
const BUFFER: usize = 256 << 10;

/// Temporary copy of lines.
pub struct Spool {
    file: BufWriter<File>,
    offset: u64,
}

impl Spool {
    /// An empty copy in the directory of temporary files.
    pub fn new() -> Result<Spool, FetchError> {
        let file = tempfile::tempfile().map_err(spool_error)?;
        Ok(Spool { file: BufWriter::with_capacity(BUFFER, file), offset: 0 })
    }

    /// Adds a line, and returns its place: beginning, length, and true if it is compressed.
    pub fn add(&mut self, line: &[u8]) -> Result<(u64, u32, bool), FetchError> {
        let is_packed = line.len() >= MIN_PACKED;
        let length = if is_packed {
            let packed = lz4_flex::block::compress_prepend_size(line);
            self.file.write_all(&packed).map(|()| packed.len())
        } else {
            self.file.write_all(line).and_then(|()| self.file.write_all(b"\n")).map(|()| line.len() + 1)
        };
        let (offset, length) = (self.offset, length.map_err(spool_error)?);
        self.offset += length as u64;
        Ok((offset, length as u32, is_packed))
    }

    /// The copy, complete.
    pub fn finish(self) -> Result<File, FetchError> {
        self.file.into_inner().map_err(|error| spool_error(error.into_error()))
    }
}

fn spool_error(error: io::Error) -> FetchError {
    let file = std::env::temp_dir().display().to_string();
    let error = io::Error::new(error.kind(), format!("temporary copy: {error}; TMPDIR names another directory"));
    FetchError::File { file, error }
}
