use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// A reading of a page that has counted this much in each bin, and as many microseconds over the volume's limit.
fn reading(written_us: i64, exceeded: u64, bins: &[u64]) -> EbsReading {
    let counts = EbsCounts { volume_iops_exceeded_us: exceeded, read_ops: bins.iter().sum(), ..EbsCounts::default() };
    let bin = |(n, &count): (usize, &u64)| {
        let lower_us = 100 * n as u64;
        Bin { lower_us, upper_us: (n + 1 < bins.len()).then_some(lower_us + 100), count }
    };
    let read_histogram: Vec<Bin> = bins.iter().enumerate().map(bin).collect();
    EbsReading {
        page: EbsPage { counts, queue_length: exceeded % 50, read_histogram, ..EbsPage::default() },
        written_us,
        age_us: 0,
    }
}

fn bin(lower_us: u64, upper_us: Option<u64>, count: u64) -> Bin {
    Bin { lower_us, upper_us, count }
}

#[test]
fn a_second_page_tells_what_was_counted_since_the_first() {
    let (first, second) = (reading(0, 10, &[1, 5, 2]), reading(7, 25, &[1, 9, 3]));
    let totals = EbsTotals::between(&first, &second, 1_000_000).unwrap();
    assert_eq!((totals.counts.counts.volume_iops_exceeded_us, totals.counts.known_us), (15, 1_000_000));
    assert_eq!(totals.queue, Gauge { readings: 1, sum: 25, max: 25 });
    assert_eq!(totals.read_histogram, [bin(100, Some(200), 4), bin(200, None, 1)]);
    assert_eq!(totals.write_histogram, []);
}

#[test]
fn the_same_page_again_is_no_idle_second() {
    let page = reading(7, 25, &[1]);
    assert_eq!(EbsTotals::between(&page, &page, 1_000_000), None);
}

#[test]
fn counts_that_went_back_are_a_volume_attached_anew() {
    assert_eq!(EbsTotals::between(&reading(0, 10, &[]), &reading(1, 9, &[]), 1_000_000), None);
}

#[test]
fn a_bin_that_starts_again_or_other_bounds_spoil_the_histogram_alone() {
    let mut second = reading(1, 20, &[1, 9]);
    second.page.read_histogram[0].count = 0;
    let totals = EbsTotals::between(&reading(0, 10, &[1, 5]), &second, 1).unwrap();
    assert_eq!((totals.counts.counts.volume_iops_exceeded_us, totals.read_histogram), (10, vec![]));
    let totals = EbsTotals::between(&reading(0, 10, &[1, 5]), &reading(1, 20, &[1, 5, 1]), 1).unwrap();
    assert_eq!(totals.read_histogram, []);
}

#[test]
fn stretches_with_different_bounds_stand_side_by_side_in_order() {
    let mut sum = vec![bin(0, Some(10), 1), bin(20, None, 2)];
    add_bins(&mut sum, vec![bin(10, Some(20), 4), bin(20, None, 8)]);
    assert_eq!(sum, [bin(0, Some(10), 1), bin(10, Some(20), 4), bin(20, None, 10)]);
}

#[test]
fn a_gauge_that_nobody_looked_at_is_not_zero() {
    let mut gauge = Gauge::default();
    assert_eq!(gauge.mean_and_max(), None);
    gauge.add(Gauge::new(0));
    gauge.add(Gauge::new(5));
    assert_eq!(gauge.mean_and_max(), Some((2.5, 5.0)));
}

proptest! {
    #[test]
    fn what_was_counted_in_two_stretches_is_what_was_counted_in_both(
        start in vec(any::<u32>(), 3), first in vec(any::<u32>(), 3), second in vec(any::<u32>(), 3), exceeded: [u32; 3],
    ) {
        let sum = |parts: &[&Vec<u32>]| -> Vec<u64> {
            (0..3).map(|n| parts.iter().map(|part| u64::from(part[n])).sum()).collect()
        };
        let [a, b, c] = exceeded.map(u64::from);
        let pages = [
            reading(0, a, &sum(&[&start])),
            reading(1, a + b, &sum(&[&start, &first])),
            reading(2, a + b + c, &sum(&[&start, &first, &second])),
        ];
        let mut parts = EbsTotals::between(&pages[0], &pages[1], 5).unwrap();
        parts.add(EbsTotals::between(&pages[1], &pages[2], 6).unwrap());
        let whole = EbsTotals::between(&pages[0], &pages[2], 11).unwrap();
        prop_assert_eq!(&parts.counts, &whole.counts);
        prop_assert_eq!(&parts.read_histogram, &whole.read_histogram);
        prop_assert_eq!(whole.read_histogram.iter().map(|bin| bin.count).sum::<u64>(), whole.counts.counts.read_ops);
        prop_assert_eq!(parts.queue.readings, 2);
    }
}
