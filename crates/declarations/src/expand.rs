//! Placeholders of a script.

use crate::{advice, formats};

/// Reason for which a script cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpandError {
    /// A placeholder that no table has.
    #[error("line {line}: nothing is declared as {{{{{name}}}}}")]
    Unknown {
        /// Its line, from 1 on.
        line: usize,
        /// Its name.
        name: String,
    },
    /// A placeholder without an end.
    #[error("line {0}: a placeholder has no end")]
    Open(usize),
}

/// Writes a script of extension/sql/, in which `{{name}}` stands for declarations: `{{advice_arguments}}` for all arguments of a request
/// for advice, `{{advice_types}}` for their types, `{{region}}` for one of them; `{{demand_functions}}` for the functions that import demand,
/// `{{ebs_import_fio}}` for that of another format, `{{import_help}}` for their rows of ebs_help.
pub fn expand(script: &str) -> Result<String, ExpandError> {
    let mut pieces = script.split("{{");
    let mut written = pieces.next().unwrap_or_default().to_owned();
    let mut read = written.len();
    for piece in pieces {
        let line = 1 + script[..read].matches('\n').count();
        let (name, rest) = piece.split_once("}}").ok_or(ExpandError::Open(line))?;
        let text = advice::text_for(name)
            .or_else(|| formats::text_for(name))
            .ok_or_else(|| ExpandError::Unknown { line, name: name.to_owned() })?;
        written.push_str(&text);
        written.push_str(rest);
        read += "{{".len() + piece.len();
    }
    Ok(written)
}

#[cfg(test)]
#[path = "expand_tests.rs"]
mod tests;
