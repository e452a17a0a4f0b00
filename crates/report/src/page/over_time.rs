//! Figures over time: demand with the limits drawn in, and latency.

use maud::Markup;

use super::figure::{Figure, Key, Mark, key};
use super::plot::{Axis, Frame, Plane, Size, in_both_sizes};
use super::table::{Table, cell};
use super::theme::Hue;
use crate::report::Clock;
use ebs_base::format::{figure, size};
use ebs_samples::evidence::Window;
use ebs_workload::demand::Demand;
use ebs_workload::mix::{Figure as Mixed, Recipe, find};
use ebs_workload::timeline::{Slot, Timeline};

/// A limit that is drawn in.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// Whose it is, `recommended gp3`.
    pub of: String,
    /// How much it is.
    pub value: f64,
    /// Its colour.
    pub hue: Hue,
    /// Whether its line is broken.
    pub dashed: bool,
}

/// What is drawn.
pub struct OverTime<'a> {
    /// Unique on the page.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// In which unit.
    pub unit: &'a str,
    /// The evidence.
    pub window: &'a Window,
    /// What was asked of it.
    pub demand: &'a Demand,
    /// All figures of the demand.
    pub figures: &'a [Mixed],
    /// Lines: a figure, its name and its colour.
    pub lines: Vec<(&'static Recipe, &'static str, Hue)>,
    /// What its limits are.
    pub limits: Vec<Limit>,
    /// Which time of day it was.
    pub clock: &'a Clock,
    /// What to say below the title, if anything.
    pub remark: Option<String>,
}

/// Slots on a page and on a telephone: two pixels each.
const SLOTS: (usize, usize) = (400, 140);
/// A limit that is so many times as high as anything that was asked for is told and not drawn: it would flatten the rest.
const FAR: f64 = 4.0;
/// Where the highest is so many times the middle, the axis is logarithmic.
const WIDE: f64 = 30.0;

