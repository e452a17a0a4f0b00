//! The balance sheet as stacked bars: bytes asked for, and bytes moved. Both are as long where all is known.

use super::bars::{HALF, Part, Row, bars, part_key};
use super::figure::Figure;
use crate::html::table::{Table, UNKNOWN, cell};
use crate::html::theme::Hue;
use ebs_base::format::{pct, size};
use ebs_base::units::{GIB, MIB};
use ebs_workload::balance::{Bytes, Line, Side};

/// Colour and opacity of lines by name.
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

/// Bytes read, or written.
type Direction = fn(&Bytes) -> Option<i64>;

/// A bar: lines of the sheet, each as long as its bytes.
struct Bar<'a> {
    name: String,
    parts: Vec<(&'a Line, i64)>,
}

impl Bar<'_> {
    fn bytes(&self) -> i64 {
        self.parts.iter().map(|(_, bytes)| bytes).sum()
    }

    fn row(&self, of_unit: u64) -> Row {
        let part = |(line, bytes): &(&Line, i64)| {
            let (hue, opacity) = colour(line);
            Part { hue, opacity, value: *bytes as f64 / of_unit as f64 }
        };
        Row {
            name: self.name.clone(),
            parts: self.parts.iter().map(part).collect(),
            after: size(self.bytes() as f64 / of_unit as f64),
        }
    }
}

/// The figure; `None` where nothing is known of either side.
pub fn figure(lines: &[Line]) -> Option<Figure> {
    let sheet = sheet_bars(lines);
    let most = sheet.iter().map(Bar::bytes).max()?;
    let (unit, of_unit) = if most.unsigned_abs() >= GIB { ("GiB", GIB) } else { ("MiB", MIB) };
    let rows: Vec<Row> = sheet.iter().map(|bar| bar.row(of_unit)).collect();
    let is_shown = |line: &&Line| sheet.iter().flat_map(|bar| &bar.parts).any(|(part, _)| part == line);
    let entry = |line: &Line| {
        let (hue, opacity) = colour(line);
        part_key(hue, opacity, name(line))
    };
    let text = rows.iter().map(|row| format!("{} {} {unit}", row.name, row.after)).collect::<Vec<_>>().join("; ");
    Some(Figure {
        id: "balance".to_owned(),
        title: "Balance sheet: PostgreSQL's bytes against the device's".to_owned(),
        unit: unit.to_owned(),
        caption: "Asked for: what PostgreSQL counts by source, and what others added to it. Moved: what the devices moved, and \
                  what the page cache took off before it came so far. Where all is known both are as long."
            .to_owned(),
        text: format!("Stacked bars. {text}."),
        key: lines.iter().filter(is_shown).map(entry).collect(),
        plots: bars(&rows, true),
        table: Some(table(lines, of_unit, unit)),
    })
}

/// Two bars for reads and two for writes: asked for, and moved.
fn sheet_bars(lines: &[Line]) -> Vec<Bar<'_>> {
    let directions: [(&str, Direction); 2] = [("reads", |bytes| bytes.read), ("writes", |bytes| bytes.write)];
    let both = |(name, direction): &(&str, Direction)| {
        [(true, "asked for"), (false, "moved")]
            .map(|(asked, side)| Bar { name: format!("{name} {side}"), parts: parts(lines, *direction, asked) })
    };
    directions.iter().flat_map(both).filter(|bar| !bar.parts.is_empty()).collect()
}

/// Lines of one direction, on the side that was asked for or on the one that moved.
fn parts(lines: &[Line], direction: Direction, asked: bool) -> Vec<(&Line, i64)> {
    let known = lines.iter().filter_map(|line| Some((line, direction(&line.bytes)?))).filter(|(_, bytes)| *bytes != 0);
    let on_side = |(line, bytes): &(&Line, i64)| match line.side {
        Side::Postgres => asked,
        // What came on top was asked for by others; what was taken off moved nowhere.
        Side::Kernel => asked == (*bytes > 0),
        Side::Device => !asked,
    };
    known.filter(on_side).map(|(line, bytes)| (line, bytes.saturating_abs())).collect()
}

fn colour(line: &Line) -> (Hue, f64) {
    let entry = LINES.iter().find(|(name, ..)| *name == line.name && line.side != Side::Device);
    entry.map_or((Hue::Ink, 0.75), |(_, hue, opacity)| (*hue, *opacity))
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
    Table::new(head, lines.iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str, side: Side, read: Option<i64>, write: Option<i64>) -> Line {
        let bytes = Bytes { read, write };
        Line { name: name.to_owned(), side, bytes, read_pct: None, write_pct: None, note: String::new() }
    }

    #[test]
    fn what_was_asked_for_is_as_long_as_what_moved() {
        let sheet = [
            line("client backends", Side::Postgres, Some(900), Some(100)),
            line("WAL", Side::Postgres, None, Some(50)),
            line("page cache", Side::Kernel, Some(-600), Some(0)),
            line("others", Side::Kernel, Some(0), Some(30)),
            line("nvme1n1", Side::Device, Some(300), Some(180)),
        ];
        let bars: Vec<(String, i64, usize)> =
            sheet_bars(&sheet).iter().map(|bar| (bar.name.clone(), bar.bytes(), bar.parts.len())).collect();
        let expected = [
            ("reads asked for", 900, 1),
            ("reads moved", 900, 2),
            ("writes asked for", 180, 3),
            ("writes moved", 180, 1),
        ];
        assert_eq!(bars, expected.map(|(name, bytes, parts)| (name.to_owned(), bytes, parts)));
    }

    #[test]
    fn every_line_of_a_sheet_has_a_colour_of_its_own() {
        let mut seen: Vec<(Hue, f64)> = Vec::new();
        for (name, ..) in LINES {
            let found = colour(&line(name, Side::Kernel, None, None));
            assert!(!seen.contains(&found) || name == "not told apart", "{name}");
            seen.push(found);
        }
        assert!(figure(&[line("WAL", Side::Postgres, None, None)]).is_none());
    }
}
