//! Reasons for a missing reading of pg_stat_statements, and their remedies.

use ebs_workload::statements::Missing;

/// Describes the reason, in the present tense.
pub fn describe_reason(missing: &Missing) -> String {
    worded(missing, "is", "may")
}

/// Describes the reason at the beginning or the end of a run, in the past tense.
pub fn describe_reason_then(missing: &Missing) -> String {
    worded(missing, "was", "might")
}

fn worded(missing: &Missing, is: &str, may: &str) -> String {
    match missing {
        Missing::NotPreloaded => format!("pg_stat_statements {is} not preloaded"),
        Missing::NotCreated(database) => format!("pg_stat_statements {is} not created in database {database}"),
        Missing::TooOld(version) => format!("pg_stat_statements {is} of version {version}, and 1.9 is needed"),
        Missing::NoAccess(role) => format!("role {role} {may} not use pg_stat_statements"),
        Missing::NotRead => "statements were not read when this run began and ended".to_owned(),
    }
}

/// Describes the remedy for the next run, where statements were missing in this one.
pub fn describe_remedy_then(missing: &Missing) -> String {
    match missing {
        Missing::NotRead => describe_remedy(missing),
        _ => format!("Begin another run; if it is missing still: {}", describe_remedy(missing)),
    }
}

/// Describes the remedy.
pub fn describe_remedy(missing: &Missing) -> String {
    match missing {
        Missing::NotPreloaded => "Add pg_stat_statements to shared_preload_libraries, restart, CREATE EXTENSION pg_stat_statements, and begin a run. It comes with PostgreSQL's contrib modules.".to_owned(),
        Missing::NotCreated(database) => format!("In database {database}: CREATE EXTENSION pg_stat_statements; then begin a run."),
        Missing::TooOld(_) => "ALTER EXTENSION pg_stat_statements UPDATE; then begin a run.".to_owned(),
        Missing::NoAccess(role) => format!(
            "Let {role} use its schema and execute its functions; a member of pg_read_all_stats sees the statements of all roles."
        ),
        Missing::NotRead => "Begin another run with SELECT ebs_run_begin('my-run'); where pg_stat_statements is preloaded and created. What was sampled elsewhere has none.".to_owned(),
    }
}
