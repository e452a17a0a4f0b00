use proptest::prelude::*;

use super::*;
use crate::evidence::{
    CpuCount, IoCounts, IoKey, ProcessorCounts, Role, Timed, TransactionCounts, WaitKey, WaitTotals, WalWriteCounts,
    downsample,
};

fn volume(device: &str, roles: &[Role]) -> Volume {
    Volume { device: device.into(), roles: roles.into(), timed: true, ..Volume::default() }
}

fn sample(at_us: i64, dt_us: u64, reads: u64) -> Sample {
    let counts = DeviceCounts { reads, ..Default::default() };
    Sample { at_us, dt_us, devices: [(0, CounterDelta::Known(counts))].into(), reset: false }
}

/// A block in which PostgreSQL read as many bytes as the device had reads.
fn block(volumes: Vec<Volume>, name: &str, interval_us: u64, samples: Vec<Sample>) -> Block {
    let text = || name.to_owned();
    let of_sample = |sample: &Sample| match sample.devices[..] {
        [(_, CounterDelta::Known(counts))] => counts.reads,
        _ => 0,
    };
    let counts = IoCounts { read_bytes: samples.iter().map(of_sample).sum(), ..Default::default() };
    let known_us = samples.iter().map(|sample| sample.dt_us).sum();
    let mut totals = Totals::default();
    totals.io.known_us = known_us;
    totals.io.rows =
        vec![(IoKey { backend_type: text(), object: "relation".into(), context: "normal".into() }, counts)];
    let key = WaitKey { backend_type: text(), ..WaitKey::default() };
    totals.waits = WaitTotals { rows: [(key, known_us)].into(), sweeps: samples.len() as u64, swept_us: known_us };
    Block {
        interval_us,
        layout: StorageLayout { volumes, ..StorageLayout::default() },
        totals,
        samples,
        ..Block::default()
    }
}

fn data(samples: Vec<Sample>) -> Block {
    block(vec![volume("a", &[Role::Data])], "client backend", 1_000_000, samples)
}

/// Reads of each moment on a volume; `None` where they are not known.
fn reads(window: &Window, index: u16) -> Vec<Option<u64>> {
    let of = |interval: &Interval| match interval.devices.iter().find(|(volume, _)| *volume == index) {
        Some((_, CounterDelta::Known(counts))) => Some(counts.reads),
        None => Some(0),
        Some(_) => None,
    };
    window.intervals.iter().map(of).collect()
}

#[test]
fn only_ticks_that_lie_mostly_inside_count() {
    let samples = (1..=5).map(|s| sample(s * 1_000_000, 1_000_000, s as u64)).collect();
    let window = Window::assemble([data(samples)], 1_400_000, 3_600_000);
    assert_eq!(reads(&window, 0), [Some(2), Some(3), Some(4)]);
    // Totals are a block's, and most of this one lies inside.
    assert_eq!((window.totals.io.rows[0].1.read_bytes, window.totals.waits.sweeps), (15, 5));
}

#[test]
fn a_window_up_to_now_is_as_long_as_its_samples() {
    let window = |to_us| {
        let samples = (1..=3).map(|s| sample(s * 1_000_000, 1_000_000, 1)).collect();
        let mut window = Window::assemble([data(samples)], -9_000_000, to_us);
        window.begin_at_first_sample();
        window.end_at_last_sample(2_000_000);
        (window.from_us, window.to_us)
    };
    assert_eq!(window(5_000_000), (0, 3_000_000));
    // The sampler has stopped: what it did not sample is missing.
    assert_eq!(window(5_000_001), (0, 5_000_001));
    let mut empty = Window::new(1, 2);
    empty.begin_at_first_sample();
    empty.end_at_last_sample(2_000_000);
    assert_eq!((empty.from_us, empty.to_us), (1, 2));
}

#[test]
fn totals_follow_the_time_of_a_block_not_its_ticks() {
    // A run begins 22 ms after its first sample: that sliver is outside, the second after it is what counts.
    let samples = vec![sample(22_000, 22_000, 1), sample(1_000_000, 978_000, 9)];
    let window = Window::assemble([data(samples)], 22_000, 9_000_000);
    assert_eq!((window.intervals.len(), window.totals.io.rows[0].1.read_bytes), (1, 10));
}

