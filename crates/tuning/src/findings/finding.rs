//! A finding.

use super::cause::{Cause, Kind};
use ebs_base::units::Usd;

/// Requests a second that would be saved, as the device counts them: EBS may merge some of them, and count fewer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Saving {
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

impl Saving {
    /// Middle of the two bounds.
    pub fn middle(&self) -> f64 {
        (self.low + self.high) / 2.0
    }
}

/// A cause of I/O, and the saving if it is removed.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The cause with its figures.
    pub cause: Cause,
    /// Its share of the device's requests, 0 to 1; `None` where it is not known.
    pub share: Option<f64>,
    /// The saving; `None` where that is not known, or nothing can be saved.
    pub saving: Option<Saving>,
    /// Saving of the recommended volume, dollars a month; `None` where that was not computed.
    pub usd_month_saved: Option<Usd>,
}

impl Finding {
    /// A finding whose saving in dollars is not computed.
    pub(super) fn new(cause: Cause, share: Option<f64>, saving: Option<Saving>) -> Finding {
        Finding { cause, share, saving, usd_month_saved: None }
    }

    /// Kind of its cause.
    pub fn kind(&self) -> Kind {
        self.cause.kind()
    }

    /// Rank among findings: requests a second saved, halfway between the bounds; 0 where nothing is known.
    pub(super) fn weight(&self) -> f64 {
        self.saving.map_or(0.0, |saving| saving.middle())
    }
}
