//! Index advice: statements are planned, candidates tried, findings returned.

use ebs_tuning::indexes::statement::{MAX_STATEMENTS, may_write, readers, reads_s};
use ebs_tuning::indexes::table::ForeignKey;
use ebs_tuning::indexes::{
    Finding, Input, Kind, NoPrice, Part, Planned, Reason, Recommendation, Sized, choose, offers, to_drop,
};
use ebs_workload::statements::StatementDemand;

use super::hypothetical::Hypothetical;
use super::imported_commands::withdraw_command;
use super::planning::{Planning, PlanningSettings, Query};
use super::statements::Statement;
use super::tables::{Server, read_all_tables, read_server, read_tables};
use crate::errors::Error;
use crate::ffi;

/// Most candidates over all statements. A choice: each is planned with at least one of them.
const MAX_CANDIDATES: usize = 400;

/// Limits of the planning.
pub struct PlanningLimits<'a> {
    /// Schemas in which names without one are looked up.
    pub search_path: &'a str,
    /// Most plans.
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
    let mut input = Input { readers: Vec::new(), writers: Vec::new(), tables: Vec::new(), memory: server.memory };
    let (mut findings, mut missing) = (Vec::new(), Vec::new());
    match (statements, Hypothetical::find()?) {
        (Some((statements, hidden)), Ok(hypothetical)) => {
            missing.extend(unreadable(hidden));
            (findings, input) = try_candidates(&statements, &hypothetical, limits, &server)?;
        }
        (_, hypothetical) => missing.extend(hypothetical.err()),
    }
    findings.extend(to_drop(&input, &read_all_tables()?, server.statistics_s));
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
    let search_path = limits.search_path.to_owned();
    let settings = PlanningSettings { search_path, costs: server.costs, max_plans: limits.max_plans };
    hypothetical.run_and_clean_up(|| choose_candidates(statements, hypothetical, &settings, server))
}

fn unreadable(hidden: u64) -> Option<Finding> {
    (hidden > 0).then(|| Finding::new(Kind::Missing, Reason::StatementsHidden { statements: hidden }))
}

fn choose_candidates(
    statements: &[Statement],
    hypothetical: &Hypothetical,
    settings: &PlanningSettings,
    server: &Server,
) -> Result<(Vec<Finding>, Input), Error> {
    let mut planning = Planning::new(settings);
    let (input, failed) = plan_statements(statements, &mut planning, server)?;
    let candidates: Vec<Sized> = input
        .candidates(MAX_CANDIDATES)
        .into_iter()
        .filter_map(|candidate| {
            let index = hypothetical.make(&candidate).ok()?;
            let size = hypothetical.size(&index);
            hypothetical.drop(index);
            Some(input.sized(candidate, size.ok()?))
        })
        .collect();
    let targets = input.targets(&candidates);
    let mut planning = planning.with(hypothetical, &input.readers, &candidates);
    let selection = choose(&targets, &offers(&candidates), &mut planning);
    let mut findings =
        Recommendation { input: &input, candidates: &candidates, targets: &targets, selection: &selection }
            .collect_findings();
    findings.iter_mut().for_each(|finding| check_command(finding, &candidates));
    findings.extend(failed);
    Ok((findings, input))
}

/// Withdraws a command that is not exactly one CREATE INDEX on its table: users will run it.
fn check_command(finding: &mut Finding, candidates: &[Sized]) {
    let Some(command) = finding.command.clone() else { return };
    let checked = candidates.iter().find(|sized| sized.candidate.command() == command).map_or_else(
        || Err("no candidate has it".to_owned()),
        |sized| ffi::check_index(&command, sized.candidate.table_oid),
    );
    if let Err(message) = checked {
        withdraw_command(finding, message);
    }
}

/// Plans the statements that read most and those that write most; a finding for each that could not be planned.
fn plan_statements(
    statements: &[Statement],
    planning: &mut Planning,
    server: &Server,
) -> Result<(Input, Vec<Finding>), Error> {
    let demands: Vec<StatementDemand> = statements.iter().map(|statement| statement.demand.clone()).collect();
    let (mut read, mut failed) = (Vec::new(), Vec::new());
    for statement in readers(&demands).into_iter().map(|index| &statements[index]) {
        match plan_statement(statement, planning) {
            Ok(planned) if planned.reads_system_tables_only() => {}
            Ok(planned) => read.push(planned),
            Err(refused) => failed.push(not_planned(statement, refused)),
        }
    }
    let writes = |statement: &&Statement| may_write(&statement.text) && statement.demand.rows > 0;
    let mut changing: Vec<&Statement> = statements.iter().filter(writes).collect();
    changing.sort_by_key(|statement| std::cmp::Reverse(statement.demand.rows));
    let planned_already =
        |statement: &Statement| read.iter().find(|planned| planned.demand == statement.demand).cloned();
    let writers: Vec<Planned> = changing
        .into_iter()
        .take(MAX_STATEMENTS)
        .filter_map(|statement| planned_already(statement).or_else(|| plan_statement(statement, planning).ok()))
        .collect();
    let mut input = Input { readers: read, writers, tables: Vec::new(), memory: server.memory };
    input.tables = read_tables(&input.table_names())?;
    // Where statements inside of others are counted, a foreign key's look-ups are counted as statements.
    if statements.iter().all(|statement| statement.demand.top_level) {
        add_foreign_key_look_ups(&mut input, planning);
        input.tables = read_tables(&input.table_names())?;
    }
    Ok((input, failed))
}

fn plan_statement(statement: &Statement, planning: &mut Planning) -> Result<Planned, NoPrice> {
    if let Some(reason) = &statement.not_plannable {
        return Err(NoPrice::Failed(reason.clone()));
    }
    let Statement { demand, text, .. } = statement;
    let query = Query { text, role: demand.user_id, limit: rows_a_call(demand) };
    let part = planning.plan_part(&query, 1.0)?;
    Ok(Planned { demand: demand.clone(), text: text.clone(), parts: vec![part] })
}

fn not_planned(statement: &Statement, refused: NoPrice) -> Finding {
    Finding {
        query_id: Some(statement.demand.query_id),
        statement: Some(statement.text.clone()),
        reads_s: Some(reads_s(&statement.demand)),
        ..Finding::new(Kind::Statement, Reason::NotPlanned(refused))
    }
}

/// Adds to each DELETE the look-ups of its table's foreign keys, one for each row that it deletes.
fn add_foreign_key_look_ups(input: &mut Input, planning: &mut Planning) {
    let keys = |planned: &Planned| -> Vec<ForeignKey> {
        let table = planned.deletes_from().and_then(|(schema, table)| input.table(schema, table));
        table.map(|table| table.referenced_by.clone()).unwrap_or_default()
    };
    let keys: Vec<Vec<ForeignKey>> = input.readers.iter().map(keys).collect();
    for (planned, keys) in input.readers.iter_mut().zip(keys) {
        let times = rows_a_call(&planned.demand).unwrap_or(0.0);
        let role = planned.demand.user_id;
        let query = |key: &ForeignKey| planning.plan_part(&Query { text: &key.look_up, role, limit: None }, times).ok();
        let parts = keys.iter().filter_map(query);
        let parts: Vec<Part> = parts.collect();
        planned.parts.extend(parts);
    }
}

fn rows_a_call(demand: &StatementDemand) -> Option<f64> {
    demand.per_call(demand.rows as f64)
}
