//! Traps of raw counters: staleness, resets, restarts, missing scrapes, large counts, replicas, devices that change.

use ebs_imports::configuration::Configuration;
use ebs_prometheus::Series;
use ebs_samples::evidence::CounterDelta;
use proptest::prelude::*;

use crate::discovery::fleet::Fleet;
use crate::discovery::selection::Selection;
use crate::made_series::{disk, labels, series, stale};
use crate::series::collect::{Counts, collect};
use crate::series::index::Index;
use crate::series::track::{Piece, rounded};

const TARGET: [(&str, &str); 2] = [("instance", "db1:9100"), ("job", "postgres")];
const SERIAL: &str = "vol06c1835863d5d7360";
const ID: &str = "vol-06c1835863d5d7360";

/// Counts of the volume of these series.
fn counts(series: &[Series], replica_labels: &[&str]) -> Counts {
    let replica_labels = replica_labels.iter().map(|label| (*label).to_owned()).collect();
    let selection = Selection { replica_labels, ..Selection::default() };
    let found = Fleet::discover(labels(series), &Configuration::default(), &selection);
    let batch = found.batches.iter().find(|batch| batch.volumes.iter().any(|volume| volume.id == ID)).unwrap();
    let volume = batch.volumes.iter().find(|volume| volume.id == ID).unwrap();
    collect(volume, &Index::new(series, &batch.replica_labels), None, &|| ())
}

/// Beginning in scrapes, length in scrapes, and reads (`None` of a reset).
fn pieces(counts: &Counts) -> Vec<(i64, i64, Option<u64>)> {
    let place = |us: i64| (us - 1_000_000_000) / 60_000_000;
    let reads = |piece: &Piece| piece.known().map(|counts| counts.reads);
    let piece =
        |(piece, _): (&Piece, _)| (place(piece.began_us), place(piece.ended_us) - place(piece.began_us), reads(piece));
    counts.pieces().map(piece).collect()
}

fn known(values: &[f64]) -> Vec<Option<f64>> {
    values.iter().map(|value| Some(*value)).collect()
}

fn of_disk(values: &[Option<f64>]) -> Vec<(i64, i64, Option<u64>)> {
    pieces(&counts(&disk(&TARGET, "nvme1n1", SERIAL, values), &[]))
}

#[test]
fn counts_are_differences() {
    assert_eq!(of_disk(&known(&[100.0, 160.0, 160.0, 280.0])), [(0, 1, Some(60)), (1, 1, Some(0)), (2, 1, Some(120))]);
    let one = counts(&disk(&TARGET, "nvme1n1", SERIAL, &known(&[0.0, 60.0, 90.0])), &[]);
    let counts = one.pieces().next().unwrap().0.known().unwrap();
    assert_eq!((counts.writes, counts.read_bytes, counts.read_ms, counts.weighted_ms), (60, 60 * 8_192, 60, 60));
    assert!(one.tracks[0].is_timed);
}

#[test]
fn a_marker_of_staleness_and_a_value_that_is_no_number_are_missing_scrapes() {
    for value in [stale(), f64::NAN, f64::INFINITY] {
        let scrapes = |missing: &dyn Fn(usize) -> Option<f64>| {
            let scrape = |at: usize| if (2..4).contains(&at) { missing(at) } else { Some(60.0 * at as f64) };
            of_disk(&(0..7).map(scrape).collect::<Vec<_>>())
        };
        assert_eq!(scrapes(&|_| Some(value)), scrapes(&|_| None), "{value}");
        assert_eq!(scrapes(&|_| Some(value)), [(0, 1, Some(60)), (4, 1, Some(60)), (5, 1, Some(60))]);
    }
}

#[test]
fn a_reset_is_a_reset_and_never_negative() {
    assert_eq!(of_disk(&known(&[900.0, 960.0, 30.0, 90.0])), [(0, 1, Some(60)), (1, 1, None), (2, 1, Some(60))]);
}

/// The machine started between the second and the third scrape, and has done more since than before.
#[test]
fn counts_over_a_restart_are_unknown_even_where_they_grew() {
    let mut all = disk(&TARGET, "nvme1n1", SERIAL, &known(&[10.0, 20.0, 500.0, 560.0]));
    let starts = known(&[500.0, 500.0, 1_090.0, 1_090.0]);
    all.push(series(&[&[("__name__", "node_boot_time_seconds")][..], &TARGET].concat(), &starts));
    assert_eq!(pieces(&counts(&all, &[])), [(0, 1, Some(10)), (1, 1, None), (2, 1, Some(60))]);
}

/// One missed scrape is averaged over; two are a gap.
#[test]
fn missing_scrapes_are_a_gap_from_the_second_on() {
    let one = [Some(0.0), Some(60.0), None, Some(180.0), Some(240.0), Some(300.0)];
    assert_eq!(of_disk(&one), [(0, 1, Some(60)), (1, 2, Some(120)), (3, 1, Some(60)), (4, 1, Some(60))]);
    let two = [Some(0.0), Some(60.0), None, None, Some(240.0), Some(300.0), Some(360.0)];
    assert_eq!(of_disk(&two), [(0, 1, Some(60)), (4, 1, Some(60)), (5, 1, Some(60))]);
}

/// 2^53 + 2 is the next number that a double holds: differences stay right to its spacing.
#[test]
fn counts_beyond_two_to_the_53_are_differences_still() {
    let large = 9_007_199_254_740_992.0;
    assert_eq!(of_disk(&known(&[large, large + 60.0, large + 120.0])), [(0, 1, Some(60)), (1, 1, Some(60))]);
}

