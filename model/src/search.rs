//! Search: the cheapest legal volume of a type that meets a need.
//!
//! For gp3, io1 and io2 price grows in size, IOPS and throughput each, and every rule between them asks for more of one
//! when another grows; so the least of each that meets the need and the rules is the cheapest. gp2 has only its size,
//! and what a size can do grows with it, so bisection finds the smallest.

use crate::catalogue::{VolumeConfig, VolumeType};
use crate::demand::Demand;
use crate::mix::mean_iops;
use crate::need::{Need, Rule};
use crate::replay::replay;

/// What a type cannot reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// Size.
    Size,
    /// IOPS.
    Iops,
    /// Throughput.
    Throughput,
}

/// What was found for a type: a volume that meets the need, or the best there is and what it lacks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The volume.
    pub config: VolumeConfig,
    /// What it lacks.
    pub beyond: Option<Beyond>,
}

/// The cheapest volume of this type of which `volumes`, striped evenly, meet `need`.
pub fn cheapest(volume_type: VolumeType, volumes: u64, need: &Need, demand: &Demand, rule: Rule) -> Found {
    let spec = volume_type.spec();
    let share = |whole: f64| (whole / volumes as f64 - 1e-9).ceil().max(0.0) as u64;
    let iops = share(need.iops);
    let mibps = share(need.mibps);
    let size = need.size_gib.unwrap_or(1).div_ceil(volumes).max(spec.min_gib);
    let beyond = if size > spec.max_gib {
        Some(Beyond::Size)
    } else if iops > spec.max_iops {
        Some(Beyond::Iops)
    } else if mibps > spec.max_mibps {
        Some(Beyond::Throughput)
    } else {
        None
    };
    let size = size.min(spec.max_gib);
    let (iops, mibps) = (iops.min(spec.max_iops), mibps.min(spec.max_mibps));
    match volume_type {
        VolumeType::Gp2 => gp2(volumes, size, (iops, mibps), demand, rule, beyond),
        _ => Found { config: least(volume_type, size, iops, mibps), beyond },
    }
}

/// The least legal volume with at least this much of everything. Arguments are within the type's limits.
fn least(volume_type: VolumeType, size_gib: u64, iops: u64, mibps: u64) -> VolumeConfig {
    let for_throughput = match volume_type {
        VolumeType::Gp2 => 0,
        // 125 MiB/s are included with any IOPS; 0.25 MiB/s per IOPS above.
        VolumeType::Gp3 => 4 * mibps,
        VolumeType::Io1 if mibps <= 500 => 4 * mibps,
        VolumeType::Io1 => 64 * mibps,
        VolumeType::Io2 => (mibps * 1_000).div_ceil(256),
    };
    let spec = volume_type.spec();
    let iops = iops.max(for_throughput).clamp(spec.min_iops, spec.max_iops);
    // What the type gives at any size needs no room.
    let for_iops = if iops > spec.min_iops { iops.div_ceil(volume_type.iops_per_gib()) } else { 0 };
    let size_gib = size_gib.max(for_iops);
    let throughput_mibps = volume_type.default_mibps(size_gib, iops).max(mibps);
    VolumeConfig { volume_type, size_gib, iops, throughput_mibps }
}

/// A volume of one size by gp2's rules.
fn sized_gp2(size_gib: u64) -> VolumeConfig {
    let iops = VolumeType::Gp2.default_iops(size_gib);
    let throughput_mibps = VolumeType::Gp2.default_mibps(size_gib, iops);
    VolumeConfig { volume_type: VolumeType::Gp2, size_gib, iops, throughput_mibps }
}

fn gp2(volumes: u64, size: u64, need: (u64, u64), demand: &Demand, rule: Rule, beyond: Option<Beyond>) -> Found {
    let largest = sized_gp2(VolumeType::Gp2.spec().max_gib);
    let fits = |size| {
        let config = sized_gp2(size);
        config.iops >= need.0 && config.throughput_mibps >= need.1 || bursts(&config, volumes, need, demand, rule)
    };
    if beyond.is_some() {
        return Found { config: largest, beyond };
    }
    let (mut low, mut high) = (size, largest.size_gib);
    while low < high {
        let middle = (low + high) / 2;
        if fits(middle) { high = middle } else { low = middle + 1 }
    }
    Found { config: sized_gp2(high), beyond }
}

/// Whether burst credits carry this volume: the need lies within the burst, the replay holds, and the mean demand with
/// headroom is no more than the baseline, so that the load could go on for ever.
fn bursts(config: &VolumeConfig, volumes: u64, need: (u64, u64), demand: &Demand, rule: Rule) -> bool {
    let mean = mean_iops(demand) * (1.0 + rule.headroom) / volumes as f64;
    config.iops < 3_000
        && need.0 <= 3_000
        && mean <= config.iops as f64
        && (need.1 <= config.throughput_mibps || config.size_gib > 170 && need.1 <= 250)
        && replay(demand, config, volumes, None).throttled_pct() <= rule.max_throttled_pct
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
