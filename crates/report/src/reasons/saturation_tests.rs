use super::*;
use ebs_aws::catalogue::VolumeType;

#[test]
fn a_flat_rate_is_a_limit_or_the_demand() {
    let flat = |source, limited, level| describe_flat_rate(&FlatRate { limited, level, source, seconds_share: 1.0 });
    assert_eq!(
        flat(LevelSource::Published(VolumeType::Gp3), LimitKind::Iops, 3_000.0),
        "3,000 IOPS in 100 % of seconds, a limit that gp3 volumes have: the volume's limit or the demand, which cannot be told \
         without latency; the demand may be larger"
    );
    let known = flat(LevelSource::Known(LimitOwner::Instance), LimitKind::Throughput, 125.0 * MIB as f64);
    assert!(
        known.starts_with("125 MiB/s in 100 % of seconds, the limit of the instance: that limit or the demand"),
        "{known}"
    );
    assert_eq!(
        flat(LevelSource::Unknown, LimitKind::Iops, 6_000.0),
        "6,000 IOPS in 100 % of seconds: a limit or the demand, which cannot be told without latency; the demand may be larger"
    );
}
