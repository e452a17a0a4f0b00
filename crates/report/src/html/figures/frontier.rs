//! Price against predicted throughput: the frontier, with the recommended and the current volumes.

use maud::Markup;

use super::figure::{Figure, Key, Mark};
use crate::html::kit::theme::Hue;
use crate::html::kit::{Table, cell};
use crate::html::plot::{Axis, Frame, Plane, Size, in_both_sizes};
use ebs_advice::{Frontier, Point};
use ebs_aws::catalogue::{Family, Generation, VolumeType};
use ebs_base::format::{count, ms, range, times, usd};
use ebs_base::range::Range;
use ebs_base::units::Usd;

/// Marks besides the frontier.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Markers {
    /// Price of the current volumes, at a throughput of one.
    pub current: Option<Usd>,
    /// The recommended volumes: on the frontier, or with more headroom than those on it.
    pub recommended: Option<Recommended>,
}

/// The recommended volumes.
#[derive(Clone, Debug, PartialEq)]
pub struct Recommended {
    /// Volumes as they are ordered: `gp3, 1 × 100 GiB, 19,389 IOPS, 209 MiB/s`.
    pub order: String,
    /// Their type.
    pub kind: VolumeType,
    /// Price a month.
    pub price: Usd,
    /// Predicted throughput, as a ratio to the current one.
    pub ratio: Range,
}

/// Ratio of the highest price to the lowest from which the axis is logarithmic.
const WIDE: f64 = 8.0;

/// Draws the figure of one role; `None` without a prediction, or without prices.
pub fn figure(id: String, frontier: &Frontier, markers: &Markers) -> Option<Figure> {
    let points = frontier.points.as_ref().ok().filter(|points| !points.is_empty())?;
    if points.iter().any(|point| point.usd_month.is_none()) {
        return None;
    }
    let logarithmic = is_wide(points, markers);
    let kinds = VolumeType::ALL.into_iter().filter(|kind| points.iter().any(|point| point.config.volume_type == *kind));
    let mut key: Vec<Key> = kinds.map(|kind| Key::new(hue(kind), Mark::Area, kind.name())).collect();
    let recommended = markers.recommended.as_ref();
    key.extend(recommended.map(|it| Key::new(Hue::Orange, Mark::Area, format!("recommended: {}", it.order))));
    key.extend(markers.current.map(|price| Key::new(Hue::Ink, Mark::Area, format!("now: {}", usd(price)))));
    key.push(Key::new(Hue::Muted, Mark::Dashed, "current throughput"));
    let mut caption =
        "Volumes of which none that costs no more is predicted to do as much. Whiskers hold the truth nine times in \
                       ten."
            .to_owned();
    if logarithmic {
        caption.push_str(" Prices are on a logarithmic scale.");
    }
    if recommended.is_some() && !points.iter().any(|point| point.recommended) {
        caption.push_str(
            " The recommended volumes are not among them: they have headroom, and others give as much for less.",
        );
    }
    Some(Figure {
        id,
        title: format!("Price against predicted throughput, {}", frontier.role),
        unit: "US dollars a month · throughput, times current".to_owned(),
        caption,
        text: text(points, recommended),
        key,
        plots: in_both_sizes(330, 300, |size| draw(size, points, markers, logarithmic)),
        table: Some(table(points)),
    })
}

/// Price of a point, all of which have one here.
fn price(point: &Point) -> Usd {
    point.usd_month.unwrap_or_default()
}

fn is_wide(points: &[Point], markers: &Markers) -> bool {
    let (lowest, highest) = bounds(points, markers);
    highest > WIDE * lowest.max(0.01)
}

fn bounds(points: &[Point], markers: &Markers) -> (f64, f64) {
    let beside = markers.current.into_iter().chain(markers.recommended.as_ref().map(|recommended| recommended.price));
    let all: Vec<f64> = points.iter().map(price).chain(beside).map(Usd::dollars).collect();
    let prices = || all.iter().copied();
    (prices().fold(f64::INFINITY, f64::min), prices().fold(0.0, f64::max))
}

fn hue(kind: VolumeType) -> Hue {
    match (kind.family(), kind.characteristics().generation) {
        (Family::GeneralPurpose, Generation::New) => Hue::Rose,
        (Family::GeneralPurpose, Generation::Current) => Hue::Blue,
        (Family::GeneralPurpose, Generation::Previous) => Hue::Gray,
        (Family::ProvisionedIops, Generation::New) => Hue::Gold,
        (Family::ProvisionedIops, Generation::Current) => Hue::Green,
        (Family::ProvisionedIops, Generation::Previous) => Hue::Purple,
        (Family::ThroughputHdd | Family::ColdHdd | Family::Magnetic | Family::InstanceStore, _) => Hue::Sky,
    }
}