impl OverTime<'_> {
    /// The figure; `None` where nothing is known.
    pub fn figure(&self) -> Option<Figure> {
        let wide = self.timelines(SLOTS.0);
        let most = wide.iter().filter_map(|(timeline, ..)| timeline.most()).reduce(f64::max)?;
        let scale = Scale::of(&wide, most, self.limits.iter().filter(|limit| is_near(limit, most)));
        let plots = in_both_sizes(300, 270, |size| self.plot(size, &scale, most));
        Some(Figure {
            id: self.id.clone(),
            title: self.title.clone(),
            unit: format!("{} · {}", self.unit, self.clock.name),
            caption: self.caption(&wide, &scale),
            text: self.text(),
            key: self.key(most, wide.iter().any(|(timeline, ..)| timeline.condensed)),
            plots,
            table: Some(self.table()),
        })
    }

    fn timelines(&self, room: usize) -> Vec<(Timeline, &'static str, Hue)> {
        let of = |(recipe, name, hue): &(&'static Recipe, &'static str, Hue)| {
            (Timeline::of(self.window, self.demand, recipe, room), *name, *hue)
        };
        self.lines.iter().map(of).filter(|(timeline, ..)| timeline.most().is_some()).collect()
    }

    fn plot(&self, size: Size, scale: &Scale, most: f64) -> Markup {
        let (room, ticks) = if size.is_narrow() { (SLOTS.1, 4) } else { (SLOTS.0, 9) };
        let x = Axis::time(self.window.from_us, self.window.to_us, self.clock, ticks);
        let left = if size.is_narrow() { 46 } else { 54 };
        Frame { size, left, x: &x, y: &scale.axis }.draw(|plane| {
            for (timeline, _, hue) in self.timelines(room) {
                draw(plane, &timeline, self.window.from_us, scale, hue);
            }
            for limit in self.limits.iter().filter(|limit| is_near(limit, most)) {
                let at = scale.at(limit.value);
                plane.rule((x.low, at), (x.high, at), limit.hue, limit.dashed);
            }
        })
    }

    fn key(&self, most: f64, condensed: bool) -> Vec<Key> {
        let mut keys = Vec::new();
        for (_, name, hue) in &self.lines {
            keys.push(key(*hue, Mark::Line, *name));
            keys.extend(condensed.then(|| key(*hue, Mark::Band, format!("{name}, least to most"))));
        }
        keys.extend(self.limits.iter().map(|limit| {
            let far = if is_near(limit, most) { "" } else { " (far above the plot)" };
            let mark = if limit.dashed { Mark::Dashed } else { Mark::Line };
            key(limit.hue, mark, format!("{}: {}{far}", limit.of, figure(limit.value)))
        }));
        keys
    }

    fn caption(&self, wide: &[(Timeline, &'static str, Hue)], scale: &Scale) -> String {
        let mut words: Vec<String> = self.remark.iter().cloned().collect();
        let condensed = wide.iter().map(|(timeline, ..)| timeline).find(|timeline| timeline.condensed);
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

    fn text(&self) -> String {
        let of = |(recipe, name, _): &(&'static Recipe, &'static str, Hue)| {
            let found = find(self.figures, recipe.metric)?;
            let of = |value: Option<f64>| cell(value, figure);
            Some(format!(
                "{name}: mean {}, 99th percentile {}, highest {} {}",
                of(found.mean),
                of(found.p99),
                of(found.max),
                recipe.unit
            ))
        };
        let lines = self.lines.iter().filter_map(of);
        let limits = self.limits.iter().map(|limit| format!("limit of {}: {}", limit.of, figure(limit.value)));
        format!("Over time. {}.", lines.chain(limits).collect::<Vec<_>>().join("; "))
    }

    fn table(&self) -> Table {
        let of = |value: Option<f64>| cell(value, figure);
        let row = |(recipe, name, _): &(&'static Recipe, &'static str, Hue)| {
            let found = find(self.figures, recipe.metric)?;
            let between = cell(found.p99_interval, |both| format!("{} and {}", figure(both.low), figure(both.high)));
            let cells = [found.mean, found.p50, found.p95, found.p99, found.max].map(of);
            Some([(*name).to_owned(), recipe.unit.to_owned()].into_iter().chain(cells).chain([between]).collect())
        };
        let head = vec!["", "unit", "mean", "p50", "p95", "p99", "max", "p99 between"];
        Table::of(head, self.lines.iter().filter_map(row).collect())
    }
}

fn is_near(limit: &Limit, most: f64) -> bool {
    limit.value <= FAR * most
}

/// How figures become heights.
struct Scale {
    axis: Axis,
    logarithmic: bool,
}

impl Scale {
    fn of<'a>(timelines: &[(Timeline, &str, Hue)], most: f64, limits: impl Iterator<Item = &'a Limit>) -> Scale {
        let mut means: Vec<f64> =
            timelines.iter().flat_map(|(timeline, ..)| &timeline.slots).filter_map(|slot| slot.mean).collect();
        means.retain(|mean| *mean > 0.0);
        means.sort_by(f64::total_cmp);
        let middle = means.get(means.len() / 2).copied().unwrap_or(most);
        let top = limits.map(|limit| limit.value).fold(most, f64::max);
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
    for stretch in timeline.stretches() {
        let at = |value: fn(&Slot) -> Option<f64>| {
            stretch.iter().map(move |slot| (slot.middle_s(from_us), scale.at(value(slot).unwrap_or(0.0))))
        };
        if timeline.condensed {
            // In steps, so that the peak of a slot is as wide as the slot.
            let edge = |value: fn(&Slot) -> Option<f64>| -> Vec<(f64, f64)> {
                let step = |slot: &Slot| {
                    let height = scale.at(value(slot).unwrap_or(0.0));
                    [(slot.from_s(from_us), height), (slot.to_s(from_us), height)]
                };
                stretch.iter().flat_map(step).collect()
            };
            plane.band(edge(|slot| slot.most), edge(|slot| slot.least), hue);
        }
        match stretch {
            [_] => at(|slot| slot.mean).for_each(|point| plane.dot(point, 2, hue)),
            _ => plane.line(at(|slot| slot.mean), hue),
        }
    }
}