/// A block of ten seconds, of which five are not more than half, and six are.
#[test]
fn bytes_follow_the_time_of_a_block_as_totals_do() {
    let kept = |from_us| {
        let samples = (1..=10).map(|s| sample(s * 1_000_000, 1_000_000, 1)).collect();
        let window = Window::assemble([data(samples)], from_us, 10_000_000);
        let ended_us: Vec<i64> = window.block_io.iter().map(|block| block.ended_us).collect();
        (window.intervals.len(), window.totals.io.known_us, ended_us)
    };
    assert_eq!(kept(5_000_000), (5, 0, vec![]));
    assert_eq!(kept(4_000_000), (6, 10_000_000, vec![10_000_000]));
}

#[test]
fn what_older_blocks_do_not_know_is_known_of_the_rest_alone() {
    let worked = |end_s: i64, commits, cpus: Option<u32>| {
        let mut block = data(vec![sample(end_s * 1_000_000, 1_000_000, 1)]);
        block.totals.transactions = Timed { counts: TransactionCounts { commits, rollbacks: 1 }, known_us: 1_000_000 };
        let counts = ProcessorCounts { client_us: commits, ..ProcessorCounts::default() };
        block.totals.processor = Timed { counts, known_us: 1_000_000 };
        block.totals.wal_writes = Timed { counts: WalWriteCounts { writes: commits }, known_us: 1_000_000 };
        block.totals.cpus = cpus.map(CpuCount::from);
        block
    };
    let older = data(vec![sample(1_000_000, 1_000_000, 1)]);
    let window =
        Window::assemble([older, worked(2, 10, Some(2)), worked(3, 5, Some(4)), worked(4, 1, None)], 0, 9_000_000);
    // Downsampling keeps them.
    for totals in [&window.totals, &downsample(&window, 60).totals] {
        let counts = TransactionCounts { commits: 16, rollbacks: 3 };
        assert_eq!(totals.transactions, Timed { counts, known_us: 3_000_000 });
        assert_eq!((totals.processor.counts.client_us, totals.processor.known_us), (16, 3_000_000));
        assert_eq!((totals.wal_writes.counts.writes, totals.cpus), (16, Some(4.into())));
    }
}

#[test]
fn a_short_tick_joins_its_neighbour_and_a_gap_keeps_them_apart() {
    let samples = vec![sample(1_100_000, 100_000, 1), sample(2_000_000, 900_000, 9), sample(2_300_000, 300_000, 3)];
    let window = Window::assemble([data(samples)], 0, 9_000_000);
    assert_eq!((reads(&window, 0), window.intervals[0].dt_us), (vec![Some(13)], 1_300_000));
    let gap = vec![sample(1_000_000, 100_000, 1), sample(5_000_000, 1_000_000, 9)];
    assert_eq!(reads(&Window::assemble([data(gap)], 0, 9_000_000), 0), [Some(1), Some(9)]);
}

#[test]
fn many_short_ticks_in_a_row_do_not_become_one_long_one() {
    let samples = (1..=40).map(|n| sample(n * 350_000, 350_000, 1)).collect();
    let window = Window::assemble([data(samples)], 0, 99_000_000);
    assert!(window.intervals.iter().all(|interval| interval.dt_us <= 1_500_000), "{:?}", window.intervals.len());
    assert_eq!(reads(&window, 0).into_iter().flatten().sum::<u64>(), 40);
}

#[test]
fn each_block_keeps_the_interval_it_was_sampled_at() {
    let fine = data((1..=5).map(|s| sample(s * 1_000_000, 1_000_000, s as u64)).collect());
    let coarse = block(fine.layout.volumes.clone(), "x", 5_000_000, vec![sample(10_000_000, 5_000_000, 50)]);
    let window = Window::assemble([fine, coarse], 0, 99_000_000);
    assert_eq!(reads(&window, 0), [Some(1), Some(2), Some(3), Some(4), Some(5), Some(50)]);
}

