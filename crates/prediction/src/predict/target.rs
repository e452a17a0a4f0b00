//! The volume to predict for.

use ebs_aws::catalogue::LimitKind;
use ebs_base::named;

named! {
    /// Origin of a service time.
    pub enum Source {
        /// The user gave it.
        Given = "given",
        /// Measured in the run, on a volume of the same type that was not at its limit.
        Measured = "measured",
        /// Published for the type, times the measured over the published latency of the type that the run was on.
        Scaled = "scaled",
        /// Published for the type.
        Published = "published",
    }
}

/// Mean service time of a request, seconds, while the volume is not at a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latency {
    /// The least it may be.
    pub low_s: f64,
    /// The expected value.
    pub middle_s: f64,
    /// The most it may be.
    pub high_s: f64,
}

impl Latency {
    /// Returns a latency that is known exactly.
    pub fn known(seconds: f64) -> Latency {
        Latency { low_s: seconds, middle_s: seconds, high_s: seconds }
    }

    /// Returns the latency with an addition.
    pub fn plus(self, seconds: f64) -> Latency {
        Latency { low_s: self.low_s + seconds, middle_s: self.middle_s + seconds, high_s: self.high_s + seconds }
    }
}

/// Limits of a volume or an instance; `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Requests a second, reads and writes together.
    pub iops: Option<f64>,
    /// Bytes a second.
    pub bytes: Option<f64>,
}

impl Limits {
    /// The limit of a rate, in its unit; `None` where there is none, or it is zero.
    pub fn level(&self, limited: LimitKind) -> Option<f64> {
        let level = match limited {
            LimitKind::Iops => self.iops,
            LimitKind::Throughput => self.bytes,
        };
        level.filter(|level| *level > 0.0)
    }

    /// The lower of each.
    pub fn min(self, other: Limits) -> Limits {
        let least = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(f64::min);
        Limits { iops: least(self.iops, other.iops), bytes: least(self.bytes, other.bytes) }
    }

    /// The limits where a volume delivers this share of one.
    pub(super) fn delivered(self, delivered: DeliveredShare) -> Limits {
        let DeliveredShare { limited, share } = delivered;
        match limited {
            LimitKind::Iops => Limits { iops: self.iops.map(|iops| iops * share), ..self },
            LimitKind::Throughput => Limits { bytes: self.bytes.map(|bytes| bytes * share), ..self },
        }
    }

    /// Both times a factor.
    pub(super) fn times(self, factor: f64) -> Limits {
        Limits { iops: self.iops.map(|iops| iops * factor), bytes: self.bytes.map(|bytes| bytes * factor) }
    }

    /// Distance of these rates above the tighter limit, as a logarithm; negative below both.
    pub(super) fn over(&self, rates: &Rates) -> f64 {
        let over = |limit: Option<f64>, rate: f64| limit.map_or(f64::NEG_INFINITY, |limit| (rate / limit).ln());
        over(self.iops, rates.iops).max(over(self.bytes, rates.bytes))
    }

    /// True if bytes are nearer to their limit than requests to theirs.
    pub(super) fn is_by_bytes(&self, rates: &Rates) -> bool {
        let share = |limit: Option<f64>, rate: f64| limit.map_or(0.0, |limit| rate / limit);
        share(self.bytes, rates.bytes) > share(self.iops, rates.iops)
    }
}

/// Share of its limit that a volume delivered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeliveredShare {
    /// The limited rate.
    pub limited: LimitKind,
    /// The rate over the limit, more than 0 and at most 1.
    pub share: f64,
}

/// Rates of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Requests a second, reads and writes together.
    pub iops: f64,
    /// Bytes a second.
    pub bytes: f64,
}

impl Rates {
    /// Both times a factor.
    pub fn times(self, factor: f64) -> Rates {
        Rates { iops: self.iops * factor, bytes: self.bytes * factor }
    }

    /// Sum of two.
    pub fn plus(self, other: Rates) -> Rates {
        Rates { iops: self.iops + other.iops, bytes: self.bytes + other.bytes }
    }
}

/// A volume of its own for WAL.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalTarget {
    /// Service time of a write.
    pub write: Latency,
    /// Limits of the volume.
    pub volume: Limits,
}

impl Target {
    /// The same without limits.
    pub(super) fn unlimited(self) -> Target {
        let wal = self.wal.map(|wal| WalTarget { volume: Limits::default(), ..wal });
        Target { volume: Limits::default(), instance: Limits::default(), wal, ..self }
    }
}

/// The volume to predict for, and the sessions that use it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Service time of a read.
    pub read: Latency,
    /// Service time of a write.
    pub write: Latency,
    /// The volume of WAL; `None` where WAL is on the same volume.
    pub wal: Option<WalTarget>,
    /// Origin of both.
    pub source: Source,
    /// Limits of the volumes, all of a stripe together.
    pub volume: Limits,
    /// Share of such a limit that a volume of the type delivered in the run: these volumes may deliver as little. `None` where it is not
    /// known, or was all.
    pub delivered: Option<DeliveredShare>,
    /// Limits of the instance.
    pub instance: Limits,
    /// Sessions; `None` for as many as there were.
    pub sessions: Option<f64>,
    /// True where the loop is known to be closed: each session keeps its think time, and sends its next request no earlier. Else the share
    /// of think time tells how far it is.
    pub is_closed: bool,
    /// Mean delay of a request by bursts above the limit, seconds: from the replay.
    pub added_s: f64,
    /// Volumes of the stripe over those of the run: read-ahead grows with them.
    pub more_volumes: f64,
}
