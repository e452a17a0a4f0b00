//! Requests that EBS may merge: contiguous ones count once for up to 256 KiB on SSD volumes
//! (<https://docs.aws.amazon.com/ebs/latest/userguide/ebs-io-characteristics.html>), and the kernel counts them before that. 107,000
//! reads a second of 4 KiB in order were served by 3,000 IOPS.
//!
//! Whether small requests are contiguous is seen in nothing that counts requests. Three things bear on it:
//!
//! - PostgreSQL's own reads in order (pg_stat_io, contexts bulkread and vacuum), where PostgreSQL read what the device read;
//! - elsewhere requests smaller than a page, which PostgreSQL does not read at random, at a rate beyond what random ones reach on a
//!   general purpose volume, or beyond what the instance carries; pages at such a rate are counted as the device counts them, but the
//!   other count is named;
//! - requests that the kernel merged already: of the others fewer are contiguous.
//!
//! Shares change continuously with each of them, and a random demand of pages of 8 KiB is counted as the device counts it. The count
//! of small requests falls while the rate rises through these limits: it is evidence that they are merged.

use crate::demand::{Demand, DemandInterval, Merging};
use ebs_aws::catalogue::{Platform, Purpose, VolumeType, classes_of};
use ebs_base::units::KIB;
use ebs_samples::evidence::{DeviceCounts, Volume, Window};
use ebs_stats::quantile;

/// Ground for taking requests as merged, or for not doing so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MergeGround {
    /// PostgreSQL reads in order.
    SequentialReads {
        /// Share of the bytes in small reads, 0 to 1.
        share: f64,
    },
    /// Requests are smaller than a page of PostgreSQL.
    SmallRequests {
        /// Mean size of a request, KiB.
        kib: f64,
    },
    /// Requests of a page or more may be random.
    Pages {
        /// Mean size of a request, KiB.
        kib: f64,
    },
    /// The rate is near what random requests reach at most, or beyond it.
    HighRate(RateLimit),
    /// The kernel merged requests already.
    MergedByKernel {
        /// Share of all requests, 0 to 1.
        share: f64,
    },
}

/// Rate that requests which are not merged do not exceed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateLimit {
    /// The highest IOPS of general purpose volumes.
    Volumes(f64),
    /// The highest IOPS of the instance.
    Instance(f64),
}

impl RateLimit {
    /// The lower one of the volumes' and of the instance's, `None` where that is not known.
    fn new(volumes: f64, instance_iops: Option<f64>) -> RateLimit {
        instance_iops.filter(|iops| *iops < volumes).map_or(RateLimit::Volumes(volumes), RateLimit::Instance)
    }

    /// IOPS.
    pub fn iops(self) -> f64 {
        match self {
            RateLimit::Volumes(iops) | RateLimit::Instance(iops) => iops,
        }
    }
}

/// Two counts of the same requests, and the grounds for either.
#[derive(Clone, Debug, PartialEq)]
pub struct CountDoubt {
    /// 99th percentile of IOPS as the device counts, by 256 KiB at least.
    pub device_iops: f64,
    /// 99th percentile of IOPS if everything that may be merged is merged.
    pub merged_iops: f64,
    /// 99th percentile of IOPS that is sized for, between both.
    pub sized_iops: f64,
    /// Grounds.
    pub grounds: Vec<MergeGround>,
}

impl CountDoubt {
    /// True where the count that is sized for is nearer to the merged one.
    pub fn is_mostly_merged(&self) -> bool {
        self.sized_iops - self.merged_iops < self.device_iops - self.sized_iops
    }
}

/// Evidence for merging in a demand.
#[derive(Clone, Debug, PartialEq)]
pub struct MergeEvidence {
    /// Share of the bytes in small reads that PostgreSQL read in order.
    sequential: f64,
    /// Weight of PostgreSQL's counters, from 0, where others read or nothing says who did, to 1.
    own_weight: f64,
    /// Weight of the rate, from 0 to 1: one where random requests smaller than a page do not reach it.
    rate_weight: f64,
    /// Shares of requests that the kernel merged.
    by_kernel: Merging,
    /// Rate that requests which are not merged do not exceed.
    limit: RateLimit,
    /// True where the rate exceeds it: some were merged, or the run was not on EBS.
    is_beyond: bool,
}

/// Weight of the requests of which nothing but size and rate is known.
#[derive(Clone, Copy)]
enum Weighting {
    /// Their size and rate.
    Likely,
    /// All that may be merged.
    All,
}

