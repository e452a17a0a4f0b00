use super::*;
use ebs_advice::{Settings, advise};
use ebs_aws::catalogue::prices;
use ebs_base::units::GIB;
use ebs_samples::evidence::{
    Block, CounterDelta, DeviceCounts, Role, Sample, Session, StorageLayout, Totals, Volume, WaitKey, Window,
};
use ebs_workload::declarations::Declarations;

/// 20,000 reads a second of 0.37 ms in ten minutes; as many sessions compute as wait for them, and these for their clients.
fn role(client_sessions: u64) -> RoleAdvice {
    let counts = DeviceCounts { reads: 20_000, read_bytes: 20_000 * 8_192, read_ms: 7_400, ..DeviceCounts::default() };
    let sample = |second: i64| Sample {
        at_us: second * 1_000_000,
        dt_us: 1_000_000,
        devices: [(0, CounterDelta::Known(counts))].into(),
        reset: false,
    };
    let volume = Volume {
        device: "nvme1n1".into(),
        roles: vec![Role::Data],
        timed: true,
        filesystem_bytes: Some(500 * GIB),
        used_bytes: Some(80 * GIB),
        ..Volume::default()
    };
    let key = |class: &str, event: &str| WaitKey {
        backend_type: "client backend".into(),
        class: class.into(),
        event: event.into(),
        session: Session::default(),
    };
    let mut totals = Totals::default();
    (totals.waits.swept_us, totals.waits.sweeps) = (600_000_000, 60_000);
    let sessions = [("IO", "DataFileRead", 10), ("CPU*", "CPU*", 10), ("Client", "ClientRead", client_sessions)];
    totals.waits.rows = sessions.map(|(class, event, count)| (key(class, event), count * 600_000_000)).into();
    let block = Block {
        interval_us: 1_000_000,
        layout: StorageLayout { volumes: vec![volume], ..StorageLayout::default() },
        totals,
        samples: (1..=600).map(sample).collect(),
        ..Block::default()
    };
    let request = Settings::default().check(prices("us-east-1").unwrap().clone()).unwrap();
    let window = Window::assemble([block], 0, 600_000_000);
    advise(&window, &request, &Declarations::default(), &|| ()).roles.remove(0)
}

#[test]
fn the_kind_is_described_with_its_evidence() {
    assert_eq!(describe(&role(0))[0], "Closed loop: sessions wait for the volume (clients think 0 % of the time)");
    // 20 of 40 sessions with their clients.
    assert_eq!(describe(&role(20)), ["Open loop: clients keep their own pace (clients think 50 % of the time)"]);
}

/// 100 GiB are $8.00; 24,000 IOPS are 21,000 × 0.005 = $105.00 more, 188 MiB/s 63 × 0.04 = $2.52.
#[test]
fn the_other_sizings_are_described() {
    let closed = describe(&role(0));
    assert!(closed[1].starts_with("On gp3 the demand is "), "{closed:?}");
    assert_eq!(closed[2], "For the demand as observed: gp3 with 24,000 IOPS, $115.60 a month");
    // 8 of 28 sessions with their clients.
    let unsure = describe(&role(8));
    let kind = "Closed or open loop: the evidence does not tell (clients think 29 % of the time)";
    assert_eq!((unsure.len(), unsure[0].as_str()), (4, kind));
    assert!(unsure[2].starts_with("If the loop is closed: gp3 with "), "{unsure:?}");
}

/// One size for both kinds is told once: 8 + 21,000 × 0.005 + 65 × 0.04 dollars.
#[test]
fn the_same_size_for_either_kind_is_told_once() {
    let mut unsure = role(7);
    assert!(describe_briefly(&unsure).contains(" if clients wait for answers, gp3 "), "{}", describe_briefly(&unsure));
    unsure.closed_option = unsure.peak_option.clone();
    assert_eq!(describe_briefly(&unsure), "closed or open loop not certain: gp3 24,000 IOPS $115.60 for either");
}
