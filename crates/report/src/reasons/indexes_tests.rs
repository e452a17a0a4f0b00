use super::*;
use ebs_tuning::indexes::{Kind, Price};
use ebs_workload::statements::Missing;

fn price(pages: f64) -> Option<Price> {
    Some(Price { pages, ..Price::default() })
}

const COST: Cost = Cost { entries_s: 50.0, reads_s: 2.0, writes_s: 4.0, wal_bytes_s: 0.0 };

fn index(reason: Reason) -> Finding {
    let (before, after) = (price(1_000.0), price(12.0));
    Finding { before, after, saved_s: Some(3.0), cost: Some(COST), ..Finding::new(Kind::Index, reason) }
}

fn describe_with(kind: Kind, reason: Reason) -> String {
    super::describe_reason(&Finding { before: price(1_000.0), ..Finding::new(kind, reason) })
}

#[test]
fn an_advised_index_has_its_saving_and_its_cost() {
    let saves =
        |statements, foreign_keys, limit_from_rows| index(Reason::Saves { statements, foreign_keys, limit_from_rows });
    let cost = "; 50 entries/s would cost 2.0 reads and 4.0 writes/s";
    let estimate = "estimated 12 instead of 1,000 pages a call";
    assert_eq!(describe_reason(&saves(1, false, false)), format!("{estimate}{cost}"));
    assert_eq!(
        describe_reason(&saves(2, true, true)),
        format!(
            "{estimate}, most of them looking for rows that refer to those deleted; serves 2 statements, this one most; LIMIT \
             taken to be the rows that a call gave{cost}"
        )
    );
    let unwritten = Finding { cost: Some(Cost::default()), ..saves(1, false, false) };
    assert_eq!(describe_reason(&unwritten), format!("{estimate}; no inserts or updates were seen"));
    assert_eq!(
        describe_reason(&index(Reason::NegligibleGain)),
        format!("it would spare less than 1 % of all reads{cost}")
    );
    assert_eq!(
        describe_reason(&index(Reason::WritesExceedSaving)),
        format!("its writes would cost more than it spares: 3.0 reads/s spared{cost}")
    );
}

#[test]
fn a_statement_without_an_index_says_why() {
    let none = |search, unsupported: &[&str]| {
        let unsupported = unsupported.iter().map(|kind| (*kind).to_owned()).collect();
        describe_with(Kind::Statement, Reason::NoIndex(NoIndex { search, unsupported }))
    };
    assert_eq!(none(Search::AlreadyEfficient, &[]), "it has what it needs: 1,000 pages a call");
    assert_eq!(
        none(Search::NoCandidate, &["OR", "operator ~~", "a"]),
        "no condition or order that a b-tree would serve; 1,000 pages a call; not looked into: OR and 2 more"
    );
    assert_eq!(
        none(Search::NotUsed { tried: 1 }, &["OR"]),
        "the index that was tried would not be used; 1,000 pages a call; not looked into: OR"
    );
    assert_eq!(none(Search::NotUsed { tried: 3 }, &[]), "none of 3 indexes tried would be used; 1,000 pages a call");
    assert_eq!(
        none(Search::LittleSaved { tried: 1 }, &[]),
        "the index that was tried does not spare 10 % of its 1,000 pages a call"
    );
    assert_eq!(
        none(Search::LittleSaved { tried: 3 }, &[]),
        "none of 3 indexes tried spares 10 % of its 1,000 pages a call"
    );
    let statement = |reason| describe_with(Kind::Statement, reason);
    assert_eq!(statement(Reason::OutOfPlans), "not tried to the end: plans ran out (max_plans); 1,000 pages a call");
    assert_eq!(
        statement(Reason::NoTable),
        "its plan reads no table: what a function does inside is told apart with pg_stat_statements.track = all"
    );
    assert_eq!(statement(Reason::NotPlanned(NoPrice::OutOfPlans)), "not planned: plans ran out (max_plans)");
    assert_eq!(statement(Reason::OutOfTime), "not tried to the end: planning took too long; 1,000 pages a call");
    assert_eq!(statement(Reason::NotPlanned(NoPrice::OutOfTime)), "not planned: planning took too long");
    assert_eq!(statement(Reason::NotPlanned(NoPrice::Failed("a".into()))), "not planned: a");
}

#[test]
fn an_index_to_drop_has_its_reason_and_its_cost() {
    let dropped = |reason| describe_with(Kind::Unused, reason);
    assert_eq!(dropped(Reason::SameKeys { index: "b".into() }), "b has the same keys");
    assert_eq!(dropped(Reason::LongerKeys { index: "b".into() }), "b begins with the same keys");
    let unused = |counted_s| dropped(Reason::Unused { counted_s });
    assert_eq!(unused(Some(MIN_COUNTED_S)), "not used once in 7 days; look at standbys too");
    assert_eq!(unused(Some(7_200.0)), "not used once, but its use is counted for 2 hours only");
    assert_eq!(unused(None), "not used once, but since when that is counted is unknown: statistics were never reset");
    let costly = Finding { cost: Some(-COST), ..Finding::new(Kind::Duplicate, Reason::SameKeys { index: "b".into() }) };
    assert_eq!(describe_reason(&costly), "b has the same keys; 50 entries/s cost 4.0 writes/s");
}

#[test]
fn a_missing_prerequisite_says_what_to_do() {
    let missing = |reason| describe_with(Kind::Missing, reason);
    assert_eq!(
        missing(Reason::HypopgMissing { available: true }),
        "hypopg is not in this database: CREATE EXTENSION hypopg; which index would help is unknown without it (packages \
         postgresql-<major>-hypopg, hypopg_<major>)"
    );
    assert!(missing(Reason::HypopgMissing { available: false }).starts_with(
        "hypopg is not installed on this server: install its package, then CREATE EXTENSION hypopg; which index"
    ));
    assert_eq!(
        missing(Reason::StatementsHidden { statements: 3 }),
        "3 statements of other roles may not be read: that takes pg_read_all_stats"
    );
    assert_eq!(
        missing(Reason::StatementsHidden { statements: 1 }),
        "1 statement of other roles may not be read: that takes pg_read_all_stats"
    );
    let unknown = missing(Reason::StatementsUnknown(Missing::NotPreloaded));
    assert!(
        unknown.starts_with("which statements read is unknown: pg_stat_statements is not preloaded. "),
        "{unknown}"
    );
    assert_eq!(missing(Reason::CommandRefused("a".into())), "the index is not shown: a");
}
