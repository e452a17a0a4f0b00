//! Figures over time, in no more slots than there is room for. A plot over hours cannot show every second: a slot has
//! the mean, the least and the most of its seconds, so that no peak is lost.

use crate::demand::{Demand, DemandInterval};
use crate::io_profile::Metric;
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::Window;

/// Figure between two times. `None` is not known: nothing was sampled, or there was nothing to take a mean of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slot {
    /// Beginning, microseconds since 1970.
    pub from_us: i64,
    /// End.
    pub to_us: i64,
    /// Totals over totals.
    pub mean: Option<f64>,
    /// The least of its intervals.
    pub least: Option<f64>,
    /// The most of them.
    pub most: Option<f64>,
}

/// A figure over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Slots in time order; one without a mean stands for time of which nothing is known.
    pub slots: Vec<Slot>,
    /// True if a slot may hold more than one interval.
    pub condensed: bool,
    /// Length of a slot, seconds; of intervals as they are, the longest that was set.
    pub slot_s: f64,
}

impl Slot {
    /// Its middle, seconds after this time.
    pub fn middle_s(&self, since_us: i64) -> f64 {
        (self.from_s(since_us) + self.to_s(since_us)) / 2.0
    }

    /// Its beginning, seconds after this time.
    pub fn from_s(&self, since_us: i64) -> f64 {
        seconds(self.from_us.saturating_sub(since_us))
    }

    /// Its end.
    pub fn to_s(&self, since_us: i64) -> f64 {
        seconds(self.to_us.saturating_sub(since_us))
    }
}

impl Timeline {
    /// A figure of `demand`, which is of `window`, in at most `room` slots. Intervals of a downsampled span lie anywhere in
    /// it: no slot is shorter than such a span.
    pub fn from_demand(window: &Window, demand: &Demand, metric: Metric, room: usize) -> Timeline {
        let room = room.max(1);
        let downsampled_us =
            window.pause.each(&window.intervals).map(|interval| interval.downsampled_us).max().unwrap_or(0);
        let interval_us =
            window.pause.each(&window.intervals).map(|interval| interval.interval_us).max().unwrap_or(SECOND_US);
        if metric.is_timed() && !demand.timed {
            return Timeline::default();
        }
        if downsampled_us == 0 && demand.intervals.len() <= room {
            let slots = as_they_are(&demand.intervals, metric, interval_us);
            return Timeline { slots, condensed: false, slot_s: interval_us as f64 / SECOND_US as f64 };
        }
        let span_us = window.to_us.saturating_sub(window.from_us).max(1).unsigned_abs();
        let longest = usize::try_from(span_us / downsampled_us.max(1)).unwrap_or(room).max(1);
        let slots = condensed(window, &demand.intervals, metric, room.min(longest));
        let slot_s = span_us as f64 / SECOND_US as f64 / slots.len() as f64;
        Timeline { slots, condensed: true, slot_s }
    }

    /// The most of any interval.
    pub fn most(&self) -> Option<f64> {
        self.slots.iter().filter_map(|slot| slot.most).reduce(f64::max)
    }

    /// Runs of slots without a gap.
    pub fn contiguous_slots(&self) -> impl Iterator<Item = &[Slot]> {
        self.slots.split(|slot| slot.mean.is_none()).filter(|slots| !slots.is_empty())
    }
}

/// Each interval by itself, and an empty slot where there is a hole between two.
fn as_they_are(intervals: &[DemandInterval], metric: Metric, interval_us: u64) -> Vec<Slot> {
    let mut slots: Vec<Slot> = Vec::with_capacity(intervals.len());
    for interval in intervals {
        let from_us = interval.ended_us.saturating_sub((interval.seconds * SECOND_US as f64) as i64);
        if let Some(last) = slots.last().filter(|last| from_us.saturating_sub(last.to_us) > interval_us as i64 / 2) {
            slots.push(Slot { from_us: last.to_us, to_us: from_us, ..Slot::default() });
        }
        let value = metric.value(interval);
        slots.push(Slot { from_us, to_us: interval.ended_us, mean: value, least: value, most: value });
    }
    slots
}

/// The window in `room` equal slots; an interval belongs to the one that its middle lies in.
fn condensed(window: &Window, intervals: &[DemandInterval], metric: Metric, room: usize) -> Vec<Slot> {
    let span_us = window.to_us.saturating_sub(window.from_us).max(1);
    let bound = |place: usize| window.from_us.saturating_add((span_us as f64 * place as f64 / room as f64) as i64);
    let mut slots: Vec<Slot> =
        (0..room).map(|at| Slot { from_us: bound(at), to_us: bound(at + 1), ..Slot::default() }).collect();
    let mut sums = vec![(0.0, 0.0); room];
    for interval in window.pause.each(intervals) {
        let half_us = (interval.seconds * SECOND_US as f64 / 2.0) as i64;
        let since_us = interval.ended_us.saturating_sub(half_us).saturating_sub(window.from_us);
        let place = ((since_us as f64 / span_us as f64 * room as f64).max(0.0) as usize).min(room - 1);
        let Some(value) = metric.value(interval) else { continue };
        let (part, whole) = metric.terms(interval);
        sums[place] = (sums[place].0 + part, sums[place].1 + whole);
        let slot = &mut slots[place];
        slot.least = Some(slot.least.map_or(value, |least| least.min(value)));
        slot.most = Some(slot.most.map_or(value, |most| most.max(value)));
    }
    for (slot, (part, whole)) in slots.iter_mut().zip(sums) {
        slot.mean = (whole > 0.0).then(|| part / whole);
    }
    slots
}

fn seconds(us: i64) -> f64 {
    us as f64 / SECOND_US as f64
}

#[cfg(test)]
#[path = "timeline_tests.rs"]
mod tests;
