//! Connections to the planner of the server that is watched: the one that watches, and others, of roles that may only read.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ebs_remote::planner_rights::PlannerRights;
use ebs_remote::planning::{FIRST_MAJOR, LOCK_TIMEOUT_QUERY, Obstacle, PlannerIdentity};
use ebs_remote::{AnswerError, Query, parse_answer};
use ebs_tuning::indexes::{Finding, Kind, Reason};

use super::super::rights::Part;
use crate::error::{Error, QueryError};
use crate::postgres::{Connection, Session};
use crate::watch::target::patience;

/// Connections that were tried, with what is known of each.
pub struct PlannerConnections(Vec<(Connection, PlannerIdentity)>);

/// Connections that are open.
pub struct OpenConnections {
    /// Their sessions.
    pub sessions: Vec<(Session, PlannerIdentity)>,
    /// Those that failed, with the reason.
    pub failed: Vec<String>,
}

impl PlannerConnections {
    /// Begins with the connection to the watched server, and tries the others, which must lead to the same database of the same server.
    pub fn check(
        watched: (&Connection, PlannerIdentity),
        others: &[String],
        stop: &Arc<AtomicBool>,
    ) -> Result<PlannerConnections, Error> {
        let (watched, identity) = watched;
        let mut connections = vec![(watched.clone(), identity)];
        for other in others {
            let connection = Connection::to(other);
            connection.refuse_password()?;
            let failed = |error| Error::Planner { conninfo: other.clone(), error: Box::new(error) };
            let (_, identity) = open(&connection, stop).map_err(failed)?;
            let known = &connections[0].1;
            if identity.started_us != known.started_us {
                return Err(Error::OtherPlanner { conninfo: other.clone(), place: "another server".to_owned() });
            }
            if identity.database_id != known.database_id {
                let place = format!("database \"{}\" and not to \"{}\"", identity.database, known.database);
                return Err(Error::OtherPlanner { conninfo: other.clone(), place });
            }
            if let Some(rights) = identity.harm() {
                let (reason, remedies) = (rights.reason(), rights.remedies());
                return Err(Error::HarmfulPlanner { conninfo: other.clone(), reason, remedies });
            }
            if connections.iter().all(|(_, known)| known.role_id != identity.role_id) {
                connections.push((connection, identity));
            }
        }
        Ok(PlannerConnections(connections))
    }

    /// Opens those that the same server still answers; the others have their errors. An error if there is none.
    pub fn open(&self, stop: &Arc<AtomicBool>) -> Result<OpenConnections, Error> {
        let reopen = |(connection, before): &(Connection, PlannerIdentity)| {
            let (session, now) = open(connection, stop)?;
            if (now.role_id, now.database_id) != (before.role_id, before.database_id) {
                return Err(Error::Unreachable("another server or role answers at its address".to_owned()));
            }
            Ok((session, now))
        };
        let (mut open, mut failed, mut first) = (Vec::new(), Vec::new(), None);
        for connection in &self.0 {
            match reopen(connection) {
                Ok((session, identity)) => {
                    // The connection that watches still reads tables and facts.
                    let may_plan = connection.1.harm().is_none();
                    if let Some(rights) = identity.harm().filter(|_| may_plan) {
                        failed.push(rights.reason());
                    }
                    open.push((session, identity));
                }
                Err(error) => {
                    failed.push(format!("role {}: {}", connection.1.role, error.in_one_line()));
                    first = first.or(Some(error));
                }
            }
        }
        match first {
            Some(error) if open.is_empty() => Err(error),
            _ => Ok(OpenConnections { sessions: open, failed }),
        }
    }

    /// Roles and databases of all.
    pub fn identities(&self) -> impl Iterator<Item = &PlannerIdentity> + Clone {
        self.0.iter().map(|(_, identity)| identity)
    }

    /// True if the server can plan with hypothetical indexes, for one of the roles at least.
    pub fn can_try_indexes(&self) -> bool {
        self.identities().any(|identity| identity.obstacle().is_none())
    }

    /// Finding that no index can be tried, with the command that remedies it.
    pub fn obstacle_finding(&self) -> Finding {
        let reason = match self.0.first().and_then(|(_, identity)| Some((identity, identity.obstacle()?))) {
            Some((identity, Obstacle::NoHypopg)) => return Finding::hypopg_missing(identity.hypopg_available),
            Some((identity, obstacle)) => describe(identity, &obstacle),
            None => "it was not asked".to_owned(),
        };
        Finding::new(Kind::Missing, Reason::PlannerUnusable(reason))
    }

    /// The part of the evidence that it is; `has_statements` if those are read.
    pub fn part(&self, has_statements: bool) -> Part {
        let able = self.identities().filter(|identity| identity.obstacle().is_none());
        let roles: Vec<String> = able.map(|identity| format!("\"{}\"", identity.role)).collect();
        let obstacle = self.identities().find_map(|identity| Some((identity, identity.obstacle()?)));
        let (source, remedy) = match obstacle {
            _ if !has_statements => (Err("the statements are unknown".to_owned()), None),
            Some((identity, obstacle)) if roles.is_empty() => {
                let remedy = match &obstacle {
                    Obstacle::NoHypopg => Some("CREATE EXTENSION hypopg;".to_owned()),
                    Obstacle::NoSchemaUsage(grant) => Some(grant.clone()),
                    Obstacle::NoPlpgsql => Some("CREATE EXTENSION plpgsql;".to_owned()),
                    Obstacle::Harmful(rights) => {
                        Some(format!("--planner with a role that may only read: {}", rights.new_role().join(" ")))
                    }
                    Obstacle::TooOld | Obstacle::UnknownRights => None,
                };
                (Err(describe(identity, &obstacle)), remedy)
            }
            _ => (Ok(format!("hypopg and the planner, at the end, as role {}", roles.join(", "))), None),
        };
        Part { name: "indexes", source, cost: "No indexes are proposed; those without use are listed.", remedy }
    }
}

fn describe(identity: &PlannerIdentity, obstacle: &Obstacle) -> String {
    let PlannerIdentity { database, role, .. } = identity;
    match obstacle {
        Obstacle::TooOld => format!("only PostgreSQL {FIRST_MAJOR} or later plans statements without their parameters"),
        Obstacle::NoHypopg => format!("hypopg is not in database \"{database}\""),
        Obstacle::NoSchemaUsage(grant) => format!("role \"{role}\" may not use the schema of hypopg: {grant}"),
        Obstacle::Harmful(rights) => rights.reason(),
        Obstacle::UnknownRights => format!("the rights of role \"{role}\" could not be read"),
        Obstacle::NoPlpgsql => format!("role \"{role}\" cannot run blocks of PL/pgSQL in database \"{database}\""),
    }
}

fn open(connection: &Connection, stop: &Arc<AtomicBool>) -> Result<(Session, PlannerIdentity), Error> {
    let mut session = Session::open_read_only(connection, patience(stop))?;
    session.query_value(&Query::new(LOCK_TIMEOUT_QUERY))?;
    let answer = session.query_value(&PlannerIdentity::query())?.value.unwrap_or_default();
    let malformed = |error: AnswerError| QueryError::ConnectionLost(error.to_string());
    let mut identity: PlannerIdentity = parse_answer(&answer).map_err(malformed)?;
    let answer = session.query_value(&PlannerRights::query())?.value.unwrap_or_default();
    identity.rights = Some(parse_answer::<PlannerRights>(&answer).map_err(malformed)?);
    Ok((session, identity))
}
