//! Index advice on the statements of a server that was watched, by its own planner and hypopg.
//!
//! Planning runs code of the server's users: immutable functions, checks of domains. So statements are planned as roles that may only
//! read, and only those that reach no function of a role that may not act as the planner's.

mod connections;
mod planner;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ebs_remote::planning::PlannerIdentity;
use ebs_remote::run_reading::{MAX_TEXT, is_plannable};
use ebs_tuning::indexes::{DEFAULT_MAX_PLANS, Database, Finding, Input, Kind, Reason, Statement, propose, to_drop};
use ebs_workload::statements::{Missing, Observed, StatementDemand};

use self::connections::OpenConnections;
pub use self::connections::PlannerConnections;
use self::planner::RemotePlanner;
use crate::error::QueryError;
use crate::message::print_message;

/// Findings on indexes, and connections that failed by then.
pub struct IndexAdvice {
    /// Findings.
    pub findings: Vec<Finding>,
    /// Connections that failed, with the reason: their statements are not planned.
    pub failed: Vec<String>,
}

/// Advice on these statements, or on none where they are not known; an error is the reason for which there is none at all.
pub fn advise(
    connections: &PlannerConnections,
    statements: Result<Observed, Missing>,
    stop: &Arc<AtomicBool>,
) -> Result<IndexAdvice, String> {
    print_message!("asking the planner about indexes; Ctrl-C ends that, and the run is kept without");
    let OpenConnections { sessions, failed } = connections.open(stop).map_err(|error| error.in_one_line())?;
    let mut planner = RemotePlanner::new(sessions, stop);
    let findings = find(&mut planner, connections, statements).map_err(QueryError::into_message);
    match stop.load(Ordering::Relaxed) {
        true => Err("it was interrupted".to_owned()),
        false => Ok(IndexAdvice { findings: findings?, failed }),
    }
}

fn find(
    planner: &mut RemotePlanner,
    connections: &PlannerConnections,
    statements: Result<Observed, Missing>,
) -> Result<Vec<Finding>, QueryError> {
    let server = planner.read_facts()?;
    let mut input = Input::empty(server.memory);
    let (mut findings, mut missing) = (Vec::new(), Vec::new());
    match statements {
        Ok(observed) if connections.can_try_indexes() => {
            missing.extend(Finding::hidden(observed.hidden));
            let statements = plannable(&observed, planner.identities());
            (findings, input) = propose(planner, &statements, &server, DEFAULT_MAX_PLANS)?;
        }
        Ok(_) => missing.push(connections.obstacle_finding()),
        Err(reason) => missing.push(Finding::new(Kind::Missing, Reason::StatementsUnknown(reason))),
    }
    findings.extend(to_drop(&input, &planner.read_tables(None)?, server.statistics_s));
    findings.extend(missing);
    Ok(findings)
}

/// Statements of the watched database; one whose text is not planned has the reason.
fn plannable<'a>(observed: &Observed, mut identities: impl Iterator<Item = &'a PlannerIdentity>) -> Vec<Statement> {
    let Some(database_id) = identities.next().map(|identity| identity.database_id) else { return Vec::new() };
    let of_database = observed.statements.iter().filter(|demand| demand.database_id == database_id);
    let statement = |demand: &StatementDemand| {
        let text = observed.texts.get(&demand.query_id).cloned().unwrap_or_default();
        // Texts of others are not kept, as those of COPY are, which has no plan.
        let not_plannable = if text.is_empty() || !is_plannable(&text) {
            Some("it is no SELECT, INSERT, UPDATE, DELETE or MERGE".to_owned())
        } else {
            (text.chars().count() >= MAX_TEXT).then(|| format!("its text is longer than {MAX_TEXT} characters"))
        };
        Statement { demand: demand.clone(), text, not_plannable }
    };
    of_database.map(statement).collect()
}
