//! Tests of the two forms of connection strings.

use super::connection_string::{MAX_STRING_BYTES, read};
use super::error::ConninfoError;
use super::parameters::KEYWORDS;
use super::values::Values;

/// Values of a string, in the order of the table.
fn parse(text: &str) -> Result<Vec<(&'static str, String)>, ConninfoError> {
    let mut values = Values::new();
    read(text, &mut values)?;
    let given = |keyword| Some((super::parameters::Keyword::parameter(keyword).name, values.get(keyword)?.to_owned()));
    Ok(KEYWORDS.into_iter().filter_map(given).collect())
}

#[track_caller]
fn check(text: &str, expected: &[(&str, &str)]) {
    let values = parse(text).unwrap();
    let values: Vec<_> = values.iter().map(|(keyword, value)| (*keyword, value.as_str())).collect();
    assert_eq!(values, expected, "{text}");
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    let error = parse(text).unwrap_err();
    assert_eq!(error.to_string(), expected, "{text}");
    assert!(error.hint().ends_with('.'));
}

#[test]
fn keywords_and_values() {
    check("", &[]);
    check("mydb", &[("dbname", "mydb")]);
    check("host=a port=1", &[("host", "a"), ("port", "1")]);
    check("\t host \u{b}=\n a\r\u{c}port= 1 ", &[("host", "a"), ("port", "1")]);
    // A closing quote ends a value, also without a space.
    check(r"user='a \'b\\ c'host=x", &[("user", r"a 'b\ c"), ("host", "x")]);
    check(r"user=a\ b\'c dbname=d'e'", &[("user", "a b'c"), ("dbname", "d'e'")]);
    check(r"user=a\", &[("user", "a")]);
    check("host= user=b", &[("host", "user=b")]);
    check("host='' user=b user=c", &[("user", "c"), ("host", "")]);
    check("dbname='postgresql://x' user=é", &[("user", "é"), ("dbname", "postgresql://x")]);
    check("requiressl=1", &[("sslmode", "require")]);
    check("requiressl=0", &[("sslmode", "prefer")]);
}

#[test]
fn malformed_keywords_and_values() {
    check_error("host=a foo", "missing \"=\" after the word at position 8 of the connection string");
    check_error("a b=c", "missing \"=\" after the word at position 1 of the connection string");
    check_error("host='a", "unterminated quoted string in the connection string");
    check_error(r"host='a\'", "unterminated quoted string in the connection string");
    check_error("hots=a", "invalid connection option \"hots\"");
    check_error("=a", "invalid connection option \"\"");
    check_error("Host=a", "invalid connection option \"Host\"");
    check_error("user=\0", "connection parameter \"user\" contains a NUL byte");
    let long = format!("user={}", "x".repeat(MAX_STRING_BYTES));
    check_error(&long, "the connection string is longer than 65536 bytes");
    check(&long[..MAX_STRING_BYTES], &[("user", &long[5..MAX_STRING_BYTES])]);
}

#[test]
fn uris() {
    check("postgresql://", &[]);
    check("postgres:///", &[]);
    check("postgresql://h", &[("host", "h")]);
    check("postgresql://h:1/d", &[("dbname", "d"), ("host", "h"), ("port", "1")]);
    check("postgresql://u@h?port=2", &[("user", "u"), ("host", "h"), ("port", "2")]);
    check(
        "postgresql://u:p%40%20q@[::1]:5/d?sslmode=require",
        &[("user", "u"), ("password", "p@ q"), ("dbname", "d"), ("host", "::1"), ("port", "5"), ("sslmode", "require")],
    );
    check("postgresql://:@/", &[]);
    check("postgresql://a,b:2,[::3]:,:4/", &[("host", "a,b,::3,"), ("port", ",2,,4")]);
    check("postgresql://%2Fvar%2flib/d", &[("dbname", "d"), ("host", "/var/lib")]);
    check("postgresql:///d?host=/run&ssl=true", &[("dbname", "d"), ("host", "/run"), ("sslmode", "require")]);
    check("postgresql://@%40abstract/", &[("host", "@abstract")]);
    check("postgresql:///d@e/f", &[("dbname", "d@e/f")]);
    check("postgresql://[::1]:5/d@e", &[("dbname", "d@e"), ("host", "::1"), ("port", "5")]);
    check("postgresql://h:5/d%40e", &[("dbname", "d@e"), ("host", "h"), ("port", "5")]);
    check(
        "postgresql:///%20?user=%C3%A9& application_name = a ",
        &[("user", "é"), ("dbname", " "), ("application_name", "a")],
    );
    check("postgresql://?requiressl=1&user=", &[("user", ""), ("sslmode", "require")]);
    check("postgresql://h/d?user=a&", &[("user", "a"), ("dbname", "d"), ("host", "h")]);
}

#[test]
fn malformed_uris() {
    check_error("postgresql://[::1/d", "missing \"]\" of an IPv6 address at position 14 of the connection URI");
    check_error("postgresql://[]/d", "empty IPv6 address at position 14 of the connection URI");
    check_error("postgresql://[::1]x", "unexpected character at position 19 of the connection URI");
    check_error("postgresql://h/d?user", "query parameter without \"=\" at position 18 of the connection URI");
    check_error("postgresql://h/d?&user=a", "query parameter without \"=\" at position 18 of the connection URI");
    check_error("postgresql://h/d?user=a=b", "extra \"=\" in the query parameter at position 18 of the connection URI");
    check_error("postgresql://h/d?usr=a", "invalid connection option \"usr\"");
    check_error("postgresql://h/d?ssl=false", "invalid connection option \"ssl\"");
    check_error("postgresql://h/%zz", "invalid percent-encoded token in \"dbname\" of the connection URI");
    check_error("postgresql://%", "invalid percent-encoded token in \"host\" of the connection URI");
    check_error("postgresql://h/%00", "forbidden value %00 in \"dbname\" of the connection URI");
    check_error("postgresql://h/%ff", "percent-encoded bytes that are not UTF-8 in \"dbname\" of the connection URI");
    check_error("postgresql://h/a b", "unexpected space (write it as %20) in \"dbname\" of the connection URI");
    check_error("mysql://h/d", "the scheme of the connection URI is neither postgresql nor postgres");
}

#[test]
fn an_at_sign_that_may_be_of_a_password_is_refused() {
    for text in ["postgresql://u:p@ss@h/d", "postgresql://u:p/ss@h/d"] {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.starts_with("\"@\" in a ") && !error.contains("ss@"), "{error}");
    }
}
