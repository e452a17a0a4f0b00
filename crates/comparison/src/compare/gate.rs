//! The gate: conditions of the runs, their length and their coverage. A difference does not stop the comparison: it is a row with
//! a note, so that readers know what else may cause a difference in the figures.

use std::collections::BTreeSet;

use serde_json::Value;

use super::note::{Difference, Note, Side};
use super::{Options, Row, Run, Verdict};
use ebs_base::units::GIB;
use ebs_stats::permutation;
use ebs_workload::steady_state::RampUp;

/// Relative difference within which figures count as the same.
const TOLERANCE: f64 = 0.1;
/// Smallest sampled share of a run whose figures are reliable, per cent.
const MIN_COVERED_PCT: f64 = 95.0;
/// Fewest whole checkpoint cycles with which the figures do not depend on the phase of the cycle.
const MIN_CYCLES: f64 = 2.0;

/// Checks the conditions, a row each.
pub fn rows(a: &[Run], b: &[Run], options: &Options) -> Vec<Row> {
    let sides = Sides { a, b };
    let mut rows = vec![
        runs(&sides, options),
        order(&sides),
        sides.text("server version", |run| run.environment.server_version.clone()),
        settings(&sides),
        sides.text("cluster", |run| run.environment.system_identifier.clone()),
        sides.text("instance", |run| run.environment.instance.clone()),
        sides.text("volumes", |run| run.volumes.clone()),
        note(&sides),
    ];
    if sides.all().any(|run| run.reported.command.is_some()) {
        rows.push(sides.text("command", |run| run.reported.command.clone()));
    }
    if sides.all().any(|run| run.reported.ended.is_some()) {
        rows.push(outcome(&sides));
    }
    let noted = |run: &Run| run.note.as_ref()?.get("clients")?.as_f64();
    let clients = |run: &Run| run.reported.clients.or_else(|| noted(run));
    if sides.all().any(|run| clients(run).is_some()) {
        rows.push(sides.number("clients", "", clients, 0.0));
    }
    rows.push(sides.number("sessions", "sessions", sessions, TOLERANCE));
    rows.push(sides.number("data", "GiB", |run| Some(run.used_bytes? as f64 / GIB as f64), TOLERANCE));
    rows.push(sides.number("duration", "s", |run| Some(run.coverage.window_s), TOLERANCE));
    rows.push(coverage(&sides));
    rows.push(resets(&sides));
    rows.push(ramp_up(&sides));
    rows.push(steadiness(&sides));
    rows.push(cycles(&sides));
    rows
}

struct Sides<'a> {
    a: &'a [Run],
    b: &'a [Run],
}

impl<'a> Sides<'a> {
    fn all(&self) -> impl Iterator<Item = &'a Run> + use<'a> {
        self.a.iter().chain(self.b)
    }

    /// The row of a text.
    fn text(&self, metric: &str, value: impl Fn(&Run) -> Option<String>) -> Row {
        let values = |runs: &[Run]| runs.iter().map(&value).collect::<Option<BTreeSet<String>>>();
        let (Some(a), Some(b)) = (values(self.a), values(self.b)) else {
            return row(metric, Verdict::NotKnown, self.unknown(|run| value(run).is_some()));
        };
        match a.first().filter(|_| a == b && a.len() == 1) {
            Some(value) => row(metric, Verdict::Same, Note::Value(value.clone())),
            None => row(metric, Verdict::Differs, Note::Values { a, b }),
        }
    }

    /// The row of a number: the verdict is the same if all are within this share of the largest.
    fn number(&self, metric: &str, unit: &'static str, value: impl Fn(&Run) -> Option<f64>, share: f64) -> Row {
        let values: Option<Vec<f64>> = self.all().map(&value).collect();
        let (verdict, note) = match values {
            None => (Verdict::NotKnown, Some(self.unknown(|run| value(run).is_some()))),
            Some(values) => {
                let max = values.iter().copied().fold(f64::MIN, f64::max);
                let min = values.iter().copied().fold(f64::MAX, f64::min);
                let close = max - min <= share * max;
                let note = (!close && share > 0.0).then_some(Note::Apart { share });
                (if close { Verdict::Same } else { Verdict::Differs }, note)
            }
        };
        Row { unit, ..self.averaged(metric, verdict, note, &value) }
    }

    /// A row with the average of each side.
    fn averaged(&self, metric: &str, verdict: Verdict, note: Option<Note>, value: impl Fn(&Run) -> Option<f64>) -> Row {
        Row { a: average(self.a, &value), b: average(self.b, &value), ..row(metric, verdict, note) }
    }

    /// The note on the runs in which a value is not known.
    fn unknown(&self, known: impl Fn(&Run) -> bool) -> Note {
        Note::UnknownOf(self.labels(|run| !known(run)))
    }

