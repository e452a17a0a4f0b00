use ebs_fleet_row::{Coded, Volumes};
use proptest::prelude::*;

use super::*;

fn priced(usd_month: Option<f64>) -> Option<Volumes> {
    Some(Volumes { usd_month, ..Volumes::default() })
}

fn row(account: Option<&str>, action: Action, prices: [Option<f64>; 2], saved: Option<f64>) -> Row {
    let [present, recommended] = prices.map(priced);
    let account = account.map(str::to_owned);
    Row { account, action, present, recommended, usd_month_saved: saved, ..Row::default() }
}

#[test]
fn sums_are_exact_and_say_of_how_many_they_are() {
    let mut rows = vec![
        row(Some("1"), Action::Modify, [Some(0.1), Some(0.0)], Some(0.1)),
        row(Some("1"), Action::Modify, [Some(0.2), Some(0.5)], Some(-0.3)),
        row(None, Action::NoAnswer, [None, None], None),
        row(Some("2"), Action::Keep, [Some(10.0), None], Some(0.0)),
    ];
    rows[3].limit_pct = Some(1.5);
    rows[3].findings = vec![Coded { code: "idle".to_owned(), text: String::new() }];
    let all = Total::from_rows(&rows);
    assert_eq!((all.volumes, all.present.known, all.after.known, all.saving_known), (4, 3, 3, 3));
    assert_eq!([all.present.usd, all.after.usd, all.saved, all.added].map(Usd::cents), [1_030, 1_050, 10, 30]);
    assert_eq!(
        [Action::Modify, Action::Keep, Action::NoAnswer, Action::Delete].map(|action| all.count(action)),
        [2, 1, 1, 0]
    );
    assert_eq!((all.at_limit, all.findings.get("idle")), (1, Some(&1)));

    let by = Totals::new(&rows, By::Account);
    let names: Vec<_> = by.groups.iter().map(|total| (total.name.as_deref(), total.volumes)).collect();
    assert_eq!(names, [(Some("1"), 2), (Some("2"), 1), (None, 1)]);
}

#[test]
fn a_property_has_a_name() {
    let names = ["all", "account", "region", "instance", "owner"];
    assert_eq!(names.map(|name| name.parse::<By>().unwrap().name()), names.map(str::to_owned));
    assert_eq!("tag:team".parse::<By>().unwrap(), By::Tag("team".to_owned()));
    assert!(["tag:", "size", ""].iter().all(|text| text.parse::<By>().is_err()));
}

proptest! {
    /// Totals of groups add up to the total of all, and what is saved less what is added is what the bill falls by.
    #[test]
    fn groups_add_up(rows in prop::collection::vec((0..4_u8, 0..1_000_000_i64, 0..1_000_000_i64), 0..40)) {
        let row = |(account, now, then): &(u8, i64, i64)| {
            let dollars = |cents: i64| cents as f64 / 100.0;
            let account = (*account > 0).then(|| account.to_string());
            row(account.as_deref(), Action::Modify, [Some(dollars(*now)), Some(dollars(*then))], Some(dollars(now - then)))
        };
        let rows: Vec<Row> = rows.iter().map(row).collect();
        let all = Total::from_rows(&rows);
        let groups = Totals::new(&rows, By::Account).groups;
        prop_assert_eq!(groups.iter().map(|total| total.saved).sum::<Usd>(), all.saved);
        prop_assert_eq!(groups.iter().map(|total| total.volumes).sum::<u64>(), all.volumes);
        prop_assert_eq!(all.present.usd - all.after.usd, all.saved - all.added);
    }
}
