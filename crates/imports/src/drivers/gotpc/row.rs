//! Rows of go-tpc in its three styles (`--output plain|table|json`): the same columns under the same names
//! (pkg/util/output.go and tpcc/workload.go of <https://github.com/pingcap/go-tpc>).

use serde_json::{Map, Value};

use crate::drivers::figure::figure;

/// Names and values of one row, in its order.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Row(Vec<(String, String)>);

/// Columns of a table, from its header.
#[derive(Debug, Default)]
pub(super) struct Table(Vec<String>);

impl Row {
    /// `[Current] NEW_ORDER - Takes(s): 10.0, Count: 2212, …`, or `tpmC: 15215.2, …`.
    pub fn from_plain(line: &str) -> Option<Row> {
        let named = |key: &str, value: &str| (key.to_owned(), value.trim().to_owned());
        let (mut columns, rest) = match line.strip_prefix('[') {
            Some(rest) => {
                let (prefix, rest) = rest.split_once("] ")?;
                let (operation, rest) = rest.split_once(" - ")?;
                (vec![named("Prefix", &format!("[{prefix}]")), named("Operation", operation)], rest)
            }
            None if line.starts_with("tpmC: ") => (Vec::new(), line),
            None => return None,
        };
        columns.extend(rest.split(", ").filter_map(|part| part.split_once(": ")).map(|(key, value)| named(key, value)));
        Some(Row(columns))
    }

    /// Rows of a line of JSON: an array of objects whose values are texts.
    pub fn from_json(line: &str) -> Vec<Row> {
        let rows: Vec<Map<String, Value>> =
            line.starts_with("[{").then(|| serde_json::from_str(line).ok()).flatten().unwrap_or_default();
        let column = |(key, value): (String, Value)| Some((key, value.as_str()?.trim().to_owned()));
        rows.into_iter().map(|row| Row(row.into_iter().filter_map(column).collect())).collect()
    }

    /// The text of a column.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The number of a column.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.text(name).and_then(figure)
    }

    /// Columns of percentiles: per cent, and the latency in milliseconds.
    pub fn percentiles(&self) -> Option<Vec<(f64, f64)>> {
        let percent = |key: &str| key.to_ascii_lowercase().strip_suffix("th(ms)").and_then(figure);
        let columns = self.0.iter().filter_map(|(key, value)| Some((percent(key)?, value)));
        let mut all: Vec<(f64, f64)> =
            columns.map(|(percent, ms)| Some((percent, figure(ms)?))).collect::<Option<_>>()?;
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        Some(all)
    }
}

impl Table {
    /// Reads a line of a table: its header is kept, a row of values becomes one of its columns.
    pub fn row(&mut self, line: &str) -> Option<Row> {
        let cells: Vec<&str> = line.strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect();
        if ["PREFIX", "TPMC"].iter().any(|first| cells[0].eq_ignore_ascii_case(first)) {
            self.0 = cells.iter().map(|&cell| cell.to_owned()).collect();
            return None;
        }
        let columns = self.0.iter().cloned().zip(cells.iter().map(|&cell| cell.to_owned()));
        (self.0.len() == cells.len()).then(|| Row(columns.collect()))
    }
}
