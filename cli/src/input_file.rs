//! Large files to import, plain or compressed by gzip.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use jiff::Timestamp;

use crate::error::Error;

/// Bytes of a read: large enough that system calls cost little, small enough for the CPU's cache.
const BUFFER: usize = 256 * 1024;
const GZIP_MAGIC: [u8; 2] = [0x1F, 0x8B];

/// Opens a file and returns its size too, in bytes, unless it is not a regular file, such as a pipe.
fn open(path: &str) -> io::Result<(File, Option<u64>)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok((file, metadata.is_file().then_some(metadata.len())))
}

/// Opens a file, or standard input for `-`, with its size as [`open`] has it.
pub fn open_or_stdin(file: &str) -> io::Result<(Box<dyn Read>, Option<u64>)> {
    if file == "-" {
        return Ok((Box::new(io::stdin()), None));
    }
    let (opened, size) = open(file)?;
    Ok((Box::new(opened), size))
}

/// Time at which the oldest of these files was written, microseconds since 1970. Standard input is of this moment. `None` without files.
pub fn written_us<'a>(files: impl IntoIterator<Item = &'a str>) -> Option<i64> {
    let modified = |file: &str| match file {
        "-" => None,
        _ => Timestamp::try_from(fs::metadata(file).ok()?.modified().ok()?).ok(),
    };
    let written = |file: &str| modified(file).unwrap_or_else(Timestamp::now);
    files.into_iter().map(|file| written(file).as_microsecond()).min()
}

/// Opens a file, or standard input for `-`, of which at most this much is read, uncompressed.
pub fn open_bounded(file: &str, max_bytes: u64, beyond: &'static str) -> Result<Bounded<Box<dyn BufRead>>, Error> {
    let unreadable = |error| Error::ReadFile { file: file.to_owned(), error };
    let (raw, _) = open_or_stdin(file).map_err(unreadable)?;
    let source = decompress(raw).map_err(unreadable)?;
    Ok(Bounded::new(source, max_bytes, beyond))
}

/// A source of a bounded length: more is an error, and not the end.
pub struct Bounded<R> {
    source: R,
    left: u64,
    beyond: &'static str,
}

impl<R> Bounded<R> {
    /// A source of which at most this much is read; `beyond` is the problem of a longer one.
    pub fn new(source: R, max_bytes: u64, beyond: &'static str) -> Bounded<R> {
        Bounded { source, left: max_bytes, beyond }
    }

    /// The bytes that may be read yet.
    pub fn left(&self) -> u64 {
        self.left
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)? as u64;
        match self.left.checked_sub(count) {
            Some(left) => self.left = left,
            None => return Err(io::Error::new(io::ErrorKind::FileTooLarge, self.beyond)),
        }
        Ok(count as usize)
    }
}

/// The bytes of a file, uncompressed.
pub fn decompress(raw: impl Read + 'static) -> io::Result<Box<dyn BufRead>> {
    let mut buffered = BufReader::with_capacity(BUFFER, raw);
    if buffered.fill_buf()?.starts_with(&GZIP_MAGIC) {
        return Ok(Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(buffered))));
    }
    Ok(Box::new(buffered))
}
