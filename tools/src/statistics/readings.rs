//! Readings of a benchmark, a line each, and their median and range.

use std::io::{self, BufRead};

use ebs_stats::hodges_lehmann;

/// Error of computing a figure from readings.
#[derive(Debug, thiserror::Error)]
pub enum ReadingError {
    /// Readings cannot be read, or the table cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line does not have the expected fields.
    #[error("line {number} is not {expected}: {text}")]
    Line {
        /// Number of the line, from 1.
        number: usize,
        /// Description of the expected fields.
        expected: &'static str,
        /// Text of the line.
        text: String,
    },
    /// There are no readings, or the last group of them is incomplete.
    #[error("{0} readings are too few, or not complete")]
    Incomplete(usize),
}

/// Reads lines and parses their fields.
pub fn read_lines<T>(
    input: impl BufRead,
    expected: &'static str,
    parse: impl Fn(&[&str]) -> Option<T>,
) -> impl Iterator<Item = Result<T, ReadingError>> {
    input.lines().zip(1..).map(move |(line, number)| {
        let text = line?;
        let fields: Vec<&str> = text.split_whitespace().collect();
        parse(&fields).ok_or(ReadingError::Line { number, expected, text })
    })
}

/// Median and range of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Median; for an even number of values the mean of the two in the middle.
    pub median: f64,
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
}

impl Spread {
    /// The spread of these values; an error for none.
    pub fn new(values: &[f64]) -> Result<Spread, ReadingError> {
        let ordered = |a: &f64, b: &f64| a.total_cmp(b);
        let (low, high) = (values.iter().copied().min_by(ordered), values.iter().copied().max_by(ordered));
        // The shift of a sample against a single zero is its median.
        let median = hodges_lehmann(&[0.0], values);
        match (median, low, high) {
            (Some(median), Some(low), Some(high)) => Ok(Spread { median, low, high }),
            _ => Err(ReadingError::Incomplete(0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between() {
        assert_eq!(
            Spread::new(&[5.0, 1.0, 4.0, 2.0, 3.0, 10.0]).unwrap(),
            Spread { median: 3.5, low: 1.0, high: 10.0 }
        );
        assert_eq!(Spread::new(&[5.0, 1.0, 4.0, 2.0, 3.0]).unwrap(), Spread { median: 3.0, low: 1.0, high: 5.0 });
        assert!(matches!(Spread::new(&[]), Err(ReadingError::Incomplete(0))));
    }

    #[test]
    fn a_line_that_is_none_is_named() {
        let lines = read_lines("1 2\nx\n".as_bytes(), "a number", |fields| fields.first()?.parse::<f64>().ok());
        let shown: Vec<_> = lines.map(|line| line.map_err(|error| error.to_string())).collect();
        assert_eq!(shown, [Ok(1.0), Err("line 2 is not a number: x".to_owned())]);
    }
}
