//! Lines of VictoriaMetrics' export.

use proptest::prelude::*;

use super::super::{Limits, Sample, Series};
use super::*;

fn read(text: &str) -> Result<Vec<Series>, ReadError> {
    let mut collector = Collector::new(0, i64::MAX, Limits::default());
    read_lines(&mut text.as_bytes(), &mut collector)?;
    Ok(collector.finish())
}

#[test]
fn pieces_of_a_series_are_put_together() {
    // Text of VictoriaMetrics 1.79.5, but for the times; null is its NaN.
    let text = concat!(
        r#"{"metric":{"__name__":"a","device":"b\"c"},"values":[3,null,"Infinity","-Infinity"],"timestamps":[30,40,50,60]}"#,
        "\r\n\n",
        r#"{"metric":{"__name__":"b"},"values":[1e3,-0.5],"timestamps":[10,20]}"#,
        "\n",
        r#"{"timestamps":[10],"values":[1],"more":[{}],"metric":{"device":"b\"c","__name__":"a"}}"#,
    );
    let series = read(text).unwrap();
    let values = |at: usize| -> Vec<_> { series[at].samples.iter().map(|s| (s.at_ms, s.value.to_string())).collect() };
    assert_eq!(series.len(), 2);
    assert_eq!((series[0].labels.name(), series[0].labels.get("device")), ("a", Some("b\"c")));
    let expected = [(10, "1"), (30, "3"), (40, "NaN"), (50, "inf"), (60, "-inf")];
    assert_eq!(values(0), expected.map(|(at, value)| (at, value.to_owned())));
    assert_eq!(values(1), [(10, "1000".to_owned()), (20, "-0.5".to_owned())]);
}

#[test]
fn bad_lines_are_errors() {
    for (text, expected) in [
        (r#"{"metric":{},"values":[1,2],"timestamps":[1]}"#, "a line has 2 values and 1 timestamps"),
        (r#"{"metric":{},"values":[1]}"#, "missing field `timestamps`"),
        (r#"{"metric":{},"values":["x"],"timestamps":[1]}"#, "a value is not a number"),
        (r#"{"metric":{},"values":[1],"timestamps":[1e300]}"#, "a time is out of range"),
        (r#"{"metric":{"a":1},"values":[],"timestamps":[]}"#, "expected a string"),
        ("<html>", "expected JSON lines of samples"),
    ] {
        let error = read(&format!("{text}\n")).unwrap_err();
        assert!(matches!(error, ReadError::Invalid(_)), "{error:?}");
        assert!(error.to_string().contains(expected), "{error}");
    }
    let cut_off = read(r#"{"metric":{"a":"b"},"values":[1,2"#).unwrap_err();
    assert!(matches!(cut_off, ReadError::CutOff(_)), "{cut_off:?}");
}

/// Complete JSON of another kind is not cut off, with an end of the line or without.
#[test]
fn another_format_is_named() {
    for end in ["", "\n"] {
        let error = |text: &str| read(&format!("{text}{end}")).unwrap_err();
        let volumes = error(r#"{"Volumes": [{"VolumeId": "vol-1"}]}"#);
        assert!(volumes.to_string().contains("looks like the output of describe-volumes"), "{volumes}");
        let server = error(r#"{"status":"error","errorType":"execution","error":"too many series"}"#);
        assert_eq!(server.to_string(), "execution: too many series");
        let iostat = error("Linux 6.1.0 (db)");
        assert!(matches!(iostat, ReadError::Invalid(_)) && iostat.to_string().contains("JSON lines"), "{iostat}");
        assert!(matches!(error(r#"{"metric":{},"values":[1]}"#), ReadError::Invalid(_)));
    }
}

#[test]
fn long_lines_are_refused_and_lines_are_numbered() {
    let mut lines = Lines::new(&b"a\n\nbb\nccc\n"[..], 2);
    for (line, number, start) in [(&b"a"[..], 1, 0), (b"bb", 3, 3)] {
        assert!(lines.advance().unwrap());
        assert_eq!((lines.line(), lines.number(), lines.start()), (line, number, start));
    }
    assert_eq!(lines.advance().unwrap_err().to_string(), "more than 2 bytes in a line");
    assert_eq!(lines.number(), 4);
    assert!(!Lines::new(&b"\n"[..], 2).advance().unwrap());
}

#[test]
fn labels_alone_are_read_from_a_line() {
    let line = r#"{"metric":{"b":"1","a":"2"},"values":[1],"timestamps":[1]}"#;
    let raw = raw_labels(line.as_bytes()).unwrap();
    assert_eq!(raw, r#"{"b":"1","a":"2"}"#);
    let expected = [("a", "2"), ("b", "1")].into_iter().collect();
    assert_eq!(parse_labels(raw, &Limits::default()).unwrap(), expected);
}

proptest! {
    #[test]
    fn lines_round_trip(samples in prop::collection::btree_map(0_i64..1 << 50, any::<f64>(), 1..50), name in "\\PC{1,8}") {
        let labels: Labels = [("__name__", name)].into_iter().collect();
        let finite = samples.into_iter().filter(|(_, value)| value.is_finite());
        let samples: Vec<Sample> = finite.map(|(at_ms, value)| Sample { at_ms, value }).collect();
        let times: Vec<_> = samples.iter().map(|sample| sample.at_ms).collect();
        let values: Vec<_> = samples.iter().map(|sample| sample.value).collect();
        let line = serde_json::json!({"metric": labels, "values": values, "timestamps": times}).to_string();
        let expected: Vec<_> = Some(Series { labels, samples }).filter(|series| !series.samples.is_empty()).into_iter().collect();
        prop_assert_eq!(read(&line).unwrap(), expected);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,60}") {
        let _ = read(&text);
    }
}
