//! Active sessions by class of wait event: stacked areas over time, or bars.

use std::collections::BTreeMap;

use maud::Markup;

use super::bars::{Part, Row, bars};
use super::figure::{Figure, Key, Mark};
use crate::UtcOffset;
use crate::html::kit::theme::Hue;
use crate::html::kit::{Table, cell};
use crate::html::plot::{Axis, Frame, Size, in_both_sizes};
use ebs_base::format::{rate, share, size};
use ebs_workload::run_timeline::{RunTimeline, Segment};
use ebs_workload::waits::{Kind, Wait};

/// Maximum number of steps on a page and on a telephone.
const STEPS: (usize, usize) = (180, 70);

/// Average active sessions by class between two times, in seconds after the start; gaps have no step.
struct Step {
    from_s: f64,
    to_s: f64,
    sessions: BTreeMap<String, f64>,
}

/// Draws the figure: over time where the timeline of the run is known, else as totals; `None` without samples of waits.
pub fn figure(waits: &[Wait], timeline: Option<&RunTimeline>, utc_offset: &UtcOffset) -> Option<Figure> {
    let classes = classes(waits);
    if classes.is_empty() {
        return None;
    }
    let segments: Vec<&Segment> =
        timeline.iter().flat_map(|timeline| &timeline.segments).filter(|segment| segment.swept_us > 0).collect();
    let over_time = timeline.filter(|_| segments.len() >= 2);
    let plots = match over_time {
        Some(timeline) => areas(timeline, &segments, &classes, utc_offset),
        None => bars(&classes.iter().map(row).collect::<Vec<_>>(), true),
    };
    let listed: Vec<String> = classes.iter().map(|(class, sessions)| format!("{class} {}", size(*sessions))).collect();
    let how = if over_time.is_some() { "Stacked areas over time" } else { "Bars" };
    Some(Figure {
        id: "waits".to_owned(),
        title: "What sessions did, by class of wait event".to_owned(),
        unit: match over_time {
            Some(_) => format!("average active sessions · {}", utc_offset.name),
            None => "average active sessions".to_owned(),
        },
        caption:
            "CPU* is no wait event: on a CPU, waiting for one, or in code that reports none. A sweep shows how many \
                  sessions stood where, not how long one wait lasted."
                .to_owned(),
        text: format!("{how}. Average active sessions: {}.", listed.join(", ")),
        key: if over_time.is_some() { keys(&classes) } else { Vec::new() },
        plots,
        table: Some(table(waits)),
    })
}

/// Returns active sessions of clients and their parallel workers by class, most sessions first.
fn classes(waits: &[Wait]) -> Vec<(String, f64)> {
    let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
    let at_work = |wait: &&Wait| {
        wait.kind == Kind::Active && ["client backend", "parallel worker"].contains(&wait.key.backend_type.as_str())
    };
    for wait in waits.iter().filter(at_work) {
        *sums.entry(&wait.key.class).or_default() += wait.average_active_sessions;
    }
    let mut classes: Vec<(String, f64)> = sums.into_iter().map(|(class, sum)| (class.to_owned(), sum)).collect();
    classes.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    classes
}

fn hue(class: &str) -> Hue {
    match class {
        "CPU*" => Hue::Green,
        "IO" => Hue::Blue,
        "LWLock" => Hue::Orange,
        "Lock" => Hue::Rose,
        "IPC" => Hue::Purple,
        "BufferPin" | "Buffer" => Hue::Gold,
        "Timeout" => Hue::Sky,
        _ => Hue::Gray,
    }
}

fn row((class, sessions): &(String, f64)) -> Row {
    Row { name: class.clone(), parts: vec![Part::new(hue(class), *sessions)], after: rate(*sessions) }
}

fn keys(classes: &[(String, f64)]) -> Vec<Key> {
    classes
        .iter()
        .map(|(class, sessions)| Key::new(hue(class), Mark::Area, format!("{class} {}", size(*sessions))))
        .collect()
}

