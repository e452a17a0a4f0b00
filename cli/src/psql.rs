//! One statement to the server and what it prints, by the psql that is there: it knows every way to connect and to authenticate.

use std::io::Write;
use std::process::{Command, Stdio};

use ebs_base::format::plain_page;

use crate::error::Error;

/// Imports a document; what psql printed, which is the number of prices taken.
pub fn import(program: &str, dbname: Option<&str>, document: &str) -> Result<String, Error> {
    let printed =
        print(program, dbname, &statement(document), Some("The role needs EXECUTE on ebs_import_prices(jsonb)."))?;
    Ok(String::from_utf8_lossy(&printed).trim().to_owned())
}

/// What a script prints; one that fails prints nothing. `needs` is what a role needs for it, where it may lack just that.
pub fn print(program: &str, dbname: Option<&str>, script: &str, needs: Option<&'static str>) -> Result<Vec<u8>, Error> {
    let mut command = Command::new(program);
    command.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-f", "-"]);
    command.args(dbname.iter().flat_map(|name| ["-d", name]));
    command.env("PGCLIENTENCODING", "UTF8").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let unable = |error| Error::NoPsql { program: program.to_owned(), error };
    let mut child = command.spawn().map_err(unable)?;
    // A psql that could not connect closes its end; why, it has said itself.
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(script.as_bytes());
    }
    let output = child.wait_with_output().map_err(unable)?;
    eprint!("{}", said(&String::from_utf8_lossy(&output.stderr)));
    match output.status.code() {
        Some(0) => Ok(output.stdout),
        Some(code) => Err(Error::Psql { status: code.to_string(), needs }),
        None => Err(Error::Psql { status: "of a signal".to_owned(), needs }),
    }
}

/// What psql said, without the line of a script that the user has never seen.
fn said(text: &str) -> String {
    let line = |line: &str| {
        let bare = line.strip_prefix("psql:<stdin>:").and_then(|rest| rest.split_once(": "));
        let bare = bare.filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()));
        plain_page(&bare.map_or(line, |(_, words)| words).replace('\t', "    ")) + "\n"
    };
    text.lines().map(line).collect()
}

/// One statement, and so all or nothing. Standard strings, whatever the server is set to.
fn statement(document: &str) -> String {
    let literal = document.replace('\'', "''");
    format!("SET standard_conforming_strings = on;\nSELECT ebs_import_prices('{literal}'::jsonb);\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_s_words_are_shown_without_a_place_in_a_script() {
        let text = "psql:<stdin>:5: ERROR:  run \"a\u{202e}\" does not exist\nHINT:  a: b\n\tpsql:<stdin>:x: y\n";
        assert_eq!(said(text), "ERROR:  run \"a?\" does not exist\nHINT:  a: b\n    psql:<stdin>:x: y\n");
        assert_eq!(said(""), "");
    }

    #[test]
    fn a_quote_does_not_end_the_literal() {
        assert!(statement("{\"a\":\"it's\"}").ends_with("SELECT ebs_import_prices('{\"a\":\"it''s\"}'::jsonb);\n"));
    }
}
