//! Throughput lost to sampling: runs with the sampler and without it, in pairs of neighbours.

use std::io::{BufRead, Write};

use ebs_stats::student_quantile;

use super::readings::{ReadingError, Spread, read_lines};

/// A run: with the sampler or without, its transactions per second, and per cent of all CPUs that the sampler took.
struct Run {
    is_on: bool,
    tps: f64,
    sampler_cpu: f64,
}

impl Run {
    fn parse(fields: &[&str]) -> Option<Run> {
        let [state, tps, sampler_cpu] = fields else { return None };
        let is_on = *state == "on";
        (is_on || *state == "off").then_some(())?;
        Some(Run { is_on, tps: tps.parse().ok()?, sampler_cpu: sampler_cpu.parse().ok()? })
    }

    fn state(&self) -> &'static str {
        if self.is_on { "on" } else { "off" }
    }
}

/// The pairs so far, which are the replicates of the experiment.
#[derive(Default)]
struct Pairs {
    /// Logarithms of throughput with the sampler over throughput without.
    log_ratios: Vec<f64>,
    /// Losses of throughput, per cent.
    losses: Vec<f64>,
    sampler_cpu: Vec<f64>,
}

/// Prints a row for each pair and the analysis of all; returns the median loss, its upper bound and the smallest detectable loss.
pub fn report_overhead(input: impl BufRead, table: &mut impl Write) -> Result<String, ReadingError> {
    let mut pairs = Pairs::default();
    let mut waiting: Option<Run> = None;
    for run in read_lines(input, "a state, transactions per second and per cent of all CPUs", Run::parse) {
        let run = run?;
        let Some(first) = waiting.take() else {
            waiting = Some(run);
            continue;
        };
        let order = format!("{} {}", first.state(), run.state());
        let (on, off) = match (first.is_on, run.is_on) {
            (true, false) => (first, run),
            (false, true) => (run, first),
            _ => return Err(ReadingError::Incomplete(2 * pairs.losses.len() + 2)),
        };
        let loss = 100.0 * (1.0 - on.tps / off.tps);
        pairs.log_ratios.push((on.tps / off.tps).ln());
        pairs.losses.push(loss);
        pairs.sampler_cpu.push(on.sampler_cpu);
        let number = pairs.losses.len();
        if number == 1 {
            writeln!(table, "pair   order    on, tps   off, tps   lost")?;
        }
        writeln!(table, "{number:4}   {order:<6} {:9.0}  {:9.0}  {loss:+.2} %", on.tps, off.tps)?;
    }
    if waiting.is_some() || pairs.losses.len() < 2 {
        return Err(ReadingError::Incomplete(2 * pairs.losses.len() + usize::from(waiting.is_some())));
    }
    analyse(&pairs, table)
}

fn analyse(pairs: &Pairs, table: &mut impl Write) -> Result<String, ReadingError> {
    let n = pairs.losses.len();
    let (centre, deviation) = mean_and_deviation(&pairs.log_ratios);
    let (error, freedom) = (deviation / (n as f64).sqrt(), n as f64 - 1.0);
    let t = student_quantile(0.95, freedom);
    let lost = |log_ratio: f64| 100.0 * (1.0 - log_ratio.exp());
    let upper = lost(centre - t * error);
    // The loss that a test at 5 % detects with a power of 80 %; from the central t distribution, so slightly too small for few pairs.
    let detectable = lost(-(t + student_quantile(0.8, freedom)) * error);
    let loss = Spread::new(&pairs.losses)?;
    writeln!(table, "\nlost: median {:.2} % ({:.2} to {:.2} in {n} pairs)", loss.median, loss.low, loss.high)?;
    writeln!(
        table,
        "mean {:.2} %, one-sided 95 % upper bound {upper:.2} % (Student t on the logarithms of the {n} ratios, t = {t:.3})",
        lost(centre)
    )?;
    writeln!(table, "smallest loss that {n} such pairs would find, 4 times in 5, at 5 %: {detectable:.2} %")?;
    writeln!(
        table,
        "the sampler itself took {:.3} % of all CPUs (median): a share, not the loss, which caches are part of",
        Spread::new(&pairs.sampler_cpu)?.median
    )?;
    Ok(format!("median {:.2} %, at most {upper:.2} % (95 %, {n} pairs); would find {detectable:.2} %", loss.median))
}

/// The mean of a sample and its standard deviation.
fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deviation_is_that_of_a_sample() {
        let (mean, deviation) = mean_and_deviation(&[5.0, 1.0, 4.0, 2.0, 3.0, 10.0]);
        assert!((mean - 25.0 / 6.0).abs() < 1e-12 && (deviation - 3.1885).abs() < 1e-4, "{mean}, {deviation}");
    }

    /// Abramowitz and Stegun, table 26.10; two odd and two even numbers of degrees of freedom.
    #[test]
    fn one_sided_bounds_are_the_published_ones() {
        for (p, freedom, t) in [(0.95, 1.0, 6.314), (0.95, 2.0, 2.920), (0.95, 11.0, 1.796), (0.995, 30.0, 2.750)] {
            assert!((student_quantile(p, freedom) - t).abs() < 5e-4, "{p}, {freedom}");
        }
    }

    #[test]
    fn pairs_come_to_a_bound() {
        let mut table = Vec::new();
        let input = "on 990 0.5\noff 1000 0\noff 1000 0\non 1010 0.7\non 980 0.6\noff 1000 0\n";
        let figure = report_overhead(input.as_bytes(), &mut table).unwrap();
        assert_eq!(figure, "median 1.00 %, at most 3.21 % (95 %, 3 pairs); would find 3.46 %");
        let wanted = [
            "pair   order    on, tps   off, tps   lost",
            "   1   on off       990       1000  +1.00 %",
            "   2   off on      1010       1000  -1.00 %",
            "   3   on off       980       1000  +2.00 %",
            "",
            "lost: median 1.00 % (-1.00 to 2.00 in 3 pairs)",
            "mean 0.67 %, one-sided 95 % upper bound 3.21 % (Student t on the logarithms of the 3 ratios, t = 2.920)",
            "smallest loss that 3 such pairs would find, 4 times in 5, at 5 %: 3.46 %",
            "the sampler itself took 0.600 % of all CPUs (median): a share, not the loss, which caches are part of",
        ];
        assert_eq!(String::from_utf8(table).unwrap().lines().collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn runs_that_are_no_pairs_are_refused() {
        for input in ["", "on 1 1\noff 1 0\n", "on 1 1\non 1 1\n", "on 1 1\noff 1 0\non 1 1\n", "idle 1 1\n"] {
            assert!(report_overhead(input.as_bytes(), &mut Vec::new()).is_err(), "{input}");
        }
    }
}
