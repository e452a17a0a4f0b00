//! Figures of a volume's demand, and of its space.

use ebs_advice::RoleAdvice;
use ebs_samples::evidence::Window;
use ebs_workload::demand::Demand;
use ebs_workload::demand_summary::DemandSummary;
use ebs_workload::io_profile::{Figure, Metric, brief_figures, find};

use crate::answer::{DemandFigures, RateFigures};

/// Parts of the time in a small plot.
const PARTS: usize = 48;

/// Figures of the demand on the volume of a window: those of the advice, or without one those of its counts.
pub fn figures(window: &Window, role: Option<&RoleAdvice>) -> DemandFigures {
    match role {
        Some(role) => demand_figures(window, &role.state.group.demand, &role.state.figures),
        None => {
            let demand = Demand::from_window(window, 0);
            demand_figures(window, &demand, &brief_figures(&demand, &DemandSummary::new(&demand)))
        }
    }
}

fn demand_figures(window: &Window, demand: &Demand, all: &[Figure]) -> DemandFigures {
    let mean = |metric| find(all, metric).and_then(|figure| figure.mean);
    let rates = |metric| find(all, metric).map(rate_figures).unwrap_or_default();
    DemandFigures {
        iops: rates(Metric::Requests),
        mibps: rates(Metric::Throughput),
        read_pct: mean(Metric::ReadShare),
        request_kib: mean(Metric::RequestSize),
        read_ms: mean(Metric::ReadLatency),
        write_ms: mean(Metric::WriteLatency),
        queue_depth: mean(Metric::Concurrency),
        iops_over_time: over_time(demand, (window.from_us, window.to_us)),
    }
}

fn rate_figures(figure: &Figure) -> RateFigures {
    RateFigures {
        p50: figure.p50.unwrap_or_default(),
        p99: figure.p99.unwrap_or_default(),
        p99_interval: figure.p99_interval,
        max: figure.max.unwrap_or_default(),
    }
}

/// Mean IOPS of equal parts of a time.
fn over_time(demand: &Demand, (from_us, to_us): (i64, i64)) -> Vec<Option<f64>> {
    let part_us = ((to_us - from_us).max(1) as f64 / PARTS as f64).max(1.0);
    let mut sums = [(0.0, 0.0); PARTS];
    for interval in demand.each() {
        let middle_us = interval.ended_us as f64 - interval.seconds * 5e5 - from_us as f64;
        let part = (middle_us / part_us).clamp(0.0, (PARTS - 1) as f64) as usize;
        sums[part].0 += interval.ssd_requests() as f64;
        sums[part].1 += interval.seconds;
    }
    sums.map(|(requests, seconds): (f64, f64)| (seconds > 0.0).then(|| requests / seconds)).to_vec()
}
