//! The balance sheet as stacked bars: bytes requested and bytes moved, equally long where everything is known.

use super::bars::{HALF, Part, Row, bars, part_key};
use super::figure::Figure;
use crate::html::kit::theme::Hue;
use crate::html::kit::{Table, UNKNOWN, cell};
use crate::reasons::balance::describe_line;
use ebs_base::format::{pct, size};
use ebs_base::units::{GIB, MIB};
use ebs_workload::balance::{Bytes, Line, Side, Source, Subject};

/// Selector of the bytes read or written.
type Direction = fn(&Bytes) -> Option<i64>;

/// A bar: lines of the sheet, with the length of each in bytes.
struct Bar<'a> {
    name: String,
    parts: Vec<(&'a Line<'a>, i64)>,
}

impl Bar<'_> {
    fn bytes(&self) -> i64 {
        self.parts.iter().map(|(_, bytes)| bytes).sum()
    }

    fn row(&self, of_unit: u64) -> Row {
        let part = |(line, bytes): &(&Line, i64)| {
            let (hue, opacity) = colour(&line.subject);
            Part { hue, opacity, value: *bytes as f64 / of_unit as f64 }
        };
        Row {
            name: self.name.clone(),
            parts: self.parts.iter().map(part).collect(),
            after: size(self.bytes() as f64 / of_unit as f64),
        }
    }
}

/// Draws the figure; `None` without known bytes on either side.
pub fn figure(lines: &[Line]) -> Option<Figure> {
    let sheet = sheet_bars(lines);
    let highest = sheet.iter().map(Bar::bytes).max()?;
    let (unit, of_unit) = if highest.unsigned_abs() >= GIB { ("GiB", GIB) } else { ("MiB", MIB) };
    let rows: Vec<Row> = sheet.iter().map(|bar| bar.row(of_unit)).collect();
    let is_shown = |line: &&Line| sheet.iter().flat_map(|bar| &bar.parts).any(|(part, _)| part == line);
    let entry = |line: &Line| {
        let (hue, opacity) = colour(&line.subject);
        part_key(hue, opacity, name(&line.subject))
    };
    let text = rows.iter().map(|row| format!("{} {} {unit}", row.name, row.after)).collect::<Vec<_>>().join("; ");
    Some(Figure {
        id: "balance".to_owned(),
        title: "Balance sheet: PostgreSQL's bytes against the device's".to_owned(),
        unit: unit.to_owned(),
        caption: "Requested: bytes that PostgreSQL counts by source, and those of other programs. Moved: bytes of the devices, and those \
                  that the page cache kept from them. Where all is known, both bars have the same length."
            .to_owned(),
        text: format!("Stacked bars. {text}."),
        key: lines.iter().filter(is_shown).map(entry).collect(),
        plots: bars(&rows, true),
        table: Some(table(lines, of_unit, unit)),
    })
}

/// Returns two bars for reads and two for writes: requested and moved.
fn sheet_bars<'a>(lines: &'a [Line<'a>]) -> Vec<Bar<'a>> {
    let directions: [(&str, Direction); 2] = [("reads", |bytes| bytes.read), ("writes", |bytes| bytes.write)];
    let both = |(name, direction): &(&str, Direction)| {
        [(true, "requested"), (false, "moved")]
            .map(|(requested, side)| Bar { name: format!("{name} {side}"), parts: parts(lines, *direction, requested) })
    };
    directions.iter().flat_map(both).filter(|bar| !bar.parts.is_empty()).collect()
}

/// Returns the lines of one direction on the requested or on the moved side.
fn parts<'a>(lines: &'a [Line<'a>], direction: Direction, requested: bool) -> Vec<(&'a Line<'a>, i64)> {
    let known = lines.iter().filter_map(|line| Some((line, direction(&line.bytes)?))).filter(|(_, bytes)| *bytes != 0);
    let on_side = |(line, bytes): &(&Line, i64)| match line.subject.side() {
        Side::Postgres => requested,
        // Positive bytes were requested by others; negative ones were requested, but not moved.
        Side::Kernel => requested == (*bytes > 0),
        Side::Device => !requested,
    };
    known.filter(on_side).map(|(line, bytes)| (line, bytes.saturating_abs())).collect()
}

/// Colour and opacity of a line; lines that are compared differ in one of the two.
fn colour(subject: &Subject) -> (Hue, f64) {
    match subject {
        Subject::Source(source) => source_colour(*source),
        Subject::TemporaryFiles(_) => (Hue::Rose, HALF),
        Subject::Unattributed => (Hue::Gray, 1.0),
        Subject::Others | Subject::NotSplit(_) => (Hue::Gray, HALF),
        Subject::PageCache => (Hue::Sky, HALF),
        Subject::Residual => (Hue::Gold, HALF),
        Subject::AllSources(_) | Subject::Volume(..) | Subject::Unresolved(_) => (Hue::Ink, 0.75),
    }
}

fn source_colour(source: Source) -> (Hue, f64) {
    match source {
        Source::Clients => (Hue::Blue, 1.0),
        Source::Vacuum => (Hue::Purple, 1.0),
        Source::Checkpointer => (Hue::Orange, 1.0),
        Source::BackgroundWriter => (Hue::Gold, 1.0),
        Source::Extends => (Hue::Sky, 1.0),
        Source::Wal | Source::WalGenerated => (Hue::Green, 1.0),
        Source::NewSegments => (Hue::Green, HALF),
        Source::TemporaryTables => (Hue::Rose, 1.0),
        Source::Others => (Hue::Purple, HALF),
    }
}

fn name(subject: &Subject) -> String {
    match subject.side() {
        Side::Device => format!("moved by {}", subject.name()),
        _ => subject.name(),
    }
}

fn table(lines: &[Line], of_unit: u64, unit: &str) -> Table {
    let amount = |bytes: Option<i64>| match bytes {
        None => UNKNOWN.to_owned(),
        Some(bytes) => format!("{} {unit}", size(bytes as f64 / of_unit as f64)),
    };
    let row = |line: &Line| {
        vec![
            line.subject.name(),
            line.subject.side().name().to_owned(),
            amount(line.bytes.read),
            cell(line.read_pct, pct),
            amount(line.bytes.write),
            cell(line.write_pct, pct),
            describe_line(&line.subject),
        ]
    };
    let head = vec!["line", "side", "read", "of the device's", "written", "of the device's", "what it is"];
    Table::new(head, lines.iter().map(row).collect())
}

#[cfg(test)]
#[path = "balance_tests.rs"]
mod tests;
