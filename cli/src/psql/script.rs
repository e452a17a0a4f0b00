//! A psql for one script.

use std::io::Write;
use std::process::{Command, Stdio};

use ebs_base::format::plain_page;

use super::INSUFFICIENT_PRIVILEGE;
use super::connection::Connection;
use crate::error::Error;
use crate::message::print_text;

/// SQLSTATE of a statement that succeeded.
const SUCCESSFUL_COMPLETION: &str = "00000";

/// Command of psql after a script: the SQLSTATE of its last statement, on a line of its own.
const PRINT_SQLSTATE: &str = "\\echo :SQLSTATE\n";

/// Runs a script, which ends with its only statement that can fail, and returns its output; one that fails has none. `privilege_hint`
/// names the privilege that a role may lack.
pub fn run_script(
    connection: &Connection,
    script: &str,
    privilege_hint: Option<&'static str>,
) -> Result<Vec<u8>, Error> {
    let mut command = Command::new(&connection.psql);
    command.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=0", "-f", "-"]).args(connection.arguments());
    command.env("PGCLIENTENCODING", "UTF8").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let failed = |error| Error::StartPsql { program: connection.psql.clone(), error };
    let mut child = command.spawn().map_err(failed)?;
    // A psql that could not connect closes its end, and prints the reason itself.
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(script.as_bytes()).and_then(|()| input.write_all(PRINT_SQLSTATE.as_bytes()));
    }
    let output = child.wait_with_output().map_err(failed)?;
    print_text(&without_script_positions(&String::from_utf8_lossy(&output.stderr)));
    match output.status.code() {
        Some(0) => check_sqlstate(output.stdout, connection, privilege_hint),
        Some(code) => Err(Error::PsqlFailed { status: code.to_string() }),
        None => Err(Error::PsqlFailed { status: "of a signal".to_owned() }),
    }
}

/// Returns the output without the SQLSTATE at its end, which must be that of success.
fn check_sqlstate(
    mut output: Vec<u8>,
    connection: &Connection,
    privilege_hint: Option<&'static str>,
) -> Result<Vec<u8>, Error> {
    let printed = output.trim_ascii_end();
    let begin = printed.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    match std::str::from_utf8(&printed[begin..]).unwrap_or_default() {
        SUCCESSFUL_COMPLETION => {
            output.truncate(begin);
            Ok(output)
        }
        "" => Err(Error::EmptyOutput { program: connection.psql.clone() }),
        sqlstate => {
            Err(Error::ImportFailed { privilege_hint: privilege_hint.filter(|_| sqlstate == INSUFFICIENT_PRIVILEGE) })
        }
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

    /// Only a role that lacks the privilege is told of it.
    #[test]
    fn the_hint_follows_the_sqlstate() {
        let check = |program: &str, output: &str| {
            let connection = Connection { psql: program.into(), dbname: None };
            check_sqlstate(output.as_bytes().to_vec(), &connection, Some("privilege"))
        };
        let hint = |output: &str| check("psql", output).unwrap_err().hint();
        assert_eq!(check("psql", "17\n00000\n").unwrap(), b"17\n");
        assert_eq!(check("psql", "00000\n").unwrap(), b"");
        assert_eq!(hint("42501\n").as_deref(), Some("privilege"));
        assert_eq!(["22023\n", "P0001\n", ":SQLSTATE\n"].map(hint), [None, None, None]);
        assert!(matches!(check("psql", ""), Err(Error::EmptyOutput { .. })));
    }

    #[test]
    fn messages_of_the_server_are_shown_without_a_position_in_a_script() {
        let text = "psql:<stdin>:5: ERROR:  run \"a\u{202e}\" does not exist\nHINT:  a: b\n\tpsql:<stdin>:x: y\n";
        let expected = "ERROR:  run \"a?\" does not exist\nHINT:  a: b\n    psql:<stdin>:x: y\n";
        assert_eq!(without_script_positions(text), expected);
        assert_eq!(without_script_positions(""), "");
    }
}
