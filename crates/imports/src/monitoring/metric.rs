//! Metrics of CloudWatch by their names, and what a value of each stands for.

use super::ImportError;
use super::statistic::Statistic;

/// Measured quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Figure {
    Requests,
    Bytes,
    Time,
    /// Requests in flight on average.
    QueueDepth,
    /// Check of a limit: 1 if it was exceeded in the period, else 0.
    Exceeded(Limit),
    /// Burst credits left, per cent.
    Balance(Credits),
    /// Free space of RDS's storage, bytes.
    FreeSpace,
}

/// Limit that is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Limit {
    VolumeIops,
    VolumeThroughput,
    InstanceIops,
    InstanceThroughput,
}

/// Burst credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Credits {
    /// The instance's for IOPS.
    Io,
    /// The instance's for throughput.
    Byte,
    /// The volume's.
    Burst,
}

/// Statistic of a value, by which it becomes a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Sum of the period (EBS).
    Sum,
    /// Average a second, or a request for times (RDS).
    Average,
    /// The value itself.
    Gauge,
}

/// Kind of thing that a metric without a name of its own is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Volume,
    Storage,
}

/// A metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Metric {
    pub figure: Figure,
    /// True for writes, false for reads and for both.
    pub write: bool,
    kind: Kind,
    owner: Owner,
}

/// Names without the sign of per cent.
const NAMES: [(&str, Figure, bool, Kind, Owner); 22] = [
    ("VolumeReadOps", Figure::Requests, false, Kind::Sum, Owner::Volume),
    ("VolumeWriteOps", Figure::Requests, true, Kind::Sum, Owner::Volume),
    ("VolumeReadBytes", Figure::Bytes, false, Kind::Sum, Owner::Volume),
    ("VolumeWriteBytes", Figure::Bytes, true, Kind::Sum, Owner::Volume),
    ("VolumeTotalReadTime", Figure::Time, false, Kind::Sum, Owner::Volume),
    ("VolumeTotalWriteTime", Figure::Time, true, Kind::Sum, Owner::Volume),
    ("VolumeQueueLength", Figure::QueueDepth, false, Kind::Gauge, Owner::Volume),
    ("VolumeIOPSExceededCheck", Figure::Exceeded(Limit::VolumeIops), false, Kind::Gauge, Owner::Volume),
    ("VolumeThroughputExceededCheck", Figure::Exceeded(Limit::VolumeThroughput), false, Kind::Gauge, Owner::Volume),
    ("InstanceEBSIOPSExceededCheck", Figure::Exceeded(Limit::InstanceIops), false, Kind::Gauge, Owner::Volume),
    (
        "InstanceEBSThroughputExceededCheck",
        Figure::Exceeded(Limit::InstanceThroughput),
        false,
        Kind::Gauge,
        Owner::Volume,
    ),
    ("EBSIOBalance", Figure::Balance(Credits::Io), false, Kind::Gauge, Owner::Storage),
    ("EBSByteBalance", Figure::Balance(Credits::Byte), false, Kind::Gauge, Owner::Storage),
    ("BurstBalance", Figure::Balance(Credits::Burst), false, Kind::Gauge, Owner::Storage),
    ("ReadIOPS", Figure::Requests, false, Kind::Average, Owner::Storage),
    ("WriteIOPS", Figure::Requests, true, Kind::Average, Owner::Storage),
    ("ReadThroughput", Figure::Bytes, false, Kind::Average, Owner::Storage),
    ("WriteThroughput", Figure::Bytes, true, Kind::Average, Owner::Storage),
    ("ReadLatency", Figure::Time, false, Kind::Average, Owner::Storage),
    ("WriteLatency", Figure::Time, true, Kind::Average, Owner::Storage),
    ("FreeStorageSpace", Figure::FreeSpace, false, Kind::Gauge, Owner::Storage),
    ("DiskQueueDepth", Figure::QueueDepth, false, Kind::Gauge, Owner::Storage),
];

/// Suffix that RDS appends to the names of a dedicated log volume's metrics.
const LOG_VOLUME: &str = "LogVolume";

