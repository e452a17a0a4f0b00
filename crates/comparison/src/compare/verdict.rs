//! Verdicts of a comparison.

/// A verdict. The first three are verdicts of the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The condition is the same; of figures, both are zero.
    Same,
    /// The condition differs, which may cause a difference or hide one.
    Differs,
    /// It is not known.
    NotKnown,
    /// b is better than a.
    Better,
    /// b is worse than a.
    Worse,
    /// b is more than a, and neither is better.
    Higher,
    /// b is less than a, and neither is better.
    Lower,
    /// They differ by less than the margin.
    Equivalent,
    /// The figures measure different things: latencies of requests of different sizes.
    NotCompared,
    /// None of these is significant.
    Inconclusive,
}

impl Verdict {
    /// Code of the verdict in columns.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::Differs => "differs",
            Verdict::NotKnown => "not known",
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::Higher => "higher",
            Verdict::Lower => "lower",
            Verdict::Equivalent => "equivalent",
            Verdict::NotCompared => "not compared",
            Verdict::Inconclusive => "inconclusive",
        }
    }

    /// The verdict with a and b exchanged.
    #[cfg(test)]
    pub(super) fn mirrored(self) -> Verdict {
        match self {
            Verdict::Better => Verdict::Worse,
            Verdict::Worse => Verdict::Better,
            Verdict::Higher => Verdict::Lower,
            Verdict::Lower => Verdict::Higher,
            alike => alike,
        }
    }
}
