//! Statistics of a volume, as text and as JSON.

use std::fmt;

use ebs_base::units::MIB;
use ebs_samples::evidence::EbsCounts;
use serde::{Deserialize, Serialize};

use crate::resolve::ResolvedVolume;
use crate::volume::{EmulatedVolume, Fidelity};

/// Counts since the last reset, under the names of EBS's own (NVMe log page 0xD0), and the emulator's fidelity.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    /// Description of the volume.
    pub volume: String,
    /// Seconds since the last reset.
    pub seconds: f64,
    /// Counts of requests.
    #[serde(flatten)]
    pub counts: EbsCounts,
    /// Requests that wait for their reply now.
    pub queue: usize,
    /// Burst credits.
    pub credits_pct: Credits,
    /// Lateness of replies and load of the serving thread.
    #[serde(flatten)]
    pub fidelity: Fidelity,
    /// Time that is taken off each time of service for the path to the daemon and back, microseconds.
    pub overhead_us: f64,
    /// Mean time of that path, between the block layer and the daemon, microseconds; `None` without requests, or without
    /// statistics of the block layer.
    pub path_us: Option<f64>,
    /// True if the emulator kept up, so that measurements of this time are evidence of the volume.
    pub kept_up: bool,
    /// The reason if it did not, in words.
    pub fault: Option<String>,
}

/// Burst credits, in per cent of their buckets; `None` without a bucket.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Credits {
    /// Credits for IOPS of the volume.
    pub volume_iops: Option<f64>,
    /// Credits for throughput of the volume.
    pub volume_throughput: Option<f64>,
    /// Credits for IOPS of the instance.
    pub instance_iops: Option<f64>,
    /// Credits for throughput of the instance.
    pub instance_throughput: Option<f64>,
}

impl Report {
    /// Statistics of a volume since the last reset. `block_layer_us` is the mean time of its requests since then, measured by the
    /// kernel's block layer.
    pub fn new(
        volume: &mut EmulatedVolume,
        resolved: &ResolvedVolume,
        block_layer_us: Option<f64>,
        now_ns: u64,
    ) -> Report {
        let (counts, seconds) = volume.statistics.since_reset(&volume.shaper, now_ns);
        let service = volume.shaper.settings().service;
        let fidelity = volume.statistics.fidelity.assess(&service, now_ns);
        let overhead_us = volume.shaper.overhead_s() * 1e6;
        let (ops, us) = (counts.read_ops + counts.write_ops, counts.read_us + counts.write_us);
        let path_us = block_layer_us.filter(|_| ops > 0).map(|block_layer_us| block_layer_us - us as f64 / ops as f64);
        let fault = fidelity.fault(&service, path_us.map(|path_us| path_us - overhead_us));
        Report {
            volume: resolved.to_string(),
            seconds,
            counts,
            queue: volume.queue,
            credits_pct: Credits::new(volume.shaper.credit_shares(now_ns)),
            fidelity,
            overhead_us,
            path_us,
            kept_up: fault.is_none(),
            fault,
        }
    }
}

impl Credits {
    fn new(shares: [Option<f64>; 4]) -> Credits {
        let [volume_iops, volume_throughput, instance_iops, instance_throughput] =
            shares.map(|share| share.map(|share| 100.0 * share));
        Credits { volume_iops, volume_throughput, instance_iops, instance_throughput }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.volume)?;
        writeln!(f, "{:.1} s since the last reset, {} requests waiting now", self.seconds, self.queue)?;
        self.write_requests(f)?;
        self.write_limits(f)?;
        self.write_fidelity(f)
    }
}

impl Report {
    fn write_requests(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let c = &self.counts;
        writeln!(f, "         operations       1/s       MiB     MiB/s   mean ms")?;
        for (name, ops, bytes, us) in
            [("reads", c.read_ops, c.read_bytes, c.read_us), ("writes", c.write_ops, c.write_bytes, c.write_us)]
        {
            let (rate, mib) = (ops as f64 / self.seconds, bytes as f64 / MIB as f64);
            let mean = if ops > 0 { format!("{:.3}", us as f64 / 1e3 / ops as f64) } else { "-".to_owned() };
            writeln!(f, "{name:<8} {ops:>10} {rate:>9.1} {mib:>9.1} {:>9.2} {mean:>9}", mib / self.seconds)?;
        }
        Ok(())
    }

    fn write_limits(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let c = &self.counts;
        for (name, us, credits) in [
            ("volume IOPS", c.volume_iops_exceeded_us, self.credits_pct.volume_iops),
            ("volume throughput", c.volume_throughput_exceeded_us, self.credits_pct.volume_throughput),
            ("instance IOPS", c.instance_iops_exceeded_us, self.credits_pct.instance_iops),
            ("instance throughput", c.instance_throughput_exceeded_us, self.credits_pct.instance_throughput),
        ] {
            let time_pct = us as f64 / 1e4 / self.seconds;
            let credits = credits.map(|pct| format!(", credits {pct:.2} %")).unwrap_or_default();
            writeln!(f, "over {name:<20} {us:>12} µs, {time_pct:>5.1} % of the time{credits}")?;
        }
        Ok(())
    }

    fn write_fidelity(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fidelity { late_pct, late_mean_us, late_p99_us, late_max_us, allowed_mean_us, busy_pct, .. } =
            self.fidelity;
        write!(
            f,
            "answers late by {late_mean_us:.1} µs on average, {late_p99_us:.0} µs at p99, {late_max_us:.0} µs at most; "
        )?;
        write!(f, "{late_pct:.2} % by more than {allowed_mean_us:.0} µs; busy {busy_pct:.0} %")?;
        if let Some(path_us) = self.path_us {
            write!(f, "\nthe way there and back took {path_us:.0} µs, and {:.0} µs are allowed for", self.overhead_us)?;
        }
        match &self.fault {
            None => write!(f, "\nkept up: yes"),
            Some(fault) => write!(f, "\nkept up: no, {fault}"),
        }
    }
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