fn draw(size: Size, points: &[Point], markers: &Markers, logarithmic: bool) -> Markup {
    let (lowest, highest) = bounds(points, markers);
    let ticks = if size.is_narrow() { 4 } else { 8 };
    let x = if logarithmic {
        Axis::logarithmic(lowest.max(0.01) * 0.9, highest * 1.1, ticks)
    } else {
        Axis::from_zero(highest * 1.06, ticks)
    };
    let recommended = markers.recommended.as_ref();
    let ends = points
        .iter()
        .map(|point| point.prediction.ratio.high)
        .chain(recommended.map(|recommended| recommended.ratio.high));
    let high = ends.fold(1.0, f64::max);
    let y = Axis::from_zero(high * 1.04, 5);
    let at = |price: Usd| if logarithmic { price.dollars().max(0.01).log10() } else { price.dollars() };
    let left = if size.is_narrow() { 34 } else { 42 };
    Frame { size, left, x: &x, y: &y }.draw(|plane| {
        plane.rule((x.low, 1.0), (x.high, 1.0), Hue::Muted, true);
        draw_steps(plane, points, x.high, at);
        for point in points {
            let (here, ratio) = (at(price(point)), point.prediction.ratio);
            let hue = hue(point.config.volume_type);
            plane.upright_whisker(here, (ratio.low, ratio.high), hue);
            plane.dot((here, ratio.middle), 4, hue);
        }
        if let Some(price) = markers.current {
            plane.ring((at(price), 1.0), 6, Hue::Ink);
        }
        if let Some(recommended) = recommended {
            mark(plane, recommended, at(recommended.price), (x.low + x.high) / 2.0);
        }
    })
}

/// Marks the recommended volumes, with the text on the side that has room for it.
fn mark(plane: &mut Plane, recommended: &Recommended, at: f64, middle: f64) {
    plane.upright_whisker(at, (recommended.ratio.low, recommended.ratio.high), Hue::Orange);
    plane.ring((at, recommended.ratio.middle), 9, Hue::Orange);
    let before = at > middle;
    let text = format!("{} {}", recommended.kind.name(), usd(recommended.price));
    plane.label((at, recommended.ratio.middle), (if before { -14 } else { 14 }, 16), &text, Hue::Ink, before);
}

/// Draws the highest throughput at each price: level until the next point.
fn draw_steps(plane: &mut Plane, points: &[Point], end: f64, at: impl Fn(Usd) -> f64) {
    let mut path = Vec::new();
    for (position, point) in points.iter().enumerate() {
        let until = points.get(position + 1).map_or(end, |next| at(price(next)));
        path.extend([(at(price(point)), point.prediction.ratio.middle), (until, point.prediction.ratio.middle)]);
    }
    plane.line(path, Hue::Gray);
}

/// Describes the volume of a point: `gp3, 19,389 IOPS, 209 MiB/s`.
fn order(point: &Point) -> String {
    let config = &point.config;
    let many = if point.volumes > 1 { format!("{} × ", count(point.volumes as f64)) } else { String::new() };
    format!(
        "{many}{}, {} IOPS, {} MiB/s",
        config.volume_type.name(),
        count(config.iops as f64),
        count(config.throughput_mibps as f64)
    )
}

fn text(points: &[Point], recommended: Option<&Recommended>) -> String {
    let ends: Vec<&Point> = points.first().into_iter().chain(points.last().filter(|_| points.len() > 1)).collect();
    let entry = |order: &str, price: Usd, ratio: &Range| format!("{order} for {}: {}", usd(price), range(ratio));
    let end = |point: &&Point| entry(&order(point), price(point), &point.prediction.ratio);
    let recommended =
        recommended.map_or(String::new(), |it| format!("; recommended is {}", entry(&it.order, it.price, &it.ratio)));
    format!("Points with whiskers, from {}{recommended}.", ends.iter().map(end).collect::<Vec<_>>().join(" to "))
}

fn table(points: &[Point]) -> Table {
    let row = |point: &Point| {
        let prediction = &point.prediction;
        vec![
            order(point),
            usd(price(point)),
            times(prediction.ratio.middle),
            format!("{} to {}", times(prediction.ratio.low), times(prediction.ratio.high)),
            ms(prediction.read_ms.middle),
            ms(prediction.write_ms.middle),
            cell(Some(prediction.bound_by), |factor| factor.name().to_owned()),
        ]
    };
    let head = vec!["volumes", "a month", "throughput", "between", "read ms", "write ms", "then bound by"];
    let chosen = points.iter().position(|point| point.recommended);
    Table { chosen, ..Table::new(head, points.iter().map(row).collect()) }
}
