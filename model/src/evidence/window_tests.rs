use proptest::prelude::*;

use super::*;
use crate::evidence::{Role, WalCounts};

fn volume(device: &str, roles: &[Role]) -> Volume {
    Volume { device: device.into(), roles: roles.into(), timed: true, filesystem_bytes: None, used_bytes: None }
}

fn tick(at_us: i64, dt_us: u64, reads: u64) -> Tick {
    Tick {
        at_us,
        dt_us,
        devices: vec![(0, Reading::Known(DeviceCounts { reads, ..Default::default() }))],
        io: Reading::Known(vec![(0, IoCounts { read_bytes: reads, ..Default::default() })]),
        wal: Reading::Known(WalCounts::default()),
        waits: vec![(0, 1)],
        sweeps: 1,
        io_timed: true,
        wal_timed: true,
    }
}

fn block(volumes: Vec<Volume>, name: &str, interval_us: u64, ticks: Vec<Tick>) -> Block {
    let text = || name.to_owned();
    Block {
        interval_us,
        place: Place { volumes, unplaced: vec![] },
        io_keys: vec![IoKey { backend_type: text(), object: "relation".into(), context: "normal".into() }],
        wait_keys: vec![WaitKey { backend_type: text(), class: "IO".into(), event: "DataFileRead".into() }],
        ticks,
        ..Block::default()
    }
}

fn data(ticks: Vec<Tick>) -> Block {
    block(vec![volume("a", &[Role::Data])], "client backend", 1_000_000, ticks)
}

/// Reads of each moment on a volume; `None` where they are not known.
fn reads(window: &Window, index: u16) -> Vec<Option<u64>> {
    let of = |moment: &Moment| match moment.devices.iter().find(|(volume, _)| *volume == index) {
        Some((_, Reading::Known(counts))) => Some(counts.reads),
        None => Some(0),
        Some(_) => None,
    };
    window.moments.iter().map(of).collect()
}

#[test]
fn only_ticks_that_lie_mostly_inside_count() {
    let ticks = (1..=5).map(|s| tick(s * 1_000_000, 1_000_000, s as u64)).collect();
    let window = Window::assemble([data(ticks)], 1_400_000, 3_600_000);
    assert_eq!(reads(&window, 0), [Some(2), Some(3), Some(4)]);
    assert_eq!((window.io.rows[0].1.read_bytes, window.io.known_us, window.waits.sweeps), (9, 3_000_000, 3));
}

#[test]
fn a_short_tick_joins_its_neighbour_and_a_gap_keeps_them_apart() {
    let ticks = vec![tick(1_100_000, 100_000, 1), tick(2_000_000, 900_000, 9), tick(2_300_000, 300_000, 3)];
    let window = Window::assemble([data(ticks)], 0, 9_000_000);
    assert_eq!((reads(&window, 0), window.moments[0].dt_us), (vec![Some(13)], 1_300_000));
    let gap = vec![tick(1_000_000, 100_000, 1), tick(5_000_000, 1_000_000, 9)];
    assert_eq!(reads(&Window::assemble([data(gap)], 0, 9_000_000), 0), [Some(1), Some(9)]);
}

#[test]
fn each_block_keeps_the_interval_it_was_sampled_at() {
    let fine = data((1..=5).map(|s| tick(s * 1_000_000, 1_000_000, s as u64)).collect());
    let coarse = block(fine.place.volumes.clone(), "x", 5_000_000, vec![tick(10_000_000, 5_000_000, 50)]);
    let window = Window::assemble([fine, coarse], 0, 99_000_000);
    assert_eq!(reads(&window, 0), [Some(1), Some(2), Some(3), Some(4), Some(5), Some(50)]);
    assert_eq!(crate::evidence::Coverage::of(&window).missed_ticks, 0);
}

#[test]
fn a_device_that_got_another_name_is_the_same_volume() {
    let before = data(vec![tick(1_000_000, 1_000_000, 1)]);
    let after = block(vec![volume("b", &[Role::Data])], "x", 1_000_000, vec![tick(2_000_000, 1_000_000, 2)]);
    let window = Window::assemble([before, after], 0, 9_000_000);
    assert_eq!(window.place.volumes, [volume("b", &[Role::Data])]);
    assert_eq!(reads(&window, 0), [Some(1), Some(2)]);
    // Rows of PostgreSQL are told apart by their keys.
    assert_eq!(window.io.rows.iter().map(|(_, counts)| counts.read_bytes).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn a_volume_is_not_known_while_it_was_not_there() {
    let together =
        block(vec![volume("a", &[Role::Data, Role::Wal])], "x", 1_000_000, vec![tick(1_000_000, 1_000_000, 1)]);
    let apart = vec![volume("a", &[Role::Data]), volume("w", &[Role::Wal])];
    let apart = block(apart, "x", 1_000_000, vec![tick(2_000_000, 1_000_000, 2)]);
    let window = Window::assemble([together, apart], 0, 9_000_000);
    assert_eq!(reads(&window, 0), [Some(1), None]);
    assert_eq!(reads(&window, 1), [None, Some(2)]);
    assert_eq!(reads(&window, 2), [None, Some(0)]);
    assert_eq!(window.current, [1, 2]);
}

#[test]
fn a_reset_in_either_part_of_a_joined_tick_stays_a_reset() {
    let reset = Tick { wal: Reading::Reset, ..tick(1_100_000, 100_000, 1) };
    let window = Window::assemble([data(vec![reset, tick(2_000_000, 900_000, 9)])], 0, 9_000_000);
    assert_eq!((window.moments.len(), window.moments[0].reset), (1, true));
}

proptest! {
    #[test]
    fn joining_keeps_every_request_and_every_microsecond(lengths in prop::collection::vec(1u64..2_000_000, 1..50)) {
        let mut at = 0;
        let ticks: Vec<Tick> = lengths.iter().map(|&dt| { at += dt as i64; tick(at, dt, dt) }).collect();
        let window = Window::assemble([data(ticks)], 0, i64::MAX);
        prop_assert_eq!(reads(&window, 0).into_iter().flatten().sum::<u64>(), lengths.iter().sum::<u64>());
        prop_assert_eq!(window.moments.iter().map(|t| t.dt_us).sum::<u64>(), lengths.iter().sum::<u64>());
        prop_assert_eq!(window.io.rows[0].1.read_bytes, lengths.iter().sum::<u64>());
    }
}
