use super::*;
use crate::UtcOffset;
use crate::terminal::Metric;
use ebs_samples::evidence::{Block, CounterDelta, DeviceCounts, Role, Sample, StorageLayout, Volume, Window};
use proptest::prelude::*;

/// A window of one-second samples with these reads, from 2026-01-01 00:00:00 UTC.
fn window(reads: &[u64]) -> Window {
    let from_us = 1_767_225_600_000_000;
    let sample = |(second, reads): (i64, &u64)| Sample {
        at_us: from_us + second * 1_000_000,
        dt_us: 1_000_000,
        devices: [(0, CounterDelta::Known(DeviceCounts { reads: *reads, ..DeviceCounts::default() }))].into(),
        reset: false,
    };
    let volume = Volume { device: "nvme1n1".into(), roles: vec![Role::Data, Role::Wal], ..Volume::default() };
    let block = Block {
        interval_us: 1_000_000,
        layout: StorageLayout { volumes: vec![volume], ..StorageLayout::default() },
        samples: (1..).zip(reads).map(sample).collect(),
        ..Block::default()
    };
    Window::assemble([block], from_us, from_us + reads.len() as i64 * 1_000_000)
}

fn chart(reads: &[u64], name: &str, room: Room) -> Vec<String> {
    let Ok(Metric::OverTime(metric)) = name.parse() else { panic!("{name} is not over time") };
    draw_over_time(&window(reads), metric, &UtcOffset::from_seconds(0), room)
}

#[test]
fn a_row_is_a_time_a_figure_and_a_bar() {
    assert_eq!(
        chart(&[500, 1000, 0, 250], "reads", Room { width: 40, rows: 20 }),
        [
            "reads, 1/s, of data+wal on nvme1n1: each",
            "  row is a sample of 1.00 s; a full bar",
            "  is 1,000 (UTC)",
            "00:00:00   500  ████████████",
            "00:00:01 1,000  ████████████████████████",
            "00:00:02     0",
            "00:00:03   250  ██████",
        ]
    );
}

#[test]
fn a_peak_shows_in_the_row_that_it_is_in() {
    let mut reads = vec![100; 60];
    reads[31] = 1_900;
    let shown = chart(&reads, "reads", Room { width: 60, rows: 6 });
    let bars: Vec<&String> = shown.iter().filter(|line| line.starts_with("00:")).collect();
    assert_eq!(bars.iter().filter(|line| line.contains('░')).count(), 1, "{shown:?}");
    assert!(bars[3].starts_with("00:00:30 280  ") && bars[3].ends_with('░'), "{shown:?}");
}

#[test]
fn what_has_no_times_says_so() {
    assert_eq!(chart(&[5], "read_latency", Room::DEFAULT), ["read latency, ms: unknown for data+wal on nvme1n1"]);
}

proptest! {
    #[test]
    fn no_line_is_wider_than_the_terminal(
        reads in prop::collection::vec(0u64..10_000_000, 1..80), width in 40usize..200, rows in 1usize..40,
    ) {
        let shown = chart(&reads, "reads", Room { width, rows });
        prop_assert!(shown.iter().all(|line| line.chars().count() <= width), "{shown:?}");
        prop_assert!(shown.len() <= rows + 4);
    }
}
