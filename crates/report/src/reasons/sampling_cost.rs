//! Cost and punctuality of sampling.

use crate::Report;
use ebs_base::format::{fine_pct, ms, size};
use ebs_base::units::MIB;
use ebs_samples::evidence::Sampling;

/// Describes it: `0.2 % of one core, 0.4 MiB of WAL, 0.5 MiB written; samples 0.1 ms late on average, 3 ms at most (clock tsc,
/// …)`.
pub fn describe(report: &Report) -> String {
    let sampling = &report.window.sampling;
    let seconds = report.coverage.sampled_s;
    if seconds <= 0.0 || sampling.cost.cpu_us == 0 {
        return "unknown".to_owned();
    }
    let share = sampling.cost.cpu_us as f64 / 1e6 / seconds;
    let mib = |bytes: u64| size(bytes as f64 / MIB as f64);
    let (wal, written) = (mib(sampling.cost.wal_bytes), mib(sampling.cost.write_bytes));
    format!(
        "{} of one core, {wal} MiB of WAL, {written} MiB written; {}",
        fine_pct(share * 100.0),
        punctuality(sampling)
    )
}

fn punctuality(sampling: &Sampling) -> String {
    let punctuality = &sampling.punctuality;
    let mean_us = punctuality.late_us as f64 / punctuality.samples.max(1) as f64;
    let mut text = format!(
        "samples {} ms late on average, {} ms at most",
        ms(mean_us / 1000.0),
        ms(punctuality.latest_us as f64 / 1000.0)
    );
    if let Some(clock) = &sampling.clock {
        let source = clock.name.as_deref().unwrap_or("unknown");
        text.push_str(&format!(" (clock {source}, {} ns a reading)", clock.reading_ns));
    }
    text
}
