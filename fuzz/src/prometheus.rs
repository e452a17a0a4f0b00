//! Answers of the Prometheus API, JSON lines, and selectors.

use std::io::Cursor;

use ebs_prometheus::{
    Collector, CompiledSelector, Labels, Limits, ReadError, Selector, Series, encode_request, raw_labels, read_error,
    read_label_sets, read_lines, read_matrix, read_samples, read_streamed,
};

/// Range of times, so that some are outside.
const RANGE: (i64, i64) = (0, 1 << 48);
/// Small limits, so that some inputs reach them.
pub const LIMITS: Limits = Limits {
    samples: 10_000,
    series: 100,
    labels: 20,
    label_bytes: 1_000,
    piece_bytes: 1 << 20,
    answer_bytes: 1 << 20,
};

/// Reads by one parser, and checks what is accepted.
fn check(read: impl FnOnce(&mut Collector) -> Result<(), ReadError>) -> Vec<Series> {
    let mut collector = Collector::new(RANGE.0, RANGE.1, LIMITS);
    if let Err(error) = read(&mut collector) {
        drop(error.to_string());
        return Vec::new();
    }
    let series = collector.finish();
    assert!(series.windows(2).all(|pair| pair[0].labels < pair[1].labels), "series are in order");
    assert!(series.len() <= LIMITS.series);
    assert!(series.iter().map(|series| series.samples.len()).sum::<usize>() <= LIMITS.samples);
    for series in &series {
        let samples = &series.samples;
        assert!(!samples.is_empty());
        assert!(samples.windows(2).all(|pair| pair[0].at_ms < pair[1].at_ms), "samples are in order");
        assert!(samples.iter().all(|sample| (RANGE.0..=RANGE.1).contains(&sample.at_ms)));
    }
    series
}

/// Answers of remote read: frames as they are, the layer behind the checksum, the one behind the compression.
pub fn remote_read(data: &[u8]) {
    check(|collector| read_streamed(&mut Cursor::new(data), collector));
    check(|collector| read_streamed(&mut Cursor::new(frame(data)), collector));
    check(|collector| read_samples(&mut Cursor::new(data), collector));
    if let Ok(packed) = snap::raw::Encoder::new().compress_vec(data) {
        check(|collector| read_samples(&mut Cursor::new(packed), collector));
    }
}

/// A frame with the right length and checksum.
pub fn frame(data: &[u8]) -> Vec<u8> {
    [varint(data.len()), crc32c::crc32c(data).to_be_bytes().to_vec(), data.to_vec()].concat()
}

fn varint(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// JSON lines. What is accepted is the same when it is written and read again.
pub fn export_lines(data: &[u8]) {
    drop(raw_labels(data));
    let series = check(|collector| read_lines(&mut Cursor::new(data), collector));
    let written: Vec<String> = series.iter().map(line).collect();
    let again = check(|collector| read_lines(&mut Cursor::new(written.join("\n")), collector));
    assert_eq!(format!("{series:?}"), format!("{again:?}"));
}

fn line(series: &Series) -> String {
    let value = |value: f64| if value.is_nan() { "NaN".to_owned() } else { format!("{value:?}") };
    let values: Vec<_> = series.samples.iter().map(|sample| value(sample.value)).collect();
    let times: Vec<_> = series.samples.iter().map(|sample| sample.at_ms).collect();
    serde_json::json!({"metric": series.labels, "values": values, "timestamps": times}).to_string()
}

/// Answers of the query API.
pub fn query_answer(data: &[u8]) {
    check(|collector| read_matrix(&mut Cursor::new(data), collector));
    if let Ok(sets) = read_label_sets(&mut Cursor::new(data), &LIMITS) {
        assert!(sets.len() <= LIMITS.series);
    }
    assert!(!read_error(data).to_string().contains(char::is_control));
}

/// Selectors. What is accepted is the same when it is written and read again.
pub fn selector(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match text.parse::<Selector>() {
        Ok(selector) => {
            assert_eq!(selector.to_string().parse().as_ref(), Ok(&selector));
            drop(encode_request(std::slice::from_ref(&selector), RANGE.0, RANGE.1));
            match CompiledSelector::new(&selector) {
                Ok(compiled) => drop(compiled.matches(&Labels::default())),
                Err(error) => drop(error.to_string()),
            }
        }
        Err(error) => drop(error.to_string()),
    }
}

/// A field of a message: its number and its bytes.
pub fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2][..], &varint(bytes.len()), bytes].concat()
}

/// A label of a series.
pub fn label(name: &str, value: &str) -> Vec<u8> {
    field(1, &[field(1, name.as_bytes()), field(2, value.as_bytes())].concat())
}

/// A chunk of three samples: a varint of the time and 64 bits of the value; a difference of times, no difference of values; none at all.
pub fn chunk(encoding: u8) -> Vec<u8> {
    let data = [&[0, 3, 0x80, 0x9F, 0x49][..], &2.0_f64.to_be_bytes(), &[0xE8, 0x07, 0b0011_1000, 0xC0, 0xFF, 0, 0, 0]];
    field(2, &[&[3 << 3, encoding][..], &field(4, &data.concat())].concat())
}

/// A sample, uncompressed.
pub fn sample() -> Vec<u8> {
    field(2, &[&[1 << 3 | 1][..], &2.0_f64.to_le_bytes(), &[2 << 3, 0x80, 0x9F, 0x49]].concat())
}

/// Messages of remote read, without the checksum and the compression.
pub fn remote_read_seeds() -> Vec<Vec<u8>> {
    let up = label("__name__", "up");
    let streamed = |encoding: u8| field(1, &[up.clone(), chunk(encoding)].concat());
    let samples = field(1, &field(1, &[up.clone(), sample(), sample()].concat()));
    vec![streamed(1), streamed(4), frame(&streamed(1)), samples.clone(), packed(&samples)]
}

/// A message as an answer of samples has it.
pub fn packed(message: &[u8]) -> Vec<u8> {
    snap::raw::Encoder::new().compress_vec(message).expect("it is short")
}

/// JSON lines.
pub fn export_seeds() -> Vec<Vec<u8>> {
    let line =
        r#"{"metric":{"__name__":"up","job":"a"},"values":[1,null,"Infinity",2.5],"timestamps":[1000,2000,3000,1000]}"#;
    vec![format!("{line}\n\n{}\n", line.replace("1000", "4000")).into_bytes(), line.as_bytes().to_vec()]
}

/// Answers of the query API.
pub fn query_seeds() -> Vec<Vec<u8>> {
    let answers = [
        r#"{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"a":"b"},"values":[[1.5,"1"],[2,"NaN"]]}]},"warnings":[]}"#,
        r#"{"status":"success","isPartial":true,"data":[{"__name__":"up","job":"a"}],"warnings":["w"]}"#,
        r#"{"status":"error","errorType":"execution","error":"too many samples"}"#,
    ];
    answers.map(|answer| answer.as_bytes().to_vec()).to_vec()
}

/// Selectors.
pub fn selector_seeds() -> Vec<Vec<u8>> {
    let texts = [r#"up{job="a",env=~"b.*|c",d!~"\x41\101\u00e9",}"#, r#"job="a",env!='b'"#, "{\"a.b\",'c'=`d`}"];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}
