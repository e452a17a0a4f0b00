use super::*;

#[test]
fn a_name_is_looked_up_up_to_its_limit() {
    assert_eq!(bounded(" gp3\n"), Some("gp3"));
    assert_eq!(bounded(&" ".repeat(NAME_BYTES_LIMIT)), Some(""));
    assert_eq!(bounded(&" ".repeat(NAME_BYTES_LIMIT + 1)), None);
}

#[test]
fn a_message_quotes_the_beginning() {
    assert_eq!(quoted("gp9"), "gp9");
    assert_eq!(quoted(&"é".repeat(QUOTED_LIMIT)), "é".repeat(QUOTED_LIMIT));
    assert_eq!(quoted(&"é".repeat(QUOTED_LIMIT + 1)), "é".repeat(QUOTED_LIMIT) + "…");
}

#[test]
fn nothing_resembles_a_name_that_is_too_long() {
    let known = ["x".repeat(SUGGESTION_LIMIT)];
    let similar_to = |length| similar(&"x".repeat(length), known.iter().map(String::as_str), 0.7);
    assert_eq!(similar_to(SUGGESTION_LIMIT - 1).len(), 1);
    assert_eq!(similar_to(SUGGESTION_LIMIT).len(), 1);
    assert!(similar_to(SUGGESTION_LIMIT + 1).is_empty());
}
