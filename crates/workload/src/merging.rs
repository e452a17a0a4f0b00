//! Requests that EBS may merge: contiguous ones count once for up to 256 KiB on SSD volumes
//! (<https://docs.aws.amazon.com/ebs/latest/userguide/ebs-io-characteristics.html>), and the kernel counts them before that. 107,000
//! reads a second of 4 KiB in order were served by 3,000 IOPS.
//!
//! Nothing that counts requests shows that small ones are contiguous. A demand is therefore counted either as the device counts it or
//! as merged, and never in between, a count that nothing measured. These decide:
//!
//! - PostgreSQL's own reads in order (pg_stat_io, contexts bulkread and vacuum), where PostgreSQL read most of what the device read: that
//!   share is merged, and measured;
//! - elsewhere the rate of requests smaller than a page, which PostgreSQL does not read at random: up to the highest rate of general
//!   purpose volumes or of the instance, and 5 % above it for a plateau at it, they are counted as the device counts them. Beyond that
//!   point they cannot all be random, and are taken as merged. Pages at such a rate are counted as the device counts them;
//! - requests that the kernel merged already: where it merged most, the others are not contiguous.
//!
//! A higher rate is a higher count, except at that one point, where the count and the price fall: there the evidence itself changes. The
//! other count is named on both sides of it.

use crate::demand::{Demand, DemandInterval, Merging};
use crate::demand_summary::DemandSummary;
use ebs_aws::catalogue::{LimitKind, Platform, Purpose, VolumeType, classes_of};
use ebs_base::ramp::log_ramp;
use ebs_base::units::{KIB, PAGE_BYTES};
use ebs_samples::evidence::{DeviceCounts, Volume, Window};
use ebs_stats::pausing_quantile;

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
    /// The rate is at least half of what random requests reach at most, and not beyond it.
    PossibleRate(RateLimit),
    /// The rate is beyond what random requests reach at most.
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
    /// 99th percentile of IOPS that is sized for: one of both, or by PostgreSQL's measured share of reads in order.
    pub sized_iops: f64,
    /// Grounds.
    pub grounds: Vec<MergeGround>,
}

impl CountDoubt {
    /// True where the count that is sized for is nearer to the merged one.
    pub fn is_mostly_merged(&self) -> bool {
        self.sized_iops - self.merged_iops < self.device_iops - self.sized_iops
    }

    /// True where the volumes may be far too large or too small: the rate bears on it, and the counts are a factor of two or more apart.
    pub fn is_risky(&self) -> bool {
        let is_rate = |ground: &MergeGround| matches!(ground, MergeGround::PossibleRate(_) | MergeGround::HighRate(_));
        self.device_iops >= MAJOR_COUNT_RATIO * self.merged_iops && self.grounds.iter().any(is_rate)
    }
}

/// Evidence for merging in a demand.
#[derive(Clone, Debug, PartialEq)]
pub struct MergeEvidence {
    /// Share of the bytes in small reads that PostgreSQL read in order; `None` where others read, or nothing says who did.
    sequential: Option<f64>,
    /// Shares of requests that the kernel merged.
    by_kernel: Merging,
    /// Rate that requests which are not merged do not exceed.
    limit: RateLimit,
    /// The 99th percentile of the rate over that limit.
    rate: f64,
}

/// Requests taken as merged, of those of which nothing but size and rate is known.
#[derive(Clone, Copy)]
enum Count {
    /// Those that must have been, by their rate.
    Likely,
    /// All that may be.
    Merged,
}

/// Mean size below which requests are taken as smaller than a page: of blocks of 4 KiB and of pages more than half are the former.
const SMALL_BYTES: f64 = (6 * KIB) as f64;
/// Reads in order up to this size are taken as not merged by the kernel, and from the other on as merged by it: the kernel reads
/// ahead by 128 KiB, as PostgreSQL 18 does. Between both by the logarithm. A choice.
const UNMERGED_BYTES: (f64, f64) = ((16 * KIB) as f64, (128 * KIB) as f64);
/// Share of the device's bytes from which on PostgreSQL's reads are taken as the device's. A choice.
const OWN_SHARE: f64 = 0.7;
/// Share of requests from which on those that the kernel left are not contiguous. A choice.
const MOSTLY_MERGED: f64 = 0.5;
/// Rate over the limit from which on it is named. A choice.
const NAMED: f64 = 0.5;
/// Rate over the limit beyond which some requests must have been merged: a plateau at the limit has seconds above it. A choice.
const BEYOND: f64 = 1.05;
/// Ratio of two counts of the same requests from which on the doubt is a major one. A choice.
pub const MAJOR_COUNT_RATIO: f64 = 2.0;
/// Part of the device's count below which the merged one is a doubt worth a sentence.
const DOUBTFUL: f64 = 0.9;

