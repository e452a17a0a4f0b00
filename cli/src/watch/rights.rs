//! Parts of the evidence, how each is read at this server with this role's rights, and the cost of what is missing.

use crate::message::print_message;
use ebs_base::format::plain;
use ebs_base::identifier::identifier;
use ebs_remote::devices::DeviceSource;
use ebs_remote::server::Server;
use ebs_samples::evidence::StorageLayout;
use ebs_workload::statements::Missing;

/// A part of the evidence.
pub struct Part {
    /// Name: `devices`.
    pub name: &'static str,
    /// Its source, or the reason for which there is none.
    pub source: Result<String, String>,
    /// Cost of its lack, a sentence.
    pub cost: &'static str,
    /// Statement that gives the right, where a right is missing.
    pub remedy: Option<String>,
}

impl Part {
    /// Prints how it is read, or why it is unknown, with the cost and the remedy.
    pub fn print(&self) {
        match &self.source {
            Ok(source) => print_message!("  {:<11} {}", self.name, plain(source)),
            Err(reason) => {
                print_message!("  {:<11} unknown: {}", self.name, plain(reason));
                print_message!("  {:<11} {}", "", self.cost);
                if let Some(remedy) = &self.remedy {
                    print_message!("  {:<11} remedy: {}", "", plain(remedy));
                }
            }
        }
    }
}

/// Describes all parts.
pub fn describe(
    server: &Server,
    devices: &DeviceSource,
    layout: &StorageLayout,
    shows_processes: bool,
    statements: Option<&Missing>,
) -> Vec<Part> {
    vec![
        devices_part(server, devices, layout),
        waits_part(server),
        io_part(server),
        cpu_part(devices, shows_processes),
        statements_part(server, statements),
    ]
}

fn devices_part(server: &Server, devices: &DeviceSource, layout: &StorageLayout) -> Part {
    let volumes: Vec<String> =
        layout.volumes.iter().map(|volume| format!("{} on {}", volume.role(), volume.description())).collect();
    let unresolved = layout.unresolved.first().map(|part| part.reason.clone());
    let from = |source: &str| match (volumes.is_empty(), unresolved) {
        (false, _) => Ok(format!("{} ({source})", volumes.join(", "))),
        (true, reason) => Err(reason.unwrap_or_else(|| "no volume was found".to_owned())),
    };
    let role = identifier(&server.role);
    let (source, remedy) = match devices {
        DeviceSource::Files => (from("/proc/diskstats by pg_read_file"), None),
        DeviceSource::Proctab(_) => (from("pg_diskusage of pg_proctab"), None),
        DeviceSource::Unknown(reason) => (
            Err(reason.clone()),
            Some(format!(
                "GRANT pg_read_server_files TO {role}; GRANT EXECUTE ON FUNCTION pg_read_file(text, bigint, bigint, boolean), \
                 pg_ls_dir(text, boolean, boolean) TO {role}; or on RDS: CREATE EXTENSION pg_proctab;"
            )),
        ),
    };
    let cost = "No requests, latency and queue depth are known, and no volume is recommended.";
    Part { name: "devices", source, cost, remedy }
}

fn waits_part(server: &Server) -> Part {
    let source = match server.sees_sessions {
        true => Ok("pg_stat_activity, ten times a second".to_owned()),
        false => Err(format!("role \"{}\" may not see what other roles wait for", server.role)),
    };
    let remedy = (!server.sees_sessions).then(|| format!("GRANT pg_monitor TO {};", identifier(&server.role)));
    Part { name: "waits", source, cost: "The bottleneck is unknown, and predictions have wide intervals.", remedy }
}

fn io_part(server: &Server) -> Part {
    let source = match server.is_at_least(16) {
        true => Ok("pg_stat_io, pg_stat_wal, pg_stat_database, once a second".to_owned()),
        false => Err(format!("PostgreSQL {} has no pg_stat_io (16 or later has)", server.version)),
    };
    Part { name: "I/O", source, cost: "Requests are not divided by their sources in PostgreSQL.", remedy: None }
}

fn cpu_part(devices: &DeviceSource, shows_processes: bool) -> Part {
    let source = match devices {
        DeviceSource::Files if shows_processes => Ok("/proc by pg_read_file, every 15 s".to_owned()),
        DeviceSource::Proctab(_) if shows_processes => {
            Ok("pg_cputime and pg_proctab of pg_proctab, every 15 s".to_owned())
        }
        DeviceSource::Proctab(_) => Err("pg_cputime and pg_proctab of pg_proctab are not there".to_owned()),
        _ => Err("/proc is not shown to this role".to_owned()),
    };
    Part { name: "CPU", source, cost: "A bottleneck at the CPUs is not recognized.", remedy: None }
}

fn statements_part(server: &Server, missing: Option<&Missing>) -> Part {
    let source = match missing {
        None => Ok("pg_stat_statements, at the beginning and the end".to_owned()),
        Some(Missing::NotPreloaded) => Err("pg_stat_statements is not preloaded".to_owned()),
        Some(Missing::NotCreated(database)) => {
            Err(format!("pg_stat_statements was not created in database \"{database}\""))
        }
        Some(Missing::TooOld(version)) => Err(format!("pg_stat_statements {version} is too old (1.9 or later)")),
        Some(Missing::NoAccess(role)) => Err(format!("role \"{role}\" may not see statements of others")),
        Some(Missing::NotRead) => Err("pg_stat_statements could not be read".to_owned()),
    };
    let is_denied = matches!(missing, Some(Missing::NoAccess(_)));
    let remedy = is_denied.then(|| format!("GRANT pg_monitor TO {};", identifier(&server.role)));
    Part { name: "statements", source, cost: "Statements that cause the I/O are unknown.", remedy }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_has_its_cost_and_its_remedy() {
        let server = Server { version: "15.4".into(), version_num: 150_004, role: "o\"b".into(), ..Server::default() };
        let denied = DeviceSource::Unknown("permission denied for function pg_read_file".into());
        let parts = describe(&server, &denied, &StorageLayout::default(), false, Some(&Missing::NotPreloaded));
        assert!(parts.iter().all(|part| part.source.is_err() && part.cost.ends_with('.')));
        assert_eq!(parts[1].remedy.as_deref(), Some("GRANT pg_monitor TO \"o\"\"b\";"));
        assert!(parts[0].remedy.as_ref().unwrap().contains("pg_read_server_files TO \"o\"\"b\""));
    }
}
