use super::*;
use ebs_aws::catalogue::{LimitKind, VolumeType};
use ebs_prediction::predict::{IoWorkersNeed, MissingInput};

fn latency(low_s: f64, high_s: f64) -> Latency {
    Latency { low_s, middle_s: low_s, high_s }
}

#[test]
fn the_basis_names_its_sources() {
    let basis = LatencyBasis {
        volume_type: VolumeType::Gp3,
        read: latency(0.6e-3, 0.91e-3),
        read_source: Source::Given,
        write: latency(0.65e-3, 0.95e-3),
        write_source: Source::Given,
    };
    assert_eq!(describe_latency_basis(&basis), "latency as given");
    assert_eq!(
        describe_latency_basis(&LatencyBasis {
            read_source: Source::Measured,
            write_source: Source::Published,
            ..basis
        }),
        "reads as measured in this run, writes published 0.65 to 0.95 ms for gp3 (Percona 2021, cloudlooking.glass)"
    );
    let published = LatencyBasis {
        volume_type: VolumeType::Io1,
        read: latency(0.5e-3, 0.6e-3),
        read_source: Source::Published,
        write: latency(0.5e-3, 0.73e-3),
        write_source: Source::Published,
    };
    assert_eq!(
        describe_latency_basis(&published),
        "published 0.50 to 0.60 ms a read, 0.50 to 0.73 ms a write, for io1 (Percona 2021, cloudlooking.glass)"
    );
}

#[test]
fn a_missing_prediction_says_why() {
    let note = |reason| describe_note(&WhatIfNote::NoPrediction(reason));
    assert_eq!(
        note(NoPrediction::Missing(MissingInput::Waits)),
        "no prediction: what sessions waited for was not sampled"
    );
    assert!(note(NoPrediction::LatencyUnpublished(VolumeType::St1)).starts_with("no prediction: no latency of st1"));
    let (wal, data) = (VolumeType::St1, VolumeType::Gp3);
    assert_eq!(
        note(NoPrediction::WalLatencyUnpublished { wal, data }),
        "no prediction: no latency of st1 is published for WAL, and read_ms and write_ms are of gp3: wal_volume => 'gp3' uses them"
    );
}

#[test]
fn a_reached_limit_has_its_owner_and_the_demand_beyond_it() {
    let note = |owner, has_unmet_demand| describe_note(&WhatIfNote::Saturated { owner, has_unmet_demand });
    assert_eq!(
        note(LimitOwner::Volume, true),
        "this run was at the limit of its volume: demand beyond it is estimated"
    );
    assert_eq!(note(LimitOwner::Instance, false), "this run was at the limit of its instance");
}

#[test]
fn the_needed_io_workers_may_exceed_those_that_there_are() {
    let workers = IoWorkersNeed { needed: 5.2, count: 3.0 };
    assert_eq!(
        describe_note(&WhatIfNote::IoWorkersShort { workers }),
        "this throughput needs 5.2 I/O workers, of 3: reads queue for them, and more io_workers may help"
    );
}

#[test]
fn clients_are_sessions_at_work() {
    assert_eq!(
        describe_note(&WhatIfNote::ClientsInRun { sessions: 19.8 }),
        "clients counts sessions at work in the same second: 19.8 in this run"
    );
}

#[test]
fn a_refuted_limit_is_named_with_its_remedy() {
    use ebs_advice::RefutedLimit;
    let refuted = RefutedLimit { limited: LimitKind::Iops, level: 3_000.0, declared: 12_000.0, seconds_share: 1.0 };
    assert_eq!(
        describe_note(&WhatIfNote::DeclaredLimitRefuted(refuted)),
        "the samples show a limit at 3,000 IOPS, below the declared 12,000: check the declared limit first"
    );
}
