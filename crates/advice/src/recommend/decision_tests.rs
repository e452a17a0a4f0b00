use crate::Settings;
use crate::recommend::advise::tests::{DATA, Load, data, rds};

fn answer(load: Load, settings: Settings, question: &str) -> String {
    let role = data(load, settings);
    let step = role.path.iter().find(|step| step.question.contains(question));
    step.unwrap_or_else(|| panic!("{question}: {:?}", role.path)).answer.clone()
}

fn busy(reads: u64) -> Load {
    Load { reads, read_ms: reads / 2, ..DATA }
}

#[test]
fn whether_the_instance_carries_it() {
    let asked = |instance: Option<&str>, load| {
        answer(load, Settings { instance: instance.map(str::to_owned), ..Settings::default() }, "the instance")
    };
    assert_eq!(asked(None, DATA), "not known: no instance named, declared or seen");
    assert!(asked(Some("m5.large"), DATA).starts_with("yes, m5.large does 3,600 IOPS and "));
    assert_eq!(
        asked(Some("m5.large"), busy(9_000)),
        "no, m5.large throttles 100 % of seconds: first a larger instance"
    );
}

#[test]
fn whether_disks_would_do() {
    let asked = |load| answer(load, Settings::default(), "Sequential");
    assert_eq!(asked(DATA), "no, requests of 8.00 KiB would cost 1 MiB of credits each: an SSD");
    let scan = Load { reads: 20, kib: 1_024, ..DATA };
    assert_eq!(asked(scan), "so far, 1,024 KiB a request; but a database reads single pages too: an SSD");
    assert_eq!(asked(Load { reads: 0, read_ms: 0, ..DATA }), "no: an SSD");
}

#[test]
fn how_durable() {
    let asked = |durability_pct| answer(DATA, Settings { durability_pct, ..Settings::default() }, "More durable");
    assert_eq!(asked(None), "not asked for: any");
    assert_eq!(asked(Some(99.8)), "not asked for: any");
    assert_eq!(asked(Some(99.9)), "yes, 99.9 % asked for: io2");
}

#[test]
fn how_fast() {
    let asked =
        |load, latency_target_ms| answer(load, Settings { latency_target_ms, ..Settings::default() }, "Mean latency");
    assert_eq!(asked(DATA, None), "not asked for (gp3 gives some 0.91 ms): any");
    assert_eq!(asked(DATA, Some(1.0)), "no, 1.00 ms asked for, gp3 gives some 0.91");
    assert_eq!(asked(DATA, Some(0.5)), "yes, 0.50 ms asked for, gp3 gives some 0.91: provisioned IOPS");
    assert_eq!(asked(Load { reads: 0, read_ms: 0, ..DATA }, Some(0.5)), "not known");
}

/// gp3 has up to 80,000 IOPS, on RDS from 400 GiB on 64,000.
#[test]
fn whether_the_included_is_enough() {
    let asked = |load| answer(load, Settings::default(), "included 3,000 IOPS and 125 MiB/s");
    assert_eq!(asked(DATA), "yes, 12 IOPS and 0.09 MiB/s needed");
    assert_eq!(asked(busy(5_000)), "no, 6,000 IOPS and 46.9 MiB/s needed, which gp3 can be bought with");
    assert_eq!(asked(busy(70_000)), "no, 84,000 IOPS and 656 MiB/s needed, more than one gp3 has: a stripe, or io2");
    let rds = Settings { min_size_gib: Some(400), ..rds() };
    assert_eq!(
        answer(busy(70_000), rds, "included 12,000 IOPS and 500 MiB/s"),
        "no, 84,000 IOPS and 656 MiB/s needed, more than one gp3 has: io2"
    );
}

#[test]
fn what_is_left() {
    let asked = |load, settings| answer(load, settings, "cheapest that is left");
    let any = Settings::default;
    assert_eq!(asked(DATA, any()), "gp3, $8.00 a month, throttled 0.00 % of seconds");
    assert_eq!(asked(busy(6_250), any()), "gp3, $30.50 a month, throttled 0.00 % of seconds, bound by volume IOPS");
    let four = Settings { max_volumes: Some(4), ..any() };
    assert_eq!(asked(busy(6_250), four), "4 × gp3, $8.00 a month, throttled 0.00 % of seconds");
    let impossible = Settings { latency_target_ms: Some(0.1), ..any() };
    assert_eq!(asked(DATA, impossible), "nothing meets everything asked for");
}

/// io2 is not sold there.
#[test]
fn outposts_have_general_purpose_volumes_alone() {
    let outposts = || Settings { platform: "outposts".into(), ..Settings::default() };
    assert_eq!(
        answer(busy(70_000), outposts(), "included 3,000"),
        "no, 84,000 IOPS and 656 MiB/s needed, more than one gp3 has: a stripe"
    );
    let durable = Settings { durability_pct: Some(99.9), ..outposts() };
    assert_eq!(answer(DATA, durable, "More durable"), "yes, 99.9 % asked for: io2, which is not sold there");
}