impl MergeEvidence {
    /// Evidence for merging in the demand on these volumes of a window, on an instance of such a maximum of IOPS.
    pub fn new(
        window: &Window,
        volumes: &[usize],
        (demand, summary): (&Demand, &DemandSummary),
        instance_iops: Option<f64>,
    ) -> MergeEvidence {
        let each = volumes.iter().filter_map(|&volume| window.layout.volumes.get(volume));
        let disks = each.flat_map(Volume::disks).count().max(1) as f64;
        let limit = RateLimit::new(volumes_iops(disks), instance_iops);
        let total = &summary.total;
        let by_kernel = |merges: u64, requests: u64| match merges {
            0 => 0.0,
            merges => merges as f64 / (merges as f64 + requests as f64),
        };
        MergeEvidence {
            sequential: sequential_share(window, demand, total),
            by_kernel: Merging {
                reads: by_kernel(total.read_merges, total.reads),
                writes: by_kernel(total.write_merges, total.writes),
            },
            limit,
            rate: p99_iops(summary) / limit.iops(),
        }
    }

    /// A demand that is as the device counts it as EBS likely does, with its summary.
    pub fn likely(&self, demand: Demand, summary: DemandSummary) -> (Demand, DemandSummary) {
        // Without grounds for either, which is usual, requests count as the device counts them.
        if demand.bytes_unknown || self.sequential.is_none() && !self.is_beyond() {
            return (demand, summary);
        }
        let demand = self.counted(demand, Count::Likely);
        let summary = DemandSummary::new(&demand);
        (demand, summary)
    }

    /// The demand if everything that may be merged is merged.
    pub fn merged(&self, demand: &Demand) -> Demand {
        self.counted(demand.clone(), Count::Merged)
    }

    /// The two counts of a demand that is as the device counts it; `None` where they differ by less than a tenth, the larger is no more than every volume has, or the bytes
    /// are unknown, and with them the size of the requests.
    pub fn doubt(&self, demand: &Demand, summary: &DemandSummary) -> Option<CountDoubt> {
        let included = classes_of(Platform::Ec2, VolumeType::general_purpose(), Purpose::Any).next()?.min_iops as f64;
        let device_iops = p99_iops(summary);
        if demand.bytes_unknown || device_iops <= included || self.most_merged(demand) == 0.0 {
            return None;
        }
        let [merged_iops, sized_iops] = [Count::Merged, Count::Likely].map(|count| {
            let counted = self.counted(demand.clone(), count);
            pausing_quantile(counted.samples(|interval| Some(interval.iops())), 0.99, demand.pause).unwrap_or(0.0)
        });
        let grounds = self.grounds(&summary.total);
        let doubt = CountDoubt { device_iops, merged_iops, sized_iops, grounds };
        (merged_iops < DOUBTFUL * device_iops).then_some(doubt)
    }

    fn grounds(&self, total: &DeviceCounts) -> Vec<MergeGround> {
        let mut grounds = Vec::new();
        match self.sequential {
            Some(share) => grounds.push(MergeGround::SequentialReads { share }),
            None => {
                let bytes = total.read_bytes.saturating_add(total.write_bytes);
                let mean_bytes = size(total.requests(), bytes);
                let (kib, is_small) = (mean_bytes / KIB as f64, mean_bytes < SMALL_BYTES);
                grounds.push(if is_small { MergeGround::SmallRequests { kib } } else { MergeGround::Pages { kib } });
                grounds.extend(self.rate_ground());
            }
        }
        let share = self.by_kernel.reads.max(self.by_kernel.writes);
        if share > 1.0 - DOUBTFUL {
            grounds.push(MergeGround::MergedByKernel { share });
        }
        grounds
    }

