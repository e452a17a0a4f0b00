use super::*;

fn point(began: i64, ended: i64, reads: u64) -> SeriesPoint {
    let counts = DeviceCounts { reads, ..DeviceCounts::default() };
    SeriesPoint { began_us: began * 1_000_000, ended_us: ended * 1_000_000, counts }
}

fn series(device: &str, points: Vec<SeriesPoint>) -> Series {
    Series { device: device.to_owned(), points, timed: true, ..Series::default() }
}

#[test]
fn a_gap_stays_a_gap_and_the_usual_interval_is_the_median() {
    let made =
        block(&series("sdf", vec![point(0, 60, 1), point(60, 120, 2), point(300, 330, 3)]), None, &|| ()).unwrap();
    let lengths: Vec<u64> = made.samples.iter().map(|sample| sample.dt_us / 1_000_000).collect();
    assert_eq!((lengths, made.interval_us), (vec![60, 60, 30], 60_000_000));
    assert_eq!(made.layout.volumes[0].role(), "data+wal");
    assert_eq!((made.started_us(), made.ended_us()), (Some(0), Some(330_000_000)));
}

/// WAL was not seen in the second interval: it was not idle, it is not known.
#[test]
fn two_devices_are_two_volumes_and_a_missing_reading_is_not_zero() {
    let data = series("sda", vec![point(0, 60, 1), point(60, 120, 2)]);
    let made = block(&data, Some(&series("sdb", vec![point(0, 60, 3)])), &|| ()).unwrap();
    assert_eq!(made.layout.volumes.iter().map(Volume::role).collect::<Vec<_>>(), ["data", "wal"]);
    assert_eq!((made.samples.len(), made.samples[0].devices.len()), (2, 2));
    assert!(made.samples[1].devices.contains(&(1, CounterDelta::Failed)));
}

#[test]
fn intervals_must_follow_each_other_and_be_long_enough() {
    let refused = |points| block(&series("sda", points), None, &|| ()).unwrap_err();
    assert_eq!(refused(vec![]), ImportError::TooFew(0));
    assert_eq!(refused(vec![point(0, 60, 1), point(59, 120, 1)]), ImportError::OutOfOrder(2));
    let interval = SeriesPoint { ended_us: 999, ..SeriesPoint::default() };
    assert_eq!(refused(vec![interval]), ImportError::TooShort(1));
}

#[test]
fn a_device_is_named_unless_it_is_alone() {
    let imported = |names: &[&str]| MonitoringData {
        series: names.iter().map(|name| series(name, vec![point(0, 60, 1)])).collect(),
        ..MonitoringData::default()
    };
    let chosen = |names: &[&str], device, wal_device| {
        let names_of = |(data, wal): (Series, Option<Series>)| (data.device, wal.map(|wal| wal.device));
        imported(names).select(device, wal_device).map(names_of)
    };
    assert_eq!(chosen(&["sda"], None, None), Ok(("sda".into(), None)));
    assert_eq!(chosen(&["sda", "sdb"], None, Some("sda")), Ok(("sdb".into(), Some("sda".into()))));
    assert_eq!(chosen(&["sda", "sdb"], Some("sdb"), None), Ok(("sdb".into(), None)));
    assert_eq!(chosen(&["sda", "sdb"], Some("sda"), Some("sda")), Err(ImportError::SameDevice));
    let several = chosen(&["sda", "sdb"], None, None).unwrap_err();
    assert_eq!(
        several.hint().unwrap(),
        "Name one with device => …, and that of WAL with wal_device => …: sda (0 requests/s), sdb (0 requests/s)."
    );
    assert!(matches!(chosen(&["sda"], Some("sdz"), None), Err(ImportError::UnknownDevice { .. })));
}
