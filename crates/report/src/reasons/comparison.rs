//! Sentences of a comparison: the notes of its rows.

use std::collections::BTreeSet;

use super::steady_state;
use ebs_base::format::{count, pct, plain, size, times};
use ebs_comparison::compare::{Difference, Note, Row, Side};
use ebs_workload::steady_state::Steadiness;

/// Maximum number of names in a note.
const MAX_NAMES: usize = 6;
/// Runs a side from which on more of them narrow an interval little: Student's t of 95 % is 2.4 with four a side, 4.3 with two.
const ENOUGH_RUNS: usize = 4;

/// Describes the notes of a row; empty where it has none.
pub fn describe_notes(row: &Row) -> String {
    let text = row.notes.iter().map(note).collect::<Vec<_>>().join("; ");
    // Notes of the gate quote texts of users.
    if row.section == "gate" { plain(&text) } else { text }
}

fn note(note: &Note) -> String {
    match note {
        Note::UnknownOf(runs) => format!("unknown for {}", list(runs)),
        Note::UnknownOfSide(side) => format!("unknown for {}", name(*side)),
        Note::Value(value) => value.clone(),
        Note::Values { a, b } => format!("a: {}; b: {}", joined(a, ", "), joined(b, ", ")),
        Note::Apart { share } => format!("more than {} apart", pct(100.0 * share)),
        Note::VarianceAssumed { .. } | Note::FewPermutations { .. } | Note::OnBothSides(_) => describe_run_note(note),
        Note::FirstWasAll(first) => order(*first),
        Note::Alternating => "taken in turns".to_owned(),
        Note::SettingsAlike(settings) => format!("{} alike", count(*settings as f64)),
        Note::Differences(differences) => list(&differences.iter().map(difference).collect::<Vec<_>>()),
        Note::NothingNoted => "nothing was noted: ebs_run_begin('…', '{\"scale\": 100, \"clients\": 16}')".to_owned(),
        Note::Noted(names) => names.join(", "),
        Note::Unfinished(runs) => format!("failed or interrupted: {}", list(runs)),
        Note::Finished => "finished".to_owned(),
        Note::PoorlyCovered { least_pct, runs } => {
            format!("less than {} of {} was sampled", pct(*least_pct), list(runs))
        }
        Note::ResetIn(runs) => format!("in {}: those seconds are left out", list(runs)),
        Note::NoResets => "none".to_owned(),
        Note::RampUpTooLong(_)
        | Note::RampUpMarked
        | Note::RampUpUnknown(_)
        | Note::RampUpCut
        | Note::NoRampUp
        | Note::RampUpMarkedIn(_) => ramp_up(note),
        Note::Drifting(runs) => list(&runs.iter().map(drift).collect::<Vec<_>>()),
        Note::NoTrend => "no trend".to_owned(),
        Note::TrendUnknown(runs) => format!("{}: too short to tell", list(runs)),
        Note::FewCycles(runs) => format!("fewer than two whole ones in {}", list(runs)),
        Note::Primary
        | Note::CommitsAndRollbacks
        | Note::DriverTransactions
        | Note::NoRatioOfZero
        | Note::RareRequests
        | Note::FewFlushes
        | Note::TooWide { .. }
        | Note::RequestSizes { .. }
        | Note::NotSignificant
        | Note::PermutationsDiffer { .. } => describe_figure_note(note),
    }
}

fn describe_run_note(note: &Note) -> String {
    match note {
        Note::VarianceAssumed { noise_pct } => format!(
            "between-run variance unknown: throughput of runs of the same workload is taken to differ by {} (noise_pct, standard \
             deviation); repeat each side",
            pct(*noise_pct)
        ),
        Note::FewPermutations { a, b, least } => format!(
            "{} against {} dealt out at random cannot go below p = {}: verdicts rest on the intervals, by Student's t on \
             logarithms",
            count(*a as f64),
            count(*b as f64),
            times(*least)
        ),
        Note::OnBothSides(runs) => format!("{} on both sides", list(runs)),
        _ => String::new(),
    }
}

fn ramp_up(note: &Note) -> String {
    match note {
        Note::RampUpTooLong(runs) => {
            format!("more than half of {} is ramp-up (MSER-5): not cut, still changing or too short", list(runs))
        }
        Note::RampUpMarked => "marked (phase measure)".to_owned(),
        Note::RampUpUnknown(runs) => format!("nothing cut of {}: too short to tell", list(runs)),
        Note::RampUpCut => "cut off where figures settle (MSER-5)".to_owned(),
        Note::NoRampUp => "none found (MSER-5)".to_owned(),
        Note::RampUpMarkedIn(runs) => {
            format!("marked in {}, cut off where figures settle (MSER-5) in the others", list(runs))
        }
        _ => String::new(),
    }
}

fn describe_figure_note(note: &Note) -> String {
    let text = match note {
        Note::Primary => "the primary figure: its verdict is not corrected for the number of figures",
        Note::CommitsAndRollbacks => "commits and rollbacks of all databases",
        Note::DriverTransactions => "transactions are the driver's, because the server's were not counted in every run",
        Note::NoRatioOfZero => "0 has no ratio",
        Note::RareRequests => "how far runs lie apart in requests as rare as these is unknown: repeat them",
        Note::FewFlushes => "no interval: the spread within and between these runs is unknown; repeat each side",
        Note::NotSignificant => "1 lies outside the interval, but that is no news among so many figures",
        Note::TooWide { factor, fewest } => {
            let missing = if *fewest < ENOUGH_RUNS {
                format!("repeat each side, {ENOUGH_RUNS} runs or more")
            } else {
                "runs of one side differ too much: make them longer".to_owned()
            };
            return format!("no interval: it would be wider than a factor of {} each way; {missing}", count(*factor));
        }
        Note::RequestSizes { a_kib, b_kib } => {
            return format!("not compared: request size differs ({} KiB, {} KiB)", size(*a_kib), size(*b_kib));
        }
        Note::PermutationsDiffer { p } => {
            return format!("runs dealt out at random differ as much in {}", pct(100.0 * p));
        }
        _ => "",
    };
    text.to_owned()
}

fn name(side: Side) -> &'static str {
    match side {
        Side::A => "a",
        Side::B => "b",
    }
}

fn order(first: Side) -> String {
    let second = match first {
        Side::A => Side::B,
        Side::B => Side::A,
    };
    format!(
        "all of {} before all of {}: a machine that changed meanwhile would look the same; next time alternate: a b b a",
        name(first),
        name(second)
    )
}

/// Describes a difference: `fsync on against off`.
fn difference(difference: &Difference) -> String {
    let values = |values: &BTreeSet<Option<String>>| {
        let values: BTreeSet<String> =
            values.iter().map(|value| value.clone().unwrap_or_else(|| "none".to_owned())).collect();
        joined(&values, " or ")
    };
    format!("{} {} against {}", difference.name, values(&difference.a), values(&difference.b))
}

fn drift((run, steadiness): &(String, Steadiness)) -> String {
    format!("{run} is {}", steady_state::describe(steadiness).unwrap_or_default())
}

fn joined(values: &BTreeSet<String>, separator: &str) -> String {
    values.iter().map(String::as_str).collect::<Vec<_>>().join(separator)
}

/// Lists the first names, and the number of the others.
fn list(names: &[String]) -> String {
    let more = names.len().saturating_sub(MAX_NAMES);
    let shown = names[..names.len() - more].join(", ");
    if more > 0 { format!("{shown} and {} more", count(more as f64)) } else { shown }
}

#[cfg(test)]
#[path = "comparison_tests.rs"]
mod tests;
