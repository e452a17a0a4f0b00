//! The EBS volume types that can carry a PostgreSQL cluster.

use std::str::FromStr;

use crate::error::Refusal;

/// A volume type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VolumeType {
    /// General Purpose SSD; performance follows size, with burst credits.
    Gp2,
    /// General Purpose SSD; performance is bought apart from size.
    Gp3,
    /// Provisioned IOPS SSD, the older kind.
    Io1,
    /// Provisioned IOPS SSD, Block Express.
    Io2,
}

/// Limits and promises of a type that do not depend on what is provisioned.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Smallest volume, GiB.
    pub min_gib: u64,
    /// Largest volume, GiB.
    pub max_gib: u64,
    /// Fewest IOPS a volume has.
    pub min_iops: u64,
    /// Most IOPS a volume can have.
    pub max_iops: u64,
    /// Most MiB/s a volume can have.
    pub max_mibps: u64,
    /// The lower end of the yearly durability promised, per cent.
    pub durability_pct: f64,
    /// Mean latency of one 16 KiB random read at a time, ms, measured by others: a prior, not a promise.
    pub read_ms: f64,
    /// The same of a write.
    pub write_ms: f64,
    /// Where limits and durability are published.
    pub source: &'static str,
    /// When that page was read.
    pub as_of: &'static str,
    /// Where the latencies were measured.
    pub latency_source: &'static str,
}

const AS_OF: &str = "2026-10";
const GENERAL_PURPOSE: &str = "https://docs.aws.amazon.com/ebs/latest/userguide/general-purpose.html";
const PROVISIONED_IOPS: &str = "https://docs.aws.amazon.com/ebs/latest/userguide/provisioned-iops.html";
/// r5.xlarge, 1 TB volumes of 3,000 IOPS, eu-west-1, queue depth 1, 1,800 s each.
const PERCONA_2021: &str = "https://github.com/pboros/aws_storage_blog (August 2021)";

impl VolumeType {
    /// All types, in the order AWS lists them.
    pub const ALL: [VolumeType; 4] = [VolumeType::Gp2, VolumeType::Gp3, VolumeType::Io1, VolumeType::Io2];

    /// The name AWS gives it.
    pub fn name(self) -> &'static str {
        match self {
            VolumeType::Gp2 => "gp2",
            VolumeType::Gp3 => "gp3",
            VolumeType::Io1 => "io1",
            VolumeType::Io2 => "io2",
        }
    }

    /// Which to take at the same price, lowest first: the more durable, then the newer.
    pub fn preference(self) -> u8 {
        match self {
            VolumeType::Io2 => 0,
            VolumeType::Gp3 => 1,
            VolumeType::Io1 => 2,
            VolumeType::Gp2 => 3,
        }
    }

    /// Its limits.
    pub fn spec(self) -> Spec {
        let general = Spec {
            min_gib: 1,
            max_gib: 16_384,
            min_iops: 100,
            max_iops: 16_000,
            max_mibps: 250,
            durability_pct: 99.8,
            read_ms: 0.88,
            write_ms: 0.91,
            source: GENERAL_PURPOSE,
            as_of: AS_OF,
            latency_source: PERCONA_2021,
        };
        match self {
            VolumeType::Gp2 => general,
            VolumeType::Gp3 => Spec {
                max_gib: 65_536,
                min_iops: 3_000,
                max_iops: 80_000,
                max_mibps: 2_000,
                read_ms: 0.91,
                write_ms: 0.65,
                ..general
            },
            VolumeType::Io1 => Spec {
                min_gib: 4,
                max_iops: 64_000,
                max_mibps: 1_000,
                read_ms: 0.50,
                write_ms: 0.73,
                source: PROVISIONED_IOPS,
                ..general
            },
            VolumeType::Io2 => Spec {
                min_gib: 4,
                max_gib: 65_536,
                max_iops: 256_000,
                max_mibps: 4_000,
                durability_pct: 99.999,
                read_ms: 0.33,
                write_ms: 0.61,
                source: PROVISIONED_IOPS,
                ..general
            },
        }
    }
}

impl FromStr for VolumeType {
    type Err = Refusal;

    fn from_str(name: &str) -> Result<VolumeType, Refusal> {
        let known = VolumeType::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(name.trim()));
        known.ok_or_else(|| Refusal::UnknownName {
            what: "volume type",
            name: name.to_owned(),
            accepted: format!("Volume types are {}.", VolumeType::ALL.map(VolumeType::name).join(", ")),
        })
    }
}
