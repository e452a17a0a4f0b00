//! Bounds of a screen, whatever the workload and however long the names.

use super::super::layout::{COLUMNS, LINES, TEXT_COLUMN};
use super::super::scenario::{Load, Scenario, declared, volume};
use crate::calls::Function;
use crate::{Arguments, sql_literal};
use ebs_advice::{LoadKind, Settings};
use ebs_aws::catalogue::VolumeType;
use ebs_base::format::plain;
use ebs_samples::evidence::{Role, Tier, Volume};
use proptest::prelude::*;

/// Panics where a screen has more lines or columns than a terminal.
pub(super) fn assert_bounds(screen: &[String]) {
    let too_long = |line: &&String| line.chars().count() > COLUMNS;
    assert!(screen.len() <= LINES, "{} lines:\n{}", screen.len(), screen.join("\n"));
    assert!(!screen.iter().any(|line| too_long(&line)), "{}", screen.join("\n"));
}

/// No sentence is cut: an ellipsis ends a line behind the letters of a name alone, or as the value of an argument.
pub(super) fn assert_whole_sentences(screen: &[String], names: &[String]) {
    for line in screen.iter().filter_map(|line| line.strip_suffix('…')) {
        let end = &line[line.char_indices().rev().nth(3).map_or(0, |(at, _)| at)..];
        let is_name = names.iter().any(|name| name.contains(end));
        assert!(is_name || line.ends_with("=> "), "{line}… in\n{}", screen.join("\n"));
    }
}

/// The run and some of its arguments.
fn any_arguments(name: &str, number: usize) -> Arguments {
    let given = [("platform", "'rds'"), ("instance", "'db.m5.large'"), ("io_source", "'postgresql'")];
    let named = given.into_iter().take(number).map(|(name, literal)| (name, literal.to_owned())).collect();
    Arguments { run: Some(sql_literal(name)), named, commands: None }
}

/// Any load on any volumes, with names as long as users make them.
fn any_scenario() -> impl Strategy<Value = Scenario> {
    let load = (1u64..400_000, 0u64..100_000, 0.5f64..1_024.0, 0.02f64..30.0, 0u64..5_000).prop_map(
        |(reads, writes, kib, ms, spread)| Load { reads, writes, kib, read_ms: ms, write_ms: ms * 0.8, spread },
    );
    let kind = (0usize..6, 0usize..4, prop::option::of(0usize..3), 0.01f64..60.0, 0.0f64..60.0);
    let settings = (0usize..5, 0usize..4, prop::option::of(1i64..20_000), prop::option::of(1u32..5_000), 1i32..9);
    let evidence = (20i64..400, 0usize..3, any::<bool>(), any::<bool>(), 0usize..3);
    (prop::collection::vec(load, 1..6), kind, settings, evidence, "\\PC{0,80}").prop_map(
        |(loads, (declared_kind, waits_kind, driver, sessions, client), settings, evidence, name)| {
            let (platform, instance, min_size_gib, budget, max_volumes) = settings;
            let (seconds, sample, counted, with_busy, tier) = evidence;
            let mut scenario = Scenario::new(&format!("run {name}"), 1_000);
            scenario.arguments = any_arguments(&name, loads.len() / 2);
            let tablespace = |number: usize| Role::Tablespace(format!("{name}{number}"));
            scenario.volumes = (0..)
                .zip(loads)
                .map(|(number, load)| {
                    let roles = match number {
                        0 => vec![Role::Data],
                        1 => vec![Role::Wal],
                        number => vec![tablespace(number), tablespace(number + 10)],
                    };
                    (
                        volume(
                            &format!("nvme{number}n1{}", &name.chars().take(number * 9).collect::<String>()),
                            &roles,
                        ),
                        load,
                    )
                })
                .collect();
            scenario.waits = [
                Vec::new(),
                vec![("CPU*", "CPU*", sessions)],
                vec![("IO", "DataFileRead", sessions), ("Client", "ClientRead", client)],
                vec![("Lock", "transactionid", sessions), ("IO", "WalSync", client), ("LWLock", "WALWrite", 1.0)],
            ][waits_kind]
                .clone();
            scenario.driver_load = driver.map(|kind| [LoadKind::Closed, LoadKind::Open, LoadKind::Unsure][kind]);
            let types = [VolumeType::Gp2, VolumeType::Gp3, VolumeType::Io1, VolumeType::Io2];
            if let Some(volume_type) = types.get(declared_kind) {
                scenario.declared = declared("data", *volume_type, None);
            }
            let platform = ["ec2", "rds", "rds-multi-az", "rds-cluster", "ec2"][platform];
            let prefix = if platform.starts_with("rds") { "db." } else { "" };
            let instance = ["", "m5.large", "r6i.4xlarge", "r6i.16xlarge"][instance];
            scenario.settings = Settings {
                platform: platform.to_owned(),
                instance: (!instance.is_empty()).then(|| format!("{prefix}{instance}")),
                min_size_gib,
                budget_usd: budget.map(|dollars| dollars.to_string().parse().unwrap()),
                max_volumes: Some(max_volumes),
                ..Settings::default()
            };
            scenario.sample_s = [1, 10, 60][sample];
            scenario.seconds = seconds * scenario.sample_s;
            (scenario.tps, scenario.busy) = (counted.then_some(777), with_busy.then_some(0.3));
            scenario.tier = [Tier::Sampler, Tier::OnDemand, Tier::Imported][tier];
            scenario
        },
    )
}

