use super::*;
use ebs_workload::steady_state::{RampUp, Trend, Work};

fn text(note: Note) -> String {
    describe_notes(&Row { section: "gate", notes: vec![note], ..Row::default() })
}

fn labels(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("r{n}")).collect()
}

fn set(values: &[&str]) -> BTreeSet<String> {
    values.iter().map(|value| (*value).to_owned()).collect()
}

#[test]
fn notes_are_joined_and_those_of_the_gate_move_no_cursor() {
    let notes = |section| {
        let notes = vec![Note::Primary, Note::UnknownOf(vec!["a\u{1b}[31m".to_owned()])];
        super::describe_notes(&Row { section, notes, ..Row::default() })
    };
    let primary = "the primary figure: its verdict is not corrected for the number of figures; unknown for a";
    assert_eq!(notes("gate"), format!("{primary}?[31m"));
    assert_eq!(notes("per second"), format!("{primary}\u{1b}[31m"));
    assert_eq!(super::describe_notes(&Row::default()), "");
}

#[test]
fn runs_are_listed_as_far_as_there_is_room() {
    assert_eq!(text(Note::UnknownOf(labels(6))), "unknown for r0, r1, r2, r3, r4, r5");
    assert_eq!(text(Note::UnknownOf(labels(7))), "unknown for r0, r1, r2, r3, r4, r5 and 1 more");
    assert_eq!(text(Note::OnBothSides(labels(1))), "r0 on both sides");
    assert_eq!(text(Note::Unfinished(labels(1))), "failed or interrupted: r0");
    let poor = Note::PoorlyCovered { least_pct: 95.0, runs: vec!["b".to_owned()] };
    assert_eq!(text(poor), "less than 95 % of b was sampled");
    assert_eq!(text(Note::ResetIn(labels(1))), "in r0: those seconds are left out");
    assert_eq!(text(Note::TrendUnknown(labels(1))), "r0: too short to tell");
    assert_eq!(text(Note::FewCycles(labels(1))), "fewer than two whole ones in r0");
}

#[test]
fn conditions_have_the_values_of_both_sides() {
    assert_eq!(text(Note::Value("18.1".to_owned())), "18.1");
    let values = Note::Values { a: set(&["18.1"]), b: set(&["16", "17.2"]) };
    assert_eq!(text(values), "a: 18.1; b: 16, 17.2");
    let value = |value: &str| Some(value.to_owned());
    let difference = |name: &str, a, b| Difference { name: name.to_owned(), a, b };
    assert_eq!(
        text(Note::Differences(vec![
            difference("fsync", [value("on")].into(), [value("off")].into()),
            difference("work_mem", [value("1MB"), None].into(), [None].into()),
        ])),
        "fsync on against off, work_mem 1MB or none against none"
    );
    assert_eq!(text(Note::Apart { share: 0.1 }), "more than 10 % apart");
    assert_eq!(text(Note::SettingsAlike(1_000)), "1,000 alike");
    assert_eq!(text(Note::Noted(labels(2))), "r0, r1");
    assert!(text(Note::NothingNoted).starts_with("nothing was noted: ebs_run_begin("));
    let fixed = [Note::Alternating, Note::Finished, Note::NoResets, Note::NoTrend].map(text);
    assert_eq!(fixed, ["taken in turns", "finished", "none", "no trend"]);
}

#[test]
fn few_runs_say_what_they_cannot_show() {
    let assumed = text(Note::VarianceAssumed { noise_pct: 3.5 });
    assert!(assumed.starts_with(
        "between-run variance unknown: throughput of runs of the same workload is taken to differ by 3.5 %"
    ));
    assert_eq!(
        text(Note::FewPermutations { a: 3, b: 3, least: 0.1 }),
        "3 against 3 dealt out at random cannot go below p = 0.10: verdicts rest on the intervals, by Student's t on logarithms"
    );
    let warning = "a machine that changed meanwhile would look the same; next time alternate: a b b a";
    assert_eq!(text(Note::FirstWasAll(Side::A)), format!("all of a before all of b: {warning}"));
    assert_eq!(text(Note::FirstWasAll(Side::B)), format!("all of b before all of a: {warning}"));
}

#[test]
fn ramp_ups_and_trends_are_told_apart() {
    assert_eq!(
        text(Note::RampUpTooLong(labels(1))),
        "more than half of r0 is ramp-up (MSER-5): not cut, still changing or too short"
    );
    assert_eq!(text(Note::RampUpMarked), "marked (phase measure)");
    assert_eq!(text(Note::RampUpUnknown(labels(1))), "nothing cut of r0: too short to tell");
    assert_eq!(text(Note::RampUpCut), "cut off where figures settle (MSER-5)");
    assert_eq!(text(Note::NoRampUp), "none found (MSER-5)");
    assert_eq!(
        text(Note::RampUpMarkedIn(labels(1))),
        "marked in r0, cut off where figures settle (MSER-5) in the others"
    );
    let steadiness = Steadiness {
        work: Some(Work::Transactions),
        ramp_up: RampUp::None,
        trend: Some(Trend { drift: 0.12, p: 0.0 }),
        shortfall: None,
        checkpoint_cycles: None,
    };
    let drifting = text(Note::Drifting(vec![("r0".to_owned(), steadiness)]));
    assert_eq!(drifting, "r0 is not steady: transactions rise by 12 % from its beginning to its end");
}

#[test]
fn figures_say_what_is_missing() {
    let text = |note| describe_notes(&Row { section: "per second", notes: vec![note], ..Row::default() });
    assert_eq!(text(Note::UnknownOfSide(Side::B)), "unknown for b");
    assert_eq!(text(Note::CommitsAndRollbacks), "commits and rollbacks of all databases");
    assert_eq!(
        text(Note::DriverTransactions),
        "transactions are the driver's, because the server's were not counted in every run"
    );
    assert_eq!(text(Note::NoRatioOfZero), "0 has no ratio");
    assert_eq!(text(Note::RareRequests), "how far runs lie apart in requests as rare as these is unknown: repeat them");
    assert_eq!(
        text(Note::FewFlushes),
        "no interval: the spread within and between these runs is unknown; repeat each side"
    );
    let wide = "no interval: it would be wider than a factor of 10 each way; ";
    assert_eq!(text(Note::TooWide { factor: 10.0, fewest: 3 }), format!("{wide}repeat each side, 4 runs or more"));
    let differ = "runs of one side differ too much: make them longer";
    assert_eq!(text(Note::TooWide { factor: 10.0, fewest: 4 }), format!("{wide}{differ}"));
    assert_eq!(
        text(Note::RequestSizes { a_kib: 8.0, b_kib: 64.0 }),
        "not compared: request size differs (8.00 KiB, 64.0 KiB)"
    );
    assert_eq!(text(Note::NotSignificant), "1 lies outside the interval, but that is no news among so many figures");
    assert_eq!(text(Note::PermutationsDiffer { p: 0.1 }), "runs dealt out at random differ as much in 10 %");
}
