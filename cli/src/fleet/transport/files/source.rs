//! A file that can be read from any place.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek};
use std::os::unix::fs::FileExt;
use std::path::Path;

use ebs_prometheus::ReadError;

use super::index::Extent;
use crate::fetch_error::FetchError;
use crate::input_file;

/// Bytes of a read.
const BUFFER: usize = 256 << 10;
const GZIP_MAGIC: [u8; 2] = [0x1F, 0x8B];

/// A file whose lines are in the index.
pub struct Source {
    /// Its path as the user gave it.
    pub name: String,
    /// The file, or a copy of one that cannot be read from any place.
    pub file: File,
}

/// Opens a file that is regular and not compressed; `None` for others.
pub fn open_plain(path: &Path) -> io::Result<Option<File>> {
    if path == Path::new("-") {
        return Ok(None);
    }
    let mut file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Ok(None);
    }
    let is_compressed = BufReader::with_capacity(2, &file).fill_buf()? == GZIP_MAGIC;
    file.rewind()?;
    Ok((!is_compressed).then_some(file))
}

/// The bytes of a plain file.
pub fn lines(file: &File) -> io::Result<impl BufRead + use<>> {
    Ok(BufReader::with_capacity(BUFFER, file.try_clone()?))
}

/// The bytes of a compressed file, or of standard input for `-`.
pub fn decompress(name: &str) -> io::Result<Box<dyn BufRead>> {
    let (raw, _) = input_file::open_or_stdin(name)?;
    input_file::decompress(raw)
}

impl Source {
    /// Reads a place, and unpacks it.
    pub fn read(&self, extent: &Extent) -> Result<Vec<u8>, FetchError> {
        let mut bytes = vec![0; extent.length as usize];
        let read = read_up_to(&self.file, &mut bytes, extent.offset);
        let read = read.map_err(|error| FetchError::File { file: self.name.clone(), error })?;
        // The last line of a file may lack its end.
        if read + 1 < bytes.len() {
            return Err(line_error(&self.name, extent.line, ReadError::CutOff("the file was changed".to_owned())));
        }
        bytes.truncate(read);
        if !extent.is_packed {
            return Ok(bytes);
        }
        let unpacked = lz4_flex::block::decompress_size_prepended(&bytes);
        unpacked.map_err(|error| line_error(&self.name, extent.line, ReadError::Invalid(error.to_string())))
    }
}

fn read_up_to(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut read = 0;
    while read < buffer.len() {
        match file.read_at(&mut buffer[read..], offset + read as u64) {
            Ok(0) => break,
            Ok(length) => read += length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

/// The error of a line.
pub fn line_error(name: &str, line: u64, error: ReadError) -> FetchError {
    let problem = match error {
        ReadError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            "the file ends in the middle of compressed data".to_owned()
        }
        ReadError::CutOff(problem) => format!("the line is cut off: {problem}"),
        ReadError::Invalid(problem) => problem,
        error => error.to_string(),
    };
    FetchError::Line { file: name.to_owned(), line, problem }
}
