use super::*;
use crate::evidence::{EbsCounts, EbsPage, Recorder, Timed};
use ebs_base::units::SECOND_US;

/// The block that these readings make.
fn block(readings: impl IntoIterator<Item = Accounts>) -> Block {
    let mut recorder = Recorder::default();
    readings.into_iter().for_each(|reading| recorder.add_slow_probes(reading));
    recorder.block().clone()
}

#[test]
fn slow_probes_count_from_one_reading_to_the_next() {
    let accounts = |(second, read_bytes): (u64, Option<u64>)| Accounts {
        mono_us: second * SECOND_US,
        storage: read_bytes.map(|read_bytes| StorageCounts { read_bytes, ..Default::default() }),
        cost: CostCounts { cpu_us: second * 10, ..Default::default() },
        ..Accounts::default()
    };
    let block = block([(0, Some(100)), (5, Some(150)), (10, None), (15, Some(1))].map(accounts));
    let storage = Timed { counts: StorageCounts { read_bytes: 50, ..Default::default() }, known_us: 5 * SECOND_US };
    assert_eq!((block.totals.storage, block.totals.temp.known()), (storage, None));
    assert_eq!(block.sampling.cost.cpu_us, 150);
}

#[test]
fn processors_count_likewise_and_how_many_there_are_is_as_of_the_last_reading() {
    let accounts = |(second, used_us, cpus): (u64, Option<u64>, Option<u32>)| Accounts {
        mono_us: second * SECOND_US,
        processor: used_us.map(|client_us| ProcessorCounts { client_us, ..Default::default() }),
        run_delay: used_us.map(|run_delay_us| RunDelayCounts { run_delay_us }),
        cpus: cpus.map(CpuCount::from),
        ..Accounts::default()
    };
    let readings = [(0, Some(7), Some(2)), (5, Some(1_007), Some(4)), (10, None, None), (15, Some(9), None)];
    let totals = block(readings.map(accounts)).totals;
    let counts = ProcessorCounts { client_us: 1_000, ..Default::default() };
    assert_eq!(totals.processor, Timed { counts, known_us: 5 * SECOND_US });
    let counts = RunDelayCounts { run_delay_us: 1_000 };
    assert_eq!(totals.run_delay, Timed { counts, known_us: 5 * SECOND_US });
    assert_eq!((totals.cpus, block([]).totals.cpus), (Some(4.into()), None));
}

/// A reading `second` seconds in, of databases with their number, epoch and commits; the sampler has done `own` of them.
fn databases(second: u64, rows: &[(u32, i64, u64)], own: u64) -> Accounts {
    let row = |&(number, epoch, commits): &(u32, i64, u64)| {
        let transactions = TransactionCounts { commits, rollbacks: 2 * commits };
        (number, DatabaseCounts { epoch, temp: TempCounts { files: commits, bytes: 0 }, transactions })
    };
    Accounts {
        mono_us: second * SECOND_US,
        databases: Some(rows.iter().map(row).collect()),
        own_transactions: TransactionCounts { commits: own, rollbacks: 0 },
        ..Accounts::default()
    }
}

/// Commits, rollbacks and temporary files between two such readings; `None` where that is not known.
fn between(before: Accounts, now: Accounts) -> Option<(u64, u64, u64)> {
    let totals = block([before, now]).totals;
    let transactions = totals.transactions.known()?;
    Some((transactions.commits, transactions.rollbacks, totals.temp.known()?.files))
}

#[test]
fn transactions_are_those_of_all_databases_but_our_own() {
    let before = databases(0, &[(1, 0, 100), (2, 0, 1_000)], 40);
    assert_eq!(between(before.clone(), databases(1, &[(1, 0, 107), (2, 0, 1_010)], 43)), Some((14, 34, 17)));
    // A database that was created has counted from nothing.
    assert_eq!(between(before.clone(), databases(1, &[(1, 0, 100), (2, 0, 1_000), (3, 0, 6)], 40)), Some((6, 12, 6)));
    assert_eq!(between(before, Accounts { databases: None, ..databases(1, &[], 0) }), None);
}

#[test]
fn what_a_dropped_or_reset_database_counted_is_not_known() {
    let before = || databases(0, &[(1, 0, 100), (2, 0, 1_000)], 0);
    // The other one has made up for it: the sum alone would not show it.
    assert_eq!(between(before(), databases(1, &[(2, 0, 9_000)], 0)), None);
    assert_eq!(between(before(), databases(1, &[(1, 7, 200), (2, 0, 1_000)], 0)), None);
    assert_eq!(between(before(), databases(1, &[(1, 0, 100), (2, 0, 1_000)], 1)), None);
}

#[test]
fn pages_of_ebs_count_from_when_they_were_written() {
    let page = |read_ops, written_s: i64, age_us| EbsReading {
        page: EbsPage { counts: EbsCounts { read_ops, ..Default::default() }, queue_length: 3, ..Default::default() },
        written_us: written_s * 1_000_000,
        age_us,
    };
    let accounts = |second: u64, ebs: &[(&str, EbsReading)]| Accounts {
        mono_us: second * SECOND_US,
        ebs: ebs.iter().map(|(volume, reading)| ((*volume).to_owned(), reading.clone())).collect(),
        ..Accounts::default()
    };
    let mut recorder = Recorder::default();
    recorder.add_slow_probes(accounts(0, &[("vol-a", page(100, 0, 0)), ("vol-b", page(7, 0, 0))]));
    // Written four and a half seconds after the first; the other volume was detached.
    recorder.add_slow_probes(accounts(5, &[("vol-a", page(190, 4, 500_000))]));
    // The same page, which is still what there is.
    recorder.add_slow_probes(accounts(10, &[("vol-a", page(190, 4, 5_500_000)), ("vol-b", page(1, 10, 0))]));
    let [(volume, totals)] = &recorder.block().totals.ebs[..] else { panic!("one volume is known") };
    assert_eq!((volume.as_str(), totals.counts.counts.read_ops, totals.counts.known_us), ("vol-a", 90, 4_500_000));
    assert_eq!(totals.queue.readings, 1);
}
