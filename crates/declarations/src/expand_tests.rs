use ebs_imports::formats::formats;

use super::*;

#[test]
fn placeholders_become_declarations() {
    let script = "CREATE FUNCTION f({{region}},\n    {{io_source}}) AS '{a, {b}}';\n";
    let written = "CREATE FUNCTION f(region text DEFAULT NULL,\n    io_source text DEFAULT 'all') AS '{a, {b}}';\n";
    assert_eq!(expand(script).as_deref(), Ok(written));
}

#[test]
fn types_are_as_many_as_arguments() {
    let declared = expand("{{advice_arguments}}").unwrap();
    let types: Vec<&str> = declared.split(',').filter_map(|one| one.split_whitespace().nth(1)).collect();
    assert_eq!(expand("{{advice_types}}").unwrap(), types.join(", "));
}

#[test]
fn what_no_table_has_is_refused_with_its_line() {
    let unknown = ExpandError::Unknown { line: 2, name: "nobody".to_owned() };
    assert_eq!(expand("{{region}}\n{{nobody}}"), Err(unknown.clone()));
    assert_eq!(unknown.to_string(), "line 2: nothing is declared as {{nobody}}");
    assert_eq!(expand("a\nb{{region"), Err(ExpandError::Open(2)));
}

/// Scripts that create the functions of imports, and the help.
const SCRIPTS: [&str; 4] = [
    include_str!("../../../extension/sql/27_import.sql"),
    include_str!("../../../extension/sql/28_import_fio.sql"),
    include_str!("../../../extension/sql/29_import_rds.sql"),
    include_str!("../../../extension/sql/55_help.sql"),
];

#[test]
fn the_function_of_each_format_is_created_once_and_has_its_help() {
    let scripts = expand(&SCRIPTS.concat()).unwrap();
    let functions: Vec<&str> = formats().filter_map(|format| Some(format.sql?.name)).collect();
    assert!(functions.len() >= 8, "{functions:?}");
    for name in functions {
        assert_eq!(scripts.matches(&format!("CREATE FUNCTION {name}(")).count(), 1, "{name}");
        assert_eq!(scripts.matches(&format!("('imports', '{name}', 'SELECT {name}(")).count(), 1, "{name}");
    }
}

#[test]
fn a_text_is_quoted() {
    assert!(expand("{{ebs_import_awr}}").unwrap().contains("such as Oracle''s AWR"));
    assert!(expand("{{demand_functions}}").unwrap().contains(
        "CREATE FUNCTION ebs_import_iostat(label text, report text, device text DEFAULT NULL, wal_device text DEFAULT NULL, "
    ));
}
