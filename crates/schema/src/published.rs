//! Files of the repository that a test compares with the output of the code, or rewrites on request.

// Tests alone call this, and published schemas are files.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use std::env;
use std::fs;
use std::path::Path;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// Environment variable that makes the tests write files instead of comparing them.
const UPDATE: &str = "UPDATE_DOCUMENTS";

/// Asserts that `docs/schema/NAME.json` is the schema of the JSON that `T` is written as. Returns the schema.
pub fn assert_published<T: JsonSchema>(name: &str, title: &str) -> Value {
    let mut schema = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema").join(name).with_extension("json");
    let schema = schema.to_value();
    // Descriptions are the comments of the types: what is `None` there is null here.
    assert_unchanged(&path, &format!("{schema:#}\n").replace("`None`", "null"));
    schema
}

/// Asserts that a file holds this text, line by line.
pub fn assert_unchanged(path: &Path, text: &str) {
    if env::var_os(UPDATE).is_some() {
        fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return;
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    let differs = text.lines().zip(expected.lines()).zip(1..).find(|((found, expected), _)| found != expected);
    let differs =
        differs.map(|((found, expected), line)| format!("line {line} has\n  {expected}\nand would have\n  {found}"));
    let anew = format!("To write it anew: {UPDATE}=1 cargo test -p {}", env::var("CARGO_PKG_NAME").unwrap_or_default());
    if let Some(differs) = differs {
        panic!("{}: {differs}\n{anew}", path.display());
    }
    assert!(text == expected, "{}: its length differs\n{anew}", path.display());
}
