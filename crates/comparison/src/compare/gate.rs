//! Whether runs can be compared at all: what they ran on, how long, how well they were watched. Something that differs stops
//! nothing: it is a row with its reason, and whoever reads on knows what else may be behind a difference.

use std::collections::BTreeSet;

use serde_json::Value;

use super::row::some;
use super::{Options, Row, Run, Verdict};
use ebs_base::format::{count, pct, plain, times};
use ebs_base::units::GIB;
use ebs_stats::permutation;
use ebs_workload::steady_state::RampUp;

/// Figures that are this close are the same.
const CLOSE: f64 = 0.1;
/// Less of a run than this being sampled makes its figures doubtful, per cent.
const COVERED_PCT: f64 = 95.0;
/// Fewer whole checkpoint cycles than this make how much of one was in the run a matter of luck.
const CYCLES: f64 = 2.0;

/// The rows.
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
    let clients = |run: &Run| run.note.as_ref()?.get("clients")?.as_f64();
    if sides.all().any(|run| clients(run).is_some()) {
        rows.push(sides.close("clients", "", clients, 0.0));
    }
    rows.push(sides.close("sessions", "sessions", sessions, CLOSE));
    rows.push(sides.close("data", "GiB", |run| Some(run.used_bytes? as f64 / GIB as f64), CLOSE));
    rows.push(sides.close("duration", "s", |run| Some(run.coverage.window_s), CLOSE));
    rows.extend(watched(&sides));
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

    /// What is a text.
    fn text(&self, metric: &str, of: impl Fn(&Run) -> Option<String>) -> Row {
        let each = |runs: &[Run]| runs.iter().map(&of).collect::<Option<BTreeSet<String>>>();
        let words = |values: BTreeSet<String>| values.into_iter().collect::<Vec<_>>().join(", ");
        match (each(self.a), each(self.b)) {
            (Some(a), Some(b)) if a == b && a.len() == 1 => row(metric, Verdict::Same, words(a)),
            (Some(a), Some(b)) => row(metric, Verdict::Differs, format!("a: {}; b: {}", words(a), words(b))),
            _ => row(metric, Verdict::NotKnown, self.unknown(|run| of(run).is_some())),
        }
    }

    /// What is a number, and the same if all are this close to the largest.
    fn close(&self, metric: &str, unit: &'static str, of: impl Fn(&Run) -> Option<f64>, share: f64) -> Row {
        let all: Option<Vec<f64>> = self.all().map(&of).collect();
        let (verdict, note) = match all {
            None => (Verdict::NotKnown, self.unknown(|run| of(run).is_some())),
            Some(all) => {
                let most = all.iter().copied().fold(f64::MIN, f64::max);
                let least = all.iter().copied().fold(f64::MAX, f64::min);
                let close = most - least <= share * most;
                let note = if close || share == 0.0 {
                    String::new()
                } else {
                    format!("more than {} apart", pct(100.0 * share))
                };
                (if close { Verdict::Same } else { Verdict::Differs }, note)
            }
        };
        Row { unit, a: average(self.a, &of), b: average(self.b, &of), ..row(metric, verdict, note) }
    }

    /// Of which runs something is not known.
    fn unknown(&self, known: impl Fn(&Run) -> bool) -> String {
        let labels: Vec<&str> = self.all().filter(|run| !known(run)).map(|run| run.label.as_str()).collect();
        format!("not known of {}", some(&labels))
    }

    /// Runs of which something holds.
    fn those(&self, of: impl Fn(&Run) -> bool) -> Vec<&'a str> {
        self.all().filter(|run| of(run)).map(|run| run.label.as_str()).collect()
    }
}

/// Labels in a note are somebody's words.
fn row(metric: &str, verdict: Verdict, note: String) -> Row {
    Row { section: "gate", metric: metric.to_owned(), verdict: Some(verdict), note: plain(&note), ..Row::default() }
}

