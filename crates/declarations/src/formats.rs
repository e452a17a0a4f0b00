//! SQL functions that import files of a format.

use ebs_imports::format::{Format, Reader, SqlFunction};
use ebs_imports::formats::formats;

/// Text for a placeholder: the functions of all formats that give demand, that of another format by its name, and the rows of ebs_help.
pub fn text_for(placeholder: &str) -> Option<String> {
    let is_demand = |format: &&Format| matches!(format.reader, Reader::Demand(_));
    match placeholder {
        "demand_functions" => Some(join(formats().filter(is_demand), "\n\n", create)),
        "import_help" => Some(join(formats(), ",\n    ", |_, function| help(function))),
        name => join_some(formats().filter(|format| !is_demand(format)).filter(|format| is_named(format, name))),
    }
}

fn is_named(format: &Format, name: &str) -> bool {
    format.sql.is_some_and(|function| function.name == name)
}

fn join_some(formats: impl Iterator<Item = &'static Format>) -> Option<String> {
    Some(join(formats, "", create)).filter(|text| !text.is_empty())
}

fn join(
    formats: impl Iterator<Item = &'static Format>,
    between: &str,
    text: impl Fn(&Format, SqlFunction) -> String,
) -> String {
    let texts = formats.filter_map(|format| Some(text(format, format.sql?)));
    texts.collect::<Vec<_>>().join(between)
}

/// Writes CREATE FUNCTION and its comment. Formats that give demand share a symbol, which finds the format by the name of the function.
fn create(format: &Format, function: SqlFunction) -> String {
    let symbol = if matches!(format.reader, Reader::Demand(_)) { "ebs_import_demand" } else { function.name };
    format!(
        "CREATE FUNCTION {} RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', '{symbol}_wrapper';
COMMENT ON FUNCTION {} IS
    '{}';",
        function.declaration(),
        function.signature(),
        quoted(function.comment)
    )
}

fn help(function: SqlFunction) -> String {
    format!("('imports', '{}', '{}')", function.name, quoted(function.example))
}

fn quoted(text: &str) -> String {
    text.replace('\'', "''")
}
