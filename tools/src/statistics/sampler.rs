//! CPU time of our sampler compared with that of a peer, window by window.

use std::io::{BufRead, Write};

use super::readings::{ReadingError, Spread, read_lines};

/// Counts of a window.
struct Counts {
    us: f64,
    our_cpu_ns: f64,
    our_wakeups: f64,
    peer_cpu_ns: f64,
    peer_wakeups: f64,
    /// Time between the two readings of the peer's sweeps.
    sweeps_us: f64,
    peer_sweeps: f64,
    /// CPU time of a process that only wakes up.
    bare_cpu_ns: f64,
}

impl Counts {
    fn parse(fields: &[&str]) -> Option<Counts> {
        let numbers: Option<Vec<f64>> = fields.iter().map(|field| field.parse().ok()).collect();
        let [us, our_cpu_ns, our_wakeups, peer_cpu_ns, peer_wakeups, sweeps_us, peer_sweeps, bare_cpu_ns] =
            numbers?[..]
        else {
            return None;
        };
        let counts =
            Counts { us, our_cpu_ns, our_wakeups, peer_cpu_ns, peer_wakeups, sweeps_us, peer_sweeps, bare_cpu_ns };
        Some(counts)
    }
}

/// The rates of all windows.
#[derive(Default)]
struct Windows {
    /// Milliseconds of CPU a second.
    ours: Vec<f64>,
    peer: Vec<f64>,
    bare: Vec<f64>,
    ratios: Vec<f64>,
    /// Ratios of CPU time above that of waking up alone.
    net_ratios: Vec<f64>,
    our_wakeups: Vec<f64>,
    peer_sweeps: Vec<f64>,
}

/// Prints a row for each window and their medians; returns the ratio and its parts. Both sides sample every `period_ms`.
pub fn report_sampler(period_ms: f64, input: impl BufRead, table: &mut impl Write) -> Result<String, ReadingError> {
    let mut windows = Windows::default();
    writeln!(
        table,
        "window   ours CPU ms/s   peer CPU ms/s   ratio   ours wake-ups/s   peer wake-ups/s   peer sweeps/s   \
         bare CPU ms/s   ratio above bare"
    )?;
    for counts in read_lines(input, "eight counts of a window", Counts::parse) {
        let counts = counts?;
        let s = counts.us / 1e6;
        let cpu = |ns: f64| ns / 1e6 / s;
        let (ours, peer, bare) = (cpu(counts.our_cpu_ns), cpu(counts.peer_cpu_ns), cpu(counts.bare_cpu_ns));
        let net = if peer > bare { (ours - bare) / (peer - bare) } else { f64::INFINITY };
        let (wakeups, sweeps) = (counts.our_wakeups / s, counts.peer_sweeps / (counts.sweeps_us / 1e6));
        let columns = [
            (&mut windows.ours, ours),
            (&mut windows.peer, peer),
            (&mut windows.bare, bare),
            (&mut windows.ratios, ours / peer),
            (&mut windows.net_ratios, net),
            (&mut windows.our_wakeups, wakeups),
            (&mut windows.peer_sweeps, sweeps),
        ];
        columns.into_iter().for_each(|(column, value)| column.push(value));
        writeln!(
            table,
            "{:6} {ours:15.3} {peer:15.3} {:7.2} {wakeups:17.1} {:17.1} {sweeps:15.1} {bare:15.3} {net:18.2}",
            windows.ours.len(),
            ours / peer,
            counts.peer_wakeups / s
        )?;
    }
    windows.conclude(period_ms, table)
}

impl Windows {
    fn conclude(&self, period_ms: f64, table: &mut impl Write) -> Result<String, ReadingError> {
        let median = |values: &[f64]| Spread::new(values).map(|spread| spread.median);
        let (ours, peer, ratio) = (median(&self.ours)?, median(&self.peer)?, Spread::new(&self.ratios)?);
        writeln!(
            table,
            "median {ours:15.3} {peer:15.3} {:7.2}   ({:.2} to {:.2})",
            ratio.median, ratio.low, ratio.high
        )?;
        Ok(format!(
            "{:.2} ({:.2} to {:.2} in {} windows), {ours:.2} against {peer:.2} ms/s, of which waking up alone takes {:.2}: \
             above that {:.2}{}",
            ratio.median,
            ratio.low,
            ratio.high,
            self.ratios.len(),
            median(&self.bare)?,
            median(&self.net_ratios)?,
            not_comparable(1000.0 / period_ms, median(&self.our_wakeups)?, median(&self.peer_sweeps)?)
        ))
    }
}

/// A remark if either side has sampled less often than configured, because the ratio then compares different work.
fn not_comparable(due: f64, our_wakeups: f64, peer_sweeps: f64) -> String {
    let mut remark = String::new();
    if our_wakeups < 0.9 * due {
        remark += &format!(", but ours woke {our_wakeups:.1} times a second");
    }
    if peer_sweeps < 0.9 * due {
        remark += &format!(", but the peer swept {peer_sweeps:.1} times a second");
    }
    if !remark.is_empty() {
        remark += &format!(" of {due:.0}: not comparable");
    }
    remark
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: &str = "20000000 60000000 2000 150000000 2100 20500000 2050 20000000\n";

    #[test]
    fn windows_come_to_a_ratio() {
        let mut table = Vec::new();
        let input = format!("{WINDOW}20000000 75000000 1500 150000000 2100 20500000 2050 160000000\n{WINDOW}");
        let figure = report_sampler(10.0, input.as_bytes(), &mut table).unwrap();
        let wanted = "0.40 (0.40 to 0.50 in 3 windows), 3.00 against 7.50 ms/s, of which waking up alone takes 1.00: above that 0.31";
        assert_eq!(figure, wanted);
        let wanted = [
            "     1           3.000           7.500    0.40             100.0             105.0           100.0           1.000               0.31",
            "     2           3.750           7.500    0.50              75.0             105.0           100.0           8.000                inf",
            "     3           3.000           7.500    0.40             100.0             105.0           100.0           1.000               0.31",
            "median           3.000           7.500    0.40   (0.40 to 0.50)",
        ];
        assert_eq!(String::from_utf8(table).unwrap().lines().skip(1).collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn a_sampler_that_slept_is_remarked() {
        let figure = |period| report_sampler(period, WINDOW.as_bytes(), &mut Vec::new()).unwrap();
        assert!(figure(10.0).ends_with("above that 0.31"), "{}", figure(10.0));
        let wanted =
            ", but ours woke 100.0 times a second, but the peer swept 100.0 times a second of 200: not comparable";
        assert!(figure(5.0).ends_with(wanted), "{}", figure(5.0));
        assert!(report_sampler(10.0, "1 2 3".as_bytes(), &mut Vec::new()).is_err());
        assert!(report_sampler(10.0, "".as_bytes(), &mut Vec::new()).is_err());
    }
}
