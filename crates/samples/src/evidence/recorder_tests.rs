use super::*;
use crate::evidence::Timed;
use crate::evidence::{Medium, Member, Punctuality, Role, Volume, WaitKey};

fn layout() -> StorageLayout {
    let volume = Volume { device: "nvme1n1".into(), roles: vec![Role::Data], timed: true, ..Volume::default() };
    StorageLayout { volumes: vec![volume], ..StorageLayout::default() }
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
        wal_writes: Some(WalWriteCounts { writes: reads }),
        statistics_epoch: 0,
        timing: Timing::default(),
    }
}

/// The block that these readings make.
fn block(readings: impl IntoIterator<Item = Snapshot>) -> Block {
    let mut recorder = Recorder::new(Tier::Sampler, None, 1_000_000, layout());
    readings.into_iter().for_each(|reading| recorder.observe(reading, 0));
    recorder.take(1_000_000, layout()).unwrap_or_default()
}

fn reads(reads: u64) -> [(u16, CounterDelta<DeviceCounts>); 1] {
    [(0, CounterDelta::Known(DeviceCounts { reads, ..Default::default() }))]
}

#[test]
fn the_first_reading_makes_no_tick_and_an_idle_second_does() {
    assert!(block([snapshot(0, 7, 7)]).samples.is_empty());
    let idle = block([snapshot(0, 7, 7), snapshot(1, 7, 7)]);
    assert_eq!((idle.samples.len(), idle.samples[0].devices.len()), (1, 0));
    assert_eq!((idle.totals.io.rows.len(), idle.totals.io.known_us), (0, 1_000_000));
}

#[test]
fn a_tick_holds_what_was_counted_in_it_and_a_block_adds_up() {
    let made = block([snapshot(0, 100, 8192), snapshot(2, 150, 16384), snapshot(3, 151, 24576)]);
    assert_eq!(made.samples[0].dt_us, 2_000_000);
    assert_eq!(made.samples[0].devices[..], reads(50));
    let io = &made.totals.io;
    assert_eq!(io.rows, [(key(), IoCounts { read_bytes: 16384, ..Default::default() })]);
    assert_eq!((io.known_us, made.totals.wal.known_us), (3_000_000, 3_000_000));
    assert_eq!(made.totals.wal_writes, Timed { counts: WalWriteCounts { writes: 51 }, known_us: 3_000_000 });
}

#[test]
fn a_counter_that_went_back_is_a_reset_not_a_number() {
    let made = block([snapshot(0, 100, 8192), snapshot(1, 20, 0), snapshot(2, 25, 8192)]);
    assert_eq!(made.samples[0].devices[..], [(0, CounterDelta::Reset)]);
    assert_eq!((made.samples[0].reset, made.samples[1].reset), (true, false));
    assert_eq!(made.samples[1].devices[..], reads(5));
    // Of the two seconds only the second is known.
    assert_eq!((made.totals.io.known_us, made.totals.io.rows[0].1.read_bytes), (1_000_000, 8192));
}

#[test]
fn a_reset_is_seen_even_when_the_counters_have_grown_past_their_old_values() {
    let reset = Snapshot { statistics_epoch: 1, ..snapshot(1, 0, 99_999) };
    let made = block([snapshot(0, 0, 8192), reset]);
    assert!(made.samples[0].reset);
    let totals = &made.totals;
    assert_eq!((totals.io.known_us, totals.wal.known(), totals.wal_writes.known()), (0, None, None));
}

#[test]
fn a_device_that_vanished_is_not_known_until_it_has_been_back_for_a_tick() {
    // Its counters may have started again from zero, or may have counted while they could not be read.
    for (devices, back) in [(Some(BTreeMap::new()), 3), (Some(BTreeMap::new()), 11), (None, 3), (None, 11)] {
        let gone = Snapshot { devices, ..snapshot(1, 0, 0) };
        let made = block([snapshot(0, 9, 0), gone, snapshot(2, back, 0), snapshot(3, back + 2, 0)]);
        let readings: Vec<_> = made.samples.iter().map(|sample| sample.devices.to_vec()).collect();
        assert_eq!(readings, [vec![(0, CounterDelta::Failed)], vec![(0, CounterDelta::Failed)], reads(2).to_vec()]);
    }
}

#[test]
fn the_counts_of_a_stripe_are_those_of_its_disks() {
    let member = |device: &str| Member { device: device.into(), medium: Medium::Unknown };
    let mut stripe = layout();
    stripe.volumes[0].members = vec![member("nvme1n1"), member("nvme2n1")];
    let both = |second, a, b| {
        let mut reading = snapshot(second, a, 0);
        let other = DeviceCounts { reads: b, ..Default::default() };
        reading.devices.as_mut().unwrap().insert("nvme2n1".into(), other);
        reading
    };
    let mut recorder = Recorder::new(Tier::Sampler, None, 1_000_000, stripe);
    for reading in [both(0, 10, 20), both(1, 13, 24), snapshot(2, 15, 0)] {
        recorder.observe(reading, 0);
    }
    let samples = recorder.take(1_000_000, layout()).unwrap().samples;
    assert_eq!((&samples[0].devices[..], &samples[1].devices[..]), (&reads(7)[..], &[(0, CounterDelta::Failed)][..]));
}

#[test]
fn no_interval_is_lost_between_blocks() {
    let mut recorder = Recorder::new(Tier::Sampler, None, 1_000_000, layout());
    recorder.observe(snapshot(0, 0, 0), 0);
    recorder.observe(snapshot(1, 10, 0), 0);
    assert!(recorder.take(1_000_000, layout()).is_some());
    recorder.observe(snapshot(2, 30, 0), 0);
    assert_eq!(recorder.take(1_000_000, layout()).unwrap().samples[0].devices[..], reads(20));
}

#[test]
fn late_ticks_missed_ones_and_a_clock_that_was_set_are_counted() {
    let set_back = Snapshot { at_us: -3_600_000_000, ..snapshot(6, 0, 0) };
    let mut recorder = Recorder::new(Tier::Sampler, None, 1_000_000, layout());
    recorder.observe(snapshot(0, 0, 0), 0);
    recorder.observe(snapshot(1, 0, 0), 300);
    recorder.observe(snapshot(5, 0, 0), 200);
    recorder.observe(set_back, 0);
    let block = recorder.take(1_000_000, layout()).unwrap();
    let expected = Punctuality { samples: 3, missed: 3, late_us: 500, latest_us: 300, clock_steps: 1 };
    assert_eq!(block.sampling.punctuality, expected);
    // Lengths are by the monotonic clock: a step is no long second.
    assert_eq!(block.samples[2].dt_us, 1_000_000);
}

#[test]
fn waits_of_several_sweeps_add_up() {
    let seen = |event: &str| WaitKey { event: event.into(), ..WaitKey::default() };
    let waits = |rows: &[(&str, u64)], swept_us| WaitTotals {
        rows: rows.iter().map(|(event, us)| (seen(event), *us)).collect(),
        sweeps: 1,
        swept_us,
    };
    let mut recorder = Recorder::new(Tier::Sampler, None, 1_000_000, layout());
    recorder.add_waits(waits(&[("DataFileRead", 20)], 10));
    recorder.add_waits(waits(&[("WalSync", 7), ("DataFileRead", 7)], 7));
    let expected =
        WaitTotals { rows: [(seen("DataFileRead"), 27), (seen("WalSync"), 7)].into(), sweeps: 2, swept_us: 17 };
    assert_eq!(recorder.block().totals.waits, expected);
}
