//! Tables of text as sysstat prints them: a line of names, one of which is the device's, then lines of values.

use super::ImportError;
use super::rates::Rates;

/// The names of a table's columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    columns: Vec<String>,
    device: usize,
}

impl Table {
    /// The table of devices that these names begin; `None` if it is one of something else.
    pub fn of(names: &[&str]) -> Option<Table> {
        let device = names.iter().position(|name| matches!(*name, "Device" | "Device:" | "DEV"))?;
        Some(Table { columns: names.iter().map(|name| (*name).to_owned()).collect(), device })
    }

    /// Columns it has.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// The device of a row.
    pub fn device<'a>(&self, values: &[&'a str]) -> Option<&'a str> {
        values.get(self.device).copied()
    }

    /// Puts the values of a row into the rates of its device.
    pub fn row(&self, line: usize, values: &[&str], rows: &mut Vec<(String, Rates)>) -> Result<(), ImportError> {
        if values.len() != self.columns.len() {
            let (values, columns) = (values.len(), self.columns.len());
            return Err(ImportError::line(line, format!("{values} values below {columns} columns")));
        }
        let rates = rates_of(rows, values[self.device]);
        for (column, value) in self.columns.iter().zip(values) {
            if !rates.set(column, 0.0) {
                continue;
            }
            let number = Rates::number(value).ok_or_else(|| {
                ImportError::line(line, format!("{column} is no number from 0 to 1e15: \"{}\"", brief(value)))
            })?;
            rates.set(column, number);
        }
        Ok(())
    }
}

/// The rates of a device in this report; a report may have several tables (`iostat --pretty`).
pub(super) fn rates_of<'a>(rows: &'a mut Vec<(String, Rates)>, device: &str) -> &'a mut Rates {
    let index = rows.iter().position(|(known, _)| known == device).unwrap_or_else(|| {
        rows.push((device.to_owned(), Rates::default()));
        rows.len() - 1
    });
    &mut rows[index].1
}

/// The line without what colours it (`S_COLORS=always`): ESC, `[`, numbers, a letter.
pub(super) fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        rest = rest.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or(rest);
    }
    plain.push_str(rest);
    plain
}

/// As much of a text as an error message should repeat.
pub(super) fn brief(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut brief: String = text.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    if text.chars().count() > LONGEST {
        brief.push('…');
    }
    brief
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_taken_off() {
        assert_eq!(
            plain("13:20:19   \u{1b}[32;22m     sda\u{1b}[0m\u{1b}[34;1m      2.15"),
            "13:20:19        sda      2.15"
        );
        assert_eq!(plain("vda 1.00 \u{1b}["), "vda 1.00 ");
    }

    #[test]
    fn a_row_says_what_is_wrong_with_it() {
        let table = Table::of(&["Device", "r/s", "%util"]).unwrap();
        let refused = |values: &[&str]| table.row(7, values, &mut Vec::new()).unwrap_err().to_string();
        assert_eq!(refused(&["sda", "1.00"]), "line 7: 2 values below 3 columns");
        assert_eq!(refused(&["sda", "1.0k", "0.00"]), "line 7: r/s is no number from 0 to 1e15: \"1.0k\"");
        assert_eq!(Table::of(&["CPU", "%user"]), None);
    }
}
