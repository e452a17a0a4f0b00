use ebs_base::format::plain;
use proptest::prelude::*;

use super::*;
use crate::fixtures;

fn page(rows: &[Row]) -> String {
    render_page(rows, &PageOptions::new("2026-11-26T13:00:00Z".parse().unwrap()))
}

/// The rows that the page has for its script.
fn data(page: &str) -> Vec<Row> {
    let begin = "<script type=\"application/json\" id=\"rows\">";
    let text = page.split(begin).nth(1).and_then(|rest| rest.split("</script>").next()).unwrap();
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_page_has_all_rows_and_their_totals() {
    let page = page(&fixtures::fleet());
    assert_eq!(data(&page).len(), 8);
    for text in [
        "<h1>8 EBS volumes</h1>",
        "ebsctl fleet, 2026-11-26 13:00 UTC",
        "$1,014.50",
        "known for 7",
        "By account",
        "événements-日本-data",
    ] {
        assert!(page.contains(text), "{text}");
    }
    // The plain table has the largest saving first.
    let plain = page.split("<noscript>").nth(1).unwrap();
    assert!(plain.find("orders-data").unwrap() < plain.find("restore-test").unwrap());
}

#[test]
fn a_page_without_rows_is_a_page() {
    let page = page(&[]);
    assert!(page.contains("<h1>0 EBS volumes</h1>") && data(&page).is_empty());
}

#[test]
fn nothing_is_fetched() {
    let page = page(&fixtures::fleet());
    for text in ["src=", "http:", "https:", "@import", "url("] {
        let found = page.replace("http://www.w3.org/2000/svg", "").contains(text);
        assert!(!found, "{text}");
    }
    assert!(page.contains("default-src &#39;none&#39;") || page.contains("default-src 'none'"), "{}", &page[..600]);
}

#[test]
fn the_policy_allows_the_script_alone() {
    let page = page(&[]);
    assert_eq!(page.matches("<script").count(), 2);
    // echo -n '' | openssl dgst -sha256 -binary | base64
    assert_eq!(script::source(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
    assert!(page.contains(&script::source(&script::script())[1..51]));
}

proptest! {
    /// No name ends an element, and each comes back as it was, without letters that mislead.
    #[test]
    fn no_name_is_markup(name in "(</script>|<!--|<script>|<b onclick=x>|\"|'|&|\u{2028}|[a-z<>/]){0,8}") {
        let named = |name: &str| {
            let (coded, name) = (fixtures::coded(name, name), Some(name.to_owned()));
            Row {
                name: name.clone(), claim: name.clone(), owner: name.clone(), instance: name.clone(), instance_type: name,
                reason: coded.clone(), findings: vec![coded], ..fixtures::full()
            }
        };
        let text = page(&[named(&name)]);
        prop_assert_eq!(text.matches("<script").count(), 2);
        prop_assert_eq!(text.matches("</script").count(), 2);
        prop_assert!(!text.contains("<b onclick") && !text.contains("<!--"));
        prop_assert_eq!(data(&text), [named(&plain(&name))]);
    }
}

#[test]
fn keys_of_the_script_are_those_of_a_row() {
    let row = serde_json::to_value(fixtures::full()).unwrap();
    let script = script::script();
    let used = script.split("row.").skip(1).map(|rest| {
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
        &rest[..end]
    });
    let missing: Vec<&str> = used.filter(|key| row.get(key).is_none()).collect();
    assert_eq!(missing, [""; 0]);
}
