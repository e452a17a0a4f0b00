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

/// Longest reason in few words, columns; `ebs_report` holds its own to that.
const LONGEST_REASON: usize = 60;

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

/// Reasons go on below; what is beside them stays where it is.
#[test]
fn a_reason_that_is_longer_than_its_column_goes_on_below() {
    let reason_brief = Some("db.x2iedn.32xlarge sustains 160,000 IOPS, 1,200,000 needed".to_owned());
    let rows = [Row { reason_brief, ..fixtures::full() }, fixtures::row("vol-2")];
    let text = render_table(&rows, &options(100));
    let lines: Vec<&str> = text.lines().skip(2).take(3).collect();
    let begin = lines[0].find("REASON").unwrap();
    assert!(
        lines[1].starts_with("orders-data ") && lines[1].get(begin..).is_some_and(|it| it.starts_with("db.x2iedn")),
        "{text}"
    );
    assert_eq!(lines[2].get(..begin), Some(" ".repeat(begin).as_str()), "{text}");
    let shown: Vec<&str> = lines[1..].iter().filter_map(|line| line.get(begin..)).collect();
    assert_eq!(shown.join(" "), "db.x2iedn.32xlarge sustains 160,000 IOPS, 1,200,000 needed", "{text}");
}

/// Less important columns yield until a reason has one line.
#[test]
fn a_reason_is_worth_more_than_a_price_or_an_id() {
    let reason_brief = Some("a reason of fifty columns, of which none is cut off".to_owned());
    let row = Row { reason_brief: reason_brief.clone(), ..fixtures::full() };
    for sort in [Sort::Money, Sort::Pain] {
        for width in 100..=250 {
            let text = render_table(std::slice::from_ref(&row), &TableOptions { sort, ..options(width) });
            let titles = text.lines().find(|line| line.starts_with("VOLUME")).unwrap();
            let has_further = ["$/MONTH", "INSTANCE", " ID ", "P99 IOPS"].iter().any(|title| titles.contains(title));
            let is_one_line = text.contains(reason_brief.as_deref().unwrap());
            assert!(is_one_line || !has_further, "{width}: {text}");
            assert!(["RISK", "CONF."].iter().all(|title| titles.contains(title)), "{width}: {text}");
            assert!(width < 200 || titles.contains("P99 IOPS"), "{width}: {text}");
        }
    }
}

/// A row of an earlier version has its sentence alone: a few lines of it.
#[test]
fn a_row_without_few_words_has_the_begin_of_its_sentence() {
    let reason = fixtures::coded("cheaper_suffices", &"a reason of many words, ".repeat(20));
    let row = Row { reason, reason_brief: None, ..fixtures::full() };
    let text = render_table(&[row], &options(100));
    assert_eq!(text.lines().skip(3).take_while(|line| !line.is_empty()).count(), 5, "{text}");
    assert!(text.contains('…'), "{text}");
}

/// One name of 256 letters does not cost the reasons of all rows.
#[test]
fn a_long_name_leaves_reasons_whole() {
    let name = Some("long-name-".chars().cycle().take(256).collect());
    let long = Row { name, ..fixtures::full() };
    let reason = "a reason of many words of some fifty-seven columns in all";
    let rows = [long.clone(), Row { reason_brief: Some(reason.to_owned()), ..fixtures::full() }];
    let text = render_table(&rows, &options(200));
    let titles = text.lines().find(|line| line.starts_with("VOLUME")).unwrap();
    assert!(text.contains(&format!("{reason}\n")), "{text}");
    assert!(titles.starts_with(&format!("VOLUME{} ", " ".repeat(24 - 6))), "{text}");
    // What whole reasons leave is the name's.
    let text = render_table(&[long], &options(400));
    assert!(text.lines().any(|line| line.starts_with("long-name-long-name-long-name-")), "{text}");
    assert!(text.contains("3,900 IOPS needed (p99 3,250 + 20 %)\n"), "{text}");
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

    /// No word of a reason in few words is missing from 100 columns on, whatever stands beside it: the lines of its column have all of them.
    #[test]
    fn a_reason_in_few_words_is_never_cut(
        words in prop::collection::vec("[a-z0-9,]{1,18}", 1..12), name in "[a-z日-]{1,40}", width in 100..200_usize,
        figures in prop::array::uniform4(1..1_000_000_000_u64), by_pain in any::<bool>(),
    ) {
        let mut reason = String::new();
        for word in words.into_iter().filter(|word| word.len() <= LONGEST_REASON) {
            let longer = format!("{reason} {word}").trim_start().to_owned();
            reason = if longer.len() <= LONGEST_REASON { longer } else { reason };
        }
        let volumes = |[size_gib, iops]: [u64; 2]| ebs_fleet_row::Volumes {
            volumes: 16, ..fixtures::volumes("gp3", size_gib % 65_537, iops % 160_001, 2_000, 1.0)
        };
        let row = Row {
            name: Some(name), present: Some(volumes([figures[0], figures[1]])), recommended: Some(volumes([figures[2], figures[3]])),
            usd_month_saved: Some(-(figures[0] as f64) / 1e4), limit_pct: Some(99.9), risk: Some("very high".to_owned()),
            confidence: Some("medium".to_owned()), reason_brief: Some(reason.clone()), ..fixtures::full()
        };
        let sort = if by_pain { Sort::Pain } else { Sort::Money };
        let text = render_table(&[row], &TableOptions { sort, ..options(width) });
        let table: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("VOLUME")).take_while(|line| !line.is_empty()).collect();
        let begin = display_width(table[0].strip_suffix("REASON").unwrap());
        let column = |line: &&str| {
            let mut passed = 0;
            let letters = line.chars().skip_while(|letter| {
                let before = passed < begin;
                passed += display_width(&letter.to_string());
                before
            });
            letters.collect::<String>()
        };
        let shown = table[1..].iter().map(column).collect::<Vec<String>>().join(" ");
        prop_assert_eq!(shown.trim(), reason.as_str(), "{}", text);
        prop_assert!(widest(&text) <= width, "{}", text);
    }
}