/// Names that users chose, as the screen shows them.
fn names(scenario: &Scenario) -> Vec<String> {
    let list = |name: &dyn Fn(&Volume) -> String, separator| {
        scenario.volumes.iter().map(|(volume, _)| name(volume)).collect::<Vec<_>>().join(separator)
    };
    let names = [list(&|volume| volume.device.clone(), ", "), list(&Volume::role, "+"), scenario.subject.clone()];
    names.iter().map(|name| plain(name)).collect()
}

/// Rows that are marked as recommended, by their price.
fn marked_prices(screen: &[String]) -> Vec<&str> {
    let marked = screen.iter().filter(|line| line.starts_with("> "));
    marked.filter_map(|line| line.split_whitespace().find(|word| word.starts_with('$'))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 48 } else { 96 }))]

    #[test]
    fn a_screen_of_anything_has_room_and_names_its_order(scenario in any_scenario()) {
        let screen = scenario.screen();
        assert_bounds(&screen);
        assert_whole_sentences(&screen, &names(&scenario));
        // The marked rows are the recommended ones: each price stands on a line of the recommendation too.
        let head: Vec<&String> = screen.iter().take_while(|line| !line.starts_with("OPTIONS")).collect();
        for price in marked_prices(&screen) {
            prop_assert!(head.iter().any(|line| line.contains(price)), "{price} in\n{}", screen.join("\n"));
        }
        let is_answer = |line: &String| line.starts_with("RECOMMENDED") || line.starts_with("INSUFFICIENT DATA");
        prop_assert_eq!(screen.iter().filter(|line| is_answer(line)).count(), 1);
        let next: Vec<&String> = screen.iter().skip_while(|line| !line.starts_with("NEXT")).collect();
        // No literal is broken, and each call has all of its arguments.
        prop_assert!(!next.is_empty() && next.iter().all(|line| line.matches('\'').count() % 2 == 0), "{next:?}");
        let next = next.iter().map(|line| line.chars().skip(TEXT_COLUMN).collect()).collect::<Vec<String>>().join(" ");
        for function in [Function::ReportHtml, Function::WhatIf, Function::IoMix] {
            let call = scenario.arguments.call(function).to_string();
            let begin = &call[..=call.find('(').unwrap()];
            prop_assert!(!next.contains(begin) || next.contains(&call), "{call} in {next}");
        }
    }
}
