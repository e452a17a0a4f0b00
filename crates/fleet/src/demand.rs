//! Figures of a volume's demand, and of its space.

use ebs_advice::RoleAdvice;
use ebs_samples::evidence::Window;
use ebs_workload::demand::Demand;
use ebs_workload::demand_summary::DemandSummary;
use ebs_workload::io_profile::brief_figures;

use crate::answer::DemandFigures;

/// Parts of the time in a small plot.
const PARTS: usize = 48;

/// Figures of the demand on the volume of a window: those of the advice, or without one those of its counts.
pub fn figures(window: &Window, role: Option<&RoleAdvice>) -> DemandFigures {
    let time = (window.from_us, window.to_us);
    if let Some(role) = role {
        let (demand, figures) = (&role.state.group.demand, role.state.figures.clone());
        return DemandFigures { figures, iops_over_time: over_time(demand, time) };
    }
    let demand = Demand::from_window(window, 0);
    let figures = brief_figures(&demand, &DemandSummary::new(&demand));
    DemandFigures { figures, iops_over_time: over_time(&demand, time) }
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
