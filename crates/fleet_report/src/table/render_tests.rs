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
fn no_rows_are_a_table_too() {
    let text = render_table(&[], &options(100));
    assert_eq!(text.lines().next(), Some("ebsctl fleet · 0 volumes, by saving"));
    assert!(text.ends_with("actions: none\n"), "{text}");
}

#[test]
fn colours_change_nothing_but_colours() {
    let rows = fixtures::fleet();
    let coloured = render_table(&rows, &TableOptions { colours: true, ..options(120) });
    assert!(coloured.contains("\u{1b}[32m$664\u{1b}[0m"), "{coloured}");
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
