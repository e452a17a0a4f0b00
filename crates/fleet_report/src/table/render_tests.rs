use std::path::Path;

use ebs_report::display_width;
use ebs_schema::assert_unchanged;
use proptest::prelude::*;

use super::*;
use crate::fixtures;

fn golden(name: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/table/golden").join(name);
    assert_unchanged(&file, text);
}

fn options(width: usize) -> TableOptions {
    TableOptions { width, ..TableOptions::default() }
}

fn widest(text: &str) -> usize {
    text.lines().map(display_width).max().unwrap_or_default()
}

#[test]
fn a_terminal_of_each_width_has_a_table() {
    for width in [80, 100, 120, 180] {
        let text =
            render_table(&fixtures::fleet(), &TableOptions { totals: vec![By::Account, By::Owner], ..options(width) });
        golden(&format!("columns_{width}.txt"), &text);
        assert!(widest(&text) <= width, "{} columns: {text}", widest(&text));
    }
}

#[test]
fn pain_comes_first_and_a_limit_leaves_totals_whole() {
    let text = render_table(&fixtures::fleet(), &TableOptions { sort: Sort::Pain, limit: Some(2), ..options(100) });
    golden("pain.txt", &text);
    assert!(text.starts_with("ebsctl fleet · 2 of 8 volumes, by time at a limit · 14 days until 2026-11-26"), "{text}");
}

#[test]
fn from_a_hundred_columns_on_the_reason_is_there() {
    let name = "a-name-that-is-far-too-long-for-any-column-of-a-terminal-0".to_owned();
    let wide = fixtures::volumes("gp3", 16_384, 80_000, 2_000, 1.0);
    let wide = ebs_fleet_row::Volumes { volumes: 16, ..wide };
    let recommended = Some(ebs_fleet_row::Volumes { size_gib: 16_000, ..wide.clone() });
    let row = Row { name: Some(name), present: Some(wide), recommended, ..fixtures::full() };
    for width in 100..=160 {
        let text = render_table(std::slice::from_ref(&row), &options(width));
        let title = text.lines().find(|line| line.starts_with("VOLUME")).unwrap();
        assert!(title.ends_with("REASON"), "{width}: {text}");
        assert!(widest(&text) <= width, "{width}: {text}");
    }
}

/// Columns of the titles of a table, and the width that the last one, the reason, has.
fn titles(text: &str, width: usize) -> (&str, usize) {
    let titles = text.lines().find(|line| line.starts_with("VOLUME")).unwrap();
    (titles, width - display_width(titles.strip_suffix("REASON").unwrap()))
}

/// A further column would leave 22 letters of each reason.
#[test]
fn a_reason_is_worth_more_than_an_id_or_a_percentile() {
    let reason = fixtures::coded("cheaper_suffices", &"a reason of many words, ".repeat(10));
    let row = Row { reason, ..fixtures::full() };
    for sort in [Sort::Money, Sort::Pain] {
        for width in 100..=250 {
            let text = render_table(std::slice::from_ref(&row), &TableOptions { sort, ..options(width) });
            let (titles, reason) = titles(&text, width);
            let has_further = titles.contains(" ID ") || titles.contains("P99 IOPS");
            assert!(!has_further || reason >= 40, "{width}: {text}");
            assert!(width < 200 || has_further, "{width}: {text}");
        }
    }
}

/// One name of 256 letters does not cost the reasons of all rows.
#[test]
fn a_long_name_leaves_reasons_whole() {
    let name = Some("long-name-".chars().cycle().take(256).collect());
    let long = Row { name, ..fixtures::full() };
    let reason = fixtures::coded("cheaper_suffices", &"a reason of many words, ".repeat(3));
    let rows = [long.clone(), Row { reason, ..fixtures::full() }];
    let text = render_table(&rows, &options(200));
    let (titles, reason) = titles(&text, 200);
    assert!(reason >= 70, "{text}");
    assert!(titles.starts_with(&format!("VOLUME{} ", " ".repeat(24 - 6))), "{text}");
    // What whole reasons leave is the name's.
    let text = render_table(&[long], &options(400));
    assert!(text.lines().any(|line| line.starts_with("long-name-long-name-long-name-")), "{text}");
    assert!(text.contains("gp3 has 5,000 IOPS for the 3,900 needed\n"), "{text}");
}

/// The instance by its type, or by its ID; the storage of RDS by its identifier.
#[test]
fn an_instance_and_a_database_have_names() {
    let unknown_type =
        Row { instance_type: None, instance: Some("i-0123456789abcdef0".to_owned()), ..fixtures::full() };
    let database = Row { volume: "billing".to_owned(), name: None, platform: "rds".to_owned(), ..fixtures::full() };
    let text = render_table(&[unknown_type, database], &options(220));
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("io1 500G")).collect();
    assert!(lines[0].starts_with("billing     billing               r6i.4xlarge"), "{text}");
    assert!(lines[1].contains(" i-0123456789abcdef0 "), "{text}");
}

#[test]
fn volumes_without_an_answer_have_reasons() {
    let without = |number: usize, code: &str| Row {
        reason: fixtures::coded(code, ""),
        ..fixtures::row(&format!("vol-{number}"))
    };
    let codes = ["aurora", "not_scraped", "configuration_unknown", "not_scraped", ""];
    let rows: Vec<Row> = codes.iter().enumerate().map(|(number, code)| without(number, code)).collect();
    let text = render_table(&rows, &options(120));
    let line = "no answer for 5 volumes: 2 not scraped, 1 without a reason, 1 Aurora, 1 without configuration";
    assert!(text.lines().any(|one| one == line), "{text}");
}

#[test]
fn no_rows_are_a_table_too() {
    let text = render_table(&[], &options(100));
    assert_eq!(text.lines().next(), Some("ebsctl fleet · 0 volumes, by saving"));
    assert!(text.ends_with("actions: none\n"), "{text}");
}

#[test]
fn colours_change_nothing_but_colours() {
    let rows = fixtures::fleet();
    let coloured = render_table(&rows, &TableOptions { colours: true, ..options(120) });
    assert!(coloured.contains("\u{1b}[32m$729\u{1b}[0m"), "{coloured}");
    let mut plain = coloured;
    for code in ["0", "1", "2", "31", "32", "33"] {
        plain = plain.replace(&format!("\u{1b}[{code}m"), "");
    }
    assert_eq!(plain, render_table(&rows, &options(120)));
}

proptest! {
    /// Names from outside neither move the cursor nor widen the table, and each row is one line.
    #[test]
    fn a_name_stays_in_its_cell(name in any::<String>(), width in 60..200_usize) {
        let coded = fixtures::coded(&name, &name);
        let row = Row {
            name: Some(name.clone()), instance_type: Some(name.chars().take(12).collect()), reason: coded.clone(),
            findings: vec![coded], owner: Some(name.clone()),
            ..fixtures::full()
        };
        let text = render_table(&[row], &TableOptions { totals: vec![By::Owner], ..options(width) });
        prop_assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
        prop_assert!(!text.contains(char::from_u32(0x202E).unwrap()));
        prop_assert!(widest(&text) <= width, "{}: {text}", widest(&text));
    }
}
