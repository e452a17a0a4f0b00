//! Proposals of indexes for statements: they are planned, candidates tried, and the best chosen.

use super::choose::{NoPrice, choose};
use super::database::{Database, Query, ServerFacts, Statement};
use super::finding::{Finding, Kind};
use super::input::{Input, Part, Planned, Sized, offers};
use super::planning::Planning;
use super::reason::Reason;
use super::recommendation::Recommendation;
use super::statement::{MAX_STATEMENTS, may_write, readers, reads_s};
use super::table::ForeignKey;
use ebs_workload::statements::StatementDemand;

/// Most candidates over all statements. A choice: each is planned with at least one of them.
const MAX_CANDIDATES: usize = 400;

/// Indexes to create and statements that none would help, with what they were computed from.
pub fn propose<D: Database>(
    database: &mut D,
    statements: &[Statement],
    server: &ServerFacts,
    max_plans: usize,
) -> Result<(Vec<Finding>, Input), D::Error> {
    let mut planning = Planning::new(database, max_plans);
    let (input, failed) = plan_statements(statements, &mut planning, server)?;
    let candidates: Vec<Sized> = input
        .candidates(MAX_CANDIDATES)
        .into_iter()
        .filter_map(|candidate| {
            let size = planning.database.index_size(&candidate).ok()?;
            Some(input.sized(candidate, size))
        })
        .collect();
    let targets = input.targets(&candidates);
    let selection = choose(&targets, &offers(&candidates), &mut planning.pricing(&input.readers, &candidates));
    let mut findings =
        Recommendation { input: &input, candidates: &candidates, targets: &targets, selection: &selection }
            .collect_findings();
    findings.iter_mut().for_each(|finding| check_command(finding, &candidates, database));
    findings.extend(failed);
    Ok((findings, input))
}

/// Withdraws a command that is not exactly one CREATE INDEX on its table: users will run it.
fn check_command<D: Database>(finding: &mut Finding, candidates: &[Sized], database: &D) {
    let Some(command) = finding.command.clone() else { return };
    let checked = candidates.iter().find(|sized| sized.candidate.command() == command).map_or_else(
        || Err("no candidate has it".to_owned()),
        |sized| database.check_command(&command, sized.candidate.table_oid),
    );
    if let Err(message) = checked {
        finding.withdraw_command(message);
    }
}

/// Plans the statements that read most and those that write most; a finding for each that could not be planned.
fn plan_statements<D: Database>(
    statements: &[Statement],
    planning: &mut Planning<D>,
    server: &ServerFacts,
) -> Result<(Input, Vec<Finding>), D::Error> {
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
    let mut input = Input { readers: read, writers, ..Input::empty(server.memory) };
    input.tables = planning.database.read_tables(Some(&input.table_names()))?;
    // Where statements inside of others are counted, a foreign key's look-ups are counted as statements.
    if statements.iter().all(|statement| statement.demand.top_level) {
        add_foreign_key_look_ups(&mut input, planning);
        input.tables = planning.database.read_tables(Some(&input.table_names()))?;
    }
    Ok((input, failed))
}

fn plan_statement<D: Database>(statement: &Statement, planning: &mut Planning<D>) -> Result<Planned, NoPrice> {
    if let Some(reason) = &statement.not_plannable {
        return Err(NoPrice::Failed(reason.clone()));
    }
    let Statement { demand, text, .. } = statement;
    let query = Query { text, role: demand.user_id, limit: rows_a_call(demand) };
    let part = planning.plan_part(&query, 1.0)?;
    Ok(Planned { demand: demand.clone(), text: text.clone(), parts: vec![part] })
}

/// The finding that a statement was not planned, for this reason.
pub fn not_planned(statement: &Statement, refused: NoPrice) -> Finding {
    Finding {
        query_id: Some(statement.demand.query_id),
        statement: Some(statement.text.clone()).filter(|text| !text.is_empty()),
        reads_s: Some(reads_s(&statement.demand)),
        ..Finding::new(Kind::Statement, Reason::NotPlanned(refused))
    }
}

/// Adds to each DELETE the look-ups of its table's foreign keys, one for each row that it deletes.
fn add_foreign_key_look_ups<D: Database>(input: &mut Input, planning: &mut Planning<D>) {
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
