//! Names that would move the cursor, reverse text, end a comment or be a formula, in each output for people.

use std::collections::BTreeMap;

use ebs_fleet_row::{Action, Row};
use jiff::Timestamp;

use crate::{
    By, ChangeFormat, ChangeOptions, PageOptions, TableOptions, changes, fixtures, render_page, render_table, write_csv,
};

/// Escape, bell, right-to-left override and isolate, Arabic letter mark, zero width space, a tag, and a line feed.
const LETTERS: [char; 8] = ['\u{1b}', '\u{7}', '\u{202e}', '\u{2067}', '\u{61c}', '\u{200b}', '\u{e0041}', '\n'];

fn hostile() -> String {
    LETTERS.iter().map(|letter| format!("x{letter}")).collect::<String>() + "[2Jend"
}

/// Rows with such letters in every text that comes from elsewhere.
fn rows() -> Vec<Row> {
    let text = || Some(hostile());
    let coded = || fixtures::coded(&hostile(), &hostile());
    let named = Row {
        name: text(),
        claim: text(),
        owner: text(),
        account: text(),
        region: text(),
        instance: text(),
        instance_type: text(),
        mountpoint: text(),
        state: text(),
        confidence: text(),
        tags: BTreeMap::from([(hostile(), hostile())]),
        reason: coded(),
        findings: vec![coded()],
        unknown: vec![coded(), fixtures::coded("bursts", &hostile())],
        ..fixtures::full()
    };
    let left_out = Row { action: Action::Delete, ..named.clone() };
    let short = Row { volume: hostile(), evidence: Default::default(), ..named.clone() };
    vec![named, left_out, short]
}

/// Letters of the list in an output, but for line feeds, which its lines have.
fn found(text: &str) -> Vec<char> {
    LETTERS.into_iter().filter(|letter| *letter != '\n' && text.contains(*letter)).collect()
}

#[test]
fn no_output_for_people_has_letters_that_mislead() {
    let rows = rows();
    let by = || vec![By::Account, By::Owner, By::Tag(hostile())];
    let table = render_table(&rows, &TableOptions { width: 400, totals: by(), ..TableOptions::default() });
    let page = render_page(&rows, &PageOptions { totals: by(), ..PageOptions::new(Timestamp::UNIX_EPOCH) });
    let mut csv = Vec::new();
    write_csv(&rows, &mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    let of_changes = [ChangeFormat::Cli, ChangeFormat::Terraform, ChangeFormat::Vac]
        .map(|format| changes(&rows, format, &ChangeOptions::default()));
    for text in [&table, &page, &csv].into_iter().chain(&of_changes) {
        assert_eq!(found(text), [], "{text}");
        assert!(text.contains("x?x?x?x?x?x?x?x"), "{text}");
    }
    // Nor as an escape of JSON.
    assert!(!page.contains("\\u001b") && !page.contains("\\u0007"), "{page}");
}

/// Full width, as some spreadsheets take it for half.
#[test]
fn no_field_of_csv_is_a_formula() {
    for name in ["=1+1", "+1", "-1", "@a", "＝1", "＋1", "－1", "＠a"] {
        let mut csv = Vec::new();
        write_csv(&[Row { name: Some(name.to_owned()), ..fixtures::full() }], &mut csv).unwrap();
        let csv = String::from_utf8(csv).unwrap();
        assert!(csv.contains(&format!(",'{name},")), "{csv}");
    }
}
