//! Connections to the planner of the server that is watched, one for each role whose statements are to be planned.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ebs_base::format::plain;
use ebs_remote::planning::{FIRST_MAJOR, PlannerIdentity};

use super::super::rights::Part;
use crate::error::{Error, QueryError};
use crate::psql::{Connection, Session};

/// Statement timeout of planning, at the server.
const STATEMENT_TIMEOUT: &str = "10s";

/// Connections that were tried, with what is known of each.
pub struct PlannerConnections(Vec<(Connection, PlannerIdentity)>);

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
            let connection = Connection { dbname: Some(other.clone()), ..watched.clone() };
            connection.refuse_password()?;
            let (_, identity) = open(&connection, stop)?;
            if !is_same_database(&identity, &connections[0].1) {
                return Err(Error::InvalidArgument {
                    message: format!(
                        "--planner leads to database \"{}\" of another server or to another database than the watched one",
                        plain(&identity.database)
                    ),
                    hint: "Give the connection string of the watched server with another user, for example --planner 'service=prod user=app'.",
                });
            }
            if connections.iter().all(|(_, known)| known.role_id != identity.role_id) {
                connections.push((connection, identity));
            }
        }
        Ok(PlannerConnections(connections))
    }

    /// Opens all of them; an error where the server is another one by now.
    pub fn open(&self, stop: &Arc<AtomicBool>) -> Result<Vec<(Session, PlannerIdentity)>, Error> {
        let reopen = |(connection, before): &(Connection, PlannerIdentity)| {
            let (session, now) = open(connection, stop)?;
            if (now.role_id, now.database_id) != (before.role_id, before.database_id) {
                return Err(Error::Unreachable("another server or role answers at its address".to_owned()));
            }
            Ok((session, now))
        };
        self.0.iter().map(reopen).collect()
    }

    /// Roles and databases of all.
    pub fn identities(&self) -> impl Iterator<Item = &PlannerIdentity> + Clone {
        self.0.iter().map(|(_, identity)| identity)
    }

    /// True if the server can plan with hypothetical indexes, for one of the roles at least.
    pub fn can_try_indexes(&self) -> bool {
        self.identities().any(|identity| identity.hypopg.is_some() && is_recent(identity))
    }

    /// The part of the evidence that it is.
    pub fn part(&self) -> Part {
        let planned = self.identities().filter(|identity| identity.hypopg.is_some());
        let roles: Vec<String> = planned.map(|identity| format!("\"{}\"", identity.role)).collect();
        let (source, remedy) = match self.0.first() {
            _ if self.can_try_indexes() => {
                (Ok(format!("hypopg and the planner, at the end, of statements of {}", roles.join(", "))), None)
            }
            Some((_, identity)) if is_recent(identity) => (
                Err(format!(
                    "hypopg is not in database \"{}\", or these roles may not use its schema",
                    identity.database
                )),
                Some("CREATE EXTENSION hypopg;".to_owned()),
            ),
            _ => {
                (Err(format!("only PostgreSQL {FIRST_MAJOR} or later plans statements without their parameters")), None)
            }
        };
        Part { name: "indexes", source, cost: "No indexes are proposed; those without use are listed.", remedy }
    }
}

fn is_recent(identity: &PlannerIdentity) -> bool {
    identity.version_num >= FIRST_MAJOR * 10_000
}

fn is_same_database(one: &PlannerIdentity, other: &PlannerIdentity) -> bool {
    (one.database_id, one.started_us) == (other.database_id, other.started_us)
}

fn open(connection: &Connection, stop: &Arc<AtomicBool>) -> Result<(Session, PlannerIdentity), Error> {
    let mut session = Session::open_read_only(connection, STATEMENT_TIMEOUT, Arc::clone(stop))?;
    let answer = session.query_value(&PlannerIdentity::query())?.value.unwrap_or_default();
    let identity = PlannerIdentity::parse(&answer).map_err(|error| QueryError::ConnectionLost(error.to_string()))?;
    Ok((session, identity))
}
