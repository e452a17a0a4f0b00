//! Notes on the rows of ebs_queries.

use ebs_base::format::{count, share};
use ebs_workload::statements::{Device, Known, Observed, StatementDemand};

/// Note on a statement that was evicted or reset, and not counted again.
pub const LOST_NOTE: &str = "evicted or reset in between, and not back: what it did is not known";

/// Says which counts of a statement are missing; `None` where it was counted from the first reading to the second.
pub fn describe_statement(statement: &StatementDemand, observed: &Observed) -> Option<String> {
    let note = match statement.known {
        Known::Whole => return None,
        Known::SinceReset => "pg_stat_statements was reset in between: what came before is lost",
        Known::SinceAnew => "evicted or reset in between and counted anew: what came before is lost",
        Known::AtLeast => "statements were evicted in between: it did at least this",
    };
    let observed_s = (observed.to_us.saturating_sub(observed.from_us)).max(0) as f64 / 1e6;
    let part = if statement.known != Known::AtLeast && statement.seconds < observed_s {
        format!(", counted for {} of {} s", count(statement.seconds), count(observed_s))
    } else {
        String::new()
    };
    Some(format!("{note}{part}"))
}

/// Explains the I/O of no statement, and how certain the figures of all statements are.
pub fn describe_rest(observed: &Observed, device: &Device) -> String {
    let basis = if device.by_processes { "" } else { ", if nobody else read it (what processes read is not known)" };
    let mut notes = vec![
        "no statement: VACUUM and other background work, temporary files, other programs, what had not ended"
            .to_owned(),
        format!("{} of PostgreSQL's reads reached the device{basis}", share(device.passed)),
    ];
    match observed.evictions {
        Some(0) => {}
        Some(evictions) => {
            let evictions = count(evictions as f64);
            notes.push(format!("pg_stat_statements evicted {evictions} times: raise pg_stat_statements.max"));
        }
        None => notes.push("whether statements were evicted is not known".to_owned()),
    }
    if observed.hidden > 0 {
        notes.push(format!("{} statements of other roles could not be read", count(observed.hidden as f64)));
    }
    notes.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_counts_of_a_statement_are_told() {
        let observed = Observed { to_us: 60_000_000, ..Observed::default() };
        let note = |known, seconds| {
            describe_statement(&StatementDemand { known, seconds, ..StatementDemand::default() }, &observed)
        };
        assert_eq!(note(Known::Whole, 60.0), None);
        let anew = "evicted or reset in between and counted anew: what came before is lost";
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
        assert!(note(None, 0).ends_with("; whether statements were evicted is not known"));
    }
}
