use super::super::percentile::Percentile;
use super::super::samples;
use super::*;
use proptest::prelude::*;

/// The files of all threads.
fn read(files: &[&str]) -> Result<Report, DriverError> {
    let mut logs = PgbenchLogs::default();
    for file in files {
        file.lines().try_for_each(|line| logs.line(line))?;
        logs.end_of_file(file.ends_with('\n'))?;
    }
    logs.finish()
}

#[test]
fn transactions_make_rate_latency_and_percentiles() {
    let report = read(&[samples::TRANSACTIONS]).unwrap();
    let figures = &report.figures;
    assert_eq!((figures.transactions, figures.failed, figures.clients), (Some(4), Some(1), Some(2)));
    // From 0.5 s less 4 ms to 2.5 s: 4 in 2.004 s; (4 + 2 + 6 + 8) / 4 = 5 ms.
    assert!((figures.seconds.unwrap() - 2.004).abs() < 1e-9);
    assert!((figures.tps.unwrap() - 4.0 / 2.004).abs() < 1e-9);
    assert_eq!((figures.latency_ms, figures.latency_max_ms), (Some(5.0), Some(8.0)));
    // √((1 + 9 + 1 + 9) / 4)
    assert!((figures.latency_stddev_ms.unwrap() - 5f64.sqrt()).abs() < 1e-9);
    let median = Percentile { percent: 50.0, ms: 4.0 };
    assert_eq!((figures.percentiles[0], figures.percentiles[2]), (median, Percentile { percent: 99.0, ms: 8.0 }));
    // The whole second between the first and the last.
    let [second] = report.series[..] else { panic!("{:?}", report.series) };
    assert_eq!((second.epoch_s, second.tps, second.latency_ms), (Some(1_763_712_002.0), Some(1.0), Some(6.0)));
    assert_eq!(second.failed, Some(1.0));
}

#[test]
fn files_of_several_threads_are_one_run() {
    let other = "2 1 10000 0 1763712002 600000\n";
    let figures = read(&[samples::TRANSACTIONS, other]).unwrap().figures;
    assert_eq!((figures.transactions, figures.clients, figures.latency_ms), (Some(5), Some(3), Some(6.0)));
}

#[test]
fn sums_of_intervals_are_summed_over_threads() {
    let figures = read(&[samples::INTERVALS]).unwrap().figures;
    // The only whole interval is the second: 200 transactions in 10 s.
    assert_eq!((figures.tps, figures.transactions, figures.failed), (Some(20.0), Some(350), Some(3)));
    assert!((figures.latency_ms.unwrap() - 1150.0 / 350.0).abs() < 1e-9);
    assert_eq!(figures.latency_max_ms, Some(9.0));
    assert_eq!(figures.percentiles, []);
    // A thread that began a second later, as of version 14: no failures there.
    let later = "1763712001 10 40000 170000000 2000 9000\n1763712011 20 60000 190000000 1500 8000\n\
                 1763712021 3 9000 28500000 1500 8000\n";
    let report = read(&[samples::INTERVALS, later]).unwrap();
    assert_eq!((report.figures.tps, report.figures.transactions), (Some(22.0), Some(383)));
    assert_eq!(report.figures.failed, None);
    let twice = read(&[samples::INTERVALS, samples::INTERVALS]).unwrap();
    let [second] = twice.series[..] else { panic!("{:?}", twice.series) };
    assert_eq!((second.epoch_s, second.tps, second.failed), (Some(1_763_712_020.0), Some(40.0), Some(4.0)));
}

#[test]
fn without_a_whole_interval_there_is_no_rate() {
    let first = "1763712000 100 400000 1700000000 2000 9000\n";
    let figures = read(&[first]).unwrap().figures;
    assert_eq!((figures.tps, figures.transactions, figures.latency_ms), (None, Some(100), Some(4.0)));
    let figures = read(&[&format!("{first}1763712010 60 240000 1020000000 2000 9000\n")]).unwrap().figures;
    assert_eq!((figures.tps, figures.transactions), (None, Some(160)));
}

#[test]
fn what_is_refused() {
    let refused = |files: &[&str]| read(files).unwrap_err();
    assert_eq!(refused(&[]), DriverError::Foreign(WHAT));
    assert_eq!(refused(&["hello\n"]), DriverError::Foreign(WHAT));
    // Found by fuzzing: the mean latency of so little of a transaction was infinite.
    let fraction = "1763712000 1e-308 400000 1700000000 2000 9000\n";
    assert!(matches!(refused(&[fraction]), DriverError::Malformed { line: 1, .. }));
    let cut = &samples::TRANSACTIONS[..samples::TRANSACTIONS.len() - 3];
    assert_eq!(refused(&[cut]), DriverError::Truncated { line: 6, expected: "the end of its last line" });
    let short = "0 1 4000 0 1763712000 500000\n0 2 4000\n";
    assert_eq!(refused(&[short]), DriverError::malformed(2, TRANSACTION, "0 2 4000"));
    // Intervals behind transactions, time that goes back, and more microseconds than a second has.
    assert!(matches!(refused(&[samples::TRANSACTIONS, samples::INTERVALS]), DriverError::Malformed { line: 1, .. }));
    let back = "1763712010 1 1 1 1 1\n1763712000 1 1 1 1 1\n";
    assert_eq!(refused(&[back]), DriverError::SecondRun { line: 2 });
    assert!(matches!(refused(&["0 1 4000 0 1763712000 1000000\n"]), DriverError::Malformed { line: 1, .. }));
}

#[test]
fn of_two_runs_neither_is_taken_for_the_other() {
    let refused = |files: &[&str]| read(files).unwrap_err();
    let second = |line| DriverError::SecondRun { line };
    let twice = |text: &str, from: &str, to: &str| format!("{text}{}", text.replace(from, to));
    let lines = samples::TRANSACTIONS.lines().count();
    let later = twice(samples::TRANSACTIONS, "17637120", "17637130");
    assert_eq!(refused(&[&later]), second(lines + 1));
    // The second run's files named beside the first's.
    assert_eq!(refused(&[samples::TRANSACTIONS, &samples::TRANSACTIONS.replace("17637120", "17637130")]), second(1));
    assert_eq!(refused(&[&twice(samples::INTERVALS, "17637120", "17637130")]), second(4));
    assert_eq!(refused(&[&twice(samples::INTERVALS, "17637120", "17637120")]), second(4));
    let (single, _) = samples::INTERVALS.split_once('\n').unwrap();
    // In files of their own, in either order: the second begins when the last interval of the first, which has 10 s, is over.
    let next = [("1763712020", "1763712050"), ("1763712010", "1763712040"), ("1763712000", "1763712030")];
    let next = next.iter().fold(samples::INTERVALS.to_owned(), |text, (from, to)| text.replace(from, to));
    assert_eq!(refused(&[samples::INTERVALS, &next]), second(1));
    assert_eq!(refused(&[&next, samples::INTERVALS]), second(1));
    let single = format!("{single}\n");
    assert_eq!(refused(&[&single, &single.replace("17637120", "17637121")]), second(1));
    let after = samples::INTERVALS.replace("17637120", "17637130");
    assert_eq!(refused(&[&format!("{single}{after}")]), second(2));
}

proptest! {
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
