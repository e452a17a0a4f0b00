//! The planner of a server behind connections, as the search for indexes asks it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ebs_remote::parse_answer;
use ebs_remote::planning::{
    COST_SCALE, Hypothetical, PlannerAnswer, PlannerIdentity, Question, facts_query, parse_facts, plan_question,
    size_question, tables_query,
};
use ebs_remote::plans::PlanReader;
use ebs_remote::plans::row_search::RowSearch;
use ebs_remote::plans::statement::{columns_set, with_limit};
use ebs_remote::touched_code::{TouchedCode, touched_query};
use ebs_tuning::indexes::plan::{Kind, Operation, Plan};
use ebs_tuning::indexes::statement::{MAX_CASTS, with_cast_at};
use ebs_tuning::indexes::{Candidate, Database, Explained, NODES_A_PLAN, NoPrice, Query, ServerFacts, Table};
use indicatif::{ProgressBar, ProgressStyle};

use crate::error::QueryError;
use crate::postgres::Session;

/// Longest time of all questions together.
const MAX_TIME: Duration = Duration::from_secs(600);

/// Template of the progress of planning, which has no known end.
const TEMPLATE: &str = "{spinner} {pos} plans, {elapsed}";

/// The planner, over connections of roles that may only read; over the others tables are read.
pub struct RemotePlanner {
    sessions: Vec<(Session, PlannerIdentity)>,
    /// Hypothetical indexes, as commands; each session creates them for itself.
    indexes: Vec<String>,
    reader: PlanReader,
    /// Texts that parse, by those that did not.
    parseable: BTreeMap<String, String>,
    /// Ends the questions when it is set.
    stop: Arc<AtomicBool>,
    started: Instant,
    progress: ProgressBar,
}

impl RemotePlanner {
    /// Begins with these sessions.
    pub fn new(sessions: Vec<(Session, PlannerIdentity)>, stop: &Arc<AtomicBool>) -> RemotePlanner {
        let progress = ProgressBar::new_spinner();
        progress.set_style(ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_spinner()));
        RemotePlanner {
            sessions,
            indexes: Vec::new(),
            reader: PlanReader::new(),
            parseable: BTreeMap::new(),
            stop: Arc::clone(stop),
            started: Instant::now(),
            progress,
        }
    }

    /// Roles and databases of the connections.
    pub fn identities(&self) -> impl Iterator<Item = &PlannerIdentity> + Clone {
        self.sessions.iter().map(|(_, identity)| identity)
    }

    /// True if no more is to be asked.
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.started.elapsed() > MAX_TIME
    }

    /// Reads memory, checkpoints and the age of the statistics.
    pub fn read_facts(&mut self) -> Result<ServerFacts, QueryError> {
        let Some((session, _)) = self.sessions.first_mut() else { return Err(lost("there is no connection")) };
        let answer = session.query_value(&facts_query())?.value.unwrap_or_default();
        parse_facts(&answer).map_err(|error| lost(&error.to_string()))
    }

    /// Plans a text over the first connection whose role may read what it names, that of the role that executed it before others; an error
    /// is that of the first one that was asked.
    fn explain(&mut self, text: &str, role: u32, raised: bool) -> Result<Plan, String> {
        let able = |place: &usize| self.sessions[*place].1.usable_hypopg().is_some();
        // The connection that watches comes last: its role was made for something else.
        let mut places: Vec<usize> = (0..self.sessions.len()).rev().filter(able).collect();
        places.sort_by_key(|&place| self.sessions[place].1.role_id != role);
        let mut refused = None;
        for place in places {
            match self.explain_over(place, text, raised) {
                Ok(plan) => return Ok(plan),
                Err(message) => refused = refused.or(Some(message)),
            }
        }
        Err(refused.unwrap_or_else(|| "no connection may plan".to_owned()))
    }

    /// Plans a text over a connection; the number of a hypothetical index in the plan is its position. Of a statement that changes rows
    /// the search for them is planned.
    fn explain_over(&mut self, place: usize, text: &str, raised: bool) -> Result<Plan, String> {
        let (session, identity) = &mut self.sessions[place];
        let schema = identity.usable_hypopg().ok_or("the planner of its role tries no indexes")?;
        let search = RowSearch::parse(text);
        let text = search.as_ref().map_or(text, |search| &search.select);
        check_touched_code(session, text, &identity.role)?;
        let indexes = Hypothetical { schema: &schema, commands: &self.indexes };
        let answer = ask(session, &plan_question(text, &indexes, raised))?;
        let document = answer.plan.ok_or("the planner gave no plan")?;
        let modification = search.and_then(|search| search.add_modification(document.get()));
        let document = modification.as_deref().unwrap_or(document.get());
        let mut plan = self.reader.read(document).map_err(|error| error.to_string())?;
        for node in &mut plan.nodes {
            node.total_cost /= COST_SCALE;
            let made = |number: u32| answer.indexes.iter().position(|index| *index == number);
            if let Some(position) = node.index.and_then(made) {
                node.index = Some(number_of(position));
            }
        }
        Ok(plan)
    }

    /// Plans a text, with casts where a parameter stands that the grammar does not take.
    fn explain_parseable(&mut self, text: &str, role: u32, raised: bool) -> Result<Plan, String> {
        let mut parsed = self.parseable.get(text).cloned().unwrap_or_else(|| text.to_owned());
        for _ in 0..MAX_CASTS {
            let message = match self.explain(&parsed, role, raised) {
                Err(message) => message,
                plan => {
                    self.parseable.insert(text.to_owned(), parsed);
                    return plan;
                }
            };
            parsed = with_cast(&parsed, &message).ok_or(message)?;
        }
        Err(format!("it has more than {MAX_CASTS} parameters behind the name of a type"))
    }
}

