//! go-tpc's TPC-C: `[Current] NEW_ORDER - Takes(s): 10.0, Count: 2212, TPM: 13274.9, …`, and at the end
//! `tpmC: 15215.2, tpmTotal: 33905.4, efficiency: …` (<https://github.com/pingcap/go-tpc>).

use super::event::{Event, Progress};
use super::figure::{between, leading};
use super::reader::{LineReader, LineResult};
use super::report::{Percentile, Report};

/// Reads go-tpc's lines.
#[derive(Default)]
pub(super) struct Gotpc {
    elapsed_s: f64,
}

const RESULT: &str = "tpmC: …, tpmTotal: …";
const CURRENT: &str = "[Current] NEW_ORDER - Takes(s): …, Count: …, TPM: …";

impl LineReader for Gotpc {
    fn line(&mut self, line: &str, report: &mut Report) -> Result<LineResult, &'static str> {
        if line.starts_with("[Current] ") {
            // Its new orders stand for all: a line for each kind of transaction would be five a moment.
            if !line.contains(" NEW_ORDER - ") {
                return Ok(LineResult::Ignored);
            }
            return self.progress(line).map(|progress| LineResult::Event(Event::Progress(progress))).ok_or(CURRENT);
        }
        if line.starts_with("[Summary] NEW_ORDER - ") {
            figures(line, report).ok_or("[Summary] NEW_ORDER - Takes(s): …, Count: …, TPM: …, Avg(ms): …")?;
            return Ok(LineResult::Event(Event::MeasuringEnds));
        }
        if line.starts_with("[Summary] ") {
            return Ok(LineResult::Ignored);
        }
        if line.starts_with("tpmC: ") {
            report.figures.nopm = Some(between(line, "tpmC: ", ",").ok_or(RESULT)?);
            report.figures.tpm = Some(between(line, "tpmTotal: ", ",").ok_or(RESULT)?);
            return Ok(LineResult::Ignored);
        }
        Ok(LineResult::Unrecognized)
    }

    fn missing_line(&self, report: &Report) -> Option<&'static str> {
        report.figures.nopm.is_none().then_some("the line tpmC: … of go-tpc's summary")
    }

    fn description(&self) -> &'static str {
        "output of go-tpc"
    }
}

impl Gotpc {
    /// Figures of the last interval alone.
    fn progress(&mut self, line: &str) -> Option<Progress> {
        self.elapsed_s += between(line, "Takes(s): ", ",")?;
        let nopm = between(line, "TPM: ", ",")?;
        let latency_ms = between(line, "Avg(ms): ", ",");
        Some(Progress { elapsed_s: Some(self.elapsed_s), nopm: Some(nopm), latency_ms, ..Progress::default() })
    }
}

/// Seconds and latencies of new orders.
fn figures(line: &str, report: &mut Report) -> Option<()> {
    report.figures.seconds = Some(between(line, "Takes(s): ", ",")?);
    report.figures.latency_ms = Some(between(line, "Avg(ms): ", ",")?);
    for part in line.split(", ") {
        // `95th(ms): 14.7`
        let Some((percent, ms)) = part.split_once("th(ms): ") else { continue };
        let (percent, ms) = (leading(percent)?.0, leading(ms)?.0);
        report.figures.percentiles.push(Percentile { percent, ms });
    }
    Some(())
}

#[cfg(test)]
#[path = "gotpc_tests.rs"]
mod tests;
