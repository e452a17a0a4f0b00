//! Charts of a metric over time, a row for each slot of time.

use super::{Room, bar};
use crate::UtcOffset;
use ebs_base::format::{figure, size};
use ebs_samples::evidence::Window;
use ebs_workload::demand::Demand;
use ebs_workload::io_profile::Metric;
use ebs_workload::timeline::Timeline;

/// Draws the chart of each present volume.
pub fn draw_over_time(window: &Window, metric: Metric, utc_offset: &UtcOffset, room: Room) -> Vec<String> {
    let mut lines = Vec::new();
    for &volume in &window.current {
        let name = window
            .layout
            .volumes
            .get(volume)
            .map_or(String::new(), |volume| format!("{} on {}", volume.role(), volume.device));
        lines.extend((!lines.is_empty()).then(String::new));
        lines.extend(draw_volume(window, &Demand::from_window(window, volume), metric, &name, utc_offset, room));
    }
    lines
}

fn draw_volume(
    window: &Window,
    demand: &Demand,
    metric: Metric,
    name: &str,
    utc_offset: &UtcOffset,
    room: Room,
) -> Vec<String> {
    let timeline = Timeline::from_demand(window, demand, metric, room.rows);
    let Some(highest) = timeline.most() else {
        return room.wrap(&format!("{}, {}: unknown for {name}", metric.name(), metric.unit()));
    };
    let days = window.to_us.saturating_sub(window.from_us) > 86_400_000_000;
    let rows: Vec<(String, String)> = timeline
        .slots
        .iter()
        .map(|slot| (utc_offset.label(slot.from_us, days), slot.mean.map_or("–".to_owned(), figure)))
        .collect();
    let widest =
        |text: fn(&(String, String)) -> &String| rows.iter().map(|row| text(row).chars().count()).max().unwrap_or(0);
    let (times, figures) = (widest(|row| &row.0), widest(|row| &row.1));
    let width = room.width.saturating_sub(times + figures + 3);
    let slot_s = size(timeline.slot_s);
    let rows_are = if timeline.condensed {
        format!("█ is the mean of {slot_s} s, ░ reaches to the highest sample in them")
    } else {
        format!("each row is a sample of {slot_s} s")
    };
    let title = format!(
        "{}, {}, of {name}: {rows_are}; a full bar is {} ({})",
        metric.name(),
        metric.unit(),
        figure(highest),
        utc_offset.name
    );
    let mut lines = room.wrap(&title);
    for ((time, mean), slot) in rows.iter().zip(&timeline.slots) {
        let bar = slot.mean.map_or(String::new(), |mean| bar::draw(mean, slot.most.unwrap_or(mean), highest, width));
        lines.push(format!("{time:<times$} {mean:>figures$}  {bar}").trim_end().to_owned());
    }
    lines
}

#[cfg(test)]
#[path = "over_time_tests.rs"]
mod tests;
