//! Selectors as users write them.

use proptest::prelude::*;

use super::*;

fn shown(text: &str) -> Result<String, String> {
    text.parse::<Selector>().map(|selector| selector.to_string()).map_err(|error| error.to_string())
}

#[test]
fn selectors_are_read_as_promql_writes_them() {
    for (text, expected) in [
        (r#"job="postgres",env=~"prod.*""#, r#"{job="postgres",env=~"prod.*"}"#),
        (r#" { job = 'postgres' , env != "a" , } "#, r#"{job="postgres",env!="a"}"#),
        ("node_disk_info", r#"{__name__="node_disk_info"}"#),
        (r#"node:x_1{a!~"b",}"#, r#"{__name__="node:x_1",a!~"b"}"#),
        (r#"up{}"#, r#"{__name__="up"}"#),
        (r#"{"my.metric","a.b"="c"}"#, r#"{__name__="my.metric","a.b"="c"}"#),
        (r#"a="\"\\\x41\101\u00e9\n""#, r#"{a="\"\\AAé\n"}"#),
        (r"a=`\d+`", r#"{a="\\d+"}"#),
        (r#"a="""#, r#"{a=""}"#),
    ] {
        assert_eq!(shown(text).as_deref(), Ok(expected), "{text}");
        assert_eq!(shown(expected).as_deref(), Ok(expected));
    }
}

#[test]
fn errors_have_their_place() {
    for (text, expected) in [
        ("", "no label is compared at character 1 of the selector"),
        ("{}", "no label is compared at character 3 of the selector"),
        ("job=postgres", "a value in quotes is missing at character 5 of the selector"),
        (r#"job=="a""#, "a value in quotes is missing at character 5 of the selector"),
        (r#"job<"a""#, "a { is missing at character 4 of the selector"),
        (r#"{job "a"}"#, "an operator (=, !=, =~ or !~) is missing at character 6 of the selector"),
        (r#"{é="a"}"#, "a label is missing at character 2 of the selector"),
        (r#"{job="a""#, "a } is missing at character 9 of the selector"),
        (r#"job="a"#, "the quote is not closed at character 7 of the selector"),
        (r#"job=~"\d""#, r"\d is not an escape; write a backslash as \\ at character 9 of the selector"),
        (r#"a="\xzz""#, "a digit of the escape is missing at character 7 of the selector"),
        (
            r#"up{job="a"}[5m]"#,
            "a selector alone is expected, without a range or a function, but more follows at character 12 of the selector",
        ),
    ] {
        assert_eq!(shown(text), Err(expected.to_owned()), "{text}");
    }
}

proptest! {
    #[test]
    fn selectors_round_trip(matchers in prop::collection::vec(("[a-z_.é\"]{1,4}", 0..4_usize, "\\PC{0,8}|[\\\\\"\n]{0,4}"), 1..4)) {
        let operators = [Operator::Equal, Operator::NotEqual, Operator::Matches, Operator::NotMatches];
        let matcher = |(label, operator, value): &(String, usize, String)| Matcher::new(label, operators[*operator], value);
        let selector = Selector { matchers: matchers.iter().map(matcher).collect() };
        prop_assert_eq!(selector.to_string().parse(), Ok(selector));
    }

    #[test]
    fn no_text_panics(text in "[a{}=!~\"'`\\\\,x0-9é \n]{0,30}") {
        let _ = text.parse::<Selector>();
    }
}
