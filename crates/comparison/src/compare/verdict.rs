//! Verdicts of a comparison.

/// A verdict. The first three are of the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing that would make the comparison doubtful.
    Same,
    /// Something that may be the reason for a difference, or hide one.
    Differs,
    /// Nobody said.
    NotKnown,
    /// b is better than a.
    Better,
    /// b is worse than a.
    Worse,
    /// b is more than a, of which neither is better.
    Higher,
    /// b is less than a, of which neither is better.
    Lower,
    /// They differ by less than the margin.
    Equivalent,
    /// Nothing of the kind can be said.
    Inconclusive,
}

impl Verdict {
    /// As shown.
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
            Verdict::Inconclusive => "inconclusive",
        }
    }

    /// The same with a and b turned round.
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
