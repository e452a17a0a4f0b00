//! Answers of engines, and rows of a fleet, of any size.

use crate::made::join_pieces;
use crate::prometheus::{chunk, field, frame, label, packed, sample};

/// Streamed answer of remote read: a frame a series, with this number of chunks each.
pub fn streamed(series: usize, chunks: usize) -> Vec<u8> {
    let one = |number: usize| {
        let name = label("device", &number.to_string());
        frame(&field(1, &[name, chunk(1).repeat(chunks)].concat()))
    };
    (0..series).flat_map(one).collect()
}

/// Answer of remote read in the form of samples.
pub fn samples(series: usize, samples: usize) -> Vec<u8> {
    let one = |number: usize| field(1, &[label("device", &number.to_string()), sample().repeat(samples)].concat());
    packed(&field(1, &(0..series).flat_map(one).collect::<Vec<u8>>()))
}

/// Lines of VictoriaMetrics' export.
pub fn export(series: usize, samples: usize) -> String {
    let values = join_pieces(samples, ",", |number| number.to_string());
    let times = join_pieces(samples, ",", |number| (1_000 * number).to_string());
    let line =
        |number: usize| format!(r#"{{"metric":{{"device":"{number}"}},"values":[{values}],"timestamps":[{times}]}}"#);
    join_pieces(series, "\n", line)
}

/// Answer of an instant query for a range of samples.
pub fn matrix(series: usize, samples: usize) -> String {
    let values = join_pieces(samples, ",", |number| format!(r#"[{number},"{number}"]"#));
    let one = |number: usize| format!(r#"{{"metric":{{"device":"{number}"}},"values":[{values}]}}"#);
    let result = join_pieces(series, ",", one);
    format!(r#"{{"status":"success","data":{{"resultType":"matrix","result":[{result}]}}}}"#)
}

/// Answer with label sets.
pub fn label_sets(series: usize) -> String {
    let sets = join_pieces(series, ",", |number| format!(r#"{{"__name__":"up","device":"{number}"}}"#));
    format!(r#"{{"status":"success","data":[{sets}]}}"#)
}

/// Rows of a fleet, 100 volumes an instance.
pub fn rows(rows: usize) -> String {
    let row = |number: usize| {
        format!(
            r#"{{"volume":"vol-{number:017x}","region":"us-east-1","instance":"i-{:017x}","action":"modify","usd_month_saved":{number}.5,"present":{{"volume_type":"gp2","volumes":1,"size_gib":500,"iops":1500,"throughput_mibps":250,"usd_month":50}},"recommended":{{"volume_type":"gp3","volumes":1,"size_gib":500,"iops":3000,"throughput_mibps":125,"usd_month":40}},"reason":{{"code":"c","text":"t"}},"evidence":{{"grade":"scrapes","coverage_pct":99.5}}}}"#,
            number / 100
        )
    };
    join_pieces(rows, "\n", row)
}
