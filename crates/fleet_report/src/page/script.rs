//! The script of the page, and its data.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ebs_aws::catalogue::VolumeType;
use ebs_base::format::plain;
use ebs_fleet_row::Row;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::action::{ACTIONS, describe};
use crate::risk::RISKS;

/// Files of the script, in their order: each uses those before.
const FILES: [&str; 7] = [
    include_str!("script/elements.js"),
    include_str!("script/figures.js"),
    include_str!("script/rows.js"),
    include_str!("script/detail.js"),
    include_str!("script/scatter.js"),
    include_str!("script/table.js"),
    include_str!("script/page.js"),
];

/// Returns the script: the names of risks, of actions and of types whose MiB/s are ordered, and its files.
pub(super) fn script() -> String {
    let actions = ACTIONS.map(|action| format!("{action}: {:?}", describe(action))).join(", ");
    let types = VolumeType::ALL.into_iter().filter(|volume_type| volume_type.has_chosen_throughput());
    let types: Vec<&str> = types.map(VolumeType::name).collect();
    let names =
        format!("const RISKS = {RISKS:?};\nconst ACTIONS = {{{actions}}};\nconst CHOSEN_THROUGHPUT = {types:?};\n");
    format!("'use strict';\n(() => {{\n{names}{}}})();\n", FILES.concat())
}

/// Returns the source of scripts that the page's policy allows: the hash of its own one, so that no other script runs.
pub(super) fn source(script: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(script)))
}

/// Returns rows as JSON that ends no element: a `<` is an escape in its strings, and stands nowhere else in JSON.
pub(super) fn data<'a>(rows: impl Iterator<Item = &'a Row>) -> String {
    let rows = rows.filter_map(|row| serde_json::to_value(row).ok());
    let rows: Vec<String> = rows.map(|row| replaced(row).to_string()).collect();
    format!("[{}]", rows.join(",\n")).replace('<', "\\u003c")
}

/// The same with question marks for the letters of its texts that reverse or hide text, as in the table.
fn replaced(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(plain(&text)),
        Value::Array(values) => Value::Array(values.into_iter().map(replaced).collect()),
        Value::Object(pairs) => {
            Value::Object(pairs.into_iter().map(|(key, value)| (plain(&key), replaced(value))).collect())
        }
        other => other,
    }
}
