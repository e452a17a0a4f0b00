//! NVMe log page 0xD0 of an EBS volume: its detailed performance statistics, counted by EBS since the volume was attached.
//!
//! Meaning of each figure: <https://docs.aws.amazon.com/ebs/latest/userguide/nvme-detailed-performance-stats.html>.
//! Layout, and microseconds as the unit of times and of histogram bounds, from two programs of AWS: `ebsnvme` at commit
//! d84cf6d of <https://github.com/amazonlinux/amazon-ec2-utils>, whose comments name the unit, and `convertHistogram` in
//! `pkg/metrics/nvme.go` of <https://github.com/kubernetes-sigs/aws-ebs-csi-driver>, which divides the bounds by 10^6 to
//! get seconds. Neither says whether a bound belongs to the bin below or above it.

use ebs_samples::evidence::{Bin, EbsCounts, EbsPage};

/// Bytes of the page; a shorter or longer one is something else.
pub const EBS_PAGE_LEN: usize = 4096;

const MAGIC: u32 = 0x3C23_B510;
/// The same page of an instance store volume: same layout, but what it counts is no EBS volume.
const INSTANCE_STORE_MAGIC: u32 = 0xEC2C_0D7E;
const MAX_BINS: u64 = 64;
const COUNTS_AT: usize = 8;
const QUEUE_LENGTH_AT: usize = COUNTS_AT + 10 * 8;
/// 416 reserved bytes follow the queue length.
const READ_HISTOGRAM_AT: usize = QUEUE_LENGTH_AT + 8 + 416;
const WRITE_HISTOGRAM_AT: usize = READ_HISTOGRAM_AT + 8 + MAX_BINS as usize * BIN_LEN;
/// Two bounds of 8 bytes, a count of 4, and 4 reserved.
const BIN_LEN: usize = 24;

/// Reason for which bytes are not the statistics of an EBS volume.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// Truncated, or not a page at all.
    #[error("page has {0} bytes, not 4096")]
    Length(usize),
    /// An instance store volume, by its magic number.
    #[error("page is that of an instance store volume, not of an EBS volume")]
    InstanceStore,
    /// Any other device.
    #[error("page begins with {0:#010X}, and that of an EBS volume with 0x3C23B510")]
    Magic(u32),
    /// A histogram that would not fit into the page.
    #[error("{histogram} histogram has {bins} bins, more than 64")]
    Bins {
        /// `read` or `write`.
        histogram: &'static str,
        /// Number of bins in the page.
        bins: u64,
    },
    /// A histogram whose bins descend or overlap.
    #[error("bin {bin} of the {histogram} histogram begins before the one below it ends, or ends before it begins")]
    Order {
        /// `read` or `write`.
        histogram: &'static str,
        /// Counted from 1.
        bin: usize,
    },
}

/// Parses a page; reserved bytes are ignored. Refuses anything but a whole page of an EBS volume.
pub fn ebs_page(bytes: &[u8]) -> Result<EbsPage, PageError> {
    let page: &[u8; EBS_PAGE_LEN] = bytes.try_into().map_err(|_| PageError::Length(bytes.len()))?;
    match u32_at(page, 0) {
        MAGIC => (),
        INSTANCE_STORE_MAGIC => return Err(PageError::InstanceStore),
        other => return Err(PageError::Magic(other)),
    }
    Ok(EbsPage {
        counts: counts(page),
        queue_length: u64_at(page, QUEUE_LENGTH_AT),
        read_histogram: histogram(page, READ_HISTOGRAM_AT, "read")?,
        write_histogram: histogram(page, WRITE_HISTOGRAM_AT, "write")?,
    })
}

fn counts(page: &[u8; EBS_PAGE_LEN]) -> EbsCounts {
    let nth = |n: usize| u64_at(page, COUNTS_AT + 8 * n);
    EbsCounts {
        read_ops: nth(0),
        write_ops: nth(1),
        read_bytes: nth(2),
        write_bytes: nth(3),
        read_us: nth(4),
        write_us: nth(5),
        volume_iops_exceeded_us: nth(6),
        volume_throughput_exceeded_us: nth(7),
        instance_iops_exceeded_us: nth(8),
        instance_throughput_exceeded_us: nth(9),
    }
}

fn histogram(page: &[u8; EBS_PAGE_LEN], at: usize, histogram: &'static str) -> Result<Vec<Bin>, PageError> {
    let bins = u64_at(page, at);
    if bins > MAX_BINS {
        return Err(PageError::Bins { histogram, bins });
    }
    let bins: Vec<Bin> = (0..bins as usize).map(|n| bin(page, at + 8 + n * BIN_LEN, n + 1 == bins as usize)).collect();
    let mut end = 0;
    for (n, bin) in bins.iter().enumerate() {
        if bin.lower_us < end || bin.upper_us.is_some_and(|upper_us| upper_us < bin.lower_us) {
            return Err(PageError::Order { histogram, bin: n + 1 });
        }
        end = bin.upper_us.unwrap_or(end);
    }
    Ok(bins)
}

/// It is unknown what EBS writes as the upper bound of the last bin, in which there is no slowest request: 0 and the
/// largest number cannot be meant as bounds there, so they are read as none.
fn bin(page: &[u8; EBS_PAGE_LEN], at: usize, last: bool) -> Bin {
    let upper_us = u64_at(page, at + 8);
    let open_ended = last && [0, u64::MAX].contains(&upper_us);
    Bin { lower_us: u64_at(page, at), upper_us: (!open_ended).then_some(upper_us), count: u32_at(page, at + 16).into() }
}

fn u64_at(page: &[u8; EBS_PAGE_LEN], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| page[at + i]))
}

fn u32_at(page: &[u8; EBS_PAGE_LEN], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| page[at + i]))
}

#[cfg(test)]
#[path = "nvme_page_tests.rs"]
mod tests;
