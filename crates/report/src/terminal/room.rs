//! Size of a chart on a terminal, and the layout of its lines.

use crate::text::layout::wrap_at;
use ebs_base::error::{InputError, within};

/// Size of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Columns.
    pub width: usize,
    /// Rows of bars.
    pub rows: usize,
}

impl Room {
    /// Fits a terminal of 80 columns with the blank that psql puts before each line, and leaves rows for a prompt.
    pub const DEFAULT: Room = Room { width: 79, rows: 20 };

    /// Checks the arguments, with defaults for those that are not given.
    pub fn from_arguments(width: Option<i32>, rows: Option<i32>) -> Result<Room, InputError> {
        let checked = |argument, value: Option<i32>, default: usize, bounds, meaning| {
            let value = within(argument, value.map_or(default as f64, f64::from), bounds, meaning)?;
            Ok::<usize, InputError>(value as usize)
        };
        let default = Room::DEFAULT;
        let rows_meaning = "Rows of bars, each as long a time as the others.";
        Ok(Room {
            width: checked("width", width, default.width, (40.0, 400.0), "Columns of the terminal, less one.")?,
            rows: checked("rows", rows, default.rows, (1.0, 500.0), rows_meaning)?,
        })
    }

    /// Breaks `text` at the width.
    pub(super) fn wrap(self, text: &str) -> Vec<String> {
        wrap_at(text, self.width, "  ")
    }
}

/// Cuts the end of a name that is longer than `width` columns.
pub(super) fn cut(name: &str, width: usize) -> String {
    // A line break in a name must not break the line.
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if name.chars().count() <= width {
        return name;
    }
    name.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_without_room_is_refused() {
        assert!(Room::from_arguments(Some(39), None).is_err() && Room::from_arguments(None, Some(0)).is_err());
    }
}
