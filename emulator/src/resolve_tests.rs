use clap::Parser;

use super::*;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    spec: VolumeSpec,
}

fn spec(line: &str) -> VolumeSpec {
    Line::try_parse_from(std::iter::once("test").chain(line.split_whitespace())).unwrap().spec
}

fn description(line: &str) -> String {
    resolve(&spec(line)).unwrap().to_string()
}

fn error(line: &str) -> String {
    resolve(&spec(line)).unwrap_err().to_string()
}

#[test]
fn a_type_brings_its_limits_and_published_times() {
    assert_eq!(
        description("gp3"),
        "gp3 100 GiB, 3000 IOPS, 125 MiB/s, read 0.74 ms, write 0.79 ms, sigma 0.2, burst 10 ms"
    );
    assert!(
        description("gp2 --size 100").starts_with("gp2 100 GiB, 300 IOPS (3000 with credits), 128 MiB/s, read 0.73 ms")
    );
    assert!(description("gp2 --size 200").contains("600 IOPS (3000 with credits), 128 MiB/s (250 with credits),"));
    assert!(description("io2 --size 500 --iops 20000").starts_with("io2 500 GiB, 20000 IOPS, 4000 MiB/s, read 0.4 ms"));
    assert!(
        description("st1 --size 1024")
            .starts_with("st1 1024 GiB, unlimited IOPS, 40 MiB/s (250 with credits), each I/O a MiB, read 8 ms")
    );
    assert!(
        description("gp3 --instance m5.large")
            .contains(", instance 3600 IOPS (18750 with credits), 77 MiB/s (566 with credits)")
    );
}

#[test]
fn a_plain_volume_has_the_given_limits_and_times() {
    let given = "plain --iops 500 --throughput unlimited --read-ms 0.3 --write-ms 1.7 --sigma 0 --burst-ms 0";
    let expected = "plain 100 GiB, 500 IOPS, unlimited MiB/s, read 0.3 ms, write 1.7 ms, sigma 0, burst 0 ms";
    assert_eq!(description(given), expected);
}

#[test]
fn hdds_count_by_the_mib_and_ssds_by_a_quarter() {
    let accounting = |line| resolve(&spec(line)).unwrap().settings.accounting;
    assert_eq!(accounting("sc1"), Accounting { io_bytes: 1 << 20, whole_ios: true });
    assert_eq!(accounting("io1 --iops 3000"), Accounting { io_bytes: 1 << 18, whole_ios: false });
}

#[test]
fn volumes_that_aws_does_not_sell_are_refused_with_a_reason() {
    for (line, words) in [
        ("gp2 --iops 500", "iops of gp2 cannot be chosen: 100 GiB give 300."),
        ("io2 --size 10 --iops 20000", "20000 IOPS need at least 20 GiB"),
        ("gp3 --iops 3000 --throughput 1000", "1000 MiB/s need at least 4000 IOPS"),
        ("st1 --size 20", "size_gib 20 is out of range for st1: 125 to 16384."),
        ("gp9", ", plain."),
        ("standard", "unknown volume type \"standard\""),
        ("gp3 --iops unlimited", "no gp3 volume is unlimited"),
        ("gp3 --credits 50", "has no burst credits"),
        ("gp3 --instance m5.lrge", "Perhaps you meant m5.large"),
        ("plain --sigma 3", "--sigma must be between 0 and 2, not 3"),
        ("plain --read-ms -1", "--read-ms must be between 0 and 10000, not -1"),
        ("plain --read-ms NaN", "--read-ms must be between"),
        ("plain --credits 101 --instance m5.large", "--credits must be between 0 and 100, not 101"),
        ("plain --size 0", "--size must be between 1 and 65536, not 0"),
    ] {
        let error = error(line);
        assert!(error.contains(words), "{line}: {error}");
        assert!(error.starts_with("error: ") && error.contains("\nhint:  "), "{line}: {error}");
    }
}

#[test]
fn a_change_keeps_the_options_that_it_does_not_name() {
    let before = spec("gp3 --size 200 --iops 4000 --read-ms 0.4 --instance m5.large --burst-ms 5");
    let slower = before.with_change(&spec("--read-ms 1.7"));
    assert_eq!((slower.iops, slower.read_ms), (Some(LimitSpec::PerSecond(4_000)), Some(1.7)));
    let other = before.with_change(&spec("gp2"));
    assert_eq!(
        (other.iops, other.read_ms, other.size),
        (None, None, Some(200)),
        "another type has its own limits and times"
    );
    assert_eq!((other.instance.as_deref(), other.burst_ms), (Some("m5.large"), Some(5.0)));
    assert_eq!(resolve(&before.with_change(&spec("--instance none"))).unwrap().settings.instance, Caps::UNLIMITED);
}

#[test]
fn credits_fill_every_bucket() {
    let Rate::Burst(bucket) = resolve(&spec("gp2 --credits 25")).unwrap().settings.volume.iops else { panic!() };
    assert_eq!(bucket.share(), 0.25);
}