#[test]
fn replicas_are_one_counter_and_fill_each_others_gaps() {
    let replica = |name: &'static str| [TARGET[0], TARGET[1], ("replica", name)];
    let a = [Some(0.0), Some(60.0), None, None, None, Some(300.0), Some(360.0)];
    let b = known(&[0.0, 60.0, 120.0, 180.0, 240.0, 300.0]);
    let mut all = disk(&replica("a"), "nvme1n1", SERIAL, &a);
    all.extend(disk(&replica("b"), "nvme1n1", SERIAL, &b));
    let expected: Vec<_> = (0..6).map(|scrape| (scrape, 1, Some(60))).collect();
    // With the label dropped, and as two exporters of one machine.
    assert_eq!(pieces(&counts(&all, &["replica"])), expected);
    assert_eq!(pieces(&counts(&all, &[])), expected);
}

#[test]
fn two_jobs_that_scrape_one_machine_are_one_counter() {
    let mut all = disk(&TARGET, "nvme1n1", SERIAL, &known(&[0.0, 60.0, 120.0]));
    all.extend(disk(&[("instance", "10.0.0.1:9100"), ("job", "node")], "nvme1n1", SERIAL, &known(&[0.0, 60.0, 120.0])));
    assert_eq!(pieces(&counts(&all, &[])), [(0, 1, Some(60)), (1, 1, Some(60))]);
}

/// nvme1n1 is another volume after the third scrape, and this one is nvme2n1.
#[test]
fn a_device_is_the_volume_by_its_serial_number_at_the_time() {
    let nothing = [None; 3];
    let before = |values: &[f64]| [known(values), nothing.to_vec()].concat();
    let after = |values: &[f64]| [nothing.to_vec(), known(values)].concat();
    let mut all = disk(&TARGET, "nvme1n1", SERIAL, &before(&[10.0, 20.0, 30.0]));
    let other = disk(&TARGET, "nvme1n1", "vol0000000000000000b", &after(&[700.0, 800.0, 900.0]));
    for next in other {
        match all.iter_mut().find(|known| known.labels == next.labels) {
            Some(known) => known.samples.extend(next.samples),
            None => all.push(next),
        }
    }
    all.extend(disk(&TARGET, "nvme2n1", SERIAL, &after(&[5.0, 25.0, 45.0])));
    let found = pieces(&counts(&all, &[]));
    assert_eq!(found, [(0, 1, Some(10)), (1, 1, Some(10)), (3, 1, Some(20)), (4, 1, Some(20))]);
}

/// Its history on both instances is that of one volume; it was on both at once where it is attached to both.
#[test]
fn a_volume_that_moved_is_one_volume() {
    let on = |name: &'static str, id: &'static str, values: &[Option<f64>]| {
        let target = [("instance", name), ("job", "postgres")];
        let mut all = disk(&target, "nvme1n1", SERIAL, values);
        let dmi = [("__name__", "node_dmi_info"), ("board_asset_tag", id), ("product_name", "r6i.large")];
        all.push(series(&[&dmi[..], &target].concat(), &vec![Some(1.0); values.len()]));
        all
    };
    let first = [known(&[0.0, 60.0, 120.0]), vec![None; 3]].concat();
    let mut all = on("a:9100", "i-0aaaaaaa", &first);
    all.extend(on("b:9100", "i-0bbbbbbb", &[vec![None; 3], known(&[5.0, 15.0, 25.0])].concat()));
    let moved = counts(&all, &[]);
    assert_eq!(pieces(&moved), [(0, 1, Some(60)), (1, 1, Some(60)), (3, 1, Some(10)), (4, 1, Some(10))]);
    assert_eq!((moved.merged.shared_s, moved.tracks.len()), (0.0, 2));
    let both = known(&[0.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
    let mut all = on("a:9100", "i-0aaaaaaa", &both);
    all.extend(on("b:9100", "i-0bbbbbbb", &both));
    assert_eq!(counts(&all, &[]).merged.shared_s, 300.0);
}

#[test]
fn a_reset_is_counted_as_one() {
    let one = counts(&disk(&TARGET, "nvme1n1", SERIAL, &known(&[900.0, 960.0, 30.0])), &[]);
    assert_eq!(one.pieces().nth(1).unwrap().0.counts, CounterDelta::Reset);
}

/// One scrape has a counter that is 10^12 higher: neither the way there nor the way back is demand.
#[test]
fn a_glitch_of_one_scrape_is_a_reset() {
    let glitch = known(&[0.0, 60.0, 1e12, 180.0, 240.0]);
    assert_eq!(of_disk(&glitch), [(0, 1, Some(60)), (1, 1, None), (2, 1, None), (3, 1, Some(60))]);
    // The fastest volume has 256,000 IOPS.
    assert_eq!(of_disk(&known(&[0.0, 60.0 * 256_000.0])), [(0, 1, Some(60 * 256_000))]);
}

proptest! {
    #[test]
    fn rounding_is_that_of_the_library(value in 0f64..9_007_199_254_740_992.0, whole in 0u64..1 << 53) {
        for value in [value, value / 1e9, whole as f64 / 2.0, 0.49999999999999994, 1e19, f64::INFINITY] {
            prop_assert_eq!(rounded(value), value.round() as u64);
        }
    }
}
