//! Requests and answers of remote read.

use proptest::prelude::*;

use super::super::messages::{ChunkedReadResponse, ChunkedSeries, QueryResult, ReadResponse, TimeSeries};
use super::super::xor::tests::encode;
use super::super::{Matcher, STALE_BITS, Sample, Series};
use super::*;

fn series(name: &str, samples: &[(i64, f64)]) -> Series {
    let samples = samples.iter().map(|&(at_ms, value)| Sample { at_ms, value }).collect();
    Series { labels: [("__name__", name)].into_iter().collect(), samples }
}

fn wire_labels(labels: &Labels) -> Vec<Label> {
    labels.iter().map(|(name, value)| Label { name: name.to_owned(), value: value.to_owned() }).collect()
}

/// A frame with chunks of at most so many samples.
fn frame(series: &[Series], samples_per_chunk: usize, encoding: i32) -> Vec<u8> {
    let chunk = |samples: &[Sample]| Chunk { r#type: encoding, data: encode(samples).into() };
    let one = |series: &Series| ChunkedSeries {
        labels: wire_labels(&series.labels),
        chunks: series.samples.chunks(samples_per_chunk).map(chunk).collect(),
    };
    let data = ChunkedReadResponse { chunked_series: series.iter().map(one).collect() }.encode_to_vec();
    let mut frame = Vec::new();
    prost::encoding::encode_varint(data.len() as u64, &mut frame);
    frame.extend(crc32c::crc32c(&data).to_be_bytes());
    frame.extend(data);
    frame
}

fn read(answer: &[u8]) -> Result<Vec<Series>, ReadError> {
    let mut collector = Collector::new(0, 1 << 50, Limits::default());
    read_streamed(&mut &*answer, &mut collector)?;
    Ok(collector.finish())
}

#[test]
fn frames_are_put_together() {
    let first = frame(&[series("a", &[(1, 1.0), (2, 2.0), (3, 4.0)])], 2, XOR);
    let second = frame(&[series("a", &[(4, 5.0)]), series("b", &[(1, 0.5)])], 2, XOR);
    let expected = [series("a", &[(1, 1.0), (2, 2.0), (3, 4.0), (4, 5.0)]), series("b", &[(1, 0.5)])];
    let answer = [first.clone(), second].concat();
    assert_eq!(read(&answer).unwrap(), expected);
    assert_eq!(read(b"").unwrap(), []);
    for length in (1..answer.len()).filter(|&length| length != first.len()) {
        let error = read(&answer[..length]).unwrap_err();
        assert!(matches!(error, ReadError::CutOff(_)), "{length}: {error:?}");
    }
}

#[test]
fn damaged_frames_are_errors() {
    let good = frame(&[series("a", &[(1, 1.0), (2, 2.0)])], 9, XOR);
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 1;
    assert!(read(&damaged).unwrap_err().to_string().ends_with("the checksum of a frame is wrong"));
    let endless = [0xFF; 20];
    assert!(read(&endless).unwrap_err().to_string().ends_with("the length of a frame has more than 63 bits"));
    assert!(matches!(read(&endless[..5]), Err(ReadError::CutOff(_))));
    let mut long = Vec::new();
    prost::encoding::encode_varint(1 << 40, &mut long);
    assert!(matches!(read(&long), Err(ReadError::TooLarge { .. })));
}

#[test]
fn an_unknown_encoding_is_an_error_of_its_own() {
    for encoding in [0, 2, 3, 4, 99] {
        let answer = frame(&[series("a", &[(1, 1.0)])], 9, encoding);
        assert!(matches!(read(&answer), Err(ReadError::UnknownEncoding(found)) if found == encoding));
    }
}

fn samples_answer(series: &[Series]) -> Vec<u8> {
    let wire = |sample: &Sample| WireSample { value: sample.value, timestamp: sample.at_ms };
    let one = |series: &Series| TimeSeries {
        labels: wire_labels(&series.labels),
        samples: series.samples.iter().map(wire).collect(),
    };
    let answer = ReadResponse { results: vec![QueryResult { timeseries: series.iter().map(one).collect() }] };
    snap::raw::Encoder::new().compress_vec(&answer.encode_to_vec()).unwrap()
}

#[test]
fn an_answer_of_samples_is_read() {
    let expected = [series("a", &[(1, 1.0), (2, f64::from_bits(STALE_BITS))]), series("b", &[(1, 0.5)])];
    let answer = samples_answer(&expected);
    let read = |answer: &[u8], limits: Limits| {
        let mut collector = Collector::new(0, 10, limits);
        read_samples(&mut &*answer, &mut collector).map(|()| collector.finish())
    };
    let found = read(&answer, Limits::default()).unwrap();
    assert!(found[0].samples[1].is_stale());
    assert_eq!(found[1], expected[1]);
    for length in 0..answer.len() {
        assert!(read(&answer[..length], Limits::default()).is_err(), "{length}");
    }
    let limits = Limits { answer_bytes: 10, ..Limits::default() };
    assert!(matches!(read(&answer, limits), Err(ReadError::TooLarge { .. })));
}

#[test]
fn a_request_has_the_selectors_and_the_times() {
    let matcher = Matcher::new("a", Operator::NotMatches, "b.*");
    let selector = Selector { matchers: vec![matcher.clone()] };
    let body = encode_request(&[selector.clone(), selector], 5, 7);
    let request = ReadRequest::decode(&*snap::raw::Decoder::new().decompress_vec(&body).unwrap()).unwrap();
    assert_eq!(request.accepted_response_types, [1, 0]);
    assert_eq!(request.queries.len(), 2);
    let query = &request.queries[1];
    assert_eq!((query.start_timestamp_ms, query.end_timestamp_ms), (5, 7));
    assert_eq!(query.matchers, [LabelMatcher { r#type: 3, name: "a".to_owned(), value: "b.*".to_owned() }]);
}

proptest! {
    #[test]
    fn answers_round_trip(samples in prop::collection::btree_map(0_i64..1 << 42, -1e9..1e9, 1..300), per_chunk in 1_usize..130) {
        let samples: Vec<_> = samples.into_iter().collect();
        let expected = [series("a", &samples)];
        prop_assert_eq!(&read(&frame(&expected, per_chunk, XOR)).unwrap(), &expected);
        let mut collector = Collector::new(0, 1 << 50, Limits::default());
        read_samples(&mut &*samples_answer(&expected), &mut collector).unwrap();
        prop_assert_eq!(collector.finish(), expected);
    }

    #[test]
    fn no_bytes_panic(data in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut answer = Vec::new();
        prost::encoding::encode_varint(data.len() as u64, &mut answer);
        answer.extend(crc32c::crc32c(&data).to_be_bytes());
        answer.extend(&data);
        let _ = read(&answer);
        let _ = read_samples(&mut &*data, &mut Collector::new(0, 9, Limits::default()));
    }
}