    fn rate_ground(&self) -> Option<MergeGround> {
        match self.rate {
            _ if self.is_beyond() => Some(MergeGround::HighRate(self.limit)),
            rate if rate >= NAMED => Some(MergeGround::PossibleRate(self.limit)),
            _ => None,
        }
    }

    /// True where the rate exceeds what random requests reach: some were merged, or the run was not on EBS.
    fn is_beyond(&self) -> bool {
        self.rate > BEYOND
    }

    /// The largest share of an interval that may be merged.
    fn most_merged(&self, demand: &Demand) -> f64 {
        let merging = demand.each().map(|interval| self.merging(&interval.counts, Count::Merged));
        merging.map(|merging| merging.reads.max(merging.writes)).fold(0.0, f64::max)
    }

    fn counted(&self, mut demand: Demand, count: Count) -> Demand {
        let is_unknown = demand.bytes_unknown;
        for interval in demand.pause.each(&mut demand.intervals) {
            interval.merging = if is_unknown { Merging::default() } else { self.merging(&interval.counts, count) };
        }
        demand
    }

    /// Shares of the requests of an interval that are merged.
    fn merging(&self, counts: &DeviceCounts, count: Count) -> Merging {
        let are_merged = |requests, bytes, by_kernel| {
            let are_small = size(requests, bytes) < SMALL_BYTES && by_kernel < MOSTLY_MERGED;
            match count {
                Count::Likely => are_small && self.is_beyond(),
                Count::Merged => are_small || self.is_beyond(),
            }
        };
        let unknown =
            |requests, bytes, by_kernel| f64::from(self.sequential.is_none() && are_merged(requests, bytes, by_kernel));
        let Merging { reads, writes } = self.by_kernel;
        let in_order = |sequential: f64| {
            sequential * falling(size(counts.reads, counts.read_bytes), UNMERGED_BYTES) * (1.0 - reads)
        };
        Merging {
            reads: self.sequential.map_or_else(|| unknown(counts.reads, counts.read_bytes, reads), in_order),
            writes: unknown(counts.writes, counts.write_bytes, writes),
        }
    }
}

/// The demand as the device counts it.
pub fn as_device(demand: &Demand) -> Demand {
    let counted = |interval: &DemandInterval| DemandInterval { merging: Merging::default(), ..*interval };
    Demand { intervals: demand.each().map(counted).collect(), ..*demand }
}

/// Share of the bytes in small reads that PostgreSQL read in order; `None` where it did not read most of the device's. Its other
/// reads are all taken as small ones, since the kernel makes large reads of those in order: a scan at night does not make the pages
/// of the day contiguous.
fn sequential_share(window: &Window, demand: &Demand, total: &DeviceCounts) -> Option<f64> {
    let io = &window.totals.io;
    let read: f64 = io.rows.iter().map(|(_, counts)| counts.read_bytes as f64).sum();
    let device = total.read_bytes as f64;
    if io.known_us == 0 || device == 0.0 || read < OWN_SHARE * device {
        return None;
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
    Some(if small > 0.0 { (1.0 - random / small).max(0.0) } else { 0.0 })
}

/// Highest IOPS of so many general purpose volumes.
fn volumes_iops(disks: f64) -> f64 {
    let class = classes_of(Platform::Ec2, VolumeType::general_purpose(), Purpose::Any).next();
    class.map_or(f64::INFINITY, |class| class.max_iops as f64) * disks
}

/// 99th percentile of IOPS.
fn p99_iops(summary: &DemandSummary) -> f64 {
    summary.rates(LimitKind::Iops).quantile(0.99).unwrap_or(0.0)
}

/// Mean bytes of a request; none have the size of a page.
fn size(requests: u64, bytes: u64) -> f64 {
    if requests == 0 { PAGE_BYTES as f64 } else { bytes as f64 / requests as f64 }
}

/// One on the side of the first value, zero on that of the second, between both by the logarithm.
fn falling(value: f64, (one, zero): (f64, f64)) -> f64 {
    if value <= 0.0 {
        return if one < zero { 1.0 } else { 0.0 };
    }
    log_ramp(value, [zero, one])
}

#[cfg(test)]
#[path = "merging_tests.rs"]
mod tests;
