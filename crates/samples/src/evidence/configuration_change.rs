//! Changes of the configuration of volumes within a window.

/// Change of the configuration of volumes within a window: its samples are of both configurations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigurationChange {
    /// EBS volume ID, or identifier of the RDS instance.
    pub name: String,
    /// Name of the volume in declarations; `None` of all volumes of an instance.
    pub volume: Option<String>,
    /// Time of the change.
    pub time: ChangeTime,
    /// Configuration before it, in words.
    pub before: String,
    /// Configuration after it, in words.
    pub after: String,
    /// True where the current volumes are those after it, false where they are those before it.
    pub is_after_current: bool,
}

/// Time of a change, microseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeTime {
    /// A modification that AWS printed.
    Modification {
        /// Its start.
        started_us: i64,
        /// Its end; `None` where it had not ended when it was imported.
        ended_us: Option<i64>,
    },
    /// A time between two imports with different configurations.
    BetweenImports {
        /// Last import with the configuration before it.
        earliest_us: i64,
        /// First import with the configuration after it.
        latest_us: i64,
    },
}

impl ChangeTime {
    /// True where a bound that is known lies within a window, and not at its ends.
    pub fn is_within(self, from_us: i64, to_us: i64) -> bool {
        let is_inside = |at_us: i64| from_us < at_us && at_us < to_us;
        match self {
            ChangeTime::Modification { started_us, .. } => is_inside(started_us),
            ChangeTime::BetweenImports { earliest_us, latest_us } => is_inside(earliest_us) || is_inside(latest_us),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_within_by_a_bound_that_is_known() {
        let modification = |started_us| ChangeTime::Modification { started_us, ended_us: Some(started_us + 50) };
        assert_eq!(
            [5, 10, 15, 20, 25].map(|at_us| modification(at_us).is_within(10, 20)),
            [false, false, true, false, false]
        );
        let imports = |(earliest_us, latest_us)| ChangeTime::BetweenImports { earliest_us, latest_us };
        let within = [(1, 15), (15, 30), (12, 18), (1, 30), (1, 5)].map(|times| imports(times).is_within(10, 20));
        assert_eq!(within, [true, true, true, false, false]);
    }
}
