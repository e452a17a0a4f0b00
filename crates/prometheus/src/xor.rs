//! Chunks of Prometheus' XOR encoding: differences of differences of times, and values XORed with the one before
//! (<https://github.com/prometheus/prometheus/blob/v2.42.0/tsdb/chunkenc/xor.go>).

use super::collector::SeriesWriter;
use super::error::ReadError;

/// Bits of a chunk, the most significant of each byte first.
struct Bits<'a> {
    data: &'a [u8],
    at: usize,
}

/// Maximum number of bits of one load: 8 bytes less the bits before the first one.
const MAX_LOAD: u32 = 57;

impl Bits<'_> {
    /// The next bits, left-aligned, at least [`MAX_LOAD`] of them; zeros beyond the end.
    #[inline]
    fn load(&self) -> u64 {
        let rest = &self.data[self.at >> 3..];
        let bytes = match rest.first_chunk::<8>() {
            Some(bytes) => *bytes,
            None => {
                let mut padded = [0; 8];
                padded[..rest.len()].copy_from_slice(rest);
                padded
            }
        };
        u64::from_be_bytes(bytes) << (self.at & 7)
    }

    #[inline]
    fn skip(&mut self, bits: u32) -> Result<(), ReadError> {
        self.at += bits as usize;
        if self.at > self.data.len() * 8 {
            return Err(ReadError::invalid("a chunk has fewer samples than it declares"));
        }
        Ok(())
    }

    /// Reads a number of 1 to 64 bits.
    #[inline]
    fn read(&mut self, bits: u32) -> Result<u64, ReadError> {
        if bits > MAX_LOAD {
            let high = self.read(bits - 32)?;
            return Ok(high << 32 | self.read(32)?);
        }
        let value = self.load() >> (64 - bits);
        self.skip(bits)?;
        Ok(value)
    }

    /// Reads a number in groups of seven bits, the least significant first.
    fn read_uvarint(&mut self) -> Result<u64, ReadError> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.read(8)?;
            value |= (byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(ReadError::invalid("a chunk has a number of more than 64 bits"))
    }

    /// Reads a difference of two differences of times.
    #[inline]
    fn read_double_delta(&mut self) -> Result<i64, ReadError> {
        let (prefix, bits) = match (self.load() >> 60) as u8 {
            0b0000..=0b0111 => {
                self.skip(1)?;
                return Ok(0);
            }
            0b1000..=0b1011 => (2, 14),
            0b1100 | 0b1101 => (3, 17),
            0b1110 => (4, 20),
            _ => (4, 64),
        };
        self.skip(prefix)?;
        let raw = self.read(bits)? as i64;
        // The half is positive, unlike in two's complement.
        Ok(if bits < 64 && raw > 1 << (bits - 1) { raw - (1 << bits) } else { raw })
    }
}

/// Window of the bits in which values differ from the ones before.
#[derive(Clone, Copy)]
struct Window {
    bits: u32,
    trailing: u32,
}

/// Reads the bits of a value that differ from the one before.
#[inline]
fn read_xor(bits: &mut Bits<'_>, window: &mut Window) -> Result<u64, ReadError> {
    match bits.load() >> 62 {
        0b00 | 0b01 => {
            bits.skip(1)?;
            return Ok(0);
        }
        0b10 => bits.skip(2)?,
        _ => {
            let header = (bits.load() >> 51) as u32;
            bits.skip(13)?;
            let (leading, length) = (header >> 6 & 0x1F, header & 0x3F);
            let length = if length == 0 { 64 } else { length };
            let trailing = 64_u32.saturating_sub(leading + length);
            if leading + length > 64 {
                return Err(ReadError::invalid("a chunk has a value of more than 64 bits"));
            }
            *window = Window { bits: length, trailing };
        }
    }
    Ok(bits.read(window.bits)? << window.trailing)
}

/// Decodes a chunk: the number of its samples as 16 bits, then the samples.
pub(crate) fn decode(chunk: &[u8], writer: &mut SeriesWriter<'_>) -> Result<(), ReadError> {
    let Some((count, data)) = chunk.split_first_chunk::<2>() else {
        return Err(ReadError::invalid("a chunk is shorter than its count of samples"));
    };
    let count = usize::from(u16::from_be_bytes(*count));
    // Each sample after the first takes at least two bits.
    if count > data.len() * 4 {
        return Err(ReadError::invalid("a chunk has fewer samples than it declares"));
    }
    writer.reserve(count);
    let mut bits = Bits { data, at: 0 };
    let mut window = Window { bits: 64, trailing: 0 };
    let (mut at_ms, mut delta, mut value) = (0_i64, 0_i64, 0_u64);
    for sample in 0..count {
        match sample {
            0 => {
                let zigzag = bits.read_uvarint()?;
                at_ms = (zigzag >> 1) as i64 ^ -((zigzag & 1) as i64);
                value = bits.read(64)?;
            }
            1 => {
                delta = bits.read_uvarint()? as i64;
                at_ms = at_ms.wrapping_add(delta);
                value ^= read_xor(&mut bits, &mut window)?;
            }
            _ => {
                delta = delta.wrapping_add(bits.read_double_delta()?);
                at_ms = at_ms.wrapping_add(delta);
                value ^= read_xor(&mut bits, &mut window)?;
            }
        }
        writer.push(at_ms, f64::from_bits(value))?;
    }
    Ok(())
}

#[cfg(test)]
#[path = "xor_tests.rs"]
pub(crate) mod tests;
