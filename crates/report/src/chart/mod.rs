//! Charts for a terminal: bars of characters, one line a row.

mod metric;
mod over_time;
mod parts;

pub use metric::{Metric, metric, metrics};
pub use over_time::over_time;
pub use parts::{latencies, sources, waits};

use ebs_base::error::{Refusal, within};

/// How much room there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Columns.
    pub width: usize,
    /// Rows of bars.
    pub rows: usize,
}

impl Room {
    /// So that psql's own blank before it fits a terminal of 80 columns, with room for a prompt.
    pub const DEFAULT: Room = Room { width: 79, rows: 20 };

    /// Checked; what is left out is the default.
    pub fn of(width: Option<i32>, rows: Option<i32>) -> Result<Room, Refusal> {
        let checked = |argument, value: Option<i32>, default: usize, bounds, meaning| {
            let value = within(argument, value.map_or(default as f64, f64::from), bounds, meaning)?;
            Ok::<usize, Refusal>(value as usize)
        };
        let default = Room::DEFAULT;
        Ok(Room {
            width: checked("width", width, default.width, (40.0, 400.0), "Columns of the terminal, less one.")?,
            rows: checked(
                "rows",
                rows,
                default.rows,
                (1.0, 500.0),
                "Rows of bars, each as long a time as the others.",
            )?,
        })
    }
}

/// What a bar's last character may be: eighths of one.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A bar of `value` where `full` takes `width` columns, and a paler one from there to `most`.
fn bar(value: f64, most: f64, full: f64, width: usize) -> String {
    if full <= 0.0 {
        return String::new();
    }
    let eighths = |value: f64| (value / full * width as f64 * 8.0).round().clamp(0.0, width as f64 * 8.0) as usize;
    let (dark, pale) = (eighths(value), eighths(most).div_ceil(8));
    let mut bar = "█".repeat(dark / 8);
    bar.push_str(EIGHTHS[dark % 8]);
    // Something is never nothing.
    if dark == 0 && value > 0.0 {
        bar.push_str(EIGHTHS[1]);
    }
    let drawn = bar.chars().count();
    bar + &"░".repeat(pale.saturating_sub(drawn))
}

/// `text` in as many lines as it takes.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let options =
        textwrap::Options::new(width).subsequent_indent("  ").word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).into_iter().map(|line| line.into_owned()).collect()
}

/// A name of at most `width` columns: the end of one that is longer is cut off.
fn cut(name: &str, width: usize) -> String {
    // Whatever a name has in it, a line stays a line.
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match name.chars().count() > width {
        true => name.chars().take(width.saturating_sub(1)).chain(['…']).collect(),
        false => name,
    }
}

#[cfg(test)]
#[path = "chart_tests.rs"]
mod tests;
