//! Bounds of a screen, whatever the workload and however long the names.

use super::super::layout::{COLUMNS, LINES, TEXT_COLUMN};
use super::super::scenario::{Load, Scenario, declared, page, volume};
use crate::calls::Function;
use crate::{Arguments, sql_literal};
use ebs_advice::{Candidate, LoadKind, Settings};
use ebs_aws::catalogue::VolumeType;
use ebs_base::format::{figure, plain};
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

/// Reads by sessions that wait for each of them on today's io2, which is faster than what is recommended.
fn on_a_faster_volume() -> Scenario {
    let load = Load { reads: 8_400, writes: 2_100, kib: 8.0, read_ms: 0.3, write_ms: 0.3, spread: 500 };
    Scenario {
        volumes: vec![(volume("nvme1n1", &[Role::Data, Role::Wal]), load)],
        waits: vec![("CPU*", "CPU*", 0.6), ("IO", "DataFileRead", 2.5), ("IO", "WalSync", 0.3)],
        declared: declared("data+wal", VolumeType::Io2, Some(16_000)),
        tps: Some(1_000),
        busy: Some(0.2),
        driver_load: Some(LoadKind::Closed),
        ..Scenario::new("run faster", 1_000)
    }
}

/// The plot of a demand beside the limit of volumes that are sized for another names both.
#[test]
fn a_plot_names_the_demand_that_the_recommended_volume_is_sized_for() {
    let scenario = on_a_faster_volume();
    let page = scenario.with_report(page);
    let used = scenario.with_report(|report| report.roles().next().unwrap().best().unwrap().expected.unwrap().iops);
    let plot = page.split("<figure id=\"requests-1\">").nth(1).and_then(|rest| rest.split("</figure>").next()).unwrap();
    let key = format!("mean demand on recommended gp3, predicted: {}<", figure(used));
    assert!(plot.contains(&key) && plot.contains("limit of recommended gp3: "), "{key} in {plot}");
    assert!(plot.contains("The line is the demand on today's volume. The recommended gp3 is sized for"), "{plot}");
    assert!(used < 10_500.0, "{used}");
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

    /// A prediction for today's own volumes, and their row, are bound by what the bottleneck of the run names.
    #[test]
    fn todays_volumes_are_bound_by_the_bottleneck(scenario in any_scenario()) {
        scenario.with_report(|report| {
            for role in report.roles() {
                let (Some(current), Ok(bottleneck)) = (&role.current, &role.state.bottleneck) else { continue };
                let [(config, volumes)] = current.volumes[..] else { continue };
                let ceiling = config.ceiling(volumes);
                let predictor = role.state.predictor.as_ref().unwrap().on_volumes(volumes);
                let expected = predictor.expect(role.state.sized_series(), config.volume_type, ceiling);
                assert!(expected.is_none_or(|expected| expected.bound_by == bottleneck.cause), "{config:?}: {bottleneck:?}");
                // Where all volumes together are too much for the instance, a row names that, as its reason does.
                let is_excluded = |one: &Candidate| one.bound.is_instance() && !one.feasible;
                let is_own = |one: &&Candidate| {
                    (one.config, one.volumes) == (config, volumes) && one.prediction.is_some() && !is_excluded(one)
                };
                for row in role.candidates.iter().filter(is_own) {
                    assert_eq!(row.bound_by(), bottleneck.cause, "{row:?}");
                }
            }
        });
    }
}
