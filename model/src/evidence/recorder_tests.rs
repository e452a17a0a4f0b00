use super::*;
use crate::evidence::{Role, Volume};

fn place() -> Place {
    let volume = Volume {
        device: "nvme1n1".into(),
        roles: vec![Role::Data],
        timed: true,
        filesystem_bytes: None,
        used_bytes: None,
    };
    Place { volumes: vec![volume], unplaced: vec![] }
}

fn key() -> IoKey {
    IoKey { backend_type: "client backend".into(), object: "relation".into(), context: "normal".into() }
}

/// A reading `second` seconds in, at which the device has done `reads` and PostgreSQL has read `bytes`.
fn snapshot(second: u64, reads: u64, bytes: u64) -> Snapshot {
    Snapshot {
        at_us: second as i64 * 1_000_000,
        mono_us: second * 1_000_000,
        devices: Some([("nvme1n1".to_owned(), DeviceCounts { reads, ..Default::default() })].into()),
        io: Some([(key(), IoCounts { read_bytes: bytes, ..Default::default() })].into()),
        wal: Some(WalCounts::default()),
        statistics_epoch: 0,
        timing: Timing::default(),
    }
}

/// The ticks that these readings make.
fn ticks(readings: impl IntoIterator<Item = Snapshot>) -> Vec<Tick> {
    let mut recorder = Recorder::new(1_000_000, place());
    readings.into_iter().for_each(|reading| recorder.observe(reading));
    recorder.take(1_000_000, place(), 0).map(|block| block.ticks).unwrap_or_default()
}

#[test]
fn the_first_reading_makes_no_tick_and_an_idle_second_does() {
    assert!(ticks([snapshot(0, 7, 7)]).is_empty());
    let idle = ticks([snapshot(0, 7, 7), snapshot(1, 7, 7)]);
    assert_eq!((idle.len(), idle[0].devices.len(), &idle[0].io), (1, 0, &Reading::Known(vec![])));
}

#[test]
fn a_tick_holds_what_was_counted_in_it() {
    let made = ticks([snapshot(0, 100, 8192), snapshot(2, 150, 16384)]);
    assert_eq!(made[0].dt_us, 2_000_000);
    assert_eq!(made[0].devices, [(0, Reading::Known(DeviceCounts { reads: 50, ..Default::default() }))]);
    assert_eq!(made[0].io, Reading::Known(vec![(0, IoCounts { read_bytes: 8192, ..Default::default() })]));
}

#[test]
fn a_counter_that_went_back_is_a_reset_not_a_number() {
    let made = ticks([snapshot(0, 100, 8192), snapshot(1, 20, 0), snapshot(2, 25, 8192)]);
    assert_eq!((&made[0].devices[..], &made[0].io), (&[(0, Reading::Reset)][..], &Reading::Reset));
    assert_eq!(made[1].devices, [(0, Reading::Known(DeviceCounts { reads: 5, ..Default::default() }))]);
}

#[test]
fn a_reset_is_seen_even_when_the_counters_have_grown_past_their_old_values() {
    let reset = Snapshot { statistics_epoch: 1, ..snapshot(1, 0, 99_999) };
    assert_eq!(ticks([snapshot(0, 0, 8192), reset])[0].io, Reading::Reset);
}

#[test]
fn a_device_that_vanished_is_not_known_rather_than_idle() {
    let gone = Snapshot { devices: Some(BTreeMap::new()), ..snapshot(1, 0, 0) };
    assert_eq!(ticks([snapshot(0, 9, 0), gone])[0].devices, [(0, Reading::Failed)]);
    let unreadable = Snapshot { devices: None, ..snapshot(1, 0, 0) };
    assert_eq!(ticks([snapshot(0, 9, 0), unreadable])[0].devices, [(0, Reading::Failed)]);
}

#[test]
fn no_interval_is_lost_between_blocks() {
    let mut recorder = Recorder::new(1_000_000, place());
    recorder.observe(snapshot(0, 0, 0));
    recorder.observe(snapshot(1, 10, 0));
    assert!(recorder.take(1_000_000, place(), 0).is_some());
    recorder.observe(snapshot(2, 30, 0));
    let second = recorder.take(1_000_000, place(), 0).unwrap();
    assert_eq!(second.ticks[0].devices, [(0, Reading::Known(DeviceCounts { reads: 20, ..Default::default() }))]);
}

#[test]
fn sweeps_are_counted_by_what_was_seen() {
    let mut recorder = Recorder::new(1_000_000, place());
    let seen = |event: &str| WaitKey { backend_type: "client backend".into(), class: "IO".into(), event: event.into() };
    recorder.observe(snapshot(0, 0, 0));
    recorder.sweep([seen("DataFileRead"), seen("DataFileRead")]);
    recorder.sweep([seen("WALSync")]);
    recorder.observe(snapshot(1, 0, 0));
    let block = recorder.take(1_000_000, place(), 0).unwrap();
    assert_eq!((block.ticks[0].sweeps, &block.ticks[0].waits[..]), (2, &[(0, 2), (1, 1)][..]));
    assert_eq!(block.wait_keys, [seen("DataFileRead"), seen("WALSync")]);
}
