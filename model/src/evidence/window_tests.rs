use proptest::prelude::*;

use super::*;
use crate::evidence::{DeviceCounts, Role, WalCounts};

fn volume(device: &str) -> Volume {
    Volume { device: device.into(), roles: vec![Role::Data], timed: true, filesystem_bytes: None, used_bytes: None }
}

fn tick(at_us: i64, dt_us: u64, reads: u64) -> Tick {
    Tick {
        at_us,
        dt_us,
        devices: vec![(0, Reading::Known(DeviceCounts { reads, ..Default::default() }))],
        io: Reading::Known(vec![]),
        wal: Reading::Known(WalCounts::default()),
        waits: vec![(0, 1)],
        sweeps: 1,
        io_timed: true,
        wal_timed: true,
    }
}

fn block(device: &str, ticks: Vec<Tick>) -> Block {
    let wait = WaitKey { backend_type: "client backend".into(), class: "IO".into(), event: device.into() };
    Block {
        interval_us: 1_000_000,
        place: Place { volumes: vec![volume(device)], unplaced: vec![] },
        wait_keys: vec![wait],
        ticks,
        ..Block::default()
    }
}

fn reads(window: &Window) -> Vec<u64> {
    let of = |tick: &Tick| match tick.devices[0].1 {
        Reading::Known(counts) => counts.reads,
        other => panic!("{other:?}"),
    };
    window.ticks.iter().map(of).collect()
}

#[test]
fn only_ticks_that_lie_mostly_inside_count() {
    let ticks = (1..=5).map(|s| tick(s * 1_000_000, 1_000_000, s as u64)).collect();
    assert_eq!(reads(&Window::assemble([block("a", ticks)], 1_400_000, 3_600_000)), [2, 3, 4]);
}

#[test]
fn a_short_tick_joins_its_neighbour_and_a_gap_keeps_them_apart() {
    let ticks = vec![tick(1_100_000, 100_000, 1), tick(2_000_000, 900_000, 9), tick(2_300_000, 300_000, 3)];
    let window = Window::assemble([block("a", ticks)], 0, 9_000_000);
    assert_eq!((reads(&window), window.ticks[0].dt_us, window.ticks[0].waits[0].1), (vec![13], 1_300_000, 3));
    let gap = vec![tick(1_000_000, 100_000, 1), tick(5_000_000, 1_000_000, 9)];
    assert_eq!(reads(&Window::assemble([block("a", gap)], 0, 9_000_000)), [1, 9]);
}

#[test]
fn blocks_with_other_names_are_brought_to_one_numbering() {
    let first = block("a", vec![tick(1_000_000, 1_000_000, 1)]);
    let second = block("b", vec![tick(2_000_000, 1_000_000, 2)]);
    let window = Window::assemble([first, second], 0, 9_000_000);
    assert_eq!(window.place.volumes, [volume("a"), volume("b")]);
    assert_eq!((window.ticks[1].devices[0].0, window.ticks[1].waits[0].0), (1, 1));
}

#[test]
fn a_reset_in_either_part_of_a_joined_tick_stays_a_reset() {
    let reset = Tick { wal: Reading::Reset, ..tick(1_100_000, 100_000, 1) };
    let window = Window::assemble([block("a", vec![reset, tick(2_000_000, 900_000, 9)])], 0, 9_000_000);
    assert_eq!((window.ticks.len(), window.ticks[0].wal), (1, Reading::Reset));
}

proptest! {
    #[test]
    fn joining_keeps_every_request_and_every_microsecond(lengths in prop::collection::vec(1u64..2_000_000, 1..50)) {
        let mut at = 0;
        let ticks: Vec<Tick> = lengths.iter().map(|&dt| { at += dt as i64; tick(at, dt, dt) }).collect();
        let window = Window::assemble([block("a", ticks)], 0, i64::MAX);
        prop_assert_eq!(reads(&window).iter().sum::<u64>(), lengths.iter().sum::<u64>());
        prop_assert_eq!(window.ticks.iter().map(|t| t.dt_us).sum::<u64>(), lengths.iter().sum::<u64>());
    }
}
