//! Ratios of a run to a baseline with their intervals, and the values of both sides.

use maud::Markup;

use super::figure::{Figure, Key, Mark};
use crate::html::Comparison;
use crate::html::kit::theme::Hue;
use crate::html::kit::{Table, cell};
use crate::html::plot::{Axis, Frame, Size, in_both_sizes};
use crate::reasons::comparison::describe_notes;
use ebs_base::format::{self, count, times};
use ebs_comparison::compare::{Row, Verdict};

/// Maximum number of rows: figures of the driver and figures per second, in their order.
const MAX_ROWS: usize = 28;
/// Ratio above which, or below whose inverse, a mark is drawn at the edge.
const FAR: f64 = 8.0;

/// Draws the figure; `None` without a known ratio.
pub fn figure(comparison: &Comparison) -> Option<Figure> {
    let compared: Vec<&Row> = comparison.rows.iter().filter(|row| row.section != "gate").collect();
    let drawn: Vec<&Row> =
        compared.iter().copied().filter(|row| row.ratio.is_some_and(|ratio| ratio > 0.0)).take(MAX_ROWS).collect();
    if drawn.is_empty() {
        return None;
    }
    let head = vec!["", "figure", "unit", "baseline", "run", "ratio", "between", "verdict", "note"];
    let hues = [
        ("better", Hue::Green),
        ("worse", Hue::Rose),
        ("higher or lower, neither is better", Hue::Blue),
        ("equivalent, inconclusive or not compared", Hue::Gray),
    ];
    let used = hues.into_iter().filter(|(_, hue)| drawn.iter().any(|row| self::hue(row.verdict) == *hue));
    Some(Figure {
        id: "ratios".to_owned(),
        title: format!("{} against {}", comparison.run, comparison.baseline),
        unit: "ratio of run to baseline, on a logarithmic scale".to_owned(),
        caption: caption(&drawn),
        text: text(&drawn),
        key: used.map(|(text, hue)| Key::new(hue, Mark::Area, text)).collect(),
        plots: in_both_sizes(52 + 24 * drawn.len() as u32, 52 + 42 * drawn.len() as u32, |size| draw(size, &drawn)),
        table: Some(Table::new(head, compared.iter().map(|row| cells(row)).collect())),
    })
}

fn caption(rows: &[&Row]) -> String {
    let mut words = "Whiskers are 95 % intervals; what has none has no whiskers. Left of the line the run has less, right of it more."
        .to_owned();
    let far = |ratio: f64| !(1.0 / FAR..=FAR).contains(&ratio);
    if rows.iter().flat_map(|row| [row.ratio, row.ratio_low, row.ratio_high]).flatten().any(far) {
        words.push_str(&format!(
            " What lies beyond {} times or its inverse is drawn there; the table has it.",
            count(FAR)
        ));
    }
    words
}

fn hue(verdict: Option<Verdict>) -> Hue {
    match verdict {
        Some(Verdict::Better) => Hue::Green,
        Some(Verdict::Worse) => Hue::Rose,
        Some(Verdict::Higher | Verdict::Lower) => Hue::Blue,
        _ => Hue::Gray,
    }
}

fn name(row: &Row) -> String {
    match row.section {
        "per transaction" => format!("{} a transaction", row.metric),
        _ => row.metric.clone(),
    }
}

/// Formats the values of both sides: `500 → 1,000 1/s`.
fn sides(row: &Row) -> String {
    let unit = if row.unit == "1" { "" } else { row.unit };
    format!("{} → {} {unit}", cell(row.a, format::figure), cell(row.b, format::figure)).trim_end().to_owned()
}

fn draw(size: Size, rows: &[&Row]) -> Markup {
    let near = |ratio: f64| ratio.clamp(1.0 / FAR, FAR);
    let all = || rows.iter().flat_map(|row| [row.ratio, row.ratio_low, row.ratio_high]).flatten().map(near);
    let (low, high) = (all().fold(0.8, f64::min), all().fold(1.25, f64::max));
    let x = Axis::logarithmic(low, high, if size.is_narrow() { 5 } else { 9 });
    // The values of both sides stand on the right.
    let x = if size.is_narrow() { x } else { Axis { high: x.high + 0.45 * (x.high - x.low), ..x } };
    let names: Vec<String> = rows.iter().map(|row| name(row)).collect();
    // On a telephone names stand above their rows.
    let y = Axis::rows(names.iter().map(|name| if size.is_narrow() { "" } else { name.as_str() }));
    let left = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) as u32 * 7 + 16;
    let at = |ratio: f64| near(ratio).log10();
    let left = if size.is_narrow() { 10 } else { left.min(280) };
    Frame { size, left, x: &x, y: &y }.draw(|plane| {
        plane.rule((0.0, y.low), (0.0, y.high), Hue::Muted, true);
        for ((middle, _), (row, name)) in y.ticks.iter().zip(rows.iter().zip(&names)) {
            let (hue, middle) = (hue(row.verdict), if size.is_narrow() { middle - 0.2 } else { *middle });
            if let (Some(low), Some(high)) = (row.ratio_low, row.ratio_high) {
                plane.level_whisker((at(low), at(high)), middle, hue);
            }
            plane.dot((at(row.ratio.unwrap_or(1.0)), middle), 4, hue);
            if size.is_narrow() {
                plane.label((x.low, middle + 0.45), (2, 0), &format!("{name}: {}", sides(row)), Hue::Ink, false);
            } else {
                plane.label((x.high, middle), (-2, 0), &sides(row), Hue::Muted, true);
            }
        }
    })
}

fn between(row: &Row) -> String {
    cell(row.ratio_low.zip(row.ratio_high), |(low, high)| format!("{} to {}", times(low), times(high)))
}

fn text(rows: &[&Row]) -> String {
    let sentence = |row: &&Row| {
        let verdict = cell(row.verdict, |verdict| verdict.name().to_owned());
        format!("{} {} ({}), {verdict}", name(row), cell(row.ratio, times), between(row))
    };
    format!("Ratios with whiskers. {}.", rows.iter().map(sentence).collect::<Vec<_>>().join("; "))
}

fn cells(row: &Row) -> Vec<String> {
    vec![
        row.section.to_owned(),
        row.metric.clone(),
        row.unit.to_owned(),
        cell(row.a, format::figure),
        cell(row.b, format::figure),
        cell(row.ratio, times),
        between(row),
        cell(row.verdict, |verdict| verdict.name().to_owned()),
        describe_notes(row),
    ]
}
