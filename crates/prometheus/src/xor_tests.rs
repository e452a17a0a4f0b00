//! Round trips of chunks, by an encoder that follows Prometheus' appender.

use proptest::prelude::*;

use super::super::{Collector, Labels, Limits, STALE_BITS, Sample};
use super::*;

/// Bits of a chunk that is being written.
#[derive(Default)]
struct Writer {
    data: Vec<u8>,
    used: u32,
}

impl Writer {
    fn write(&mut self, value: u64, bits: u32) {
        for bit in (0..bits).rev() {
            if self.used == 0 {
                self.data.push(0);
            }
            *self.data.last_mut().unwrap() |= ((value >> bit & 1) as u8) << (7 - self.used);
            self.used = (self.used + 1) % 8;
        }
    }

    fn write_uvarint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.write(value & 0x7F | 0x80, 8);
            value >>= 7;
        }
        self.write(value, 8);
    }
}

fn write_double_delta(writer: &mut Writer, value: i64) {
    for (prefix, prefix_bits, bits) in [(0b10, 2, 14), (0b110, 3, 17), (0b1110, 4, 20)] {
        if value == 0 {
            return writer.write(0, 1);
        }
        // -((1 << (bits - 1)) - 1) <= value <= 1 << (bits - 1)
        if (1 - (1_i64 << (bits - 1))..=1 << (bits - 1)).contains(&value) {
            writer.write(prefix, prefix_bits);
            return writer.write(value as u64, bits);
        }
    }
    writer.write(0b1111, 4);
    writer.write(value as u64, 64);
}

fn write_xor(writer: &mut Writer, xor: u64, window: &mut Option<(u32, u32)>) {
    if xor == 0 {
        return writer.write(0, 1);
    }
    let (leading, trailing) = (xor.leading_zeros().min(31), xor.trailing_zeros());
    if let Some((kept_leading, kept_trailing)) = *window
        && leading >= kept_leading
        && trailing >= kept_trailing
    {
        writer.write(0b10, 2);
        return writer.write(xor >> kept_trailing, 64 - kept_leading - kept_trailing);
    }
    let bits = 64 - leading - trailing;
    writer.write(0b11, 2);
    writer.write(u64::from(leading), 5);
    writer.write(u64::from(bits), 6);
    writer.write(xor >> trailing, bits);
    *window = Some((leading, trailing));
}

/// The chunk that Prometheus would write.
pub(crate) fn encode(samples: &[Sample]) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.write(samples.len() as u64, 16);
    let mut window = None;
    let mut delta = 0_i64;
    for (index, sample) in samples.iter().enumerate() {
        if index == 0 {
            writer.write_uvarint((sample.at_ms << 1 ^ sample.at_ms >> 63) as u64);
            writer.write(sample.value.to_bits(), 64);
            continue;
        }
        let next = sample.at_ms - samples[index - 1].at_ms;
        if index == 1 {
            writer.write_uvarint(next as u64);
        } else {
            write_double_delta(&mut writer, next - delta);
        }
        delta = next;
        let xor = sample.value.to_bits() ^ samples[index - 1].value.to_bits();
        write_xor(&mut writer, xor, &mut window);
    }
    writer.data
}

fn decoded(chunk: &[u8]) -> Result<Vec<(i64, u64)>, ReadError> {
    let mut collector = Collector::new(i64::MIN, i64::MAX, Limits::default());
    decode(chunk, &mut collector.open(Labels::default())?)?;
    let samples = collector.finish().into_iter().flat_map(|series| series.samples);
    Ok(samples.map(|sample| (sample.at_ms, sample.value.to_bits())).collect())
}

fn bits_of(samples: &[Sample]) -> Vec<(i64, u64)> {
    samples.iter().map(|sample| (sample.at_ms, sample.value.to_bits())).collect()
}

#[test]
fn a_chunk_of_prometheus() {
    // Written by hand after xor.go: two samples, 1000 ms -> 2.0, 1060 ms -> 2.0; the third at 1120 ms with the same value.
    let mut chunk = vec![0, 3, 0xD0, 0x0F];
    chunk.extend(2.0_f64.to_bits().to_be_bytes());
    // uvarint 60; value bit 0; time bit 0; value bit 0.
    chunk.extend([60, 0]);
    let two = 2.0_f64.to_bits();
    assert_eq!(decoded(&chunk).unwrap(), [(1000, two), (1060, two), (1120, two)]);
}

#[test]
fn markers_of_staleness_are_kept() {
    let samples = [1.0, f64::from_bits(STALE_BITS), f64::INFINITY, f64::NAN]
        .into_iter()
        .enumerate()
        .map(|(index, value)| Sample { at_ms: 60_000 * index as i64, value })
        .collect::<Vec<_>>();
    assert_eq!(decoded(&encode(&samples)).unwrap(), bits_of(&samples));
}

#[test]
fn damaged_chunks_are_errors() {
    let samples: Vec<Sample> = (0..20).map(|at| Sample { at_ms: at * 997, value: at as f64 * 1.1 }).collect();
    let chunk = encode(&samples);
    for length in 0..chunk.len() - 1 {
        assert!(decoded(&chunk[..length]).is_err(), "{length}");
    }
    assert!(decoded(&[0xFF, 0xFF, 0, 0]).is_err());
    let wide = [&[0, 2, 0][..], &[0; 8], &[0, 0b1111_1111, 0b1111_1000, 0, 0, 0, 0, 0, 0, 0, 0, 0]].concat();
    assert!(decoded(&wide).unwrap_err().to_string().ends_with("a value of more than 64 bits"));
}

fn any_samples() -> impl Strategy<Value = Vec<Sample>> {
    let step = prop_oneof![4 => Just(60_000_i64), 2 => 1_i64..100_000, 1 => 1_i64..10_000_000_000];
    let value = prop_oneof![
        3 => (0_u32..1_000_000).prop_map(f64::from),
        1 => any::<u64>().prop_map(f64::from_bits),
        1 => Just(1.0),
    ];
    (-1_i64 << 40..1 << 42, prop::collection::vec((step, value), 1..200)).prop_map(|(mut at_ms, steps)| {
        let next = |(step, value)| {
            at_ms += step;
            Sample { at_ms, value }
        };
        steps.into_iter().map(next).collect()
    })
}

proptest! {
    #[test]
    fn chunks_round_trip(samples in any_samples()) {
        prop_assert_eq!(decoded(&encode(&samples)).unwrap(), bits_of(&samples));
    }

    #[test]
    fn no_bytes_panic(chunk in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = decoded(&chunk);
    }
}
