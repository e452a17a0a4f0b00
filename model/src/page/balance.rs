//! The balance sheet as stacked bars: what was asked for, and what moved. Each pair is as long as the other where all is known.

use super::bars::{HALF, Part, Row, bars, part_key};
use super::figure::Figure;
use super::table::{Table, UNKNOWN, cell};
use super::theme::Hue;
use crate::balance::{Bytes, Line, Side};
use crate::format::{pct, size};
use crate::units::{GIB, MIB};

/// Colours of lines by name, and how strong.
const LINES: [(&str, Hue, f64); 15] = [
    ("client backends", Hue::Blue, 1.0),
    ("vacuum", Hue::Purple, 1.0),
    ("checkpointer", Hue::Orange, 1.0),
    ("background writer", Hue::Gold, 1.0),
    ("extends", Hue::Sky, 1.0),
    ("WAL", Hue::Green, 1.0),
    ("new WAL segments", Hue::Green, HALF),
    ("temporary tables", Hue::Rose, 1.0),
    ("temporary files", Hue::Rose, HALF),
    ("other processes", Hue::Purple, HALF),
    ("unattributed", Hue::Gray, 1.0),
    ("others", Hue::Gray, HALF),
    ("page cache", Hue::Sky, HALF),
    ("residual", Hue::Gold, HALF),
    ("not told apart", Hue::Gray, HALF),
];

/// The figure; `None` where nothing is known of either side.
pub fn figure(lines: &[Line]) -> Option<Figure> {
    let ways: [(&str, fn(&Bytes) -> Option<i64>); 2] = [("reads", |bytes| bytes.read), ("writes", |bytes| bytes.write)];
    let rows: Vec<(String, Vec<(&Line, i64)>)> = ways
        .iter()
        .flat_map(|(name, way)| {
            let of = |asked: bool| -> Vec<(&Line, i64)> {
                let known =
                    lines.iter().filter_map(|line| Some((line, way(&line.bytes)?))).filter(|(_, bytes)| *bytes != 0);
                let side = |(line, bytes): &(&Line, i64)| match line.side {
                    Side::Postgres => asked,
                    // What came on top was asked for by others; what was taken off moved nowhere.
                    Side::Kernel => asked == (*bytes > 0),
                    Side::Device => !asked,
                };
                known.filter(side).map(|(line, bytes)| (line, bytes.abs())).collect()
            };
            [(format!("{name} asked for"), of(true)), (format!("{name} moved"), of(false))]
        })
        .filter(|(_, parts)| !parts.is_empty())
        .collect();
    let most = rows.iter().map(|(_, parts)| parts.iter().map(|(_, bytes)| bytes).sum::<i64>()).max()?;
    let (unit, of_unit) = if most as u64 >= GIB { ("GiB", GIB) } else { ("MiB", MIB) };
    let drawn: Vec<Row> = rows
        .iter()
        .map(|(name, parts)| Row {
            name: name.clone(),
            parts: parts
                .iter()
                .map(|(line, bytes)| {
                    let (hue, opacity) = colour(line);
                    Part { hue, opacity, value: *bytes as f64 / of_unit as f64 }
                })
                .collect(),
            after: size(parts.iter().map(|(_, bytes)| *bytes as f64).sum::<f64>() / of_unit as f64),
        })
        .collect();
    let shown: Vec<&Line> =
        lines.iter().filter(|line| rows.iter().flat_map(|(_, parts)| parts).any(|(part, _)| part == line)).collect();
    let text = drawn.iter().map(|row| format!("{} {} {unit}", row.name, row.after)).collect::<Vec<_>>().join("; ");
    Some(Figure {
        id: "balance".to_owned(),
        title: "Balance sheet: PostgreSQL's bytes against the device's".to_owned(),
        unit: unit.to_owned(),
        caption: "Asked for: what PostgreSQL counts by source, and what others added to it. Moved: what the devices moved, and \
                  what the page cache took off before it came so far. Where all is known both are as long."
            .to_owned(),
        text: format!("Stacked bars. {text}."),
        key: shown.iter().map(|line| { let (hue, opacity) = colour(line); part_key(hue, opacity, name(line)) }).collect(),
        plots: bars(&drawn, true),
        table: Some(table(lines, of_unit, unit)),
    })
}

fn colour(line: &Line) -> (Hue, f64) {
    let found = LINES.iter().find(|(name, ..)| *name == line.name && line.side != Side::Device);
    found.map_or((Hue::Ink, 0.75), |(_, hue, opacity)| (*hue, *opacity))
}

fn name(line: &Line) -> String {
    match line.side {
        Side::Device => format!("moved by {}", line.name),
        _ => line.name.clone(),
    }
}

fn table(lines: &[Line], of_unit: u64, unit: &str) -> Table {
    let amount = |bytes: Option<i64>| match bytes {
        None => UNKNOWN.to_owned(),
        Some(bytes) => format!("{} {unit}", size(bytes as f64 / of_unit as f64)),
    };
    let row = |line: &Line| {
        vec![
            line.name.clone(),
            line.side.name().to_owned(),
            amount(line.bytes.read),
            cell(line.read_pct, pct),
            amount(line.bytes.write),
            cell(line.write_pct, pct),
            line.note.clone(),
        ]
    };
    let head = vec!["line", "side", "read", "of the device's", "written", "of the device's", "what it is"];
    Table::of(head, lines.iter().map(row).collect())
}
