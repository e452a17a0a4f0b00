use super::*;

#[test]
fn a_label_has_at_most_200_characters_without_the_blanks_around_it() {
    let longest = "é".repeat(LABEL_LIMIT);
    assert_eq!(printable_label(&format!("  {longest}\n")), Some(longest.as_str()));
    assert_eq!(bounded_label(&format!("{longest}é")), None);
    assert_eq!(printable_label(&format!("{longest}é")), None);
}

#[test]
fn an_empty_label_and_one_with_control_characters_are_refused() {
    assert_eq!(printable_label(""), None);
    assert_eq!(printable_label(" \t "), None);
    assert_eq!(printable_label("my\nrun"), None);
    assert_eq!(printable_label("my\u{7f}run"), None);
    // A run is looked up by any label, which is simply not found.
    assert_eq!(bounded_label("my\nrun"), Some("my\nrun"));
    assert_eq!(printable_label(" my run "), Some("my run"));
}

#[test]
fn a_tag_has_1_to_63_printable_characters() {
    let longest = "é".repeat(TAG_LIMIT);
    assert_eq!(printable_tag(&format!(" {longest} ")), Some(longest.as_str()));
    assert_eq!(printable_tag(&format!("{longest}é")), None);
    assert_eq!(printable_tag("  "), None);
    assert_eq!(printable_tag("gp\t3"), None);
    assert_eq!(printable_tag("gp3"), Some("gp3"));
}

#[test]
fn a_message_quotes_no_more_of_a_label_than_there_may_be() {
    assert_eq!(quoted_label(" my-run "), "my-run");
    assert_eq!(quoted_label(&"x".repeat(LABEL_LIMIT + 1)), "x".repeat(LABEL_LIMIT) + "…");
    // One that is too long to be looked up keeps the blanks around it.
    assert_eq!(quoted_label(&" ".repeat(10_000)), " ".repeat(LABEL_LIMIT) + "…");
}

#[test]
fn only_a_star_stands_for_any_characters() {
    assert_eq!(like_pattern("gp3*"), "gp3%");
    assert_eq!(like_pattern("100%_\\*"), "100\\%\\_\\\\%");
    assert_eq!(like_pattern("plain"), "plain");
}
