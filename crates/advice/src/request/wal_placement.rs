//! Place of WAL in a what-if.

use crate::request::volume_request::{VolumeRequest, WAL_NAMES};
use ebs_aws::catalogue::{Platform, VolumeType};
use ebs_base::error::InputError;

/// The arguments for WAL, as written.
#[derive(Clone, Debug, Default)]
pub struct WalArguments {
    /// Type of WAL's own volume, or `same`.
    pub volume: Option<String>,
    /// Its IOPS.
    pub iops: Option<i64>,
    /// Its MiB/s.
    pub throughput_mibps: Option<i64>,
    /// Its GiB.
    pub size_gib: Option<i64>,
}

/// Place of WAL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WalPlacement {
    /// Each volume stays with what is on it; and all of them on one.
    #[default]
    Unchanged,
    /// WAL is on the volumes of the data.
    Same,
    /// WAL is on a volume of its own.
    Apart(VolumeRequest),
}

/// Word for WAL on the volumes of the data.
const SAME: &str = "same";

impl WalArguments {
    /// Checks the arguments. The log volume of RDS is no volume of free choice.
    pub fn check(&self, platform: Platform) -> Result<WalPlacement, InputError> {
        let placement = match self.volume.as_deref() {
            None => WalPlacement::Unchanged,
            Some(name) if name.eq_ignore_ascii_case(SAME) => WalPlacement::Same,
            Some(name) => {
                let figures = [self.iops, self.throughput_mibps, self.size_gib];
                WalPlacement::Apart(VolumeRequest::check(volume_type(name)?, figures, WAL_NAMES)?)
            }
        };
        if platform.is_rds() && matches!(placement, WalPlacement::Apart(_)) {
            return Err(InputError::Conflict {
                argument: "wal_volume",
                reason: "is not available on RDS",
                remedy: "RDS stores WAL with the data, or on a dedicated log volume of fixed size: ebs_advise has its price.",
            });
        }
        match conflict(placement, self.first_figure()) {
            Some(conflict) => Err(conflict),
            None => Ok(placement),
        }
    }

    /// The first argument with a figure of WAL's volume.
    fn first_figure(&self) -> Option<&'static str> {
        let figures =
            [("wal_iops", self.iops), ("wal_throughput_mibps", self.throughput_mibps), ("wal_size_gib", self.size_gib)];
        figures.into_iter().find_map(|(argument, value)| value.map(|_| argument))
    }
}

/// The error of a figure without a volume, or of a volume without the figure that it requires; `figure` is the first that was given.
fn conflict(placement: WalPlacement, figure: Option<&'static str>) -> Option<InputError> {
    let figure = |reason, remedy| figure.map(|argument| InputError::Conflict { argument, reason, remedy });
    match placement {
        WalPlacement::Unchanged => {
            figure("requires wal_volume", "Name the type of WAL's own volume, for example wal_volume => 'gp3'.")
        }
        WalPlacement::Same => figure(
            "has no effect with wal_volume => 'same'",
            "Leave it out: WAL is on the volumes of volume_type, iops and size_gib. Or name the type of its own, for example \
             wal_volume => 'gp3'.",
        ),
        // These include no IOPS: the least that is sold, 100, would be the bottleneck of nearly any WAL.
        WalPlacement::Apart(VolumeRequest { volume_type, iops: None, .. }) if volume_type.bills_all_iops() => {
            Some(InputError::Conflict {
                argument: "wal_volume",
                reason: "of a type that includes no IOPS requires wal_iops",
                remedy: "Choose them, for example wal_iops => 3000.",
            })
        }
        WalPlacement::Apart(_) => None,
    }
}

fn volume_type(name: &str) -> Result<VolumeType, InputError> {
    name.parse().map_err(|error| match error {
        InputError::UnknownName { what, name, accepted } => InputError::UnknownName {
            what,
            name,
            accepted: format!("{accepted} '{SAME}' puts WAL on the volumes of the data."),
        },
        other => other,
    })
}
