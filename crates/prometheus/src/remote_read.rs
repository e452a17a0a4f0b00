//! Remote read: the request, and the answer in the form of samples or of streamed chunks
//! (<https://prometheus.io/docs/prometheus/latest/querying/remote_read_api/>).

use std::io::{BufRead, ErrorKind, Read};

use prost::Message;
use prost::bytes::Bytes;

use super::collector::Collector;
use super::error::{Limits, ReadError};
use super::fields::{Fields, decode};
use super::messages::{Chunk, Label, LabelMatcher, MatchType, Query, ReadRequest, ResponseType, WireSample};
use super::selector::{Operator, Selector};
use super::{Labels, xor};

/// Content type of an answer in chunks; any other is one of samples.
pub const STREAMED_TYPE: &str = "application/x-streamed-protobuf";
/// Encoding of the only chunks that are read here.
const XOR: i32 = 1;
/// Numbers of the fields of ReadResponse, of QueryResult and ChunkedReadResponse, and of their series.
const RESULTS: u32 = 1;
const SERIES: u32 = 1;
const LABELS: u32 = 1;
const SAMPLES: u32 = 2;
/// Bytes of a usual sample: a value, and a time of six bytes, each with its key, and those of the field.
const SAMPLE_BYTES: usize = 18;
/// Bytes of a varint of 63 bits.
const MAX_LENGTH_BYTES: usize = 9;

/// Body of a request for the series that meet one of the selectors, between two times, both included, milliseconds since 1970. It is
/// compressed by snappy, and accepts both forms of the answer.
pub fn encode_request(selectors: &[Selector], from_ms: i64, to_ms: i64) -> Vec<u8> {
    let query = |selector: &Selector| Query {
        start_timestamp_ms: from_ms,
        end_timestamp_ms: to_ms,
        matchers: selector.matchers.iter().map(encode_matcher).collect(),
    };
    let request = ReadRequest {
        queries: selectors.iter().map(query).collect(),
        accepted_response_types: vec![ResponseType::StreamedXorChunks.into(), ResponseType::Samples.into()],
    };
    // Fails only beyond 4 GiB.
    snap::raw::Encoder::new().compress_vec(&request.encode_to_vec()).unwrap_or_default()
}

fn encode_matcher(matcher: &super::Matcher) -> LabelMatcher {
    let r#type = match matcher.operator {
        Operator::Equal => MatchType::Equal,
        Operator::NotEqual => MatchType::NotEqual,
        Operator::Matches => MatchType::Matches,
        Operator::NotMatches => MatchType::NotMatches,
    };
    LabelMatcher { r#type: r#type.into(), name: matcher.label.clone(), value: matcher.value.clone() }
}

/// Reads an answer in frames: the length as a varint, a CRC-32C of the data, the data.
pub fn read_streamed(mut input: &mut dyn BufRead, collector: &mut Collector) -> Result<(), ReadError> {
    while let Some(frame) = read_frame(&mut input, collector.limits().piece_bytes)? {
        Fields::new(SERIES, frame).try_for_each(|series| read_chunks(series?, collector))?;
    }
    Ok(())
}

/// Reads a ChunkedSeries.
fn read_chunks(series: Bytes, collector: &mut Collector) -> Result<(), ReadError> {
    let mut writer = collector.open(read_labels(&series, collector.limits())?)?;
    for chunk in Fields::new(SAMPLES, series) {
        let chunk: Chunk = decode(chunk?)?;
        if chunk.r#type != XOR {
            return Err(ReadError::UnknownEncoding(chunk.r#type));
        }
        xor::decode(&chunk.data, &mut writer)?;
    }
    Ok(())
}

/// Reads the labels of a TimeSeries or a ChunkedSeries, no more than one beyond the limit.
fn read_labels(series: &Bytes, limits: &Limits) -> Result<Labels, ReadError> {
    let labels = Fields::new(LABELS, series.clone()).take(limits.labels + 1);
    labels.map(|label| decode(label?).map(|label: Label| (label.name, label.value))).collect()
}

/// Reads the next frame; `None` at the end of the answer, which is where a frame would begin.
fn read_frame(input: &mut impl BufRead, max_bytes: usize) -> Result<Option<Bytes>, ReadError> {
    let Some(length) = read_length(input)? else { return Ok(None) };
    if length > max_bytes as u64 {
        return Err(ReadError::TooLarge { bound: max_bytes, what: "bytes in a frame" });
    }
    let mut checksum = [0; 4];
    read_whole(input, &mut checksum)?;
    let mut frame = Vec::new();
    let read = input.take(length).read_to_end(&mut frame)?;
    if (read as u64) < length {
        return Err(ReadError::CutOff("it ends in the middle of a frame".to_owned()));
    }
    if crc32c::crc32c(&frame) != u32::from_be_bytes(checksum) {
        return Err(ReadError::invalid("the checksum of a frame is wrong"));
    }
    Ok(Some(frame.into()))
}

fn read_whole(input: &mut impl Read, buffer: &mut [u8]) -> Result<(), ReadError> {
    input.read_exact(buffer).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => ReadError::CutOff("it ends in the middle of a frame".to_owned()),
        _ => ReadError::Io(error),
    })
}

/// Length of the next frame; `None` at the end of the input.
fn read_length(input: &mut impl BufRead) -> Result<Option<u64>, ReadError> {
    let (mut length, mut bytes) = (0, 0);
    for byte in input.bytes().take(MAX_LENGTH_BYTES) {
        let byte = byte?;
        length |= u64::from(byte & 0x7F) << (7 * bytes);
        if byte & 0x80 == 0 {
            return Ok(Some(length));
        }
        bytes += 1;
    }
    Err(match bytes {
        0 => return Ok(None),
        MAX_LENGTH_BYTES => ReadError::invalid("the length of a frame has more than 63 bits"),
        _ => ReadError::CutOff("it ends in the middle of a frame".to_owned()),
    })
}

/// Reads an answer in the form of samples, compressed by snappy as a whole.
pub fn read_samples(input: &mut dyn Read, collector: &mut Collector) -> Result<(), ReadError> {
    let max_bytes = collector.limits().answer_bytes;
    let too_large = ReadError::TooLarge { bound: max_bytes, what: "bytes in an answer" };
    let mut packed = Vec::new();
    input.take(max_bytes as u64 + 1).read_to_end(&mut packed)?;
    if packed.len() > max_bytes {
        return Err(too_large);
    }
    let length = snap::raw::decompress_len(&packed).map_err(|error| ReadError::invalid(error.to_string()))?;
    if length > max_bytes {
        return Err(too_large);
    }
    let bytes = snap::raw::Decoder::new().decompress_vec(&packed);
    // Snappy has no mark of its end, so that a cut-off answer looks like a damaged one.
    let bytes = bytes.map_err(|error| ReadError::CutOff(error.to_string()))?;
    for result in Fields::new(RESULTS, bytes.into()) {
        Fields::new(SERIES, result?).try_for_each(|series| read_series(series?, collector))?;
    }
    Ok(())
}

/// Reads a TimeSeries.
fn read_series(series: Bytes, collector: &mut Collector) -> Result<(), ReadError> {
    let mut writer = collector.open(read_labels(&series, collector.limits())?)?;
    writer.reserve(series.len() / SAMPLE_BYTES);
    Fields::new(SAMPLES, series).try_for_each(|sample| {
        let sample: WireSample = decode(sample?)?;
        writer.push(sample.timestamp, sample.value)
    })
}

#[cfg(test)]
#[path = "remote_read_tests.rs"]
mod tests;