/// A page of PostgreSQL, the least that it reads.
const PAGE_BYTES: f64 = (8 * KIB) as f64;
/// Requests that are all taken as smaller than a page; between both by the logarithm.
const SMALL_BYTES: f64 = (4 * KIB) as f64;
/// Reads in order up to this size are taken as not merged by the kernel, and from the other on as merged by it: the kernel reads
/// ahead by 128 KiB, as PostgreSQL 18 does. Between both by the logarithm. A choice.
const UNMERGED_BYTES: (f64, f64) = ((16 * KIB) as f64, (128 * KIB) as f64);
/// Shares of the device's bytes that PostgreSQL read: from the first on its reads are taken as the device's, up to the other its
/// counters say nothing. A choice.
const OWN_SHARES: (f64, f64) = (0.9, 0.5);
/// Rate from which on it has a weight, over the highest of general purpose volumes. A choice.
const RATE_FROM: f64 = 0.5;
/// Rate over the instance's maximum at which it has all of its weight: up to that maximum random requests may be at a plateau, and a third
/// beyond it a quarter of them must have been merged. A choice.
const RATE_TO: f64 = 4.0 / 3.0;
/// Rate over the limit from which on some requests must have been merged: a plateau at the limit has seconds above it. A choice.
const BEYOND: f64 = 1.05;
/// Part of the device's count below which the merged one is a doubt worth a sentence.
const DOUBTFUL: f64 = 0.9;

impl MergeEvidence {
    /// Evidence for merging in the demand on these volumes of a window, on an instance of such a maximum of IOPS.
    pub fn new(window: &Window, volumes: &[usize], demand: &Demand, instance_iops: Option<f64>) -> MergeEvidence {
        let each = volumes.iter().filter_map(|&volume| window.layout.volumes.get(volume));
        let disks = each.flat_map(Volume::disks).count().max(1) as f64;
        let (volumes, rate) = (volumes_iops(disks), demand_iops(demand));
        let limit = RateLimit::new(volumes, instance_iops);
        let volumes_weight = falling(rate, (volumes, RATE_FROM * volumes));
        let instance_weight = instance_iops.map_or(0.0, |iops| falling(rate, (RATE_TO * iops, iops)));
        let total = demand.total();
        let by_kernel = |merges: u64, requests: u64| match merges {
            0 => 0.0,
            merges => merges as f64 / (merges as f64 + requests as f64),
        };
        let (sequential, own_weight) = sequential_share(window, demand, &total);
        MergeEvidence {
            sequential,
            own_weight,
            rate_weight: volumes_weight.max(instance_weight),
            by_kernel: Merging {
                reads: by_kernel(total.read_merges, total.reads),
                writes: by_kernel(total.write_merges, total.writes),
            },
            limit,
            is_beyond: rate > BEYOND * limit.iops(),
        }
    }

    /// The demand as EBS likely counts it.
    pub fn likely(&self, demand: &Demand) -> Demand {
        self.counted(demand, Weighting::Likely)
    }

    /// The demand if everything that may be merged is merged.
    pub fn merged(&self, demand: &Demand) -> Demand {
        self.counted(demand, Weighting::All)
    }

    /// The two counts of a demand; `None` where they differ by less than a tenth, or the larger is no more than every volume has.
    pub fn doubt(&self, demand: &Demand) -> Option<CountDoubt> {
        let included = classes_of(Platform::Ec2, VolumeType::Gp3, Purpose::Any).next()?.min_iops as f64;
        let device_iops = demand_iops(&as_device(demand));
        if device_iops <= included || self.most_merged(demand) == 0.0 {
            return None;
        }
        let [merged_iops, sized_iops] = [self.merged(demand), self.likely(demand)].map(|demand| demand_iops(&demand));
        let grounds = self.grounds(demand);
        let doubt = CountDoubt { device_iops, merged_iops, sized_iops, grounds };
        (merged_iops < DOUBTFUL * device_iops).then_some(doubt)
    }

    fn grounds(&self, demand: &Demand) -> Vec<MergeGround> {
        let total = demand.total();
        let mut grounds = Vec::new();
        if self.own_weight > 0.0 && self.sequential > 0.0 {
            grounds.push(MergeGround::SequentialReads { share: self.sequential });
        }
        let bytes = total.read_bytes.saturating_add(total.write_bytes);
        let mean_bytes = size(total.reads.saturating_add(total.writes), bytes);
        let (kib, is_small) = (mean_bytes / KIB as f64, mean_bytes < PAGE_BYTES);
        if self.own_weight < 1.0 && (is_small || self.is_beyond) {
            grounds.push(if is_small { MergeGround::SmallRequests { kib } } else { MergeGround::Pages { kib } });
            grounds.extend((self.rate_weight > 0.0).then_some(MergeGround::HighRate(self.limit)));
        }
        let share = self.by_kernel.reads.max(self.by_kernel.writes);
        if share > 1.0 - DOUBTFUL {
            grounds.push(MergeGround::MergedByKernel { share });
        }
        grounds
    }