impl Database for RemotePlanner {
    type Error = QueryError;

    fn plan(&mut self, query: &Query, raised: bool) -> Result<Explained, NoPrice> {
        if self.is_over() {
            return Err(NoPrice::OutOfTime);
        }
        self.progress.inc(1);
        let limited = query.limit.and_then(|rows| with_limit(query.text, rows.ceil().max(1.0) as u64));
        let text = limited.as_deref().unwrap_or(query.text);
        let mut plan = self.explain_parseable(text, query.role, raised).map_err(NoPrice::Failed)?;
        for node in &mut plan.nodes {
            if node.kind == Kind::Modify(Operation::Update) {
                node.columns_set = columns_set(query.text);
            }
        }
        let further_plans = plan.nodes.len() / NODES_A_PLAN;
        Ok(Explained { plan, limited: limited.is_some(), further_plans })
    }

    fn replace_indexes(&mut self, indexes: &[&Candidate]) -> Result<Vec<u32>, String> {
        self.indexes = indexes.iter().map(|candidate| candidate.hypothetical()).collect();
        Ok((0..indexes.len()).map(number_of).collect())
    }

    /// Asks the first connection whose role may use the table's schema.
    fn index_size(&mut self, candidate: &Candidate) -> Result<i64, String> {
        let commands = [candidate.hypothetical()];
        let mut refused = "there is no connection".to_owned();
        if self.is_over() {
            return Err(refused);
        }
        for (session, identity) in &mut self.sessions {
            let Some(schema) = identity.usable_hypopg() else { continue };
            match ask(session, &size_question(&Hypothetical { schema: &schema, commands: &commands })) {
                Ok(PlannerAnswer { size: Some(size), .. }) => return Ok(size),
                Ok(_) => refused = "hypopg told no size".to_owned(),
                Err(message) => refused = message,
            }
        }
        Err(refused)
    }

    /// Takes each table from the connection that sees most of its columns' statistics: pg_stats shows those of columns that a role may read.
    fn read_tables(&mut self, names: Option<&BTreeSet<(String, String)>>) -> Result<Vec<Table>, QueryError> {
        let names = names.map(|names| serde_json::to_string(names).unwrap_or_default());
        let mut tables: BTreeMap<(String, String), Table> = BTreeMap::new();
        for (session, _) in &mut self.sessions {
            let answer = session.query_value(&tables_query(names.clone()))?.value.unwrap_or_default();
            for table in Table::parse(&answer).map_err(|message| lost(&message))? {
                let name = (table.schema.clone(), table.name.clone());
                if tables.get(&name).is_none_or(|known| known_columns(known) < known_columns(&table)) {
                    tables.insert(name, table);
                }
            }
        }
        Ok(tables.into_values().collect())
    }

    /// Every command is parsed again by the server that shows it.
    fn check_command(&self, _command: &str, _table_oid: u32) -> Result<(), String> {
        Ok(())
    }
}

/// Number of the hypothetical index at a position: indexes of the server have numbers from the other end.
fn number_of(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

fn known_columns(table: &Table) -> usize {
    table.columns.iter().filter(|column| column.distinct.is_some()).count()
}

/// Refuses a text whose planning may run a function of a role that may not act as the planner's. A server that does not answer is asked for
/// no plan.
fn check_touched_code(session: &mut Session, text: &str, role: &str) -> Result<(), String> {
    let answer = session.query_value(&touched_query(text)?).map_err(QueryError::into_message)?;
    let code: TouchedCode = parse_answer(&answer.value.unwrap_or_default()).map_err(|error| error.to_string())?;
    code.refusal(role).map_or(Ok(()), Err)
}

/// Asks the planner; an error is its message.
fn ask(session: &mut Session, question: &Question) -> Result<PlannerAnswer, String> {
    let settings = session.query_value(&question.settings);
    // The block catches errors but for a cancellation.
    let planned = settings.and_then(|_| session.execute(&question.block));
    planned.map_err(|error| format!("it was not planned: {}", error.into_message()))?;
    let answer = session.query_value(&question.answer).map_err(QueryError::into_message)?;
    match PlannerAnswer::parse(answer.value.as_deref()).map_err(|error| error.to_string())? {
        None => Err("it was not planned".to_owned()),
        Some(PlannerAnswer { error: Some(message), .. }) => Err(message),
        Some(answer) => Ok(answer),
    }
}

/// The text with a cast at the parameter that this message of the parser names; `None` if there is none that a cast helps.
fn with_cast(text: &str, message: &str) -> Option<String> {
    let (_, rest) = message.split_once("at or near \"$")?;
    let parameter = format!("${}", rest.split_once('"')?.0);
    text.match_indices(&parameter).find_map(|(place, _)| with_cast_at(text, place))
}

fn lost(message: &str) -> QueryError {
    QueryError::ConnectionLost(message.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_behind_a_type_gets_a_cast() {
        let message = "syntax error at or near \"$2\"";
        let text = "SELECT $1 FROM t WHERE a < now() - interval $2 AND b = $2";
        assert_eq!(
            with_cast(text, message).as_deref(),
            Some("SELECT $1 FROM t WHERE a < now() - $2::interval AND b = $2")
        );
        assert_eq!(with_cast("SELECT $2", message), None);
        assert_eq!(with_cast(text, "relation \"t\" does not exist"), None);
    }
}
