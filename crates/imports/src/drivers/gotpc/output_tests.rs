use super::*;
use crate::drivers::error::DriverError;
use crate::drivers::follower::read;
use crate::drivers::{Driver, samples};
use crate::format::Beginning;

#[test]
fn new_orders_and_their_latency() {
    let report = read(Driver::Gotpc, samples::GOTPC, false).unwrap();
    let figures = &report.figures;
    assert_eq!((figures.nopm, figures.tpm), (Some(15_215.2), Some(33_905.4)));
    assert_eq!((figures.seconds, figures.latency_ms), (Some(20.0), Some(9.9)));
    assert_eq!(figures.percentiles.len(), 5);
    assert_eq!(figures.percentiles[4], Percentile { percent: 99.9, ms: 33.6 });
    let [progress] = report.series[..] else { panic!("{:?}", report.series) };
    assert_eq!((progress.elapsed_s, progress.nopm, progress.tps), (Some(10.0), Some(13_274.9), None));
}

#[test]
fn what_is_refused() {
    let refused = |text: &str| read(Driver::Gotpc, text, false).unwrap_err();
    let cut = samples::GOTPC.split("tpmC").next().unwrap();
    assert!(matches!(refused(cut), DriverError::Truncated { line: 5, .. }), "{:?}", refused(cut));
    let broken = samples::GOTPC.replace("tpmTotal: 33905.4", "tpmTotal: ?");
    assert!(matches!(refused(&broken), DriverError::Malformed { line: 6, .. }), "{:?}", refused(&broken));
    assert_eq!(refused("hello"), DriverError::Foreign("output of go-tpc"));
}

/// The output of 1.0.8, with a row for each kind of transaction.
fn without_total() -> String {
    let row = |kind: &str, tpm: f64| {
        format!(
            "[Summary] {kind} - Takes(s): 20.0, Count: 500, TPM: {tpm}, Sum(ms): 7.0, Avg(ms): 1.0, 50th(ms): 1.0\n"
        )
    };
    let rows = [("DELIVERY", 1400.1), ("ORDER_STATUS", 1400.2), ("STOCK_LEVEL", 1397.8), ("NEW_ORDER_ERR", 21.0)];
    let rows: String = rows.into_iter().map(|(kind, tpm)| row(kind, tpm)).collect();
    samples::GOTPC.replace(" tpmTotal: 33905.4,", "").replace("tpmC:", &format!("{rows}tpmC:"))
}

/// Up to 1.0.8 go-tpc prints no total: 15,215.2 + 14,492.1 + 1,400.1 + 1,400.2 + 1,397.8, without what failed.
#[test]
fn before_1_0_9_the_total_is_the_sum_of_all_kinds() {
    let figures = read(Driver::Gotpc, &without_total(), false).unwrap().figures;
    assert_eq!((figures.nopm, figures.tpm), (Some(15_215.2), Some(33_905.4)));
    assert_eq!(figures.percentiles[2], Percentile { percent: 95.0, ms: 14.7 });
}

#[test]
fn without_the_row_of_each_kind_the_total_is_unknown() {
    let whole = without_total();
    let summary = whole.lines().find(|line| line.starts_with("[Summary] PAYMENT")).unwrap();
    for row in ["", "[Summary] PAY", "[Summary] PAYMENT - Takes(s): 20.0, Count: 4830, TPM: 144"] {
        let figures = read(Driver::Gotpc, &whole.replace(summary, row), false).unwrap().figures;
        assert_eq!((figures.nopm, figures.tpm), (Some(15_215.2), None), "{row}");
    }
    for rate in ["TPM: 14492.1", "TPM: 15215.2"] {
        let figures = read(Driver::Gotpc, &whole.replace(rate, "TPM: x"), false).unwrap().figures;
        assert_eq!((figures.nopm, figures.tpm, figures.seconds), (Some(15_215.2), None, Some(20.0)), "{rate}");
    }
}

