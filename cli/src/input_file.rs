//! Large files to import, plain or compressed by gzip.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

/// Bytes of a read: large enough that system calls cost little, small enough for the CPU's cache.
const BUFFER: usize = 256 * 1024;
const GZIP_MAGIC: [u8; 2] = [0x1F, 0x8B];

/// Opens a file and returns its size too, in bytes, unless it is not a regular file, such as a pipe.
pub fn open(path: &str) -> io::Result<(File, Option<u64>)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok((file, metadata.is_file().then_some(metadata.len())))
}

/// The bytes of a file, uncompressed.
pub fn decompress(raw: impl Read + 'static) -> io::Result<Box<dyn BufRead>> {
    let mut buffered = BufReader::with_capacity(BUFFER, raw);
    if buffered.fill_buf()?.starts_with(&GZIP_MAGIC) {
        return Ok(Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(buffered))));
    }
    Ok(Box::new(buffered))
}
