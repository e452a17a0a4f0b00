//! Price against predicted throughput: the frontier, with what was chosen and what there is now.

use super::figure::{Figure, Key, Mark, key};
use super::plot::{Axis, Left, Plane, Size, both, dot, line, plot, rule, whisker, words};
use super::table::{Table, cell};
use super::theme::Hue;
use crate::advice::{Frontier, Point};
use crate::catalogue::VolumeType;
use crate::format::{count, ms, range, times, usd};
use crate::units::Usd;

/// What there is now: its price, at a throughput of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Now(pub Usd);

/// Prices so many times as high as others make the axis logarithmic.
const WIDE: f64 = 8.0;

/// The figure of one part of the cluster; `None` where nothing is predicted.
pub fn figure(id: String, found: &Frontier, now: Option<Now>) -> Option<Figure> {
    let points = found.points.as_ref().ok().filter(|points| !points.is_empty())?;
    let logarithmic = is_wide(points, now);
    let chosen = points.iter().find(|point| point.recommended);
    let kinds = VolumeType::ALL.into_iter().filter(|kind| points.iter().any(|point| point.config.volume_type == *kind));
    let mut key: Vec<Key> = kinds.map(|kind| key(hue(kind), Mark::Area, kind.name())).collect();
    key.extend(chosen.map(|point| self::key(Hue::Orange, Mark::Area, format!("recommended: {}", order(point)))));
    key.extend(now.map(|Now(price)| self::key(Hue::Ink, Mark::Area, format!("now: {}", usd(price)))));
    key.push(self::key(Hue::Muted, Mark::Dashed, "throughput of now"));
    let mut caption =
        "Volumes of which none that costs no more is predicted to do as much. Whiskers hold the truth nine times in \
                       ten."
            .to_owned();
    if logarithmic {
        caption.push_str(" Prices are on a logarithmic scale.");
    }
    if chosen.is_none() {
        caption.push_str(
            " What is recommended is not on it: it also leaves headroom, and something else does as much for less.",
        );
    }
    Some(Figure {
        id,
        title: format!("Price against predicted throughput, {}", found.role),
        unit: "US dollars a month · throughput, times that of now".to_owned(),
        caption,
        text: text(points, chosen),
        key,
        plots: both(330, 300, |size| draw(size, points, now, logarithmic)),
        table: Some(table(points)),
    })
}

fn dollars(price: Usd) -> f64 {
    price.cents() as f64 / 100.0
}

fn is_wide(points: &[Point], now: Option<Now>) -> bool {
    let (least, most) = bounds(points, now);
    most > WIDE * least.max(0.01)
}

fn bounds(points: &[Point], now: Option<Now>) -> (f64, f64) {
    let prices = || points.iter().map(|point| dollars(point.usd_month)).chain(now.map(|Now(price)| dollars(price)));
    (prices().fold(f64::INFINITY, f64::min), prices().fold(0.0, f64::max))
}

fn hue(kind: VolumeType) -> Hue {
    match kind {
        VolumeType::Gp3 => Hue::Blue,
        VolumeType::Io2 => Hue::Green,
        VolumeType::Io1 => Hue::Purple,
        VolumeType::Gp2 => Hue::Gray,
        _ => Hue::Sky,
    }
}

fn draw(size: Size, points: &[Point], now: Option<Now>, logarithmic: bool) -> String {
    let (least, most) = bounds(points, now);
    let ticks = if size.is_narrow() { 4 } else { 8 };
    let x = if logarithmic {
        Axis::logarithmic(least.max(0.01) * 0.9, most * 1.1, ticks)
    } else {
        Axis::from_zero(most * 1.06, ticks)
    };
    let high = points.iter().map(|point| point.prediction.ratio.high).fold(1.0, f64::max);
    let y = Axis::from_zero(high * 1.04, 5);
    let at = |price: Usd| if logarithmic { dollars(price).max(0.01).log10() } else { dollars(price) };
    plot(size, Left(if size.is_narrow() { 34 } else { 42 }), (&x, &y), |plane| {
        rule(plane, (x.low, 1.0), (x.high, 1.0), Hue::Muted, true);
        steps(plane, points, x.high, at);
        for point in points {
            let (here, ratio) = (at(point.usd_month), point.prediction.ratio);
            let hue = hue(point.config.volume_type);
            whisker(plane, (here, ratio.low), (here, ratio.high), hue, false);
            dot(plane, (here, ratio.middle), 4, hue, false);
        }
        if let Some(Now(price)) = now {
            dot(plane, (at(price), 1.0), 6, Hue::Ink, true);
        }
        if let Some(point) = points.iter().find(|point| point.recommended) {
            let here = (at(point.usd_month), point.prediction.ratio.middle);
            dot(plane, here, 9, Hue::Orange, true);
            let before = here.0 > (x.low + x.high) / 2.0;
            let text = format!("{} {}", point.config.volume_type.name(), usd(point.usd_month));
            words(plane, here, (if before { -14 } else { 14 }, 16), &text, Hue::Ink, before);
        }
    })
}

/// What so much money buys at most: level until the next.
fn steps(plane: &mut Plane, points: &[Point], end: f64, at: impl Fn(Usd) -> f64) {
    let mut path = Vec::new();
    for (place, point) in points.iter().enumerate() {
        let until = points.get(place + 1).map_or(end, |next| at(next.usd_month));
        path.extend([(at(point.usd_month), point.prediction.ratio.middle), (until, point.prediction.ratio.middle)]);
    }
    line(plane, path, Hue::Gray);
}

/// `gp3, 19,389 IOPS, 209 MiB/s`.
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

fn text(points: &[Point], chosen: Option<&Point>) -> String {
    let ends: Vec<&Point> = points.first().into_iter().chain(points.last().filter(|_| points.len() > 1)).collect();
    let of =
        |point: &&Point| format!("{} for {}: {}", order(point), usd(point.usd_month), range(&point.prediction.ratio));
    let chosen = chosen.map_or(String::new(), |point| format!("; recommended is {}", of(&point)));
    format!("Points with whiskers, from {}{chosen}.", ends.iter().map(of).collect::<Vec<_>>().join(" to "))
}

fn table(points: &[Point]) -> Table {
    let row = |point: &Point| {
        let found = &point.prediction;
        vec![
            order(point),
            usd(point.usd_month),
            times(found.ratio.middle),
            format!("{} to {}", times(found.ratio.low), times(found.ratio.high)),
            ms(found.read_ms.middle),
            ms(found.write_ms.middle),
            cell(Some(found.regime), |regime| regime.name().to_owned()),
        ]
    };
    let head = vec!["volumes", "a month", "throughput", "between", "read ms", "write ms", "held back by"];
    let chosen = points.iter().position(|point| point.recommended);
    Table { chosen, ..Table::of(head, points.iter().map(row).collect()) }
}