#[test]
fn a_device_that_got_another_name_is_the_same_volume() {
    let before = data(vec![sample(1_000_000, 1_000_000, 1)]);
    let after = block(vec![volume("b", &[Role::Data])], "x", 1_000_000, vec![sample(2_000_000, 1_000_000, 2)]);
    let window = Window::assemble([before, after], 0, 9_000_000);
    assert_eq!(window.layout.volumes, [volume("b", &[Role::Data])]);
    assert_eq!(reads(&window, 0), [Some(1), Some(2)]);
    // Rows of PostgreSQL are told apart by their keys.
    assert_eq!(window.totals.io.rows.iter().map(|(_, counts)| counts.read_bytes).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn a_volume_is_not_known_while_it_was_not_there() {
    let together =
        block(vec![volume("a", &[Role::Data, Role::Wal])], "x", 1_000_000, vec![sample(1_000_000, 1_000_000, 1)]);
    let apart = vec![volume("a", &[Role::Data]), volume("w", &[Role::Wal])];
    let apart = block(apart, "x", 1_000_000, vec![sample(2_000_000, 1_000_000, 2)]);
    let window = Window::assemble([together, apart], 0, 9_000_000);
    assert_eq!(reads(&window, 0), [Some(1), None]);
    assert_eq!(reads(&window, 1), [None, Some(2)]);
    assert_eq!(reads(&window, 2), [None, Some(0)]);
    assert_eq!(window.current, [1, 2]);
}

/// Bytes of vectors that a window holds.
fn bytes(window: &Window) -> usize {
    let devices = |interval: &Interval| interval.devices.capacity() * size_of::<(u16, CounterDelta<DeviceCounts>)>();
    window.intervals.capacity() * size_of::<Interval>() + window.intervals.iter().map(devices).sum::<usize>()
}

#[test]
fn finishing_takes_no_more_than_was_said() {
    for others in [0, 1, 40] {
        let mut window = Window::new(0, i64::MAX);
        window.append(data((1..=200).map(|second| sample(second * 1_000_000, 1_000_000, 5)).collect()));
        let volumes = (0..others).map(|number| volume(&format!("w{number}"), &[Role::Tablespace(number.to_string())]));
        let later = sample(201_000_000, 1_000_000, 5);
        let all = volumes.chain([volume("a", &[Role::Data])]).collect();
        window.append(block(all, "client backend", 1_000_000, vec![later]));
        let (before, said) = (bytes(&window), window.bytes_to_finish());
        let after = bytes(&window.finish());
        assert!(after <= before + said, "{others} volumes: {before} + {said} became {after}");
    }
}

#[test]
fn a_reset_in_either_part_of_a_joined_tick_stays_a_reset() {
    let reset = Sample { reset: true, ..sample(1_100_000, 100_000, 1) };
    let window = Window::assemble([data(vec![reset, sample(2_000_000, 900_000, 9)])], 0, 9_000_000);
    assert_eq!((window.intervals.len(), window.intervals[0].reset), (1, true));
}

/// A block of a second that ends at this one, with this much in use.
fn filled(second: i64, downsampled_us: u64, used_bytes: Option<u64>) -> Block {
    let volume = Volume { used_bytes, filesystem_bytes: used_bytes.map(|_| 99), ..volume("a", &[Role::Data]) };
    let samples = vec![sample(second * 1_000_000, 1_000_000, 1)];
    Block { downsampled_us, ..block(vec![volume], "x", 1_000_000, samples) }
}

#[test]
fn how_full_a_volume_was_is_known_at_the_beginning_of_a_block_and_at_the_end_of_a_downsampled_one() {
    let blocks = [filled(3_600, 3_600_000_000, Some(5)), filled(3_602, 0, Some(7)), filled(3_603, 0, None)];
    let window = Window::assemble(blocks, 0, i64::MAX);
    assert_eq!(window.space[0].points().collect::<Vec<_>>(), [(3_600_000_000, 5), (3_601_000_000, 7)]);
    // Sizes that could not be read once are still the last ones known.
    let volume = &window.layout.volumes[0];
    assert_eq!((volume.used_bytes, volume.filesystem_bytes), (Some(7), Some(99)));
}

#[test]
fn ageing_keeps_how_full_the_volume_was_at_the_end() {
    let seconds = (1..=3_600).map(|second| filled(second, 0, (second <= 3_590).then_some(second.unsigned_abs())));
    let downsampled = crate::evidence::downsample(&Window::assemble(seconds, 0, i64::MAX), 3_600);
    let window = Window::assemble([downsampled], 0, i64::MAX);
    assert_eq!(window.space[0].points().collect::<Vec<_>>(), [(3_600_000_000, 3_590)]);
}

proptest! {
    #[test]
    fn joining_keeps_every_request_and_every_microsecond(lengths in prop::collection::vec(1u64..2_000_000, 1..50)) {
        let mut at = 0;
        let samples: Vec<Sample> = lengths.iter().map(|&dt| { at += dt as i64; sample(at, dt, dt) }).collect();
        let window = Window::assemble([data(samples)], 0, i64::MAX);
        prop_assert_eq!(reads(&window, 0).into_iter().flatten().sum::<u64>(), lengths.iter().sum::<u64>());
        prop_assert_eq!(window.intervals.iter().map(|t| t.dt_us).sum::<u64>(), lengths.iter().sum::<u64>());
        prop_assert_eq!(window.totals.io.rows[0].1.read_bytes, lengths.iter().sum::<u64>());
    }
}
