use super::*;

#[test]
fn missing_counts_of_a_statement_are_told() {
    let observed = Observed { to_us: 60_000_000, ..Observed::default() };
    let note = |known, seconds| {
        describe_statement(&StatementDemand { known, seconds, ..StatementDemand::default() }, &observed)
    };
    assert_eq!(note(Known::Whole, 60.0), None);
    let anew = "evicted or reset in between and counted from zero: what came before is lost";
    assert_eq!(note(Known::SinceAnew, 60.0).as_deref(), Some(anew));
    assert_eq!(note(Known::SinceAnew, 12.0), Some(format!("{anew}, counted for 12 of 60 s")));
    assert!(note(Known::AtLeast, 12.0).is_some_and(|note| note.ends_with("at least this")));
}

#[test]
fn uncertainty_of_all_statements_is_told() {
    let device = Device { passed: 0.25, by_processes: true, ..Device::default() };
    let note = |evictions, hidden| describe_rest(&Observed { evictions, hidden, ..Observed::default() }, &device);
    let certain = note(Some(0), 0);
    assert!(certain.ends_with("; 25 % of PostgreSQL's reads reached the device"), "{certain}");
    let uncertain = format!(
        "{certain}; pg_stat_statements evicted 3 times: raise pg_stat_statements.max; \
         2 statements of other roles could not be read"
    );
    assert_eq!(note(Some(3), 2), uncertain);
    assert_eq!(note(Some(0), 1), format!("{certain}; 1 statement of other roles could not be read"));
    assert!(note(None, 0).ends_with("; whether statements were evicted is unknown"));
}
