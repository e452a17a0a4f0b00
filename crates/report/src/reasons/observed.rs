//! The thing whose counts a reason rests on, as its sentence names it.

/// The thing whose counts a reason rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed {
    /// A run.
    Run,
    /// A volume of a fleet, of which there is no run.
    Volume,
}

impl Observed {
    /// Its name, as a subject.
    pub(super) fn name(self) -> &'static str {
        match self {
            Observed::Run => "the run",
            Observed::Volume => "the volume",
        }
    }

    /// Describes that it was at a limit.
    pub(super) fn at_limit(self) -> &'static str {
        match self {
            Observed::Run => "the run was at a limit",
            Observed::Volume => "the volume was at its limit",
        }
    }
}
