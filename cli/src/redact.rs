//! Commands without their passwords, because commands are stored and shown. Hides rather too much than too little: a secret that is
//! shown is lost, a value that is hidden can be looked up.

mod addresses;
mod names;
mod options;
mod pairs;
mod program;
mod quotes;
mod statement;

use self::addresses::{redact_addresses, redact_user};
use self::names::HIDDEN;
use self::options::Options;
use self::pairs::{redact_assignments, redact_fields};
use self::quotes::words;
use self::statement::redact_statements;

/// The arguments of a command, without passwords: `--pgsql-password=…`, `--password …`, `PGPASSWORD=…`, `password=…` in a
/// connection string, those in addresses such as `postgresql://user:…@host/`, headers, JSON, statements, and short options of
/// programs that are known to take one (`Program`).
pub fn redact(command: &[String]) -> Vec<String> {
    let mut options = Options::new();
    let mut is_script = false;
    let redact_next = |argument: &String| {
        let is_script = std::mem::replace(&mut is_script, is_script_option(argument));
        let redacted = options.redact(argument);
        redacted.unwrap_or_else(|| redact_argument(argument, is_script))
    };
    command.iter().map(redact_next).collect()
}

/// True if a connection string or an address has a password in it.
pub fn has_password(conninfo: &str) -> bool {
    redact_addresses(&redact_assignments(conninfo)) != conninfo
}

/// `-c`, `-lc` of a shell.
fn is_script_option(argument: &str) -> bool {
    !argument.starts_with("--") && argument.starts_with('-') && argument.ends_with('c')
}

fn redact_argument(argument: &str, is_script: bool) -> String {
    if let Some(name) = variable(argument).filter(|_| !is_script) {
        return format!("{name}={HIDDEN}");
    }
    let text = redact_statements(&redact_fields(&redact_assignments(argument)));
    redact_words(&redact_addresses(&text))
}

/// Name of the variable whose secret is the whole rest of an argument, as of env: it may have spaces.
fn variable(argument: &str) -> Option<&str> {
    let (name, value) = argument.split_once('=')?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    (is_name && !value.is_empty() && names::is_secret(name)).then_some(name)
}

/// The words of a text without secrets: a script for a shell has options of its own.
fn redact_words(text: &str) -> String {
    let mut options = Options::new();
    let is_script = text.contains(char::is_whitespace);
    let mut output = String::with_capacity(text.len());
    for (word, space) in words(text) {
        let redacted = if is_script { options.redact(word.trim_matches(['\'', '"'])) } else { None };
        output.push_str(redacted.or_else(|| redact_user(word)).as_deref().unwrap_or(word));
        output.push_str(space);
    }
    output
}

#[cfg(test)]
#[path = "redact/redact_tests.rs"]
mod tests;