    /// The largest share of an interval that may be merged.
    fn most_merged(&self, demand: &Demand) -> f64 {
        let merging = demand.each().map(|interval| self.merging(&interval.counts, Weighting::All));
        merging.map(|merging| merging.reads.max(merging.writes)).fold(0.0, f64::max)
    }

    fn counted(&self, demand: &Demand, weighting: Weighting) -> Demand {
        let counted = |interval: &DemandInterval| {
            let merging = self.merging(&interval.counts, weighting);
            DemandInterval { merging, ..*interval }
        };
        Demand { intervals: demand.each().map(counted).collect(), ..*demand }
    }

    /// Shares of the requests of an interval that are merged.
    fn merging(&self, counts: &DeviceCounts, weighting: Weighting) -> Merging {
        let Merging { reads, writes } = self.by_kernel;
        let by_size = |requests, bytes| falling(size(requests, bytes), (SMALL_BYTES, PAGE_BYTES));
        let small = |requests, bytes| {
            let weight = match weighting {
                Weighting::Likely => self.rate_weight * by_size(requests, bytes),
                Weighting::All if self.is_beyond => 1.0,
                Weighting::All => by_size(requests, bytes),
            };
            (1.0 - self.own_weight) * weight
        };
        let unmerged = falling(size(counts.reads, counts.read_bytes), UNMERGED_BYTES);
        let in_order = self.own_weight * self.sequential * unmerged;
        Merging {
            reads: (in_order + small(counts.reads, counts.read_bytes)) * (1.0 - reads),
            writes: small(counts.writes, counts.write_bytes) * (1.0 - writes),
        }
    }
}

/// The demand as the device counts it.
pub fn as_device(demand: &Demand) -> Demand {
    let counted = |interval: &DemandInterval| DemandInterval { merging: Merging::default(), ..*interval };
    Demand { intervals: demand.each().map(counted).collect(), ..*demand }
}

/// Share of the bytes in small reads that PostgreSQL read in order, and the weight of its counters. Its other reads are all taken as
/// small ones, since the kernel makes large reads of those in order: a scan at night does not make the pages of the day contiguous.
fn sequential_share(window: &Window, demand: &Demand, total: &DeviceCounts) -> (f64, f64) {
    let io = &window.totals.io;
    let read: f64 = io.rows.iter().map(|(_, counts)| counts.read_bytes as f64).sum();
    let device = total.read_bytes as f64;
    if io.known_us == 0 || device == 0.0 {
        return (0.0, 0.0);
    }
    let in_order = io.rows.iter().filter(|(key, _)| matches!(key.context.as_str(), "bulkread" | "vacuum"));
    let in_order: f64 = in_order.map(|(_, counts)| counts.read_bytes as f64).sum();
    let small = |interval: &DemandInterval| {
        let counts = &interval.counts;
        counts.read_bytes as f64 * falling(size(counts.reads, counts.read_bytes), UNMERGED_BYTES)
    };
    let small: f64 = demand.each().map(small).sum::<f64>() / device;
    // pg_stat_io counts reads from the page cache, too: what was not read in order may all be the device's.
    let random = ((read.max(device) - in_order) / device).min(1.0);
    let sequential = if small > 0.0 { (1.0 - random / small).max(0.0) } else { 0.0 };
    (sequential, falling(read / device, OWN_SHARES))
}

/// Highest IOPS of so many general purpose volumes.
fn volumes_iops(disks: f64) -> f64 {
    let class = classes_of(Platform::Ec2, VolumeType::Gp3, Purpose::Any).next();
    class.map_or(f64::INFINITY, |class| class.max_iops as f64) * disks
}

/// 99th percentile of IOPS.
fn demand_iops(demand: &Demand) -> f64 {
    quantile(&demand.samples(|interval| Some(interval.iops())), 0.99).unwrap_or(0.0)
}

/// Mean bytes of a request; none have the size of a page.
fn size(requests: u64, bytes: u64) -> f64 {
    if requests == 0 { PAGE_BYTES } else { bytes as f64 / requests as f64 }
}

/// One on the side of the first value, zero on that of the second, between both by the logarithm.
fn falling(value: f64, (one, zero): (f64, f64)) -> f64 {
    if value <= 0.0 {
        return if one < zero { 1.0 } else { 0.0 };
    }
    ((zero / value).ln() / (zero / one).ln()).clamp(0.0, 1.0)
}

#[cfg(test)]
#[path = "merging_tests.rs"]
mod tests;
