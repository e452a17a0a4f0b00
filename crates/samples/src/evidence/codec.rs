//! Blocks as bytes: by column (`packed.rs`), in postcard (<https://postcard.jamesmunns.com/wire-format>), then LZ4 with a
//! dictionary of the names that PostgreSQL uses, behind a number that names the layout so that old evidence stays readable.

use std::sync::LazyLock;

use postcard::Deserializer;
use postcard::de_flavors::Flavor;
use serde::Deserialize;

use super::layout2::Block2;
use super::layout4::Block4;
use super::limits::{
    FIRST_FORMAT_WITH_MERGES, FIRST_FORMAT_WITH_RUN_DELAY, MAX_BYTES, MAX_READINGS, MERGE_COLUMNS, OLDEST_FORMAT,
};
use super::packed::Packed;
use super::{Block, IoKey, Session, WaitKey};
use ebs_base::input::WorkMeter;

pub use super::error::CodecError;
pub use super::limits::FORMAT;

/// Most bytes that one byte of LZ4 stands for: one of a match's length.
const MAX_EXPANSION: usize = 255;

/// Names that PostgreSQL uses, in the order of blocks. Part of layouts 2 to 5: changing them needs another layout.
const NAMES: &str = include_str!("../../data/names-2.tsv");

/// The names as blocks hold them: what a block repeats of it costs three bytes.
static DICTIONARY: LazyLock<Vec<u8>> = LazyLock::new(|| NAMES.lines().filter_map(entry).flatten().collect());

fn entry(line: &str) -> Option<Vec<u8>> {
    let mut fields = line.split('\t').map(str::to_owned);
    let mut next = || fields.next();
    match (next()?.as_str(), next()?, next()?, next()?) {
        ("io", backend_type, object, context) => postcard::to_stdvec(&IoKey { backend_type, object, context }).ok(),
        (_, backend_type, class, event) => {
            postcard::to_stdvec(&WaitKey { backend_type, class, event, session: Session::default() }).ok()
        }
    }
}

/// The bytes of `block` in layout [`FORMAT`].
pub fn encode(block: Block) -> Result<Vec<u8>, CodecError> {
    encode_with(block, &|| ())
}

/// The bytes of `block` in layout [`FORMAT`]; `pause` is called between pieces of the work, and may unwind.
pub fn encode_with(block: Block, pause: &dyn Fn()) -> Result<Vec<u8>, CodecError> {
    let readings: usize = block.samples.iter().map(|sample| sample.devices.len().max(1)).sum();
    if readings > MAX_READINGS {
        return Err(CodecError::TooLarge);
    }
    let plain = packed(block, pause)?;
    pause();
    if plain.len() > MAX_BYTES {
        return Err(CodecError::TooLarge);
    }
    let mut bytes = u32::try_from(plain.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
    bytes.extend(lz4_flex::block::compress_with_dict(&plain, &DICTIONARY));
    Ok(bytes)
}

/// The columns of `block` before LZ4. Fuzzing changes these, since a change behind LZ4 seldom reaches them.
pub fn unpacked(block: Block) -> Result<Vec<u8>, CodecError> {
    packed(block, &|| ())
}

fn packed(block: Block, pause: &dyn Fn()) -> Result<Vec<u8>, CodecError> {
    let columns = Packed::from_block(block, pause);
    pause();
    Ok(postcard::to_stdvec(&columns)?)
}

/// The bytes of `block`, neither packed nor related to a layout: for memory that is shared within one version of the library.
pub fn plain(block: &Block) -> Result<Vec<u8>, CodecError> {
    Ok(postcard::to_stdvec(block)?)
}

/// The block that [`plain`] made these bytes of.
pub fn from_plain(bytes: &[u8]) -> Result<Block, CodecError> {
    Ok(postcard::from_bytes(bytes)?)
}

/// Bytes that [`decode`] takes first, to undo LZ4: as many as `bytes` claim; 0 if no block may claim them.
pub fn plain_length(bytes: &[u8]) -> usize {
    split_length(bytes).map_or(0, |(length, _)| length)
}

/// Length that a block claims to have without LZ4, and its bytes in LZ4. A damaged claim must take no memory.
fn split_length(bytes: &[u8]) -> Result<(usize, &[u8]), CodecError> {
    let damaged = |why: &str| CodecError::Damaged(why.to_owned());
    let (length, packed) = bytes.split_first_chunk().ok_or_else(|| damaged("it ends early"))?;
    let length = u32::from_le_bytes(*length) as usize;
    if length > MAX_BYTES {
        return Err(damaged("it claims to be larger than any block"));
    }
    if length > packed.len().saturating_mul(MAX_EXPANSION) {
        return Err(damaged("it claims to be larger than its bytes can be"));
    }
    Ok((length, packed))
}

/// The block that `bytes` hold in the layout `format`.
pub fn decode(format: i16, bytes: &[u8]) -> Result<Block, CodecError> {
    decode_with(format, bytes, &|| ())
}

/// The block that `bytes` hold in the layout `format`; `pause` is called between pieces of the work, and may unwind: a block
/// from elsewhere may stand for millions of readings.
pub fn decode_with(format: i16, bytes: &[u8], pause: &dyn Fn()) -> Result<Block, CodecError> {
    if !(OLDEST_FORMAT..=FORMAT).contains(&format) {
        return Err(CodecError::UnknownFormat(format));
    }
    let (length, packed) = split_length(bytes)?;
    let mut plain = Vec::new();
    plain.try_reserve_exact(length)?;
    plain.resize(length, 0);
    let unpacked = lz4_flex::block::decompress_into_with_dict(packed, &mut plain, &DICTIONARY)
        .map_err(|error| CodecError::Damaged(error.to_string()))?;
    plain.truncate(unpacked);
    pause();
    let missing = if format < FIRST_FORMAT_WITH_MERGES { MERGE_COLUMNS } else { 0 };
    match format {
        OLDEST_FORMAT => columns_of::<Packed<Block2>>(&plain, pause)?.block(missing, pause),
        ..FIRST_FORMAT_WITH_RUN_DELAY => columns_of::<Packed<Block4>>(&plain, pause)?.block(missing, pause),
        _ => columns_of::<Packed>(&plain, pause)?.block(missing, pause),
    }
}

/// Parses the columns from bytes that LZ4 has given back.
fn columns_of<'a, T: Deserialize<'a>>(plain: &'a [u8], pause: &'a dyn Fn()) -> Result<T, CodecError> {
    Ok(T::deserialize(&mut Deserializer::from_flavor(MeteredBytes { rest: plain, meter: WorkMeter::new(pause) }))?)
}

/// Bytes for postcard, which pauses between pieces of them.
struct MeteredBytes<'a> {
    rest: &'a [u8],
    meter: WorkMeter<'a>,
}

impl<'a> Flavor<'a> for MeteredBytes<'a> {
    type Remainder = ();
    type Source = &'a [u8];

    #[inline]
    fn pop(&mut self) -> postcard::Result<u8> {
        let (first, rest) = self.rest.split_first().ok_or(postcard::Error::DeserializeUnexpectedEnd)?;
        self.rest = rest;
        self.meter.byte();
        Ok(*first)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }

    fn try_take_n(&mut self, count: usize) -> postcard::Result<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(postcard::Error::DeserializeUnexpectedEnd)?;
        self.rest = rest;
        self.meter.work(count);
        Ok(taken)
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
#[path = "codec_tests.rs"]
mod tests;
