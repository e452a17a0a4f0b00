//! Plans of this server's planner with hypothetical indexes, as the role that asks.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use ebs_base::identifier::identifier;
use ebs_base::message::single_line;
use ebs_tuning::indexes::pages::{COST_STEP, PAGE_COSTS};
use ebs_tuning::indexes::{Candidate, Database, Explained, NODES_A_PLAN, NoPrice, Query, Table};
use pgrx::pg_sys::Oid;

use super::hypothetical::{Hypothetical, HypotheticalIndex};
use super::rights::{describe_failure, may_be_planned_as};
use super::search_path::schemas_of;
use super::session::set_parameter;
use super::tables::read_tables;
use crate::errors::Error;
use crate::ffi::{self, Barrier, Failure, NotPlanned};
use crate::interrupts::check_interrupts;

/// Settings under which statements are planned.
pub struct PlanningSettings {
    /// Schemas in which names without one are looked up.
    pub search_path: String,
    /// Costs of a page now, in the order of [`PAGE_COSTS`].
    pub costs: [f64; 2],
}

/// The planner of this database.
pub struct LocalPlanner<'a> {
    settings: &'a PlanningSettings,
    hypothetical: &'a Hypothetical,
    barrier: &'a Barrier,
    indexes: Vec<HypotheticalIndex>,
    /// Schemas in which names of each role's statements are looked up.
    schemas: HashMap<u32, Vec<String>>,
    /// True of statements whose plans do without constants for which there is no bound, since they cannot be planned as they stand.
    without_constants: HashMap<String, bool>,
    spent: Spent,
}

/// Terms of a plan that count as one more plan.
const TERMS_A_PLAN: usize = 1_000;

/// Longest wait for a lock: a plan is not worth more.
const LOCK_TIMEOUT: &str = "500ms";

/// Longest time for all plans of one statement, of CPU, so that a busy machine changes no answer. A plan takes milliseconds, unless what
/// it computes takes seconds.
const STATEMENT_TIME: Duration = Duration::from_secs(5);
/// Longest time for all plans of a call, of CPU.
const CALL_TIME: Duration = Duration::from_secs(60);
/// Time that one plan may take by the clock, as a multiple of the CPU time that is left: the CPU may be busy.
const BUSY: u32 = 2;

/// A plan that is asked for.
struct Plan<'a> {
    query: &'a Query<'a>,
    raised: bool,
    limit: Duration,
    schemas: &'a [String],
    without_constants: bool,
}

/// CPU time that planning took.
#[derive(Default)]
struct Spent {
    total: Duration,
    statements: HashMap<String, Duration>,
}

impl Spent {
    /// Time that is left for the next plan of a statement; `None` if that is over.
    fn left(&self, text: &str) -> Option<Duration> {
        let statement = self.statements.get(text).copied().unwrap_or_default();
        let left = STATEMENT_TIME.saturating_sub(statement).min(CALL_TIME.saturating_sub(self.total));
        (!left.is_zero()).then_some(left)
    }

    fn add(&mut self, text: &str, time: Duration) {
        self.total += time;
        *self.statements.entry(text.to_owned()).or_default() += time;
    }
}

