//! Advice for each volume of the cluster.

use super::Request;
use super::candidate::{Bound, Candidate};
use super::judge::{Case, InstanceShort, candidates};
use crate::demand::Demand;
use crate::evidence::{Coverage, Window};
use crate::mix::{Figure, figures};
use crate::need::{Need, gib};
use crate::replay::replay_ceiling;

/// What was found for one volume of the cluster.
#[derive(Clone, Debug)]
pub struct RoleAdvice {
    /// `data`, `wal` or `data+wal`.
    pub role: String,
    /// The device it is on now.
    pub device: String,
    /// Size of the filesystem, bytes, if known.
    pub filesystem_bytes: Option<u64>,
    /// Bytes in use, if known.
    pub used_bytes: Option<u64>,
    /// Its demand.
    pub figures: Vec<Figure>,
    /// Reads in all requests.
    pub read_share: Option<f64>,
    /// What is needed.
    pub need: Need,
    /// The instance's limit, if it binds.
    pub instance_short: Option<InstanceShort>,
    /// Feasible ones first, cheapest first.
    pub candidates: Vec<Candidate>,
}

/// Advice for each volume that the cluster is on now.
pub fn advise(window: &Window, request: &Request) -> Vec<RoleAdvice> {
    let instance_short = instance_short(window, request);
    let coarse = Coverage::of(window).interval_s > 1.5;
    let current = window.current.iter();
    current
        .map(|&index| {
            let volume = &window.place.volumes[index];
            let demand = Demand::of(window, index);
            let size_gib = request.min_size_gib.or(volume.filesystem_bytes.map(gib));
            let mut need = Need::of(&demand, size_gib, request.rule);
            if let Some(baseline) = request.instance_baseline() {
                need.iops = need.iops.min(baseline.iops);
                need.mibps = need.mibps.min(baseline.mibps);
            }
            let case = Case { demand: &demand, need, instance_short, coarse, request };
            RoleAdvice {
                role: volume.role(),
                device: volume.device.clone(),
                filesystem_bytes: volume.filesystem_bytes,
                used_bytes: volume.used_bytes,
                figures: figures(&demand),
                read_share: demand.read_share(),
                need,
                instance_short,
                candidates: candidates(&case),
            }
        })
        .collect()
}

/// Whether the instance's baseline, rather than any volume, is what the demand of all volumes together meets first.
fn instance_short(window: &Window, request: &Request) -> Option<InstanceShort> {
    let baseline = request.instance_baseline()?;
    let demand = Demand::of_all(window);
    let outcome = replay_ceiling(&demand, baseline);
    if outcome.throttled_pct() <= request.rule.max_throttled_pct {
        return None;
    }
    let need = Need::of(&demand, None, request.rule);
    let iops_bind = need.iops / baseline.iops >= need.mibps / baseline.mibps;
    let bound = if iops_bind { Bound::InstanceIops } else { Bound::InstanceThroughput };
    Some(InstanceShort { bound, baseline, outcome })
}
