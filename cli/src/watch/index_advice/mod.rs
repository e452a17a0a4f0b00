//! Index advice on the statements of a server that was watched, by its own planner and hypopg.
//!
//! Planning runs code of the server's users: immutable functions, checks of domains. So each statement is planned over a connection of
//! the role that executed it, which has run that code already, and over no other.

mod connections;
mod planner;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ebs_remote::planning::PlannerIdentity;
use ebs_remote::run_reading::{MAX_TEXT, is_plannable};
use ebs_tuning::indexes::{Database, Finding, Input, Kind, Reason, Statement, propose, to_drop};
use ebs_workload::statements::{Missing, Observed};

pub use self::connections::PlannerConnections;
use self::planner::RemotePlanner;
use crate::error::QueryError;

/// Most plans, as `ebs_index_advice` has it by default: each takes a millisecond or so at the server, and a round trip.
const MAX_PLANS: usize = 2_000;

/// Findings on these statements, or on none where they are not known; an error is the reason for which there are none at all.
pub fn advise(
    connections: &PlannerConnections,
    statements: Result<Observed, Missing>,
    stop: &Arc<AtomicBool>,
) -> Result<Vec<Finding>, String> {
    eprintln!("asking the planner about indexes; Ctrl-C ends that, and the run is kept without");
    let mut planner = RemotePlanner::open(connections, stop).map_err(|error| error.to_string())?;
    let findings = find(&mut planner, connections, statements).map_err(|error| match error {
        QueryError::Server(error) => error.message,
        QueryError::ConnectionLost(message) => message,
    });
    match stop.load(Ordering::Relaxed) {
        true => Err("it was interrupted".to_owned()),
        false => findings,
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
            let (statements, hidden) = plannable(&observed, connections.identities());
            missing.extend(Finding::hidden(hidden));
            (findings, input) = propose(planner, &statements, &server, MAX_PLANS)?;
        }
        Ok(_) => missing.push(hypopg_missing(connections)),
        Err(reason) => missing.push(Finding::new(Kind::Missing, Reason::StatementsUnknown(reason))),
    }
    findings.extend(to_drop(&input, &planner.read_tables(None)?, server.statistics_s));
    findings.extend(missing);
    Ok(findings)
}

fn hypopg_missing(connections: &PlannerConnections) -> Finding {
    let available = connections.identities().any(|identity| identity.hypopg_available);
    let finding = Finding::new(Kind::Missing, Reason::HypopgMissing { available });
    Finding { command: Some("CREATE EXTENSION hypopg".to_owned()), ..finding }
}

/// Statements of the watched database whose texts are known, and the number of those whose are not. One that no connection may plan has
/// the reason.
fn plannable<'a>(
    observed: &Observed,
    identities: impl Iterator<Item = &'a PlannerIdentity> + Clone,
) -> (Vec<Statement>, u64) {
    let Some(database_id) = identities.clone().map(|identity| identity.database_id).next() else {
        return (Vec::new(), observed.hidden);
    };
    let (mut statements, mut hidden) = (Vec::new(), observed.hidden);
    for demand in observed.statements.iter().filter(|demand| demand.database_id == database_id) {
        let Some(text) = observed.texts.get(&demand.query_id) else {
            hidden += 1;
            continue;
        };
        let can_plan = identities.clone().any(|identity| identity.role_id == demand.user_id);
        let not_plannable = match &demand.role {
            _ if !is_plannable(text) => Some("it is no SELECT, INSERT, UPDATE, DELETE or MERGE".to_owned()),
            _ if text.chars().count() >= MAX_TEXT => Some(format!("its text is longer than {MAX_TEXT} characters")),
            _ if can_plan => None,
            Some(role) => {
                Some(format!("role {role} executed it: ebsctl watch needs --planner with a connection of it"))
            }
            None => Some("the role that executed it is gone".to_owned()),
        };
        statements.push(Statement { demand: demand.clone(), text: text.clone(), not_plannable });
    }
    (statements, hidden)
}