/// Draws stacked areas over time.
fn areas(
    timeline: &RunTimeline,
    segments: &[&Segment],
    classes: &[(String, f64)],
    utc_offset: &UtcOffset,
) -> [(Size, Markup); 2] {
    in_both_sizes(290, 260, |size| {
        let (room, ticks) = if size.is_narrow() { (STEPS.1, 4) } else { (STEPS.0, 9) };
        let steps = steps(timeline.from_us, segments, room);
        let highest = steps.iter().map(|step| step.sessions.values().sum()).fold(0.0, f64::max);
        let x = Axis::time(timeline.from_us, timeline.to_us, utc_offset, ticks);
        let y = Axis::from_zero(highest * 1.02, 5);
        let left = if size.is_narrow() { 36 } else { 44 };
        Frame { size, left, x: &x, y: &y }.draw(|plane| {
            for contiguous in steps.chunk_by(|a, b| b.from_s - a.to_s < 1.0) {
                // Each area reaches down to the axis, behind those below it: no gap shows where two of them meet.
                for at in (0..classes.len()).rev() {
                    plane.area(outline(contiguous, &classes[..=at]), hue(&classes[at].0));
                }
            }
        })
    })
}

/// Returns the outline of the sum of these classes, in steps.
fn outline(contiguous: &[Step], classes: &[(String, f64)]) -> Vec<(f64, f64)> {
    let corners = |step: &Step| {
        let height = classes.iter().filter_map(|(class, _)| step.sessions.get(class)).sum();
        [(step.from_s, height), (step.to_s, height)]
    };
    let ends = contiguous.last().zip(contiguous.first()).map(|(last, first)| [(last.to_s, 0.0), (first.from_s, 0.0)]);
    contiguous.iter().flat_map(corners).chain(ends.into_iter().flatten()).collect()
}

/// Merges segments into at most `room` steps.
fn steps(from_us: i64, segments: &[&Segment], room: usize) -> Vec<Step> {
    let merged = segments.len().div_ceil(room.max(1)).max(1);
    let since_s = |us: i64| us.saturating_sub(from_us) as f64 / 1e6;
    let step = |group: &[&Segment]| -> Option<Step> {
        let (first, last) = (group.first()?, group.last()?);
        let swept: u64 = group.iter().map(|segment| segment.swept_us).sum();
        let mut sessions: BTreeMap<String, f64> = BTreeMap::new();
        for (class, us) in group.iter().flat_map(|segment| &segment.at_work) {
            *sessions.entry(class.clone()).or_default() += *us as f64 / swept as f64;
        }
        let from_s = since_s(first.ended_us) - first.length_us as f64 / 1e6;
        Some(Step { from_s: from_s.max(0.0), to_s: since_s(last.ended_us), sessions })
    };
    // Segments with a gap between them are not merged.
    let adjacent =
        |a: &&Segment, b: &&Segment| since_s(b.ended_us) - b.length_us as f64 / 1e6 - since_s(a.ended_us) < 1.0;
    segments.chunk_by(adjacent).flat_map(|near| near.chunks(merged)).filter_map(step).collect()
}

/// Maximum number of wait events in the table.
const MAX_EVENTS: usize = 20;

/// Returns a table of wait events of active sessions, most sessions first.
fn table(waits: &[Wait]) -> Table {
    let row = |wait: &Wait| {
        vec![
            wait.key.backend_type.clone(),
            wait.key.class.clone(),
            wait.key.event.clone(),
            size(wait.average_active_sessions),
            cell(wait.share_of_db_time, share),
        ]
    };
    let active = waits.iter().filter(|wait| wait.kind == Kind::Active);
    Table::new(
        vec!["backend type", "class", "event", "average active sessions", "of database time"],
        active.take(MAX_EVENTS).map(row).collect(),
    )
}
