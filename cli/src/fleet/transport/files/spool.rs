//! Temporary copy of the lines of a file that cannot be read from any place: compressed by gzip, or a pipe. It has no name, and is gone
//! when the program ends.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use rustix::fs::fstatvfs;

use crate::fetch_error::FetchError;

/// Length from which a line is compressed, bytes.
const MIN_PACKED: usize = 1024;
/// Bytes of a write.
const BUFFER: usize = 256 << 10;

/// Maximum length of the copies of all files, bytes: 1 GB of gzip may be 1 TB of lines. That many samples are better read where they lie.
const MAX_BYTES: u64 = 64 << 30;
/// Share of the filesystem that stays free, one of so many: other programs write to the directory of temporary files, too.
const FREE_SHARE: u64 = 10;
/// Bytes between two looks at the free space.
const BYTES_BETWEEN: u64 = 16 << 20;

/// Bytes that the copies of all files may still take.
pub struct SpoolBudget {
    left: u64,
}

impl SpoolBudget {
    /// The whole budget.
    pub fn new() -> SpoolBudget {
        SpoolBudget { left: MAX_BYTES }
    }
}

/// Temporary copy of lines.
pub struct Spool<'a> {
    file: BufWriter<File>,
    offset: u64,
    /// Offset from which the free space is looked at again.
    next_check: u64,
    budget: &'a mut SpoolBudget,
}

impl Spool<'_> {
    /// An empty copy in the directory of temporary files.
    pub fn new(budget: &mut SpoolBudget) -> Result<Spool<'_>, FetchError> {
        let file = tempfile::tempfile().map_err(spool_error)?;
        Ok(Spool { file: BufWriter::with_capacity(BUFFER, file), offset: 0, next_check: 0, budget })
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
        self.check(length as u64)?;
        Ok((offset, length as u32, is_packed))
    }

    /// Refuses a copy that takes too much of the disk.
    fn check(&mut self, added: u64) -> Result<(), FetchError> {
        let full = |message: &str| FetchError::Argument {
            message: message.to_owned(),
            hint: "Unpack the files and name them so: plain ones are read where they lie. Or name a larger directory: TMPDIR.",
        };
        let left = self.budget.left.checked_sub(added);
        self.budget.left = left.ok_or_else(|| full("the compressed files have more than 64 GiB of lines"))?;
        if self.offset < self.next_check {
            return Ok(());
        }
        self.next_check = self.offset + BYTES_BETWEEN;
        let system = fstatvfs(self.file.get_ref()).map_err(|error| spool_error(error.into()))?;
        if leaves_free(system.f_bavail, system.f_blocks) {
            return Ok(());
        }
        Err(full("the temporary copy of the compressed files would leave less than a tenth of the disk free"))
    }

    /// The copy, complete.
    pub fn finish(self) -> Result<File, FetchError> {
        self.file.into_inner().map_err(|error| spool_error(error.into_error()))
    }
}

/// True if enough of a filesystem is free; one that does not tell its size has no bound.
fn leaves_free(free: u64, all: u64) -> bool {
    free >= all / FREE_SHARE
}

fn spool_error(error: io::Error) -> FetchError {
    let file = std::env::temp_dir().display().to_string();
    let error = io::Error::new(error.kind(), format!("temporary copy: {error}; TMPDIR names another directory"));
    FetchError::File { file, error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_all_files_have_one_bound() {
        let mut budget = SpoolBudget { left: 100 };
        let mut first = Spool::new(&mut budget).unwrap();
        // Where the disk is full, it fails for that.
        let _ = first.add(&[b'x'; 59]);
        drop(first);
        let mut second = Spool::new(&mut budget).unwrap();
        let error = second.add(&[b'x'; 59]).unwrap_err();
        assert!(error.to_string().ends_with("more than 64 GiB of lines") && error.hint().is_some(), "{error}");
    }

    #[test]
    fn a_tenth_of_a_disk_stays_free() {
        assert!(leaves_free(10, 100) && !leaves_free(9, 100) && leaves_free(0, 0));
    }
}
