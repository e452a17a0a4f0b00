//! A finding.

use ebs_base::units::Usd;

/// What it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An index that is missing.
    Index,
    /// A statement that causes much of the reads.
    Statement,
    /// Sorts and hashes that did not fit work_mem.
    TemporaryFiles,
    /// Checkpoints forced by WAL.
    Checkpoints,
    /// Updates whose new row version found no room on its page.
    Pages,
    /// Autovacuum.
    Autovacuum,
}

impl Kind {
    /// The name shown to users.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Index => "index",
            Kind::Statement => "statement",
            Kind::TemporaryFiles => "temporary files",
            Kind::Checkpoints => "checkpoints",
            Kind::Pages => "fillfactor",
            Kind::Autovacuum => "autovacuum",
        }
    }
}

/// Requests a second at the device that would be gone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Saving {
    /// At least.
    pub low: f64,
    /// At most.
    pub high: f64,
}

impl Saving {
    /// Halfway.
    pub fn middle(&self) -> f64 {
        (self.low + self.high) / 2.0
    }
}

/// One cause of I/O, and what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What it is about.
    pub kind: Kind,
    /// Of what: a statement, a table, a setting.
    pub subject: String,
    /// What was measured, in words.
    pub measured: String,
    /// Its share of the device's requests, 0 to 1; `None` where it is not known.
    pub share: Option<f64>,
    /// What would be saved; `None` where that is not known, or nothing can be.
    pub saving: Option<Saving>,
    /// Dollars a month that the recommended volume would then cost less; `None` where that was not worked out.
    pub usd_month_saved: Option<Usd>,
    /// Why it is one, and what is estimated of it.
    pub reason: String,
    /// What to do.
    pub remedy: String,
}

impl Finding {
    /// What it is ranked by: requests a second saved halfway between the least and the most; 0 where nothing is known.
    pub(super) fn weight(&self) -> f64 {
        self.saving.map_or(0.0, |saving| saving.middle())
    }
}
