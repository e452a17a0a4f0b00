//! Time of our answer compared with plain SQL that reads the same number of rows, alternating in one session.

use std::io::{BufRead, Write};

use super::readings::{ReadingError, Spread, read_lines};

/// Milliseconds of both sides, in pairs.
struct Timings {
    plain: Vec<f64>,
    ours: Vec<f64>,
    ratios: Vec<f64>,
}

impl Timings {
    /// Reads a timing a line, plain SQL first; `on_pair` is called with each complete pair.
    fn read(
        input: impl BufRead,
        mut on_pair: impl FnMut(usize, f64, f64) -> Result<(), ReadingError>,
    ) -> Result<Timings, ReadingError> {
        let mut timings = Timings { plain: Vec::new(), ours: Vec::new(), ratios: Vec::new() };
        let mut waiting = None;
        for ms in read_lines(input, "milliseconds", |fields| fields.first()?.parse().ok()) {
            let ms: f64 = ms?;
            if let Some(plain) = waiting.take() {
                timings.plain.push(plain);
                timings.ours.push(ms);
                timings.ratios.push(ms / plain);
                on_pair(timings.ours.len(), ms, plain)?;
            } else {
                waiting = Some(ms);
            }
        }
        match waiting {
            Some(_) => Err(ReadingError::Incomplete(2 * timings.ours.len() + 1)),
            None => Ok(timings),
        }
    }
}

/// Prints a row for each pair; returns the ratio of the two sides, and their milliseconds.
pub fn report_answer(input: impl BufRead, table: &mut impl Write) -> Result<String, ReadingError> {
    let timings = Timings::read(input, |pair, ours, plain| {
        if pair == 1 {
            writeln!(table, "repeat   ebs_advise, ms   plain, ms   ratio")?;
        }
        Ok(writeln!(table, "{pair:6} {ours:16.0} {plain:11.0} {:7.2}", ours / plain)?)
    })?;
    let (ratio, pairs) = (Spread::new(&timings.ratios)?, timings.ratios.len());
    let (ours, plain) = (Spread::new(&timings.ours)?.median, Spread::new(&timings.plain)?.median);
    Ok(format!(
        "{:.2} ({:.2} to {:.2} in {pairs}), {ours:.0} against {plain:.0} ms",
        ratio.median, ratio.low, ratio.high
    ))
}

/// Returns our milliseconds, and their ratio to those of plain SQL.
pub fn report_advice(input: impl BufRead) -> Result<String, ReadingError> {
    let timings = Timings::read(input, |_, _, _| Ok(()))?;
    let (ours, pairs) = (Spread::new(&timings.ours)?, timings.ours.len());
    let (ratio, plain) = (Spread::new(&timings.ratios)?.median, Spread::new(&timings.plain)?.median);
    Ok(format!(
        "{:.1} ms ({:.1} to {:.1} in {pairs}), {ratio:.0} times the percentiles ({plain:.2} ms)",
        ours.median, ours.low, ours.high
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREE_PAIRS: &str = "100.5\n40\n90.25\n46.5\n120\n30\n";

    #[test]
    fn pairs_come_to_a_ratio() {
        let mut table = Vec::new();
        let figure = report_answer(THREE_PAIRS.as_bytes(), &mut table).unwrap();
        assert_eq!(figure, "0.40 (0.25 to 0.52 in 3), 40 against 100 ms");
        let wanted = "repeat   ebs_advise, ms   plain, ms   ratio\n\
                      \u{20}    1               40         100    0.40\n\
                      \u{20}    2               46          90    0.52\n\
                      \u{20}    3               30         120    0.25\n";
        assert_eq!(String::from_utf8(table).unwrap(), wanted);
        let figure = report_advice(THREE_PAIRS.as_bytes()).unwrap();
        assert_eq!(figure, "40.0 ms (30.0 to 46.5 in 3), 0 times the percentiles (100.50 ms)");
    }

    #[test]
    fn half_a_pair_is_no_figure() {
        for input in ["", "1\n", "1\n2\n3\n", "1\nslow\n"] {
            assert!(report_answer(input.as_bytes(), &mut Vec::new()).is_err(), "{input}");
        }
    }
}
