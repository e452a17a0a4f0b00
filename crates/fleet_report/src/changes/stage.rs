//! Stages of changes: those that are worth a second look come after all others, whatever their risk.

use ebs_fleet_row::Row;

use crate::money::saving;

/// Share of the time at a limit, per cent, up to which the demand does not need another volume: the default of max_throttled_pct.
const MAX_LIMIT_PCT: f64 = 1.0;

/// Stage of a change, in the order of the waves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// A change by its risk.
    Usual,
    /// The recommended volume delivers less than the demand at the observed queue depth.
    Slower,
    /// It replaces a type that is unsuitable for a database, costs more, and the present volume carries the demand.
    CostsMore,
}

impl Stage {
    /// Returns the stage of a row's change.
    pub(super) fn new(row: &Row) -> Stage {
        let has = |code: &str| row.findings.iter().any(|finding| finding.code == code);
        let costs_more = saving(row).is_some_and(|saving| saving.cents() < 0);
        let suffices = row.limit_pct.is_some_and(|pct| pct <= MAX_LIMIT_PCT) && !has("saturated") && !has("fills_up");
        if has("unsuitable_type") && costs_more && suffices {
            Stage::CostsMore
        } else if has("slower") {
            Stage::Slower
        } else {
            Stage::Usual
        }
    }

    /// Returns its note after the title of a wave.
    pub(super) fn note(self) -> &'static str {
        match self {
            Stage::Usual => "",
            Stage::Slower => ", slower: sessions would wait",
            Stage::CostsMore => ", costs more; the demand does not need it",
        }
    }
}
