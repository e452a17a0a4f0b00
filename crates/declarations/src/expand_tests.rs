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
