//! Readings of a benchmark, a line each, and the middle of several.

use std::io::{self, BufRead};

use ebs_stats::hodges_lehmann;

/// Readings that no figure comes from.
#[derive(Debug, thiserror::Error)]
pub enum ReadingError {
    /// Not read, or the table not written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Not the fields that were expected.
    #[error("line {number} is not {expected}: {text}")]
    Line {
        /// From 1 on.
        number: usize,
        /// The fields of a line.
        expected: &'static str,
        /// The line as it came.
        text: String,
    },
    /// None, or not as many as belong together.
    #[error("{0} readings are too few, or not complete")]
    Incomplete(usize),
}

/// Reads lines that `parse` takes apart.
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

/// The middle and the ends of some values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The median; of an even number the mean of the two in the middle.
    pub median: f64,
    /// The smallest.
    pub low: f64,
    /// The largest.
    pub high: f64,
}

impl Spread {
    /// The spread of these values; an error for none.
    pub fn new(values: &[f64]) -> Result<Spread, ReadingError> {
        let ordered = |a: &f64, b: &f64| a.total_cmp(b);
        let (low, high) = (values.iter().copied().min_by(ordered), values.iter().copied().max_by(ordered));
        // How far they lie above nothing.
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
