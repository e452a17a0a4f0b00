//! Figures over time: demand with its limits, and latency.

use maud::Markup;

use super::figure::{Figure, Key, Mark};
use crate::UtcOffset;
use crate::html::kit::theme::Hue;
use crate::html::kit::{Table, cell};
use crate::html::plot::{Axis, Frame, Plane, Size, in_both_sizes};
use ebs_base::format::{figure, size};
use ebs_samples::evidence::Window;
use ebs_workload::demand::Demand;
use ebs_workload::io_profile::{self, Metric, find};
use ebs_workload::timeline::{Slot, Timeline};

/// A limit or a mean, drawn as a level line.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// Name in the key, `limit of recommended gp3`.
    pub name: String,
    /// Value, in the unit of the figure.
    pub value: f64,
    /// Colour.
    pub hue: Hue,
    /// True for a dashed line.
    pub dashed: bool,
}

/// A line to draw.
#[derive(Clone, Copy)]
pub struct Line {
    /// Metric that it shows.
    pub metric: Metric,
    /// Name in the key.
    pub name: &'static str,
    /// Colour.
    pub hue: Hue,
}

/// Demand of a volume over a window.
#[derive(Clone, Copy)]
pub struct Series<'a> {
    /// The window.
    pub window: &'a Window,
    /// The demand.
    pub demand: &'a Demand,
    /// All figures of the demand.
    pub figures: &'a [io_profile::Figure],
    /// UTC offset of the times at the axis.
    pub utc_offset: &'a UtcOffset,
}

/// A figure over time, before it is drawn.
pub struct OverTime {
    /// Anchor, unique on the page.
    pub id: String,
    /// Title.
    pub title: String,
    /// Unit of the lines.
    pub unit: &'static str,
    /// Its lines.
    pub lines: Vec<Line>,
    /// Limits of the volume.
    pub limits: Vec<Limit>,
    /// Sentences below the title.
    pub remarks: Vec<String>,
}

/// A line with its values.
type Drawn = (Line, Timeline);

/// Number of slots on a page and on a telephone: two pixels each.
const SLOTS: (usize, usize) = (400, 140);
/// Ratio to the highest sample from which a limit is in the key alone: drawn, it would flatten the lines.
const FAR: f64 = 4.0;
/// Ratio of the highest sample to the median from which the axis is logarithmic.
const WIDE: f64 = 30.0;

impl OverTime {
    /// Draws the figure; `None` without known values.
    pub fn figure(&self, series: &Series) -> Option<Figure> {
        let wide = self.timelines(series, SLOTS.0);
        let highest = wide.iter().filter_map(|(_, timeline)| timeline.most()).reduce(f64::max)?;
        let scale = Scale::new(&wide, highest, self.limits.iter().filter(|limit| is_near(limit, highest)));
        Some(Figure {
            id: self.id.clone(),
            title: self.title.clone(),
            unit: format!("{} · {}", self.unit, series.utc_offset.name),
            caption: self.caption(&wide, &scale),
            text: self.text(series),
            key: self.key(highest, wide.iter().any(|(_, timeline)| timeline.condensed)),
            plots: in_both_sizes(300, 270, |size| self.plot(series, size, &scale, highest)),
            table: Some(self.table(series)),
        })
    }

    /// Returns the lines with known values, in at most so many slots.
    fn timelines(&self, series: &Series, room: usize) -> Vec<Drawn> {
        let timeline = |line: &Line| (*line, Timeline::from_demand(series.window, series.demand, line.metric, room));
        self.lines.iter().map(timeline).filter(|(_, timeline)| timeline.most().is_some()).collect()
    }

    fn plot(&self, series: &Series, size: Size, scale: &Scale, highest: f64) -> Markup {
        let (room, ticks) = if size.is_narrow() { (SLOTS.1, 4) } else { (SLOTS.0, 9) };
        let x = Axis::time(series.window.from_us, series.window.to_us, series.utc_offset, ticks);
        let left = if size.is_narrow() { 46 } else { 54 };
        Frame { size, left, x: &x, y: &scale.axis }.draw(|plane| {
            for (line, timeline) in self.timelines(series, room) {
                draw(plane, &timeline, series.window.from_us, scale, line.hue);
            }
            for limit in self.limits.iter().filter(|limit| is_near(limit, highest)) {
                let at = scale.at(limit.value);
                plane.rule((x.low, at), (x.high, at), limit.hue, limit.dashed);
            }
        })
    }

