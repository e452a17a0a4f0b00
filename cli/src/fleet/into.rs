//! ebsctl fleet --into: rows into the tables of the extension, by ebs_import_fleet.

use crate::error::Error;
use crate::psql::{Connection, EXTENSION_SCHEMA, literal, run_script};

/// Longest document of one call, bytes: ebs_import_fleet takes 128 MiB, and at most [`MAX_ROWS`].
const MAX_BYTES: usize = 64 << 20;
/// Most rows of one call.
const MAX_ROWS: usize = 50_000;

/// Stores rows, each a JSON object, as the answer of this time (RFC 3339), all or none, and returns their number. Rows of the same
/// volumes and time are replaced, so that a repeated call changes nothing.
pub fn store(connection: &Connection, advised_at: &str, rows: &[impl AsRef<str>]) -> Result<u64, Error> {
    connection.refuse_password()?;
    if rows.is_empty() {
        return Ok(0);
    }
    let hint = Some("The role needs EXECUTE on ebs_import_fleet(text, timestamptz).");
    let output = run_script(connection, &import_script(advised_at, rows), hint)?;
    Ok(String::from_utf8_lossy(&output).trim().parse().unwrap_or(rows.len() as u64))
}

/// Script that imports by a single statement, so that all is imported or nothing. The extension's schema may be none of the search path.
fn import_script(advised_at: &str, rows: &[impl AsRef<str>]) -> String {
    let advised_at = literal(advised_at);
    let call = |document: String| format!(":ebs_schema.ebs_import_fleet({}, {advised_at})", literal(&document));
    let calls: Vec<String> = documents(rows).into_iter().map(call).collect();
    let schema = format!("SELECT coalesce({EXTENSION_SCHEMA}, 'pg_catalog') AS ebs_schema \\gset\n");
    format!("SET standard_conforming_strings = on;\n{schema}SELECT {};\n", calls.join(" + "))
}

/// The rows as documents that one call takes.
fn documents(rows: &[impl AsRef<str>]) -> Vec<String> {
    let mut documents: Vec<(usize, String)> = Vec::new();
    for row in rows {
        let row = row.as_ref();
        match documents.last_mut() {
            Some((count, text)) if *count < MAX_ROWS && text.len() + row.len() < MAX_BYTES => {
                *count += 1;
                text.push('\n');
                text.push_str(row);
            }
            _ => documents.push((1, row.to_owned())),
        }
    }
    documents.into_iter().map(|(_, text)| text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_lines_of_one_statement() {
        let script = import_script("2026-11-20T10:00:00Z", &[r#"{"volume":"it's"}"#, r#"{"volume":"b"}"#]);
        let call = "SELECT :ebs_schema.ebs_import_fleet('{\"volume\":\"it''s\"}\n{\"volume\":\"b\"}', '2026-11-20T10:00:00Z');\n";
        assert!(script.starts_with("SET standard_conforming_strings = on;\nSELECT coalesce("), "{script}");
        assert!(script.ends_with(&format!(" AS ebs_schema \\gset\n{call}")), "{script}");
    }

    #[test]
    fn many_rows_are_several_calls_of_it() {
        let documents = documents(&vec!["{}"; MAX_ROWS + 2]);
        assert_eq!(documents.iter().map(|text| text.lines().count()).collect::<Vec<_>>(), [MAX_ROWS, 2]);
        let long = "x".repeat(MAX_BYTES / 2);
        assert_eq!(super::documents(&[long.as_str(); 3]).len(), 3);
        let script = import_script("2026-11-20T10:00:00Z", &vec!["{}"; MAX_ROWS + 1]);
        assert_eq!((script.matches("ebs_import_fleet(").count(), script.matches(" + ").count()), (2, 1));
    }

    #[test]
    fn a_password_is_refused_before_anything_runs() {
        let connection = Connection { psql: "/nowhere".into(), dbname: Some("password=secret".into()) };
        assert!(matches!(store(&connection, "2026-11-20T10:00:00Z", &["{}"]), Err(Error::PasswordOnCommandLine)));
    }
}