impl Figure {
    /// True for what counts requests, and false for checks and balances, which may be of an instance.
    pub fn is_counted(self) -> bool {
        !matches!(self, Figure::Exceeded(_) | Figure::Balance(_) | Figure::FreeSpace)
    }

    /// True for what an instance has, not a volume.
    pub fn is_of_instance(self) -> bool {
        matches!(
            self,
            Figure::Exceeded(Limit::InstanceIops | Limit::InstanceThroughput)
                | Figure::Balance(Credits::Io | Credits::Byte)
        )
    }

    /// The values that it may have: from 0 to less than this.
    pub fn end(self) -> f64 {
        match self {
            // 100, and what rounding of a mean adds.
            Figure::Balance(_) => 100.5,
            _ => super::MAX_COUNT,
        }
    }
}

impl Metric {
    /// The metric that a label (`vol-0a1b VolumeReadOps`) or an id (`readIOPS_db1`) names, and the device: what else
    /// stands there, but a statistic; of a check or a balance nothing where nothing does. The label is the metric's name unless the query says otherwise,
    /// and in front of it what tells it from others.
    pub fn from_names(label: &str, id: &str) -> Option<(String, Metric)> {
        let (words, id) = (Statistic::without(label), Statistic::without_last(id));
        let in_label = words.iter().enumerate().find_map(|(index, word)| {
            let word = word.strip_suffix('%').unwrap_or(word);
            let (metric, rest) = Self::named(word)?;
            rest.is_empty().then_some(())?;
            let others = words.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, word)| *word);
            Some((others.collect::<Vec<_>>().join(" "), metric, word.len() > metric.bare_name().len()))
        });
        let in_id = || {
            let joined: String = id.split('_').collect();
            let (metric, rest) = Self::named(&joined)?;
            // As it is written in the id: what follows as many letters as the name has.
            let log_volume = joined[metric.bare_name().len()..].len() > rest.len();
            Some((id.get(id.len() - rest.len()..).unwrap_or(rest).to_owned(), metric, log_volume))
        };
        let (device, metric, log_volume) = in_label.or_else(in_id)?;
        let owner = match metric.owner {
            _ if !metric.figure.is_counted() => "",
            Owner::Volume => "volume",
            Owner::Storage => super::rds_source::RDS_STORAGE,
        };
        let device = match (device.is_empty(), log_volume) {
            (true, true) => "log volume".to_owned(),
            (true, false) => owner.to_owned(),
            (false, true) => format!("{device} log volume"),
            (false, false) => device,
        };
        Some((device, metric))
    }

    /// The metric whose name a text begins with, in whatever case, and the rest.
    fn named(text: &str) -> Option<(Metric, &str)> {
        let begins =
            |text: &str, name: &str| text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        let &(name, figure, write, kind, owner) = NAMES.iter().find(|(name, ..)| begins(text, name))?;
        let rest = &text[name.len()..];
        let rest = if begins(rest, LOG_VOLUME) { &rest[LOG_VOLUME.len()..] } else { rest };
        Some((Metric { figure, write, kind, owner }, rest))
    }

    /// Statistic whose values are the metric; `None` where any is.
    pub fn statistic(&self) -> Option<Statistic> {
        Some(match (self.kind, self.figure) {
            // The free space changes little in a period.
            (_, Figure::FreeSpace) => return None,
            (_, Figure::Exceeded(_)) => Statistic::Maximum,
            (_, Figure::Balance(_)) => Statistic::Minimum,
            (Kind::Sum, _) => Statistic::Sum,
            (Kind::Average | Kind::Gauge, _) => Statistic::Average,
        })
    }

    /// Refuses another statistic than that of the metric, where its label or its id names one.
    pub fn check_statistic(&self, label: &str, id: &str) -> Result<(), ImportError> {
        self.statistic().map_or(Ok(()), |needed| needed.check(&self.name(), label, id))
    }

    /// True for metrics of EBS volumes, false for those of RDS.
    pub fn is_of_volume(&self) -> bool {
        self.owner == Owner::Volume
    }

    /// Its name without the sign of per cent.
    fn bare_name(&self) -> &'static str {
        let is_it = |(_, figure, write, kind, owner): &&(_, _, _, _, _)| {
            Metric { figure: *figure, write: *write, kind: *kind, owner: *owner } == *self
        };
        NAMES.iter().find(is_it).map_or("", |(name, ..)| name)
    }

    /// Its name.
    pub fn name(&self) -> String {
        let per_cent = matches!(self.figure, Figure::Balance(Credits::Io | Credits::Byte));
        format!("{}{}", self.bare_name(), if per_cent { "%" } else { "" })
    }

    /// The names of a figure in EBS and in RDS.
    pub fn names_of(figure: Figure, write: bool) -> (&'static str, &'static str) {
        let name = |of: Owner| {
            let mut names =
                NAMES.iter().filter(|(_, one, writes, _, owner)| (*one, *writes, *owner) == (figure, write, of));
            names.next().map_or("", |(name, ..)| name)
        };
        (name(Owner::Volume), name(Owner::Storage))
    }

    /// Requests or bytes over a period of this many seconds.
    pub fn count(&self, value: f64, period_s: i64) -> f64 {
        match self.kind {
            Kind::Sum | Kind::Gauge => value,
            Kind::Average => value * period_s as f64,
        }
    }

    /// Milliseconds that so many requests took together.
    pub fn milliseconds(&self, seconds: f64, requests: f64) -> f64 {
        match self.kind {
            Kind::Sum | Kind::Gauge => 1_000.0 * seconds,
            Kind::Average => 1_000.0 * seconds * requests,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_is_known_by_its_label_or_its_id() {
        let named = |label, id| Metric::from_names(label, id).map(|(device, metric)| (device, metric.name()));
        let found = |device: &str, name: &str| Some((device.to_owned(), name.to_owned()));
        assert_eq!(named("ReadIOPS", "m1"), found("storage", "ReadIOPS"));
        assert_eq!(named("prod-db ReadIOPS", "m1"), found("prod-db", "ReadIOPS"));
        assert_eq!(named("vol-0a1b VolumeTotalReadTime", ""), found("vol-0a1b", "VolumeTotalReadTime"));
        assert_eq!(named("", "volumeReadOps"), found("volume", "VolumeReadOps"));
        assert_eq!(named("reads", "volume_read_ops"), found("volume", "VolumeReadOps"));
        assert_eq!(named("", "readiops_db1"), found("db1", "ReadIOPS"));
        assert_eq!(named("WriteIOPSLogVolume", "m7"), found("log volume", "WriteIOPS"));
        assert_eq!(named("prod-db ReadThroughputLogVolume", "m7"), found("prod-db log volume", "ReadThroughput"));
        assert_eq!(named("ReadIOPS Average", "m7"), found("storage", "ReadIOPS"));
        assert_eq!(named("", "readiops_sum"), found("storage", "ReadIOPS"));
        // Other metrics are not ours: averages of EBS, CPU.
        for label in ["VolumeAvgReadLatency", "CPUUtilization", "ReadIOPSish", ""] {
            assert_eq!(named(label, "m1"), None, "{label}");
        }
    }

    #[test]
    fn queues_checks_and_balances_are_known_too() {
        let named = |label, id| Metric::from_names(label, id).map(|(device, metric)| (device, metric.name()));
        let found = |device: &str, name: &str| Some((device.to_owned(), name.to_owned()));
        assert_eq!(named("DiskQueueDepth", ""), found("storage", "DiskQueueDepth"));
        assert_eq!(named("DiskQueueDepthLogVolume", ""), found("log volume", "DiskQueueDepth"));
        assert_eq!(named("vol-0a VolumeQueueLength", ""), found("vol-0a", "VolumeQueueLength"));
        assert_eq!(named("EBSIOBalance%", ""), found("", "EBSIOBalance%"));
        assert_eq!(named("", "ebsbytebalance_i0a"), found("i0a", "EBSByteBalance%"));
        assert_eq!(named("i-0a InstanceEBSIOPSExceededCheck", ""), found("i-0a", "InstanceEBSIOPSExceededCheck"));
        assert_eq!(named("BurstBalance", ""), found("", "BurstBalance"));
        assert_eq!(named("vol-0a VolumeIOPSExceededCheck", ""), found("vol-0a", "VolumeIOPSExceededCheck"));
    }
}