impl<'a> LocalPlanner<'a> {
    /// A planner without hypothetical indexes.
    pub fn new(
        settings: &'a PlanningSettings,
        hypothetical: &'a Hypothetical,
        barrier: &'a Barrier,
    ) -> LocalPlanner<'a> {
        let (indexes, schemas, without_constants) = (Vec::new(), HashMap::new(), HashMap::new());
        LocalPlanner { settings, hypothetical, barrier, indexes, schemas, without_constants, spent: Spent::default() }
    }

    /// Plans a query as it stands, or without constants where that is refused. All plans of a text are made in the same way, so that their
    /// prices can be compared.
    fn explain(&mut self, query: &Query, raised: bool) -> Result<ffi::Explained, NoPrice> {
        let known = self.without_constants.get(query.text).copied();
        let mut explained = Err(NoPrice::OutOfTime);
        for without_constants in known.map_or(vec![false, true], |known| vec![known]) {
            let limit = self.spent.left(query.text).ok_or(NoPrice::OutOfTime)?;
            let began = ffi::own_cpu_time();
            explained = self.explain_as_roles(query, raised, limit, without_constants);
            self.spent.add(query.text, ffi::own_cpu_time().saturating_sub(began));
            if explained.is_ok() {
                self.without_constants.insert(query.text.to_owned(), without_constants);
                break;
            }
        }
        explained
    }

    /// Plans a query as the role that asks. Only where the policies of a table show the role that executed it other rows, it is planned
    /// as that one, if the role that asks may act as it, and never as a superuser.
    fn explain_as_roles(
        &mut self,
        query: &Query,
        raised: bool,
        limit: Duration,
        without_constants: bool,
    ) -> Result<ffi::Explained, NoPrice> {
        let executed_by = Oid::from_u32(query.role);
        let schemas = self.schemas_of(query.role)?;
        let plan = Plan { query, raised, limit, schemas: &schemas, without_constants };
        let table = match self.explain_behind(self.barrier, &plan)? {
            Err(NotPlanned::RowSecurity { table }) => table,
            outcome => return outcome.map_err(|reason| NoPrice::Failed(describe(reason))),
        };
        if !may_be_planned_as(executed_by).map_err(failed)? {
            let reason = "the role that executed it sees other rows of it: ask as that role";
            return Err(NoPrice::Failed(format!("table {table} has row-level security, and {reason}")));
        }
        let executor = Barrier { planned_as: executed_by, ..self.barrier.clone() };
        let outcome = self.explain_behind(&executor, &plan)?;
        outcome.map_err(|reason| NoPrice::Failed(describe(reason)))
    }

    fn explain_behind(&self, barrier: &Barrier, plan: &Plan) -> Result<Result<ffi::Explained, NotPlanned>, NoPrice> {
        let Plan { query, raised, limit, schemas, without_constants } = *plan;
        let path: Vec<String> = schemas.iter().map(|schema| identifier(schema)).collect();
        let explained = ffi::attempt_within(limit * BUSY, || {
            for (name, cost) in PAGE_COSTS.iter().zip(self.settings.costs) {
                set_parameter(name, &(if raised { cost + COST_STEP } else { cost }).to_string())?;
            }
            set_parameter("lock_timeout", LOCK_TIMEOUT)?;
            set_parameter("search_path", &path.join(", "))?;
            ffi::as_role(barrier.planned_as, || {
                ffi::explain(query.text, query.limit, Oid::from_u32(query.role), barrier, without_constants)
            })
        });
        explained.map_err(|failure| match failure {
            Failure::OutOfTime => NoPrice::OutOfTime,
            Failure::Raised { code, message } => match describe_failure(code, &message, schemas) {
                Ok(reason) => NoPrice::Failed(reason.unwrap_or(message)),
                Err(error) => failed(error),
            },
        })
    }

    fn schemas_of(&mut self, role: u32) -> Result<Vec<String>, NoPrice> {
        if let Some(known) = self.schemas.get(&role) {
            return Ok(known.clone());
        }
        let schemas = schemas_of(&self.settings.search_path, Oid::from_u32(role)).map_err(failed)?;
        self.schemas.insert(role, schemas.clone());
        Ok(schemas)
    }
}

fn failed(error: Error) -> NoPrice {
    NoPrice::Failed(error.to_string())
}

fn describe(reason: NotPlanned) -> String {
    match reason {
        NotPlanned::Refused(reason) => reason,
        NotPlanned::NoSelect { role, table } => {
            format!("role {role} lacks SELECT on table {table}: GRANT SELECT ON {table} TO {role}")
        }
        NotPlanned::RowSecurity { table } => format!("table {table} has row-level security"),
    }
}

impl Database for LocalPlanner<'_> {
    type Error = Error;

    fn plan(&mut self, query: &Query, raised: bool) -> Result<Explained, NoPrice> {
        check_interrupts();
        // A reason has names of others, and a command that is copied must be one line.
        let in_one_line = |failure| match failure {
            NoPrice::Failed(reason) => NoPrice::Failed(single_line(&reason)),
            other => other,
        };
        let ffi::Explained { plan, limited, terms } = self.explain(query, raised).map_err(in_one_line)?;
        let further_plans = plan.nodes.len() / NODES_A_PLAN + terms / TERMS_A_PLAN;
        Ok(Explained { plan, limited, further_plans })
    }

    fn replace_indexes(&mut self, indexes: &[&Candidate]) -> Result<Vec<u32>, String> {
        self.indexes.drain(..).for_each(|index| self.hypothetical.drop(index));
        for candidate in indexes {
            self.indexes.push(self.hypothetical.make(candidate, self.barrier)?);
        }
        Ok(self.indexes.iter().map(|index| index.oid.to_u32()).collect())
    }

    fn index_size(&mut self, candidate: &Candidate) -> Result<i64, String> {
        let index = self.hypothetical.make(candidate, self.barrier)?;
        let size = self.hypothetical.size(&index);
        self.hypothetical.drop(index);
        size
    }

    fn read_tables(&mut self, names: Option<&BTreeSet<(String, String)>>) -> Result<Vec<Table>, Error> {
        read_tables(names)
    }

    fn check_command(&self, command: &str, table_oid: u32) -> Result<(), String> {
        ffi::check_index(command, table_oid, self.barrier)
    }
}
