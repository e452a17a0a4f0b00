//! Bytes of a file as text: uncompressed, and of UTF-16, as PowerShell writes it, in UTF-8.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use ebs_base::format::plain;

use crate::error::Error;
use crate::input_file::{self, Bounded};

/// Number of bytes by which a file is recognised.
const RECOGNISED_BYTES: u64 = 8 << 10;
/// Most bytes that are read of a file, uncompressed: a month of seconds as RDS logs them is some 20 GB, of which little is kept.
const MAX_BYTES: u64 = 24 << 30;
const BEYOND: &str = "it has more than 24 GiB";
/// Most bytes of a report that is in memory as a whole: a week of seconds of one disk as iostat prints them (46 MB a day).
pub const MAX_REPORT: u64 = 384 << 20;
/// Most bytes of a JSON document that is in memory as a whole, which takes some ten times as many.
pub const MAX_DOCUMENT: u64 = 128 << 20;

/// An opened file.
pub struct Opened {
    /// Its first bytes, by which it is recognised.
    pub beginning: Vec<u8>,
    /// All of its bytes.
    pub bytes: Bounded<Box<dyn BufRead>>,
    /// Size of a plain file, bytes; 0 where that is not known.
    pub size: u64,
}

/// Opens a file, or standard input for `-`.
pub fn open(file: &str) -> Result<Opened, Error> {
    let unreadable = |error| Error::ReadFile { file: plain(file), error };
    let (raw, size) = input_file::open_or_stdin(file).map_err(unreadable)?;
    let mut source = Bounded::new(input_file::decompress(raw).map_err(unreadable)?, MAX_BYTES, BEYOND);
    let mut beginning = Vec::new();
    source.by_ref().take(RECOGNISED_BYTES).read_to_end(&mut beginning).map_err(unreadable)?;
    if let Some(big_endian) = utf_16(&beginning) {
        let rest = read_bytes(source, 0, MAX_DOCUMENT).map_err(unreadable)?;
        let text = decode_utf_16(&[beginning, rest].concat(), big_endian).into_bytes();
        let beginning = text[..text.len().min(RECOGNISED_BYTES as usize)].to_vec();
        let bytes: Box<dyn BufRead> = Box::new(Cursor::new(text));
        return Ok(Opened { beginning, bytes: Bounded::new(bytes, MAX_BYTES, BEYOND), size: 0 });
    }
    let bytes: Box<dyn BufRead> = Box::new(BufReader::new(Cursor::new(beginning.clone()).chain(source)));
    Ok(Opened { beginning, bytes: Bounded::new(bytes, MAX_BYTES, BEYOND), size: size.unwrap_or(0) })
}

/// True of UTF-16 whose higher byte comes first; `None` of another text.
fn utf_16(beginning: &[u8]) -> Option<bool> {
    match beginning {
        [0xFE, 0xFF, ..] => Some(true),
        [0xFF, 0xFE, ..] => Some(false),
        _ => None,
    }
}

fn decode_utf_16(bytes: &[u8], big_endian: bool) -> String {
    let unit = |pair: &[u8]| {
        let pair = [pair[0], pair[1]];
        if big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
    };
    let units = bytes.chunks_exact(2).map(unit).skip(1);
    char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

fn read_bytes(source: impl Read, size: u64, max_bytes: u64) -> io::Result<Vec<u8>> {
    // A buffer that grows is copied, and its pages are cleared twice: a fifth of the time of a day of iostat (`perf record`).
    let mut bytes = Vec::with_capacity(size.min(max_bytes) as usize + 1);
    source.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        let problem = format!("it has more than {} MiB: give a shorter time, or fewer devices", max_bytes >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    Ok(bytes)
}

/// The text of a file of at most this length. What is not UTF-8 is not of what is read, but may stand beside it.
pub fn read_text(file: &str, opened: Opened, max_bytes: u64) -> Result<String, Error> {
    let bytes = read_bytes(opened.bytes, opened.size, max_bytes);
    let bytes = bytes.map_err(|error| Error::ReadFile { file: plain(file), error })?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_is_read_in_both_orders() {
        let little = b"\xff\xfe{\0}\0\xfc\0";
        let big = b"\xfe\xff\0{\0}\0\xfc";
        assert_eq!(decode_utf_16(little, utf_16(little).unwrap()), "{}ü");
        assert_eq!(decode_utf_16(big, utf_16(big).unwrap()), "{}ü");
        assert_eq!(utf_16(b"{}"), None);
    }
}
