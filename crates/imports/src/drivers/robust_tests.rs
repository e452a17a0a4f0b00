//! Whatever is given is read or refused, never a panic: every text cut at any byte, with bytes changed, or foreign.

use proptest::prelude::*;

use super::*;
use ebs_fixtures::mutate;

/// Reads it by every means; what is accepted has figures that can be stored.
fn read_all(text: &str) {
    let mut reports = Vec::new();
    for driver in Driver::ALL {
        reports.extend(read(driver, text, true));
        // A line that is refused does not end the following.
        let mut follower = Follower::new(driver);
        text.lines().for_each(|line| drop(follower.line(line, Some(1.0))));
        reports.push(follower.into_report());
    }
    reports.extend(jobs(text, None));
    let mut logs = PgbenchLogs::default();
    let lines = text.lines().try_for_each(|line| logs.line(line));
    if lines.and_then(|()| logs.end_of_file(true)).is_ok() {
        reports.extend(logs.finish());
    }
    for report in reports {
        let Figures { tps, latency_ms, nopm, tpm, .. } = report.figures;
        assert!([tps, latency_ms, nopm, tpm].iter().flatten().all(|figure| figure.is_finite() && *figure >= 0.0));
        assert!(thin(&report.series, 3).len() <= 3);
    }
}

/// Texts of all drivers.
fn texts() -> Vec<&'static str> {
    let samples = FORMATS.into_iter().flat_map(|format| format.inputs.samples).filter(|sample| sample.file.is_none());
    samples.map(|sample| std::str::from_utf8(sample.bytes).unwrap()).collect()
}

#[test]
fn cut_at_any_byte() {
    for text in texts() {
        (0..text.len()).filter(|&at| text.is_char_boundary(at)).for_each(|at| read_all(&text[..at]));
    }
}

proptest! {
    #[test]
    fn changed_anywhere(which in 0..texts().len(), at: usize, with in "\\PC{0,3}|[0-9]{1,20}|NaN|-|\n| |:|,") {
        read_all(&mutate(texts()[which], at, &with));
    }

    #[test]
    fn foreign(
        text in "\\PC*",
        lines in "((Vuser [0-9]{1,3}:|progress: |\\[ |tps|lat|query|tpmC: |System achieved |NOPM|[0-9.]{1,9}|s,|\\(ms,|:) ?\n?){0,40}",
        numbers in "(([0-9]{1,20}|failed|skipped) ?\n?){0,60}",
    ) {
        read_all(&text);
        read_all(&lines);
        read_all(&numbers);
    }

    #[test]
    fn any_transactions_make_sense(
        rows in prop::collection::vec((0u32..8, 1u32..4_000_000_000, 1_700_000_000u64..1_700_000_100, 0u64..1_000_000), 1..50),
    ) {
        let mut logs = PgbenchLogs::default();
        for (number, (client, latency_us, s, us)) in rows.iter().enumerate() {
            logs.line(&format!("{client} {number} {latency_us} 0 {s} {us}")).unwrap();
        }
        logs.end_of_file(true).unwrap();
        let figures = logs.finish().unwrap().figures;
        prop_assert_eq!(figures.transactions, Some(rows.len() as u64));
        let ascending: Vec<f64> = figures.percentiles.iter().map(|percentile| percentile.ms).collect();
        prop_assert!(ascending.is_sorted());
        prop_assert!(ascending.last() <= figures.latency_max_ms.as_ref());
    }
}
