use super::*;
use crate::io_profile::Metric;
use ebs_samples::evidence::{DeviceCounts, Interval};
use proptest::prelude::*;

/// Seconds of so many reads each; `None` is a second without a sample.
fn window(reads: &[Option<u64>], downsampled_us: u64) -> (Window, Demand) {
    let mut window = Window::new(0, reads.len() as i64 * 1_000_000);
    let mut demand = Demand { timed: true, averaged_s: 1.0, intervals: Vec::new(), ..Demand::default() };
    for (second, reads) in (1..).zip(reads) {
        let Some(reads) = *reads else { continue };
        let interval = Interval {
            at_us: second * 1_000_000,
            dt_us: 1_000_000,
            interval_us: 1_000_000,
            downsampled_us,
            devices: vec![].into(),
            reset: false,
        };
        window.intervals.push(interval);
        let counts = DeviceCounts { reads, read_ms: 2 * reads, ..DeviceCounts::default() };
        demand.intervals.push(DemandInterval {
            ended_us: second * 1_000_000,
            seconds: 1.0,
            counts,
            ..DemandInterval::default()
        });
    }
    (window, demand)
}

fn timeline(reads: &[Option<u64>], metric: Metric, room: usize) -> Timeline {
    let (window, demand) = window(reads, 0);
    Timeline::from_demand(&window, &demand, metric, room)
}

#[test]
fn where_there_is_room_each_second_stands_by_itself() {
    let found = timeline(&[Some(10), Some(20), None, Some(0)], Metric::Reads, 10);
    assert!(!found.condensed);
    let means: Vec<_> = found.slots.iter().map(|slot| slot.mean).collect();
    assert_eq!(means, [Some(10.0), Some(20.0), None, Some(0.0)]);
    assert_eq!(found.contiguous_slots().map(<[Slot]>::len).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn where_there_is_none_a_slot_keeps_the_least_and_the_most() {
    let reads: Vec<_> = (0..100).map(|second| Some(if second == 37 { 900 } else { 100 })).collect();
    let found = timeline(&reads, Metric::Reads, 10);
    assert!(found.condensed && found.slots.len() == 10 && found.slot_s == 10.0);
    assert_eq!(
        (found.slots[3].mean, found.slots[3].least, found.slots[3].most),
        (Some(180.0), Some(100.0), Some(900.0))
    );
    assert_eq!(found.most(), Some(900.0));
}

#[test]
fn no_requests_have_no_latency_and_no_times_have_no_line() {
    let found = timeline(&[Some(5), Some(0)], Metric::ReadLatency, 10);
    assert_eq!(found.slots.iter().map(|slot| slot.mean).collect::<Vec<_>>(), [Some(2.0), None]);
    let (window, demand) = window(&[Some(5)], 0);
    let demand = Demand { timed: false, ..demand };
    assert_eq!(Timeline::from_demand(&window, &demand, Metric::ReadLatency, 10), Timeline::default());
}

#[test]
fn no_slot_is_shorter_than_a_downsampled_span() {
    let (window, demand) = window(&[Some(1); 120], 60_000_000);
    let found = Timeline::from_demand(&window, &demand, Metric::Reads, 100);
    assert_eq!((found.slots.len(), found.slot_s), (2, 60.0));
}

proptest! {
    #[test]
    fn what_is_counted_stays_the_same_however_it_is_cut(reads in prop::collection::vec(0u64..1000, 1..8), room in 1usize..50) {
        // As many seconds in each slot.
        let all: Vec<u64> = reads.iter().copied().cycle().take(reads.len() * room).collect();
        let found = timeline(&all.iter().copied().map(Some).collect::<Vec<_>>(), Metric::Reads, room);
        let back: f64 = found.slots.iter().filter_map(|slot| Some(slot.mean? * seconds(slot.to_us - slot.from_us))).sum();
        prop_assert!((back - all.iter().sum::<u64>() as f64).abs() < 1e-3);
        prop_assert_eq!(found.slots.len(), room);
        prop_assert_eq!(found.most(), reads.iter().copied().max().map(|most| most as f64));
        prop_assert!(found.slots.iter().all(|slot| slot.least <= slot.mean && slot.mean <= slot.most));
    }
}
