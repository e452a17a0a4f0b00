//! sysbench's intermediate reports and summary, OLTP and fileio, as of 1.0: `sb_timer`'s and `report_*` lines of sysbench.c and
//! sb_fileio.c (<https://github.com/akopytov/sysbench/tree/1.0/src>).

use super::event::{Event, Progress, ReportedError};
use super::figure::{between, count, figure, leading};
use super::reader::{LineReader, LineResult};
use super::report::{Percentile, Report};

/// Reads sysbench's lines.
#[derive(Default)]
pub(super) struct Sysbench {
    section: Section,
    loading: bool,
}

/// Section of the summary: the same words come in several.
#[derive(Clone, Copy, Default, PartialEq)]
enum Section {
    #[default]
    None,
    Statistics,
    General,
    Latency,
    Other,
}

impl LineReader for Sysbench {
    fn line(&mut self, line: &str, report: &mut Report) -> Result<LineResult, &'static str> {
        if line.starts_with("[ ") && (line.contains(" tps: ") || line.contains(" reads: ")) {
            let progress = progress(line).ok_or("[ …s ] thds: … tps: … lat (ms,…%): … err/s: …")?;
            return Ok(LineResult::Event(Event::Progress(progress)));
        }
        if let Some(rest) = line.strip_prefix("sysbench ") {
            let version = rest.split(' ').next().unwrap_or_default();
            if version.starts_with(|c: char| c.is_ascii_digit()) {
                report.version = Some(version.to_owned());
                return Ok(LineResult::Ignored);
            }
        }
        if let Some(threads) = line.strip_prefix("Number of threads: ") {
            report.figures.clients = Some(count(threads).ok_or("a number of threads")?);
            return Ok(LineResult::Ignored);
        }
        if line == "Threads started!" {
            self.loading = true;
            return Ok(LineResult::Event(Event::LoadBegins));
        }
        if let Some(message) = line.strip_prefix("FATAL: ") {
            return Ok(LineResult::Event(Event::Failed(ReportedError { user: None, message: message.to_owned() })));
        }
        self.summary(line, report)
    }

    fn missing_line(&self, report: &Report) -> Option<&'static str> {
        let done = report.figures.seconds.is_some() && self.section == Section::Other;
        (!done).then_some("sysbench's summary, from General statistics to Threads fairness")
    }

    fn description(&self) -> &'static str {
        "output of sysbench"
    }
}

/// `[ 5s ] thds: 4 tps: 702.00 qps: … lat (ms,95%): 11.65 err/s: 0.20 reconn/s: 0.00`; fileio has no transactions.
fn progress(line: &str) -> Option<Progress> {
    let (at, rest) = line.strip_prefix("[ ")?.split_once("s ] ")?;
    let latency = rest.split_once("(ms,")?.1.split_once(": ")?.1;
    let latency_ms = figure(latency.split(' ').next()?)?;
    let oltp = rest.contains("tps: ");
    let tps = if oltp { Some(between(rest, "tps: ", " ")?) } else { None };
    let failed = if oltp { Some(between(rest, "err/s: ", " ")?) } else { None };
    // Of no event there is no latency.
    let latency_ms = (tps != Some(0.0)).then_some(latency_ms);
    Some(Progress { elapsed_s: Some(figure(at)?), tps, latency_ms, failed, ..Progress::default() })
}

impl Sysbench {
    fn summary(&mut self, line: &str, report: &mut Report) -> Result<LineResult, &'static str> {
        let section = match line {
            "SQL statistics:" | "File operations:" => Section::Statistics,
            // 1.1 has the time there.
            "General statistics:" | "Throughput:" => Section::General,
            "Latency (ms):" => Section::Latency,
            "Threads fairness:" => Section::Other,
            _ => return self.within(line.trim_start(), report),
        };
        self.section = section;
        match std::mem::take(&mut self.loading) {
            true => Ok(LineResult::Event(Event::MeasuringEnds)),
            false => Ok(LineResult::Ignored),
        }
    }

    fn within(&mut self, line: &str, report: &mut Report) -> Result<LineResult, &'static str> {
        let figures = &mut report.figures;
        let Some((key, text)) = line.split_once(':') else { return Ok(LineResult::Unrecognized) };
        let value = || leading(text).map(|(value, _)| value);
        match (self.section, key) {
            (Section::None | Section::Other, _) => return Ok(LineResult::Unrecognized),
            (Section::Statistics, "transactions") => {
                let (total, rate) = text.trim().split_once(' ').ok_or("transactions: … (… per sec.)")?;
                figures.transactions = Some(count(total).ok_or("a number of transactions")?);
                figures.tps = Some(between(rate, "(", " per sec").ok_or("transactions: … (… per sec.)")?);
            }
            (Section::Statistics, "ignored errors") => {
                let errors = text.split_whitespace().next().unwrap_or_default();
                figures.failed = Some(count(errors).ok_or("a number of ignored errors")?);
            }
            (Section::General, "total time" | "time elapsed") => {
                figures.seconds = Some(value().ok_or("total time: …s")?)
            }
            (Section::Latency, "avg") => figures.latency_ms = Some(value().ok_or("avg: …")?),
            (Section::Latency, "max") => figures.latency_max_ms = Some(value().ok_or("max: …")?),
            (Section::Latency, _) if key.ends_with("th percentile") => {
                let percent = leading(key).ok_or("a percentile")?.0;
                // 0 where none was asked for (--percentile=0).
                let ms = value().ok_or("a latency")?;
                figures.percentiles.extend((percent > 0.0).then_some(Percentile { percent, ms }));
            }
            _ => {}
        }
        Ok(LineResult::Ignored)
    }
}

#[cfg(test)]
#[path = "sysbench_tests.rs"]
mod tests;
