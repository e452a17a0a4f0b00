//! One report of iostat, as read.

use super::rates::Rates;
use crate::import::civil::Stamp;

/// Report of iostat before its times are resolved: a place for errors, its time, its devices.
#[derive(Default)]
pub(super) struct IostatReport {
    pub at: String,
    pub stamp: Option<Stamp>,
    /// A line above its tables that is none of iostat's, with its number.
    pub unread: Option<(usize, String)>,
    pub rows: Vec<(String, Rates)>,
}
