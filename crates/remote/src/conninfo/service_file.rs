//! Service files: named groups of connection parameters (<https://www.postgresql.org/docs/current/libpq-pgservice.html>).

use std::io::ErrorKind;

use super::environment::{Environment, home};
use super::error::{ConninfoError, Source};
use super::parameters::Keyword;
use super::text::is_space;
use super::values::Values;

/// Largest service file and password file, bytes.
pub const MAX_FILE_BYTES: usize = 1024 * 1024;

/// Shortest line that libpq refuses, bytes with its newline.
const LINE_LIMIT: usize = 1_023;

/// Directories of the system-wide file where PGSYSCONFDIR is not set: Debian's, PGDG's packages for Red Hat, others, a build's.
const SYSTEM_DIRECTORIES: [&str; 4] =
    ["/etc/postgresql-common", "/etc/sysconfig/pgsql", "/etc", "/usr/local/pgsql/etc"];

/// Adds the parameters of the service that `service` or PGSERVICE names, if one does, to those that are not given.
pub(super) fn add_service(values: &mut Values, environment: &dyn Environment) -> Result<(), ConninfoError> {
    let service = values.get(Keyword::Service).map(str::to_owned).or_else(|| environment.variable("PGSERVICE"));
    let Some(service) = service else { return Ok(()) };
    let named = values.get(Keyword::ServiceFile).map(str::to_owned).or_else(|| environment.variable("PGSERVICEFILE"));
    let personal = || home(environment).map(|home| format!("{home}/.pg_service.conf"));
    if let Some(path) = named.clone().or_else(personal) {
        match read(&path, environment)? {
            Some(text) if add_group(&text, &path, &service, values)? => return Ok(()),
            None if named.is_some() => return Err(ConninfoError::ServiceFileNotFound(path)),
            _ => {}
        }
    }
    let directories = match environment.variable("PGSYSCONFDIR") {
        Some(directory) => vec![directory],
        None => SYSTEM_DIRECTORIES.map(str::to_owned).to_vec(),
    };
    for directory in directories {
        let path = format!("{directory}/pg_service.conf");
        if let Some(text) = read(&path, environment)?
            && add_group(&text, &path, &service, values)?
        {
            return Ok(());
        }
    }
    Err(ConninfoError::ServiceNotFound(service))
}

/// Reads a file; `None` if it does not exist.
fn read(path: &str, environment: &dyn Environment) -> Result<Option<String>, ConninfoError> {
    match environment.read(path) {
        Ok(text) if text.len() > MAX_FILE_BYTES => {
            Err(ConninfoError::TooLong { subject: format!("service file \"{path}\""), max_bytes: MAX_FILE_BYTES })
        }
        Ok(text) => Ok(Some(text)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(ConninfoError::ServiceFileUnreadable { path: path.to_owned(), error }),
    }
}

/// Adds the parameters of a group to those that are not given. False if the file does not have the group.
fn add_group(text: &str, path: &str, service: &str, values: &mut Values) -> Result<bool, ConninfoError> {
    let mut is_found = false;
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        let problem = |problem| ConninfoError::ServiceLine { problem, path: path.to_owned(), line: number };
        if line.len() >= LINE_LIMIT {
            return Err(problem("line too long"));
        }
        let line = line.trim_matches(is_space);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(group) = line.strip_prefix('[') {
            if is_found {
                break;
            }
            is_found = group.strip_prefix(service).is_some_and(|rest| rest.starts_with(']'));
        } else if is_found {
            add_line(line, service, values).map_err(|error| match error {
                LineError::Problem(text) => problem(text),
                LineError::Value(error) => error,
            })?;
        }
    }
    Ok(is_found)
}

enum LineError {
    Problem(&'static str),
    Value(ConninfoError),
}

fn add_line(line: &str, service: &str, values: &mut Values) -> Result<(), LineError> {
    if line.starts_with("ldap") {
        return Err(LineError::Problem("LDAP lookup, which is not supported,"));
    }
    let (keyword, value) = line.split_once('=').ok_or(LineError::Problem("syntax error: missing \"=\""))?;
    let keyword = Keyword::find(keyword).ok_or(LineError::Problem("syntax error: invalid connection option"))?;
    if matches!(keyword, Keyword::Service | Keyword::ServiceFile) {
        return Err(LineError::Problem("nested service specification"));
    }
    values.fill(keyword, value.to_owned(), Source::Service(service.to_owned())).map_err(LineError::Value)
}