/// The rows of the same run as `--output json` and `--output table` print them.
#[test]
fn each_style_is_the_same_run() {
    let plain = read(Driver::Gotpc, samples::GOTPC, false).unwrap();
    let (mut json, mut table) = ("maxprocs: 16\n".to_owned(), String::new());
    for line in samples::GOTPC.lines() {
        let Some(row) = Row::from_plain(line) else {
            json += &format!("{line}\n");
            table += &format!("{line}\n");
            continue;
        };
        let cells: Vec<(&str, &str)> = ROW.iter().filter_map(|key| Some((*key, row.text(key)?))).collect();
        let mut keys = cells.clone();
        keys.sort_unstable();
        let members: Vec<String> = keys.iter().map(|(key, value)| format!("\"{key}\":\"{value}\"")).collect();
        json += &format!("[{{{}}}]\n", members.join(","));
        let joined = |cells: Vec<String>| format!("|  {}  |\n", cells.join(" | "));
        let rule = "+-----+-----+\n";
        table += rule;
        table += &joined(cells.iter().map(|(key, _)| key.to_uppercase()).collect());
        table += rule;
        table += &joined(cells.iter().map(|(_, value)| (*value).to_owned()).collect());
        table += rule;
    }
    for text in [json, table] {
        assert_eq!(read(Driver::Gotpc, &text, false).unwrap(), plain, "{text}");
        assert!(FORMAT.is_recognised(&Beginning::new(text.as_bytes())), "{text}");
    }
}

const ROW: [&str; 16] = [
    "Prefix",
    "Operation",
    "Takes(s)",
    "Count",
    "TPM",
    "Sum(ms)",
    "Avg(ms)",
    "50th(ms)",
    "90th(ms)",
    "95th(ms)",
    "99th(ms)",
    "99.9th(ms)",
    "Max(ms)",
    "tpmC",
    "tpmTotal",
    "efficiency",
];

#[test]
fn what_is_not_understood_costs_no_summary() {
    let whole = read(Driver::Gotpc, samples::GOTPC, false).unwrap();
    // --wait prints keying and thinking times under the same prefix.
    let waits = samples::GOTPC
        .replace("Finished", "[Current] KEYINGTIME-NEW_ORDER - 18.0s\n[Current] NEW_ORDER - 12.1s\nFinished");
    assert_eq!(read(Driver::Gotpc, &waits, false).unwrap(), whole);
    let broken = samples::GOTPC.replacen("TPM: 13274.9", "TPM: NaN", 1);
    let report = read(Driver::Gotpc, &broken, false).unwrap();
    assert_eq!((&report.figures, report.series.len()), (&whole.figures, 0));
    let cut = broken.split("tpmC").next().unwrap();
    assert!(matches!(read(Driver::Gotpc, cut, true), Err(DriverError::Malformed { line: 1, .. })));
}

#[test]
fn of_two_runs_neither_is_taken_for_the_other() {
    let refused = |text: &str| read(Driver::Gotpc, text, true).unwrap_err();
    let (one, lines) = (samples::GOTPC, samples::GOTPC.lines().count());
    let second = |line| DriverError::SecondRun { line };
    assert_eq!(refused(&format!("{one}{one}")), second(lines + 1));
    assert_eq!(refused(&format!("{one}maxprocs: 16\n{one}")), second(lines + 1));
    let cut = one.split("Finished").next().unwrap();
    assert_eq!(refused(&format!("{cut}maxprocs: 16\n{one}")), second(cut.lines().count() + 1));
    let summary = &one[one.find("[Summary]").unwrap()..];
    assert_eq!(refused(&format!("{summary}{summary}")), second(summary.lines().count() + 1));
    // A preparation before the run and a check behind it are no runs.
    let all = format!(
        "maxprocs: 16\ncreating table warehouse\nmaxprocs: 16\n{one}maxprocs: 16\nbegin to check warehouse 1\n"
    );
    assert_eq!(read(Driver::Gotpc, &all, false).unwrap(), read(Driver::Gotpc, one, false).unwrap());
}

#[test]
fn a_result_of_tpc_h_is_named() {
    let refused = read(Driver::Gotpc, "[Current] Q1: 0.61s\n[Summary] Q1: 0.61s\n", false).unwrap_err();
    assert_eq!(refused.to_string(), "it ends with line 2, before a result of TPC-C: TPC-H of go-tpc is not read");
}
