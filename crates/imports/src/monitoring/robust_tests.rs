//! Whatever is given is read or refused, never a panic: every source cut at any byte, with bytes changed, or foreign.

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use ebs_fixtures::mutate;

const REPORTS: [&str; 6] = [
    include_str!("../../../../sql/reports/iostat-12.txt"),
    include_str!("../../../../sql/reports/iostat-12.json"),
    include_str!("../../../../sql/reports/iostat-10-en_US.txt"),
    include_str!("../../../../sql/reports/sar-10-en_US.txt"),
    include_str!("../../../../sql/reports/sadf-12.csv"),
    include_str!("../../../../sql/reports/sadf-12.json"),
];
const CLOUDWATCH: &str = include_str!("../../../../sql/reports/cloudwatch-rds.json");

/// Reads it with every reader; what is accepted must make evidence, or say why not.
fn read(text: &str) {
    let calendar = Calendar::new("Europe/Paris", false).unwrap();
    let settings =
        ImportOptions { since_boot: false, untimed: Some((0, 1_000_000)), ..ImportOptions::new(calendar.clone()) };
    for imported in [iostat(text, &settings, &|| ()), sar(text, &calendar, &|| ())].into_iter().flatten() {
        for series in &imported.series {
            let made = block(series, None, &|| ()).is_ok_and(|block| !block.samples.is_empty());
            assert!(made || series.problem.is_some(), "{series:?}");
        }
    }
}

#[test]
fn cut_at_any_byte() {
    for report in REPORTS {
        (0..report.len()).filter(|&at| report.is_char_boundary(at)).for_each(|at| read(&report[..at]));
    }
}

proptest! {
    #[test]
    fn changed_anywhere(which in 0..REPORTS.len(), at: usize, with in "\\PC{0,3}|[0-9]{1,20}|\n| ") {
        read(&mutate(REPORTS[which], at, &with));
    }

    #[test]
    fn foreign(text in "\\PC*", lines in "(([0-9:/,.]{1,8}|Device|DEV|r/s|tps|rkB/s|PM|Linux|\\(|#|;) ?\n?){0,40}") {
        read(&text);
        read(&lines);
    }

    #[test]
    fn cloudwatch_changed_anywhere(at: usize, with in "\\PC{0,3}|[0-9]{1,20}|null|-1|1e300", period: Option<i64>) {
        if let Ok(answer) = serde_json::from_str::<Value>(&mutate(CLOUDWATCH, at, &with)) {
            for series in cloudwatch(&answer, period, &|| ()).into_iter().flat_map(|imported| imported.series) {
                prop_assert!(block(&series, None, &|| ()).is_ok());
            }
        }
    }

    #[test]
    fn awr_of_any_numbers(
        begin: Option<i64>, hours in -2i64..48, figures: [Option<f64>; 6], per_second: bool, redo_apart: bool,
    ) {
        let at = |begin: i64| begin % 250_000_000_000_000_000;
        let began_us = begin.map(at);
        let totals = awr::Totals { began_us, ended_us: began_us.map(|us| us + hours * 3_600_000_000), figures };
        let _ = awr::awr(&[totals], per_second, redo_apart, &|| ());
    }
}