fn average(runs: &[Run], of: impl Fn(&Run) -> Option<f64>) -> Option<f64> {
    let all: Vec<f64> = runs.iter().map(of).collect::<Option<_>>()?;
    (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
}

/// How many, and what so few cannot show.
fn runs(sides: &Sides, options: &Options) -> Row {
    let (a, b) = (sides.a.len(), sides.b.len());
    let (verdict, note) = if a == 1 || b == 1 {
        let note = format!(
            "between-run variance unknown: throughput of runs of the same thing is taken to differ by {} (noise_pct, standard \
             deviation); repeat each side",
            pct(options.noise_pct())
        );
        (Verdict::NotKnown, note)
    } else {
        let ones: Vec<f64> = (0..a + b).map(|n| n as f64).collect();
        let least = permutation(&ones[..a], &ones[a..]).map_or(1.0, |test| test.least);
        let note = match least > 0.05 {
            true => format!(
                "{} against {} dealt out at random cannot go below p = {}: verdicts rest on the intervals, by Student's t on \
                 logarithms",
                count(a as f64),
                count(b as f64),
                times(least)
            ),
            false => String::new(),
        };
        (Verdict::Same, note)
    };
    let both = sides.a.iter().filter(|run| sides.b.iter().any(|other| other.label == run.label));
    let both: Vec<&str> = both.map(|run| run.label.as_str()).collect();
    let mut found = Row { a: Some(a as f64), b: Some(b as f64), unit: "runs", ..row("runs", verdict, note) };
    if !both.is_empty() {
        found.verdict = Some(Verdict::Differs);
        found.note = format!("{} on both sides", some(&both));
    }
    found
}

/// A machine that changes meanwhile looks like a difference where one side came first.
fn order(sides: &Sides) -> Row {
    let before = |first: &[Run], then: &[Run]| {
        let last = first.iter().map(|run| run.from_us).max();
        let next = then.iter().map(|run| run.from_us).min();
        last < next
    };
    let warning = "a machine that changed meanwhile would look the same; next time alternate: a b b a";
    match (before(sides.a, sides.b), before(sides.b, sides.a)) {
        (true, _) => row("order", Verdict::Differs, format!("all of a before all of b: {warning}")),
        (_, true) => row("order", Verdict::Differs, format!("all of b before all of a: {warning}")),
        _ => row("order", Verdict::Same, "taken in turns".to_owned()),
    }
}

fn settings(sides: &Sides) -> Row {
    let known = |run: &Run| run.environment.settings.is_some();
    if !sides.all().all(known) {
        return row("settings", Verdict::NotKnown, sides.unknown(known));
    }
    let value = |run: &Run, name: &str| run.environment.settings.as_ref().and_then(|all| all.get(name).cloned());
    let names: BTreeSet<&String> =
        sides.all().filter_map(|run| run.environment.settings.as_ref()).flat_map(|all| all.keys()).collect();
    let differs = |name: &&&String| sides.all().map(|run| value(run, name)).collect::<BTreeSet<_>>().len() > 1;
    let different: Vec<String> =
        names.iter().filter(differs).map(|name| different(sides, name, |run| value(run, name))).collect();
    listed("settings", &different, format!("{} alike", count(names.len() as f64)))
}

/// Of a name: what each side says.
fn different(sides: &Sides, name: &str, of: impl Fn(&Run) -> Option<String>) -> String {
    let each = |runs: &[Run]| {
        let values: BTreeSet<String> = runs.iter().map(|run| of(run).unwrap_or_else(|| "none".to_owned())).collect();
        values.into_iter().collect::<Vec<_>>().join(" or ")
    };
    format!("{name} {} against {}", each(sides.a), each(sides.b))
}

fn listed(metric: &str, different: &[String], alike: String) -> Row {
    if different.is_empty() {
        return row(metric, Verdict::Same, alike);
    }
    row(metric, Verdict::Differs, some(&different.iter().map(String::as_str).collect::<Vec<_>>()))
}

/// What users noted when they began the runs: the scale, the clients, the volume.
fn note(sides: &Sides) -> Row {
    let keys =
        |run: &Run| run.note.as_ref().and_then(Value::as_object).map(|note| note.keys().cloned().collect::<Vec<_>>());
    if sides.all().all(|run| keys(run).is_none()) {
        return row(
            "note",
            Verdict::NotKnown,
            "nothing was noted: ebs_run_begin('…', '{\"scale\": 100, \"clients\": 16}')".to_owned(),
        );
    }
    let value = |run: &Run, name: &str| run.note.as_ref().and_then(|note| note.get(name)).map(Value::to_string);
    let names: BTreeSet<String> = sides.all().filter_map(keys).flatten().collect();
    let differs = |name: &&String| sides.all().map(|run| value(run, name)).collect::<BTreeSet<_>>().len() > 1;
    let different: Vec<String> =
        names.iter().filter(differs).map(|name| different(sides, name, |run| value(run, name))).collect();
    listed("note", &different, names.iter().cloned().collect::<Vec<_>>().join(", "))
}

/// Whether what was driven came to its end.
fn outcome(sides: &Sides) -> Row {
    let failed = |run: &Run| run.reported.ended.as_deref().filter(|ended| *ended != "finished").is_some();
    let unknown = |run: &Run| run.reported.ended.is_none();
    let (cut, silent) = (sides.those(failed), sides.those(unknown));
    match (cut.is_empty(), silent.is_empty()) {
        (false, _) => row("outcome", Verdict::Differs, format!("failed or interrupted: {}", some(&cut))),
        (true, false) => row("outcome", Verdict::NotKnown, format!("not known of {}", some(&silent))),
        (true, true) => row("outcome", Verdict::Same, "finished".to_owned()),
    }
}

/// Client backends that were connected, on average.
fn sessions(run: &Run) -> Option<f64> {
    let (connected, swept) = run.timeline.segments.iter().fold((0, 0), |sum: (u64, u64), segment| {
        (sum.0.saturating_add(segment.connected_us), sum.1.saturating_add(segment.swept_us))
    });
    (swept > 0).then(|| connected as f64 / swept as f64)
}

fn watched(sides: &Sides) -> [Row; 2] {
    let covered = |run: &Run| {
        let coverage = &run.coverage;
        (coverage.window_s > 0.0).then(|| (100.0 * coverage.sampled_s / coverage.window_s).min(100.0))
    };
    let poor = sides.those(|run| covered(run).is_none_or(|covered| covered < COVERED_PCT));
    let (verdict, note) = match poor.is_empty() {
        true => (Verdict::Same, String::new()),
        false => (Verdict::Differs, format!("less than {} of {} was sampled", pct(COVERED_PCT), some(&poor))),
    };
    let coverage =
        Row { unit: "%", a: average(sides.a, covered), b: average(sides.b, covered), ..row("coverage", verdict, note) };
    let reset = sides.those(|run| run.coverage.resets > 0);
    let (verdict, note) = match reset.is_empty() {
        true => (Verdict::Same, "none".to_owned()),
        false => (Verdict::Differs, format!("in {}: those seconds are left out", some(&reset))),
    };
    [coverage, row("counter resets", verdict, note)]
}

fn ramp_up(sides: &Sides) -> Row {
    let seconds = |run: &Run| run.steadiness.ramp_up.seconds();
    let is = |of: fn(&RampUp) -> bool| sides.those(move |run| of(&run.steadiness.ramp_up));
    let marked = is(|ramp_up| *ramp_up == RampUp::Marked);
    let too_long = is(|ramp_up| *ramp_up == RampUp::TooLong);
    let unknown = is(|ramp_up| *ramp_up == RampUp::NotKnown);
    let all = sides.a.len() + sides.b.len();
    let (verdict, note) = if !too_long.is_empty() {
        let note =
            format!("more than half of {} is ramp-up (MSER-5): not cut, still changing or too short", some(&too_long));
        (Verdict::Differs, note)
    } else if marked.len() == all {
        (Verdict::Same, "marked (phase measure)".to_owned())
    } else if !unknown.is_empty() {
        (Verdict::NotKnown, format!("nothing cut of {}: too short to tell", some(&unknown)))
    } else if marked.is_empty() {
        let cut = sides.all().any(|run| seconds(run).is_some_and(|seconds| seconds > 0.0));
        (Verdict::Same, if cut { "cut off where figures settle (MSER-5)" } else { "none found (MSER-5)" }.to_owned())
    } else {
        (Verdict::Differs, format!("marked in {}, cut off where figures settle (MSER-5) in the others", some(&marked)))
    };
    Row { unit: "s", a: average(sides.a, seconds), b: average(sides.b, seconds), ..row("ramp-up", verdict, note) }
}

fn steadiness(sides: &Sides) -> Row {
    let steady = |run: &Run| run.steadiness.is_steady();
    let unknown = sides.those(|run| steady(run).is_none());
    let drifting: Vec<&Run> = sides.all().filter(|run| steady(run) == Some(false)).collect();
    if !drifting.is_empty() {
        let each: Vec<String> = drifting
            .iter()
            .map(|run| format!("{} is {}", run.label, run.steadiness.words().unwrap_or_default()))
            .collect();
        let each: Vec<&str> = each.iter().map(String::as_str).collect();
        return row("steadiness", Verdict::Differs, some(&each));
    }
    match unknown.is_empty() {
        true => row("steadiness", Verdict::Same, "no trend".to_owned()),
        false => row("steadiness", Verdict::NotKnown, format!("{}: too short to tell", some(&unknown))),
    }
}

fn cycles(sides: &Sides) -> Row {
    // With fsync off no checkpoint can be seen.
    let blind = |run: &Run| {
        run.environment.settings.as_ref().is_some_and(|all| all.get("fsync").is_some_and(|fsync| fsync == "off"))
    };
    let cycles = |run: &Run| run.steadiness.checkpoint_cycles.filter(|_| !blind(run)).map(|cycles| cycles as f64);
    let unknown = sides.those(|run| cycles(run).is_none());
    let few = sides.those(|run| cycles(run).is_some_and(|cycles| cycles < CYCLES));
    let (verdict, note) = match (unknown.is_empty(), few.is_empty()) {
        (false, _) => (Verdict::NotKnown, format!("not known of {}", some(&unknown))),
        (_, false) => (Verdict::Differs, format!("fewer than two whole ones in {}", some(&few))),
        (true, true) => (Verdict::Same, String::new()),
    };
    Row {
        unit: "whole",
        a: average(sides.a, cycles),
        b: average(sides.b, cycles),
        ..row("checkpoint cycles", verdict, note)
    }
}
