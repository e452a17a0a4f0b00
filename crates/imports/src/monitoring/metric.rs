//! Metrics of CloudWatch by their names, and what a value of each stands for.

/// Counted quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Figure {
    Requests,
    Bytes,
    Time,
}

/// Statistic of a value, by which it becomes a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Sum of the period (EBS).
    Sum,
    /// Average a second, or a request for times (RDS).
    Average,
}

/// A metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Metric {
    pub figure: Figure,
    /// True for writes, false for reads.
    pub write: bool,
    kind: Kind,
}

/// Names, longest first where one begins with another.
const NAMES: [(&str, Figure, bool, Kind); 12] = [
    ("VolumeReadOps", Figure::Requests, false, Kind::Sum),
    ("VolumeWriteOps", Figure::Requests, true, Kind::Sum),
    ("VolumeReadBytes", Figure::Bytes, false, Kind::Sum),
    ("VolumeWriteBytes", Figure::Bytes, true, Kind::Sum),
    ("VolumeTotalReadTime", Figure::Time, false, Kind::Sum),
    ("VolumeTotalWriteTime", Figure::Time, true, Kind::Sum),
    ("ReadIOPS", Figure::Requests, false, Kind::Average),
    ("WriteIOPS", Figure::Requests, true, Kind::Average),
    ("ReadThroughput", Figure::Bytes, false, Kind::Average),
    ("WriteThroughput", Figure::Bytes, true, Kind::Average),
    ("ReadLatency", Figure::Time, false, Kind::Average),
    ("WriteLatency", Figure::Time, true, Kind::Average),
];

/// Suffix that RDS appends to the names of a dedicated log volume's metrics.
const LOG_VOLUME: &str = "LogVolume";

impl Metric {
    /// The metric that a label (`vol-0a1b VolumeReadOps`) or an id (`readIOPS_db1`) names, and the device: what else
    /// stands there. The label is the metric's name unless the query says otherwise, and in front of it what tells it
    /// from others.
    pub fn from_names(label: &str, id: &str) -> Option<(String, Metric)> {
        let words: Vec<&str> = label.split_whitespace().collect();
        let in_label = words.iter().enumerate().find_map(|(index, word)| {
            let (metric, rest) = Self::named(word)?;
            rest.is_empty().then_some(())?;
            let others = words.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, word)| *word);
            Some((others.collect::<Vec<_>>().join(" "), metric, word.len() > metric.name().len()))
        });
        let in_id = || {
            let joined: String = id.split('_').collect();
            let (metric, rest) = Self::named(&joined)?;
            // As it is written in the id: what follows as many letters as the name has.
            let log_volume = joined[metric.name().len()..].len() > rest.len();
            Some((id.get(id.len() - rest.len()..).unwrap_or(rest).to_owned(), metric, log_volume))
        };
        let (device, metric, log_volume) = in_label.or_else(in_id)?;
        let kind = if metric.kind == Kind::Sum { "volume" } else { "storage" };
        let device = match (device.is_empty(), log_volume) {
            (true, true) => "log volume".to_owned(),
            (true, false) => kind.to_owned(),
            (false, true) => format!("{device} log volume"),
            (false, false) => device,
        };
        Some((device, metric))
    }

    /// The metric whose name a text begins with, in whatever case, and the rest.
    fn named(text: &str) -> Option<(Metric, &str)> {
        let begins =
            |text: &str, name: &str| text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        let &(name, figure, write, kind) = NAMES.iter().find(|(name, ..)| begins(text, name))?;
        let rest = &text[name.len()..];
        let rest = if begins(rest, LOG_VOLUME) { &rest[LOG_VOLUME.len()..] } else { rest };
        Some((Metric { figure, write, kind }, rest))
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        let of =
            |(_, figure, write, kind): &&(_, _, _, _)| Metric { figure: *figure, write: *write, kind: *kind } == *self;
        NAMES.iter().find(of).map_or("", |(name, ..)| name)
    }

    /// The names of a figure in EBS and in RDS.
    pub fn names_of(figure: Figure, write: bool) -> (&'static str, &'static str) {
        let name = |kind| Metric { figure, write, kind }.name();
        (name(Kind::Sum), name(Kind::Average))
    }

    /// Requests or bytes over a period of this many seconds.
    pub fn count(&self, value: f64, period_s: i64) -> f64 {
        match self.kind {
            Kind::Sum => value,
            Kind::Average => value * period_s as f64,
        }
    }

    /// Milliseconds that so many requests took together.
    pub fn milliseconds(&self, seconds: f64, requests: f64) -> f64 {
        match self.kind {
            Kind::Sum => 1_000.0 * seconds,
            Kind::Average => 1_000.0 * seconds * requests,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_is_known_by_its_label_or_its_id() {
        let of = |label, id| Metric::from_names(label, id).map(|(device, metric)| (device, metric.name()));
        assert_eq!(of("ReadIOPS", "m1"), Some(("storage".into(), "ReadIOPS")));
        assert_eq!(of("prod-db ReadIOPS", "m1"), Some(("prod-db".into(), "ReadIOPS")));
        assert_eq!(of("vol-0a1b VolumeTotalReadTime", ""), Some(("vol-0a1b".into(), "VolumeTotalReadTime")));
        assert_eq!(of("", "volumeReadOps"), Some(("volume".into(), "VolumeReadOps")));
        assert_eq!(of("reads", "volume_read_ops"), Some(("volume".into(), "VolumeReadOps")));
        assert_eq!(of("", "readiops_db1"), Some(("db1".into(), "ReadIOPS")));
        assert_eq!(of("WriteIOPSLogVolume", "m7"), Some(("log volume".into(), "WriteIOPS")));
        assert_eq!(of("prod-db ReadThroughputLogVolume", "m7"), Some(("prod-db log volume".into(), "ReadThroughput")));
        // Other metrics are not ours: averages of EBS, CPU.
        for label in ["VolumeAvgReadLatency", "CPUUtilization", "ReadIOPSish", ""] {
            assert_eq!(of(label, "m1"), None, "{label}");
        }
    }
}
