//! Answers of the query API.

use super::super::{Limits, Series};
use super::*;

const MATRIX: &str = r#"{"status":"success","data":{"resultType":"matrix","result":[
    {"metric":{"__name__":"up","job":"a"},"values":[[1435781430.781,"1"],[1435781445,"+Inf"],[1435781460.001,"NaN"]]},
    {"values":[[1435781430.781,"0.1"]],"metric":{}},
    {"metric":{"__name__":"h"},"histograms":[[1435781430.781,{"count":"1"}]]}]},
    "stats":{"x":[1]},"isPartial":false,"infos":["PromQL info: metric might not be a counter"]}"#;

fn read_with(text: &str, limits: Limits) -> Result<Vec<Series>, ReadError> {
    let mut collector = Collector::new(0, i64::MAX, limits);
    read_matrix(&mut text.as_bytes(), &mut collector)?;
    Ok(collector.finish())
}

fn read(text: &str) -> Result<Vec<Series>, ReadError> {
    read_with(text, Limits::default())
}

#[test]
fn a_matrix_is_read() {
    let series = read(MATRIX).unwrap();
    assert_eq!(series.len(), 2);
    assert_eq!(series[0].labels, Labels::default());
    assert_eq!(series[0].samples, [Sample { at_ms: 1_435_781_430_781, value: 0.1 }]);
    assert_eq!(series[1].labels.name(), "up");
    let at: Vec<i64> = series[1].samples.iter().map(|sample| sample.at_ms).collect();
    assert_eq!(at, [1_435_781_430_781, 1_435_781_445_000, 1_435_781_460_001]);
    assert_eq!(series[1].samples[1].value, f64::INFINITY);
    assert!(series[1].samples[2].value.is_nan());
}

#[test]
fn every_cut_is_an_error() {
    for length in (0..MATRIX.len()).filter(|&length| MATRIX.is_char_boundary(length)) {
        let error = read(&MATRIX[..length]).unwrap_err();
        assert!(matches!(error, ReadError::CutOff(_)), "{length}: {error:?}");
    }
}

#[test]
fn errors_and_warnings_are_not_lost() {
    let error = read(r#"{"status":"error","errorType":"execution","error":"too many samples","data":null}"#);
    assert_eq!(error.unwrap_err().to_string(), "execution: too many samples");
    let with = |field: &str| read(&MATRIX.replacen("\"stats\"", &format!("{field},\"stats\""), 1));
    let error = with(r#""warnings":["No StoreAPIs matched for this query","store a: timeout"]"#).unwrap_err();
    assert!(matches!(error, ReadError::Partial(_)));
    assert_eq!(error.to_string(), "the server has only a part of the samples: store a: timeout");
    assert!(with(r#""warnings":["No StoreAPIs matched for this query"]"#).is_ok());
    assert!(with(r#""warnings":null"#).is_ok());
    assert!(matches!(read(&MATRIX.replace("false", "true")), Err(ReadError::Partial(_))));
}

#[test]
fn other_results_are_refused() {
    for text in [
        r#"{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1,"1"]}]}}"#,
        r#"{"status":"success","data":{"result":[{"metric":{},"value":[1,"1"]}]}}"#,
        r#"{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,{}]]}]}}"#,
        r#"{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"1",2]]}]}}"#,
        r#"{"data":{"resultType":"matrix","result":[]}}"#,
        "{} {}",
        "[]",
    ] {
        assert!(matches!(read(text), Err(ReadError::Invalid(_))), "{text}");
    }
    let limits = Limits { samples: 3, ..Limits::default() };
    assert!(matches!(read_with(MATRIX, limits), Err(ReadError::TooLarge { bound: 3, .. })));
}

#[test]
fn label_sets_are_read() {
    let text = r#"{"status":"success","data":[{"__name__":"up","job":"a"},{"__name__":"up","job":"b"}]}"#;
    let sets = read_label_sets(&mut text.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(sets.iter().map(|labels| labels.get("job")).collect::<Vec<_>>(), [Some("a"), Some("b")]);
    let limits = Limits { series: 1, ..Limits::default() };
    assert!(matches!(read_label_sets(&mut text.as_bytes(), &limits), Err(ReadError::TooLarge { bound: 1, .. })));
    let error = read_label_sets(&mut &br#"{"status":"error","error":"no"}"#[..], &limits).unwrap_err();
    assert!(matches!(error, ReadError::Server(_)));
}
