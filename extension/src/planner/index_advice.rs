//! Index advice on this server's own statements.

use ebs_tuning::indexes::{Finding, Input, Kind, NoPrice, Statement, not_planned, propose, to_drop};

use super::hypothetical::Hypothetical;
use super::planning::{LocalPlanner, PlanningSettings};
use super::rights::barrier;
use super::tables::{Server, read_server, read_tables};
use crate::errors::Error;

/// Limits of the planning.
pub struct PlanningLimits<'a> {
    /// Schemas in which names without one are looked up.
    pub search_path: &'a str,
    /// Most plans; a large one counts as several.
    pub max_plans: usize,
    /// checkpoint_timeout while the statements ran, seconds; `None`: the server's.
    pub checkpoint_s: Option<f64>,
}

/// All findings on these statements, or on none where they are not known: indexes to create, statements that none would help,
/// indexes to drop, missing extensions and rights.
pub fn advise_indexes(
    statements: Option<(Vec<Statement>, u64)>,
    limits: &PlanningLimits,
) -> Result<Vec<Finding>, Error> {
    let server = read_server(limits.checkpoint_s)?;
    let mut input = Input::empty(server.facts.memory);
    let (mut findings, mut missing) = (Vec::new(), Vec::new());
    match (statements, Hypothetical::find()?) {
        (Some((statements, hidden)), Ok(hypothetical)) => {
            missing.extend(Finding::hidden(hidden));
            (findings, input) = try_candidates(&statements, &hypothetical, limits, &server)?;
        }
        (_, hypothetical) => missing.extend(hypothetical.err()),
    }
    findings.extend(to_drop(&input, &read_tables(None)?, server.facts.statistics_s));
    findings.extend(missing);
    Ok(findings)
}

/// The recommended indexes alone.
pub fn recommended_indexes(statements: (Vec<Statement>, u64), limits: &PlanningLimits) -> Result<Vec<Finding>, Error> {
    let Ok(hypothetical) = Hypothetical::find()? else { return Ok(Vec::new()) };
    let (mut findings, _) = try_candidates(&statements.0, &hypothetical, limits, &read_server(limits.checkpoint_s)?)?;
    findings.retain(|finding| finding.kind == Kind::Index && finding.advised);
    Ok(findings)
}

fn try_candidates(
    statements: &[Statement],
    hypothetical: &Hypothetical,
    limits: &PlanningLimits,
    server: &Server,
) -> Result<(Vec<Finding>, Input), Error> {
    let settings = PlanningSettings { search_path: limits.search_path.to_owned(), costs: server.costs };
    let barrier = match barrier()? {
        Ok(barrier) => barrier,
        Err(reason) => {
            let finding = |statement| not_planned(statement, NoPrice::Failed(reason.clone()));
            return Ok((statements.iter().map(finding).collect(), Input::empty(server.facts.memory)));
        }
    };
    hypothetical.run_and_clean_up(|| {
        let mut planner = LocalPlanner::new(&settings, hypothetical, &barrier);
        propose(&mut planner, statements, &server.facts, limits.max_plans)
    })
}
