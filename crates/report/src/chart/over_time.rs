//! A figure of a volume over time, a row a stretch of it.

use super::{Room, bar, wrapped};
use crate::report::Clock;
use ebs_base::format::{figure, size};
use ebs_samples::evidence::Window;
use ebs_workload::demand::Demand;
use ebs_workload::mix::Recipe;
use ebs_workload::timeline::Timeline;

/// The chart of each volume that the cluster is on now.
pub fn over_time(window: &Window, recipe: &Recipe, clock: &Clock, room: Room) -> Vec<String> {
    let mut lines = Vec::new();
    for &volume in &window.current {
        let name = window
            .place
            .volumes
            .get(volume)
            .map_or(String::new(), |volume| format!("{} on {}", volume.role(), volume.device));
        lines.extend((!lines.is_empty()).then(String::new));
        lines.extend(one(window, &Demand::of(window, volume), recipe, &name, clock, room));
    }
    lines
}

fn one(window: &Window, demand: &Demand, recipe: &Recipe, name: &str, clock: &Clock, room: Room) -> Vec<String> {
    let timeline = Timeline::of(window, demand, recipe, room.rows);
    let Some(most) = timeline.most() else {
        return wrapped(&format!("{}, {}: not known of {name}", recipe.metric, recipe.unit), room.width);
    };
    let days = window.to_us.saturating_sub(window.from_us) > 86_400_000_000;
    let rows: Vec<(String, String)> = timeline
        .slots
        .iter()
        .map(|slot| (clock.label(slot.from_us, days), slot.mean.map_or("–".to_owned(), figure)))
        .collect();
    let widest =
        |of: fn(&(String, String)) -> &String| rows.iter().map(|row| of(row).chars().count()).max().unwrap_or(0);
    let (times, figures) = (widest(|row| &row.0), widest(|row| &row.1));
    let width = room.width.saturating_sub(times + figures + 3);
    let of = match timeline.condensed {
        true => format!("█ is the mean of {} s, ░ reaches to the highest sample in them", size(timeline.slot_s)),
        false => format!("each row is a sample of {} s", size(timeline.slot_s)),
    };
    let title =
        format!("{}, {}, of {name}: {of}; a full bar is {} ({})", recipe.metric, recipe.unit, figure(most), clock.name);
    let mut lines = wrapped(&title, room.width);
    for ((time, shown), slot) in rows.iter().zip(&timeline.slots) {
        let drawn = slot.mean.map_or(String::new(), |mean| bar(mean, slot.most.unwrap_or(mean), most, width));
        lines.push(format!("{time:<times$} {shown:>figures$}  {drawn}").trim_end().to_owned());
    }
    lines
}
