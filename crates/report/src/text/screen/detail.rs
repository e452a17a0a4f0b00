//! The parts of the screen in the order in which they yield where it is full.

/// Parts of the screen that yield where it is full, the first to go first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// WORKLOAD's second line: throughput.
    Throughput,
    /// Rows of OPTIONS beyond five, today's apart.
    SixthOption,
    /// TO BE SURER beyond one line.
    SecondRemedyLine,
    /// NEXT beyond one line.
    SecondCallLine,
    /// The empty line below the heading.
    EmptyLine,
    /// Third lines of texts but the reason.
    ThirdTextLine,
    /// Second lines of texts but the next ones.
    SecondTextLine,
    /// The third line of the reason.
    ThirdReasonLine,
    /// Second lines of the reason, the confidence and the bottleneck.
    SecondReasonLine,
    /// Rows of several roles, beyond two, that are neither cheaper nor faster.
    Alternative,
    /// One volume for all roles where that is dearer.
    DearerConsolidated,
    /// Rows of several roles beyond two.
    ThirdOption,
    /// LOAD.
    Load,
    /// All of WORKLOAD.
    Workload,
    /// The reasons of the size.
    Size,
    /// Today's volumes, which OPTIONS has.
    Today,
    /// Pending changes beyond one line.
    SecondPendingLine,
    /// All of OPTIONS.
    Options,
    /// The parts that never yield.
    Rest,
}

impl Part {
    /// All of them in their order.
    pub(super) const ALL: [Part; 19] = [
        Part::Throughput,
        Part::SixthOption,
        Part::SecondRemedyLine,
        Part::SecondCallLine,
        Part::EmptyLine,
        Part::ThirdTextLine,
        Part::SecondTextLine,
        Part::ThirdReasonLine,
        Part::SecondReasonLine,
        Part::Alternative,
        Part::DearerConsolidated,
        Part::ThirdOption,
        Part::Load,
        Part::Workload,
        Part::Size,
        Part::Today,
        Part::SecondPendingLine,
        Part::Options,
        Part::Rest,
    ];
}

/// The parts that a screen has: this one and those that yield after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Detail(pub(super) Part);

impl Detail {
    /// True where the screen has that part.
    pub(super) fn has(self, part: Part) -> bool {
        part >= self.0
    }

    /// Most lines of a text.
    pub(super) fn text_lines(self) -> usize {
        1 + usize::from(self.has(Part::SecondTextLine)) + usize::from(self.has(Part::ThirdTextLine))
    }

    /// Most lines of the reason, of the confidence and of the bottleneck.
    pub(super) fn reason_lines(self) -> usize {
        1 + usize::from(self.has(Part::SecondReasonLine)) + usize::from(self.has(Part::ThirdReasonLine))
    }
}
