//! ebsctl fleet --into: rows into the tables of the extension, by ebs_import_fleet.

use crate::error::Error;
use crate::postgres::function::IMPORT_FLEET;
use crate::postgres::{Connection, Extension};

/// Longest document of one call, bytes: ebs_import_fleet takes 128 MiB, and at most [`MAX_ROWS`].
const MAX_BYTES: usize = 64 << 20;
/// Most rows of one call.
const MAX_ROWS: usize = 50_000;

/// Stores rows, each a JSON object, as the answer of this time (RFC 3339), all or none, and returns their number. Rows of the same
/// volumes and time are replaced, so that a repeated call changes nothing.
pub fn store(connection: &Connection, advised_at: &str, rows: &[impl AsRef<str>]) -> Result<u64, Error> {
    if rows.is_empty() {
        return Ok(0);
    }
    let import = "SELECT {call}::pg_catalog.text AS value";
    Extension::open(connection)?.in_transaction(|database| {
        let store = |document: String| {
            let answer = database.query(&IMPORT_FLEET, import, vec![Some(document), Some(advised_at.to_owned())])?;
            Ok(answer.value.and_then(|count| count.parse::<u64>().ok()).unwrap_or_default())
        };
        documents(rows).into_iter().map(store).sum()
    })
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
    fn many_rows_are_several_documents() {
        let documents = documents(&vec!["{}"; MAX_ROWS + 2]);
        assert_eq!(documents.iter().map(|text| text.lines().count()).collect::<Vec<_>>(), [MAX_ROWS, 2]);
        let long = "x".repeat(MAX_BYTES / 2);
        assert_eq!(super::documents(&[long.as_str(); 3]).len(), 3);
    }

    #[test]
    fn a_password_is_refused_before_anything_runs() {
        let connection = Connection::to("password=secret");
        assert!(matches!(store(&connection, "2026-11-20T10:00:00Z", &["{}"]), Err(Error::PasswordOnCommandLine)));
    }
}
