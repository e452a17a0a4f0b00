use proptest::prelude::*;

use super::*;
use crate::fixtures;

fn read(text: &str) -> Result<Vec<Row>, String> {
    read_rows(text.as_bytes()).collect::<Result<_, _>>().map_err(|error| error.to_string())
}

fn written(rows: &[Row]) -> String {
    let mut lines = Vec::new();
    write_json(rows, &mut lines).unwrap();
    String::from_utf8(lines).unwrap()
}

#[test]
fn rows_come_back_as_they_were() {
    let rows = [fixtures::full(), fixtures::row("vol-1")];
    assert_eq!(read(&written(&rows)).unwrap(), rows);
}

#[test]
fn missing_keys_have_no_value_and_unknown_ones_are_ignored() {
    let rows = read("{\"volume\":\"vol-1\",\"of_a_newer_version\":1}\n\n{\"volume\":\"vol-2\"}").unwrap();
    assert_eq!(rows, [fixtures::row("vol-1"), fixtures::row("vol-2")]);
}

#[test]
fn an_error_names_its_line() {
    for (text, message) in [
        (
            "{\"volume\":\"vol-1\"}\n{\"volume\":7}",
            "line 2 is not a row of ebsctl fleet: invalid type: integer `7`, expected a string, at column 11",
        ),
        ("{\"volume\":\"vol-1\"", "line 1 is not a row of ebsctl fleet: EOF while parsing an object, at column 17"),
        ("\n{}", "line 2 is not a row of ebsctl fleet: it names no volume"),
        (
            "{\"volume\":\"v\",\"action\":\"grow\"}",
            "line 1 is not a row of ebsctl fleet: unknown variant `grow`, expected one of `keep`, `modify`, `larger_instance`, `delete`, `no_answer`, at column 29",
        ),
    ] {
        assert_eq!(read(text).unwrap_err(), message);
    }
    let bytes: &[u8] = b"{\"volume\":\"\xff\"}";
    assert!(matches!(read_rows(bytes).next(), Some(Err(ReadError::Row { line: 1, .. }))));
    let long = "x".repeat(MAX_LINE_BYTES + 1);
    assert_eq!(read(&long).unwrap_err(), "line 1 is longer than 4 MiB, which no row of ebsctl fleet is");
}

#[test]
fn nothing_is_read_after_an_error() {
    assert_eq!(read_rows("x\n{\"volume\":\"vol-1\"}".as_bytes()).count(), 1);
}

proptest! {
    #[test]
    fn any_name_comes_back(name in any::<String>(), saved in any::<Option<f64>>()) {
        let saved = saved.filter(|saved| saved.is_finite());
        let row = Row { name: Some(name), usd_month_saved: saved, ..fixtures::row("vol-1") };
        let text = written(std::slice::from_ref(&row));
        prop_assert_eq!(text.matches('\n').count(), 1);
        prop_assert_eq!(read(&text).unwrap(), [row]);
    }
}