    fn key(&self, highest: f64, condensed: bool) -> Vec<Key> {
        let mut keys = Vec::new();
        for Line { name, hue, .. } in &self.lines {
            keys.push(Key::new(*hue, Mark::Line, *name));
            keys.extend(condensed.then(|| Key::new(*hue, Mark::Band, format!("{name}, least to most"))));
        }
        keys.extend(self.limits.iter().map(|limit| {
            let far = if is_near(limit, highest) { "" } else { " (far above the plot)" };
            let mark = if limit.dashed { Mark::Dashed } else { Mark::Line };
            Key::new(limit.hue, mark, format!("{}: {}{far}", limit.name, figure(limit.value)))
        }));
        keys
    }

    fn caption(&self, wide: &[Drawn], scale: &Scale) -> String {
        let mut words: Vec<String> = self.remarks.clone();
        let condensed = wide.iter().map(|(_, timeline)| timeline).find(|timeline| timeline.condensed);
        words.extend(condensed.map(|timeline| {
            format!(
                "Lines are means over {} s; the band reaches from the least to the most of the samples in them, so that no \
                 peak is lost.",
                size(timeline.slot_s)
            )
        }));
        words.extend(scale.logarithmic.then(|| "The scale is logarithmic; zero lies at its lower edge.".to_owned()));
        words.join(" ")
    }

    fn text(&self, series: &Series) -> String {
        let line = |Line { metric, name, .. }: &Line| {
            let summary = find(series.figures, *metric)?;
            let [mean, p99, max] = [summary.mean, summary.p99, summary.max].map(|value| cell(value, figure));
            Some(format!("{name}: mean {mean}, 99th percentile {p99}, highest {max} {}", metric.unit()))
        };
        let lines = self.lines.iter().filter_map(line);
        let limits = self.limits.iter().map(|limit| format!("{}: {}", limit.name, figure(limit.value)));
        format!("Over time. {}.", lines.chain(limits).collect::<Vec<_>>().join("; "))
    }

    fn table(&self, series: &Series) -> Table {
        let row = |Line { metric, name, .. }: &Line| {
            let summary = find(series.figures, *metric)?;
            let between = cell(summary.p99_interval, |both| format!("{} and {}", figure(both.low), figure(both.high)));
            let values = [summary.mean, summary.p50, summary.p95, summary.p99, summary.max];
            let cells = values.map(|value| cell(value, figure));
            Some([(*name).to_owned(), metric.unit().to_owned()].into_iter().chain(cells).chain([between]).collect())
        };
        let head = vec!["", "unit", "mean", "p50", "p95", "p99", "max", "p99 between"];
        Table::new(head, self.lines.iter().filter_map(row).collect())
    }
}

fn is_near(limit: &Limit, highest: f64) -> bool {
    limit.value <= FAR * highest
}

/// The vertical axis, and positions on it.
struct Scale {
    axis: Axis,
    logarithmic: bool,
}

impl Scale {
    fn new<'a>(drawn: &[Drawn], highest: f64, limits: impl Iterator<Item = &'a Limit>) -> Scale {
        let mut means: Vec<f64> =
            drawn.iter().flat_map(|(_, timeline)| &timeline.slots).filter_map(|slot| slot.mean).collect();
        means.retain(|mean| *mean > 0.0);
        means.sort_by(f64::total_cmp);
        let middle = means.get(means.len() / 2).copied().unwrap_or(highest);
        let top = limits.map(|limit| limit.value).fold(highest, f64::max);
        match means.first() {
            Some(least) if top > WIDE * middle => {
                Scale { axis: Axis::logarithmic(least.max(top / 1e5), top, 7), logarithmic: true }
            }
            _ => Scale { axis: Axis::from_zero(top * 1.02, 5), logarithmic: false },
        }
    }

    fn at(&self, value: f64) -> f64 {
        if self.logarithmic { value.max(1e-9).log10().max(self.axis.low) } else { value }
    }
}

fn draw(plane: &mut Plane, timeline: &Timeline, from_us: i64, scale: &Scale, hue: Hue) {
    for contiguous in timeline.contiguous_slots() {
        let at = |value: fn(&Slot) -> Option<f64>| {
            contiguous.iter().map(move |slot| (slot.middle_s(from_us), scale.at(value(slot).unwrap_or(0.0))))
        };
        if timeline.condensed {
            // Steps make the peak of a slot as wide as the slot.
            let edge = |value: fn(&Slot) -> Option<f64>| -> Vec<(f64, f64)> {
                let step = |slot: &Slot| {
                    let height = scale.at(value(slot).unwrap_or(0.0));
                    [(slot.from_s(from_us), height), (slot.to_s(from_us), height)]
                };
                contiguous.iter().flat_map(step).collect()
            };
            plane.band(edge(|slot| slot.most), edge(|slot| slot.least), hue);
        }
        match contiguous {
            [_] => at(|slot| slot.mean).for_each(|point| plane.dot(point, 2, hue)),
            _ => plane.line(at(|slot| slot.mean), hue),
        }
    }
}
