//! Verdicts of a comparison.

ebs_base::named! {
    /// A verdict. The first three are verdicts of the gate.
    pub enum Verdict {
        /// The condition is the same; of figures, both are zero.
        Same = "same",
        /// The condition differs, which may cause a difference or hide one.
        Differs = "differs",
        /// It is not known.
        NotKnown = "not known",
        /// b is better than a.
        Better = "better",
        /// b is worse than a.
        Worse = "worse",
        /// b is more than a, and neither is better.
        Higher = "higher",
        /// b is less than a, and neither is better.
        Lower = "lower",
        /// They differ by less than the margin.
        Equivalent = "equivalent",
        /// The figures measure different things: latencies of requests of different sizes.
        NotCompared = "not compared",
        /// None of these is significant.
        Inconclusive = "inconclusive",
    }
}

impl Verdict {
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
