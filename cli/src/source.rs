//! Where an offer file comes from: a file or standard input, plain or compressed by gzip.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;

/// Read at once: system calls are no cost then, and it fits a cache.
const BUFFER: usize = 256 * 1024;
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// A file on its way in.
pub struct Source {
    /// Its bytes, uncompressed.
    pub bytes: Box<dyn BufRead>,
    /// Its size on disk; `None` where that is not known.
    pub size: Option<u64>,
    /// How many of these were read.
    pub read: Rc<Cell<u64>>,
}

/// Opens a file, `-` for standard input; `seen` is told after each read.
pub fn open(name: &str, seen: impl FnMut(u64) + 'static) -> io::Result<Source> {
    let (raw, size): (Box<dyn Read>, _) = match name {
        "-" => (Box::new(io::stdin().lock()), None),
        path => {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            if metadata.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            (Box::new(file), metadata.is_file().then_some(metadata.len()))
        }
    };
    let read = Rc::new(Cell::new(0));
    let watched = Watched { raw, read: Rc::clone(&read), seen };
    let mut buffered = BufReader::with_capacity(BUFFER, watched);
    let compressed = buffered.fill_buf()?.starts_with(&GZIP);
    let bytes: Box<dyn BufRead> = if compressed {
        Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(buffered)))
    } else {
        Box::new(buffered)
    };
    Ok(Source { bytes, size, read })
}

/// Counts what comes in.
struct Watched<F> {
    raw: Box<dyn Read>,
    read: Rc<Cell<u64>>,
    seen: F,
}

impl<F: FnMut(u64)> Read for Watched<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.raw.read(buffer)?;
        self.read.set(self.read.get() + count as u64);
        (self.seen)(self.read.get());
        Ok(count)
    }
}
