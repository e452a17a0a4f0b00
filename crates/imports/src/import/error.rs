//! Errors of imports.

use ebs_aws::catalogue::UnknownStorage;
use ebs_base::names::quoted;
use ebs_base::units::SECOND_US;

/// Class of an error; the extension maps each to a SQLSTATE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// The input cannot be read.
    Input,
    /// The input can be read with another argument.
    Argument,
    /// The input exceeds a limit.
    Limit,
    /// A value of the input is no time.
    Time,
    /// A device that the input does not have, or a member that objects do not have.
    UnknownName,
}

/// Reason for which an import is refused. Rows and reports are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// One interval is the distance of two samples.
    #[error("at least two samples are needed, not {0}")]
    TooFew(usize),
    /// No time, or one that no sample can have.
    #[error("sample {0} has no \"ts\" between the years 1970 and 9999")]
    NoTime(usize),
    /// A row is not after the one before.
    #[error("sample {0} is not later than the one before it")]
    OutOfOrder(usize),
    /// Too short to count anything in.
    #[error("sample {0} is less than 1 ms long")]
    TooShort(usize),
    /// A count is missing or negative.
    #[error("sample {0} has no \"{1}\" that is a number from 0 to 1e15")]
    NotACount(usize, &'static str),
    /// A member is none of those that objects may have.
    #[error("{at}: unknown member \"{name}\"")]
    UnknownMember {
        /// `sample 17`, `report 3`.
        at: String,
        /// Its name, shortened.
        name: String,
        /// The known name that resembles it most.
        similar: Option<&'static str>,
        /// The known names.
        known: Vec<&'static str>,
    },
    /// A member is no number.
    #[error("{at}: \"{name}\" is not a number")]
    NotANumber {
        /// `sample 17`, `report 3`.
        at: String,
        /// Its name.
        name: &'static str,
        /// Its value, shortened.
        value: String,
    },
    /// A member is no time.
    #[error("{at}: \"{name}\" is not a time")]
    NotATime {
        /// `sample 17`, `report 3`.
        at: String,
        /// Its name.
        name: &'static str,
        /// Its value, shortened.
        value: String,
    },
    /// Something in it cannot be read.
    #[error("{at}: {problem}")]
    Malformed {
        /// `line 12`, `report 3`, `metric "ReadIOPS"`.
        at: String,
        /// The problem.
        problem: String,
    },
    /// Something in it is more, or longer, than is taken.
    #[error("{at}: more than {most} {what}")]
    TooMuch {
        /// `line 12`, `report 3`, `device "sda"`.
        at: String,
        /// The bound.
        most: usize,
        /// The counted items: `devices`, `bytes`.
        what: &'static str,
    },
    /// The input is of another kind, or empty.
    #[error("no {0} found")]
    Foreign(&'static str),
    /// A date or time in a form that cannot be read.
    #[error("{at}: there is no date or time that can be read: \"{text}\"")]
    UnreadableTime {
        /// `line 12`, `report 3`.
        at: String,
        /// The text, shortened.
        text: String,
    },
    /// A form in which the same is printed, and which is not read.
    #[error("this is {0}, which is not read")]
    OtherForm(&'static str),
    /// The input is of another kind, which another import reads.
    #[error("this looks like {kind}")]
    Resembles {
        /// Its name: `a report of iostat`.
        kind: &'static str,
        /// The way to import it.
        hint: String,
    },
    /// Two files have other figures of the same time.
    #[error("another file has other figures of device \"{}\" at {}", quoted(device), time_text(*at_us))]
    Overlapping {
        /// The device.
        device: String,
        /// The first such time, microseconds since 1970.
        at_us: i64,
    },
    /// The name of a device is longer than any, or cannot be printed; characters at most.
    #[error("a device needs a name of at most {0} printable characters")]
    DeviceName(usize),
    /// The input has no times.
    #[error("the report does not say when it was taken")]
    Untimed,
    /// An argument is no time zone.
    #[error("unknown time zone \"{0}\"")]
    TimeZone(String),
    /// An argument is out of range.
    #[error("{0}")]
    Argument(String),
    /// More than one candidate.
    #[error("there is more than one device, and none is named")]
    SeveralDevices(Vec<String>),
    /// The device is not in the source.
    #[error("there is no device \"{name}\"")]
    UnknownDevice {
        /// The requested name.
        name: String,
        /// The names in the source.
        devices: Vec<String>,
    },
    /// Aurora's storage is no volume.
    #[error("instance \"{0}\" is of Aurora, whose storage is no EBS volume")]
    Aurora(String),
    /// The catalogue does not have the storage of the instance's engine.
    #[error("instance \"{instance}\" is of engine \"{engine}\", whose storage is not known")]
    OtherEngine {
        /// The instance.
        instance: String,
        /// Its engine.
        engine: String,
    },
    /// Events of several instances.
    #[error("the events are of several instances: \"{first}\" and \"{second}\"")]
    MixedInstances {
        /// Its identifier, shortened.
        first: String,
        /// That of another.
        second: String,
    },
    /// None of the events is of the instance.
    #[error("there is no event of instance \"{name}\"")]
    UnknownInstance {
        /// The requested name.
        name: String,
        /// Names in the source.
        instances: Vec<String>,
    },
    /// Events that have the same time and other figures.
    #[error("{count} events have the time of another and other figures, the first at {}", time_text(*first_us))]
    Contradicting {
        /// Their number.
        count: usize,
        /// The first such time, microseconds since 1970.
        first_us: i64,
    },
    /// Metrics of an Aurora cluster, which has no EBS volumes.
    #[error("these are metrics of an Aurora cluster, which has no EBS volumes to choose")]
    AuroraCluster,
    /// More than one cluster.
    #[error("there is more than one cluster, and none is named")]
    SeveralClusters(Vec<String>),
    /// The cluster is not in the source.
    #[error("there is no cluster \"{name}\"")]
    UnknownCluster {
        /// The requested name.
        name: String,
        /// The names in the source.
        clusters: Vec<String>,
    },
    /// Data and WAL on the same.
    #[error("device and wal_device are the same")]
    SameDevice,
}

/// Devices named in a hint, at most.
const MAX_NAMED: usize = 20;

impl ImportError {
    /// Something wrong in a line.
    pub(crate) fn line(line: usize, problem: impl Into<String>) -> ImportError {
        ImportError::Malformed { at: format!("line {line}"), problem: problem.into() }
    }

    /// A bound that a line exceeds.
    pub(crate) fn beyond(line: usize, most: usize, what: &'static str) -> ImportError {
        ImportError::TooMuch { at: format!("line {line}"), most, what }
    }

    /// Its kind.
    pub fn class(&self) -> ErrorClass {
        match self {
            ImportError::UnknownDevice { .. }
            | ImportError::UnknownCluster { .. }
            | ImportError::UnknownMember { .. }
            | ImportError::UnknownInstance { .. } => ErrorClass::UnknownName,
            ImportError::NotATime { .. } => ErrorClass::Time,
            ImportError::TooMuch { .. } => ErrorClass::Limit,
            ImportError::SeveralDevices(_)
            | ImportError::SeveralClusters(_)
            | ImportError::AuroraCluster
            | ImportError::SameDevice
            | ImportError::Aurora(_)
            | ImportError::OtherEngine { .. }
            | ImportError::MixedInstances { .. }
            | ImportError::DeviceName(_)
            | ImportError::Untimed
            | ImportError::TimeZone(_)
            | ImportError::Argument(_) => ErrorClass::Argument,
            _ => ErrorClass::Input,
        }
    }

    /// The refused value, as a sentence.
    pub fn detail(&self) -> Option<String> {
        match self {
            ImportError::NotANumber { value, .. } | ImportError::NotATime { value, .. } => {
                Some(format!("The value is \"{value}\"."))
            }
            _ => None,
        }
    }

    /// Hint, where the error itself knows one; otherwise it is the same for all errors of a source.
    pub fn hint(&self) -> Option<String> {
        match self {
            ImportError::SeveralDevices(devices) | ImportError::UnknownDevice { devices, .. } => {
                Some(format!("Name one with device => …, and that of WAL with wal_device => …: {}.", listed(devices)))
            }
            ImportError::SeveralClusters(clusters) | ImportError::UnknownCluster { clusters, .. } => {
                Some(format!("Name one with cluster => …: {}.", listed(clusters)))
            }
            ImportError::AuroraCluster => {
                Some("ebs_aurora compares I/O-Optimized with Standard storage (docs/aurora.md).".to_owned())
            }
            ImportError::TooMuch { .. } => {
                let hint = "Import it in parts, or of fewer devices: iostat and sar report on those that are named on their command line.";
                Some(hint.to_owned())
            }
            ImportError::Aurora(_) => Some(
                "Its storage is billed by use: ebs_aurora compares its two prices; no volume can be advised."
                    .to_owned(),
            ),
            ImportError::OtherEngine { engine, .. } => {
                Some(UnknownStorage::Engine(engine.to_ascii_lowercase()).describe())
            }
            ImportError::MixedInstances { second, .. } => Some(format!(
                "Name one with instance => …, for example '{second}', and import each as a run of its own."
            )),
            ImportError::UnknownInstance { instances, .. } => Some(format!("Instances are {}.", listed(instances))),
            ImportError::Contradicting { .. } => Some(
                "Import one log stream alone: primary and standby of a Multi-AZ instance have one each.".to_owned(),
            ),
            ImportError::SameDevice => Some("Leave out wal_device where data and WAL share a device.".to_owned()),
            ImportError::Resembles { hint, .. } => Some(hint.clone()),
            ImportError::UnreadableTime { .. } => Some(
                "Repeat the command with S_TIME_FORMAT=ISO, or LC_ALL=C, before it: dates and times are those of the locale.".to_owned(),
            ),
            ImportError::Untimed => {
                let hint = "Run iostat with -t, or say started_at => … (when iostat began) and interval_s => ….";
                Some(hint.to_owned())
            }
            ImportError::Overlapping { .. } => Some(
                "Give files of one server and of times that follow each other; reports without times need started_at => … each."
                    .to_owned(),
            ),
            ImportError::DeviceName(_) => Some("For example nvme1n1.".to_owned()),
            ImportError::TimeZone(_) => Some("For example time_zone => 'Europe/Paris'.".to_owned()),
            ImportError::UnknownMember { similar, known, .. } => {
                let perhaps = similar.map_or_else(String::new, |name| format!("Perhaps \"{name}\" is meant. "));
                Some(format!("{perhaps}Known members are {}.", known.join(", ")))
            }
            ImportError::NotATime { name, .. } => Some(format!(
                "Write it as PostgreSQL's timestamptz, for example \"{name}\": \"2026-11-20 09:00:00+00\"."
            )),
            ImportError::NotANumber { name, .. } => {
                Some(format!("Write a number from 0 to 1e15, for example \"{name}\": 1200."))
            }
            _ => None,
        }
    }
}

/// A time in UTC, to the second.
pub fn time_text(us: i64) -> String {
    let second = us.div_euclid(SECOND_US as i64);
    jiff::Timestamp::from_second(second).map(|time| time.to_string()).unwrap_or_default()
}

fn listed(devices: &[String]) -> String {
    let named = devices.iter().take(MAX_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match devices.len() > MAX_NAMED {
        true => format!("{named} and {} more", devices.len() - MAX_NAMED),
        false => named,
    }
}
