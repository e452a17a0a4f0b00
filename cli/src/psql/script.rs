//! A psql for one script.

use std::io::Write;
use std::process::{Command, Stdio};

use ebs_base::format::plain_page;

use super::connection::Connection;
use crate::error::Error;

/// Runs a script and returns its output; one that fails has none. `privilege_hint` names the privilege that a role may lack.
pub fn run_script(
    connection: &Connection,
    script: &str,
    privilege_hint: Option<&'static str>,
) -> Result<Vec<u8>, Error> {
    let mut command = Command::new(&connection.psql);
    command.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-f", "-"]).args(connection.arguments());
    command.env("PGCLIENTENCODING", "UTF8").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let failed = |error| Error::StartPsql { program: connection.psql.clone(), error };
    let mut child = command.spawn().map_err(failed)?;
    // A psql that could not connect closes its end, and prints the reason itself.
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(script.as_bytes());
    }
    let output = child.wait_with_output().map_err(failed)?;
    eprint!("{}", without_script_positions(&String::from_utf8_lossy(&output.stderr)));
    match output.status.code() {
        Some(0) => Ok(output.stdout),
        Some(code) => Err(Error::PsqlFailed { status: code.to_string(), privilege_hint }),
        None => Err(Error::PsqlFailed { status: "of a signal".to_owned(), privilege_hint }),
    }
}

/// psql's messages without line numbers of a script that the user has never seen.
fn without_script_positions(messages: &str) -> String {
    let strip = |line: &str| {
        let positioned = line.strip_prefix("psql:<stdin>:").and_then(|rest| rest.split_once(": "));
        let positioned = positioned.filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()));
        let message = positioned.map_or(line, |(_, message)| message);
        plain_page(&message.replace('\t', "    ")) + "\n"
    };
    messages.lines().map(strip).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_server_are_shown_without_a_position_in_a_script() {
        let text = "psql:<stdin>:5: ERROR:  run \"a\u{202e}\" does not exist\nHINT:  a: b\n\tpsql:<stdin>:x: y\n";
        let expected = "ERROR:  run \"a?\" does not exist\nHINT:  a: b\n    psql:<stdin>:x: y\n";
        assert_eq!(without_script_positions(text), expected);
        assert_eq!(without_script_positions(""), "");
    }
}