    /// Labels of the runs that meet a condition.
    fn labels(&self, condition: impl Fn(&Run) -> bool) -> Vec<String> {
        self.all().filter(|run| condition(run)).map(|run| run.label.clone()).collect()
    }
}

fn row(metric: &str, verdict: Verdict, note: impl Into<Option<Note>>) -> Row {
    let notes = note.into().into_iter().collect();
    Row { section: "gate", metric: metric.to_owned(), verdict: Some(verdict), notes, ..Row::default() }
}

fn average(runs: &[Run], value: impl Fn(&Run) -> Option<f64>) -> Option<f64> {
    let values: Vec<f64> = runs.iter().map(value).collect::<Option<_>>()?;
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The row of the number of runs, with a note where they are too few.
fn runs(sides: &Sides, options: &Options) -> Row {
    let (a, b) = (sides.a.len(), sides.b.len());
    let both = |run: &&Run| sides.b.iter().any(|other| other.label == run.label);
    let both: Vec<String> = sides.a.iter().filter(both).map(|run| run.label.clone()).collect();
    let (verdict, note) = if !both.is_empty() {
        (Verdict::Differs, Some(Note::OnBothSides(both)))
    } else if a == 1 || b == 1 {
        (Verdict::NotKnown, Some(Note::VarianceAssumed { noise_pct: options.noise_pct() }))
    } else {
        let ranks: Vec<f64> = (0..a + b).map(|n| n as f64).collect();
        let least = permutation(&ranks[..a], &ranks[a..]).map_or(1.0, |test| test.least);
        (Verdict::Same, (least > 0.05).then_some(Note::FewPermutations { a, b, least }))
    };
    Row { a: Some(a as f64), b: Some(b as f64), unit: "runs", ..row("runs", verdict, note) }
}

/// The row of the order of runs: a machine that changes over time looks like a difference where one side came first.
fn order(sides: &Sides) -> Row {
    let before = |first: &[Run], then: &[Run]| {
        let last = first.iter().map(|run| run.from_us).max();
        let next = then.iter().map(|run| run.from_us).min();
        last < next
    };
    if before(sides.a, sides.b) {
        row("order", Verdict::Differs, Note::FirstWasAll(Side::A))
    } else if before(sides.b, sides.a) {
        row("order", Verdict::Differs, Note::FirstWasAll(Side::B))
    } else {
        row("order", Verdict::Same, Note::Alternating)
    }
}

fn settings(sides: &Sides) -> Row {
    let known = |run: &Run| run.environment.settings.is_some();
    if !sides.all().all(known) {
        return row("settings", Verdict::NotKnown, sides.unknown(known));
    }
    let value = |run: &Run, name: &str| run.environment.settings.as_ref().and_then(|all| all.get(name).cloned());
    let names: BTreeSet<String> =
        sides.all().filter_map(|run| run.environment.settings.as_ref()).flat_map(|all| all.keys().cloned()).collect();
    differences("settings", sides, &names, value, Note::SettingsAlike(names.len()))
}

/// The row of values by name.
fn differences(
    metric: &str,
    sides: &Sides,
    names: &BTreeSet<String>,
    value: impl Fn(&Run, &str) -> Option<String>,
    alike: Note,
) -> Row {
    let values = |runs: &[Run], name: &str| runs.iter().map(|run| value(run, name)).collect::<BTreeSet<_>>();
    let each =
        names.iter().map(|name| Difference { name: name.clone(), a: values(sides.a, name), b: values(sides.b, name) });
    let different: Vec<Difference> = each.filter(|each| each.a.union(&each.b).count() > 1).collect();
    if different.is_empty() {
        return row(metric, Verdict::Same, alike);
    }
    row(metric, Verdict::Differs, Note::Differences(different))
}

/// The row of the users' notes on the runs: the scale, the clients, the volume.
fn note(sides: &Sides) -> Row {
    let keys =
        |run: &Run| run.note.as_ref().and_then(Value::as_object).map(|note| note.keys().cloned().collect::<Vec<_>>());
    if sides.all().all(|run| keys(run).is_none()) {
        return row("note", Verdict::NotKnown, Note::NothingNoted);
    }
    let value = |run: &Run, name: &str| run.note.as_ref().and_then(|note| note.get(name)).map(Value::to_string);
    let names: BTreeSet<String> = sides.all().filter_map(keys).flatten().collect();
    differences("note", sides, &names, value, Note::Noted(names.iter().cloned().collect()))
}

/// The row of the driver's end.
fn outcome(sides: &Sides) -> Row {
    let failed = sides.labels(|run| run.reported.ended.as_deref().is_some_and(|ended| ended != "finished"));
    let unknown = sides.labels(|run| run.reported.ended.is_none());
    if !failed.is_empty() {
        row("outcome", Verdict::Differs, Note::Unfinished(failed))
    } else if !unknown.is_empty() {
        row("outcome", Verdict::NotKnown, Note::UnknownOf(unknown))
    } else {
        row("outcome", Verdict::Same, Note::Finished)
    }
}

/// Client backends that were connected, on average.
fn sessions(run: &Run) -> Option<f64> {
    let (connected, swept) = run.timeline.segments.iter().fold((0, 0), |sum: (u64, u64), segment| {
        (sum.0.saturating_add(segment.connected_us), sum.1.saturating_add(segment.swept_us))
    });
    (swept > 0).then(|| connected as f64 / swept as f64)
}

fn coverage(sides: &Sides) -> Row {
    let covered = |run: &Run| {
        let coverage = &run.coverage;
        (coverage.window_s > 0.0).then(|| (100.0 * coverage.sampled_s / coverage.window_s).min(100.0))
    };
    let poor = sides.labels(|run| covered(run).is_none_or(|covered| covered < MIN_COVERED_PCT));
    let (verdict, note) = if poor.is_empty() {
        (Verdict::Same, None)
    } else {
        (Verdict::Differs, Some(Note::PoorlyCovered { least_pct: MIN_COVERED_PCT, runs: poor }))
    };
    Row { unit: "%", ..sides.averaged("coverage", verdict, note, covered) }
}

fn resets(sides: &Sides) -> Row {
    let reset = sides.labels(|run| run.coverage.resets > 0);
    if reset.is_empty() {
        row("counter resets", Verdict::Same, Note::NoResets)
    } else {
        row("counter resets", Verdict::Differs, Note::ResetIn(reset))
    }
}

fn ramp_up(sides: &Sides) -> Row {
    let seconds = |run: &Run| run.steadiness.ramp_up.seconds();
    let with = |condition: fn(&RampUp) -> bool| sides.labels(move |run| condition(&run.steadiness.ramp_up));
    let marked = with(|ramp_up| *ramp_up == RampUp::Marked);
    let too_long = with(|ramp_up| *ramp_up == RampUp::TooLong);
    let unknown = with(|ramp_up| *ramp_up == RampUp::NotKnown);
    let all = sides.a.len() + sides.b.len();
    let (verdict, note) = if !too_long.is_empty() {
        (Verdict::Differs, Note::RampUpTooLong(too_long))
    } else if marked.len() == all {
        (Verdict::Same, Note::RampUpMarked)
    } else if !unknown.is_empty() {
        (Verdict::NotKnown, Note::RampUpUnknown(unknown))
    } else if marked.is_empty() {
        let cut = sides.all().any(|run| seconds(run).is_some_and(|seconds| seconds > 0.0));
        (Verdict::Same, if cut { Note::RampUpCut } else { Note::NoRampUp })
    } else {
        (Verdict::Differs, Note::RampUpMarkedIn(marked))
    };
    Row { unit: "s", ..sides.averaged("ramp-up", verdict, Some(note), seconds) }
}

fn steadiness(sides: &Sides) -> Row {
    let steady = |run: &Run| run.steadiness.is_steady();
    let drifting = sides.all().filter(|run| steady(run) == Some(false));
    let drifting: Vec<_> = drifting.map(|run| (run.label.clone(), run.steadiness)).collect();
    let unknown = sides.labels(|run| steady(run).is_none());
    if !drifting.is_empty() {
        row("steadiness", Verdict::Differs, Note::Drifting(drifting))
    } else if !unknown.is_empty() {
        row("steadiness", Verdict::NotKnown, Note::TrendUnknown(unknown))
    } else {
        row("steadiness", Verdict::Same, Note::NoTrend)
    }
}

fn cycles(sides: &Sides) -> Row {
    // Without fsync, checkpoints are not visible.
    let without_fsync = |run: &Run| {
        run.environment.settings.as_ref().is_some_and(|all| all.get("fsync").is_some_and(|fsync| fsync == "off"))
    };
    let cycles =
        |run: &Run| run.steadiness.checkpoint_cycles.filter(|_| !without_fsync(run)).map(|cycles| cycles as f64);
    let unknown = sides.labels(|run| cycles(run).is_none());
    let few = sides.labels(|run| cycles(run).is_some_and(|cycles| cycles < MIN_CYCLES));
    let (verdict, note) = if !unknown.is_empty() {
        (Verdict::NotKnown, Some(Note::UnknownOf(unknown)))
    } else if !few.is_empty() {
        (Verdict::Differs, Some(Note::FewCycles(few)))
    } else {
        (Verdict::Same, None)
    };
    Row { unit: "whole", ..sides.averaged("checkpoint cycles", verdict, note, cycles) }
}
