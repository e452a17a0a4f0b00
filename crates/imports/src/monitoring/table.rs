//! Tables of text as sysstat prints them: a line of names, one of which is the device's, then lines of values.

use super::rates::Rates;
use super::{ImportError, MAX_COLUMNS, MAX_DEVICE_NAME, MAX_DEVICES, MAX_LINE};
use ebs_base::input;

/// Returns the lines of a report with their numbers; the first that is too long is an error. `pause` is called between them.
pub(super) fn lines<'a>(
    text: &'a str,
    pause: &'a dyn Fn(),
) -> impl Iterator<Item = Result<(usize, &'a str), ImportError>> {
    (1..).zip(input::lines(text, pause)).map(|(number, line)| {
        let is_short = line.len() <= MAX_LINE;
        is_short.then_some((number, line)).ok_or_else(|| ImportError::beyond(number, MAX_LINE, "bytes"))
    })
}

/// The names of a table's columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    columns: Vec<String>,
    device: usize,
}

impl Table {
    /// The table of devices that these names, in this line, begin; `None` if it is one of something else, or values of one: the device
    /// comes first, or with --pretty last, and a rate beside it.
    pub fn from_header(line: usize, names: &[&str]) -> Result<Option<Table>, ImportError> {
        let is_device = |at: usize| matches!(names.get(at), Some(&("Device" | "Device:" | "DEV")));
        let device = [0, names.len().saturating_sub(1)].into_iter().find(|&at| is_device(at));
        let has_rate = || names.iter().any(|name| Rates::default().set(name, 0.0));
        let Some(device) = device.filter(|_| has_rate()) else { return Ok(None) };
        if names.len() > MAX_COLUMNS {
            return Err(ImportError::beyond(line, MAX_COLUMNS, "columns"));
        }
        Ok(Some(Table { columns: names.iter().map(|name| (*name).to_owned()).collect(), device }))
    }

    /// Columns it has.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// The device of a row.
    pub fn device<'a>(&self, values: &[&'a str]) -> Option<&'a str> {
        values.get(self.device).copied()
    }

    /// True if the values of a row are none: it is the header of another kind of table.
    pub fn is_foreign(&self, values: &[&str]) -> bool {
        let is_number = |value: &&str| value.starts_with(|c: char| c.is_ascii_digit()) || value.parse::<f64>().is_ok();
        values.len() > 1 && !values.iter().any(is_number)
    }

    /// Puts the values of a row into the rates of its device. A value that is no number, or too few or too many of them, spoil this
    /// device alone.
    pub fn row(&self, line: usize, values: &[&str], rows: &mut Vec<(String, Rates)>) -> Result<(), ImportError> {
        if values.len() != self.columns.len() {
            let problem =
                ImportError::line(line, format!("{} values below {} columns", values.len(), self.columns.len()));
            // With --pretty a line that is cut off lacks its device.
            let device = if self.device == 0 { values.first() } else { values.last() };
            let device = device.filter(|device| device.parse::<f64>().is_err());
            let Some(device) = device else { return Err(problem) };
            let rates = rates_of(rows, device, || format!("line {line}"))?;
            self.columns.iter().for_each(|column| _ = rates.set(column, 0.0));
            rates.spoil(problem);
            return Ok(());
        }
        let rates = rates_of(rows, values[self.device], || format!("line {line}"))?;
        for (column, value) in self.columns.iter().zip(values) {
            if !rates.set(column, 0.0) {
                continue;
            }
            match Rates::number(value) {
                Some(number) => _ = rates.set(column, number),
                None => rates.spoil(not_a_number(format!("line {line}"), column, value)),
            }
        }
        Ok(())
    }
}

/// Error of a value that is no rate.
pub(super) fn not_a_number(at: String, column: &str, value: &str) -> ImportError {
    ImportError::Malformed { at, problem: format!("{column} is no number from 0 to 1e15: \"{}\"", brief(value)) }
}

/// The rates of a device in this report; a report may have several tables (`iostat --pretty`). Refuses one device more than
/// [`MAX_DEVICES`], and a name that is too long; `at` says where that is.
pub(super) fn rates_of<'a>(
    rows: &'a mut Vec<(String, Rates)>,
    device: &str,
    at: impl Fn() -> String,
) -> Result<&'a mut Rates, ImportError> {
    let beyond = |most, what| ImportError::TooMuch { at: at(), most, what };
    if device.len() > MAX_DEVICE_NAME {
        return Err(beyond(MAX_DEVICE_NAME, "bytes in the name of a device"));
    }
    let index = match rows.iter().position(|(known, _)| known == device) {
        Some(index) => index,
        None if rows.len() >= MAX_DEVICES => return Err(beyond(MAX_DEVICES, "devices in a report")),
        None => {
            rows.push((device.to_owned(), Rates::default()));
            rows.len() - 1
        }
    };
    Ok(&mut rows[index].1)
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

/// The beginning of a text, as error messages quote it.
pub(super) fn brief(text: &str) -> String {
    const MAX_QUOTED: usize = 40;
    let mut brief: String = text.chars().take(MAX_QUOTED).filter(|c| !c.is_control()).collect();
    if !input::is_short(text, MAX_QUOTED) {
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
        let table = Table::from_header(1, &["Device", "r/s", "%util"]).unwrap().unwrap();
        for (values, count) in [(&["sda", "1.00"][..], 2), (&["sda", "1.00", "2.00", "3.00"], 4)] {
            let mut rows = Vec::new();
            table.row(7, &["sdb", "1.00", "0.00"], &mut rows).unwrap();
            table.row(7, values, &mut rows).unwrap();
            let problem = rows[1].1.problem().unwrap().to_string();
            assert_eq!((rows[1].0.as_str(), problem), ("sda", format!("line 7: {count} values below 3 columns")));
            assert!(rows[0].1.problem().is_none());
        }
        let pretty = Table::from_header(1, &["r/s", "%util", "Device"]).unwrap().unwrap();
        assert!(pretty.row(7, &["1.00", "2.00"], &mut Vec::new()).is_err());
        let mut rows = Vec::new();
        table.row(7, &["sda", "1.0k", "0.00"], &mut rows).unwrap();
        let problem = rows[0].1.problem().unwrap().to_string();
        assert_eq!(problem, "line 7: r/s is no number from 0 to 1e15: \"1.0k\"");
        for other in [&["CPU", "%user"][..], &["2", "abc", "Storage", "Device"], &["Device", "of", "Acme"], &[]] {
            assert_eq!(Table::from_header(1, other), Ok(None), "{other:?}");
        }
    }
}
