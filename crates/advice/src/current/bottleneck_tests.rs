use super::*;
use crate::current::load::Load;
use ebs_aws::catalogue::LimitKind;
use ebs_fixtures::limited_runs::{RunGenerator, SecondLoad};
use ebs_fixtures::windows::window;
use ebs_prediction::predict::{MissingInput, Parts};
use ebs_workload::demand::Demand;
use ebs_workload::demand_summary::DemandSummary;

/// 1,000 requests a second at 0.5 ms, and sessions in these waits.
fn observed(waits: &[(&str, &str, f64)], busy: Option<f64>, limited: Option<LimitKind>) -> Observed {
    let had = |_| SecondLoad { requests: 1_000.0, latency_ms: 0.5 };
    let seen = window(&RunGenerator::new(0).demand(8192.0, (0..300).map(had)), waits, busy);
    let demand = Demand::from_window(&seen, 0);
    Observed::from_window(&seen, &DemandSummary::new(&demand), Parts { data: true, wal: true }, limited).unwrap()
}

fn bottleneck(waits: &[(&str, &str, f64)], busy: Option<f64>, limited: Option<LimitKind>) -> Bottleneck {
    Bottleneck::new(&observed(waits, busy, limited))
}

/// The likelihood from which on the limit is named, and one below it.
#[test]
fn a_limit_is_the_bottleneck_where_it_is_as_likely_as_not() {
    let run = observed(&[("CPU*", "CPU*", 0.5), read(3.5)], None, Some(LimitKind::Iops));
    let cause = |limit_weight| Bottleneck::new(&Observed { limit_weight, ..run }).cause;
    let expected = [BindingLimit::Latency, BindingLimit::VOLUME_IOPS, BindingLimit::VOLUME_IOPS];
    assert_eq!([0.49, 0.5, 1.0].map(cause), expected);
}

/// 300 s of 5 sessions that wait for their clients: from 0.02 of a session at work on there is an account of a transaction, below there is none,
/// nor without the clients. Sizes have no step there: at 0.02 the weight of the closed loop is zero, as without an account.
#[test]
fn hardly_any_session_at_work_makes_no_account() {
    let account = |active: f64, clients: f64| {
        let had = |_| SecondLoad { requests: 6.0, latency_ms: 0.5 };
        let waits = [("CPU*", "CPU*", active / 2.0), read(active / 2.0), ("Client", "ClientRead", clients)];
        let seen = window(&RunGenerator::new(0).demand(8192.0, (0..300).map(had)), &waits, Some(0.01));
        let demand = Demand::from_window(&seen, 0);
        Observed::from_window(&seen, &DemandSummary::new(&demand), Parts { data: true, wal: true }, None)
    };
    for (active, clients) in [(0.0199, 5.0), (0.0199, 0.0), (0.0, 5.0), (0.0, 0.0)] {
        assert_eq!(account(active, clients), Err(MissingInput::Sessions), "{active} {clients}");
    }
    for (active, clients) in [(0.0201, 0.0), (0.0201, 5.0), (0.5, 0.0)] {
        let observed = account(active, clients).unwrap();
        let load = Load::new(None, Ok(&observed));
        assert!(active > 0.1 || load.closed_weight < 0.01, "{active} {clients}: {load:?}");
    }
}

fn read(sessions: f64) -> (&'static str, &'static str, f64) {
    ("IO", "DataFileRead", sessions)
}

fn close(found: f64, expected: f64) -> bool {
    (found / expected - 1.0).abs() < 0.05
}

/// 0.2 of 4 sessions read: without that there is 1 / 0.95 of now.
#[test]
fn computing_sessions_gain_what_they_wait() {
    let found = bottleneck(&[("CPU*", "CPU*", 3.8), read(0.2)], None, None);
    assert_eq!((found.cause, found.utilization), (BindingLimit::Cpu, None));
    assert!(found.is_outside_storage() && close(found.ideal_ratio.middle, 1.0 / 0.95), "{found:?}");
    assert!(found.ideal_ratio.low >= 1.0 && close(found.active_sessions, 4.0));
}

/// Two CPUs, 90 % busy: whatever is not waited for, there is no more than a ninth to gain.
#[test]
fn busy_cpus_leave_no_more_than_their_rest() {
    let found = bottleneck(&[("CPU*", "CPU*", 2.5), read(1.5)], Some(0.9), None);
    assert_eq!(found.cause, BindingLimit::Cpu);
    assert!(found.ideal_ratio.middle <= 1.0 / 0.9 + 0.2, "{found:?}");
}

/// Two CPUs, 68 and 72 % busy, and reads that are a good part of the time: either may be the bottleneck. At 60 and 80 % one is.
#[test]
fn near_a_border_another_bottleneck_is_as_likely() {
    let both = |busy| {
        let found = bottleneck(&[("CPU*", "CPU*", 2.0 * busy), read(3.0)], Some(busy), None);
        (found.cause, found.also)
    };
    let (latency, cpu) = (BindingLimit::Latency, BindingLimit::Cpu);
    assert_eq!([both(0.6), both(0.68)], [(latency, None), (latency, Some(cpu))]);
    assert_eq!([both(0.72), both(0.8)], [(cpu, Some(latency)), (cpu, None)]);
    // Without reads to speak of both are the CPU.
    let found = bottleneck(&[("CPU*", "CPU*", 1.44), read(0.1)], Some(0.72), None);
    assert_eq!((found.cause, found.also), (cpu, None));
}

#[test]
fn locks_and_clients_and_other_waits_are_told_apart() {
    let locks = bottleneck(&[("Lock", "transactionid", 9.0), read(0.5), ("CPU*", "CPU*", 0.5)], Some(0.2), None);
    assert_eq!((locks.cause, locks.is_outside_storage()), (BindingLimit::Locks, false));
    let waiting = bottleneck(&[("Lock", "transactionid", 9.0), read(0.1), ("CPU*", "CPU*", 0.9)], Some(0.2), None);
    assert_eq!((waiting.cause, waiting.is_outside_storage()), (BindingLimit::Locks, true));
    let clients = bottleneck(&[("Client", "ClientRead", 15.0), read(0.5), ("CPU*", "CPU*", 0.5)], Some(0.2), None);
    assert_eq!((clients.cause, clients.ideal_ratio.middle), (BindingLimit::Clients, 1.0));
    assert!(close(clients.active_sessions, 1.0));
    let others = bottleneck(&[("IPC", "SyncRep", 9.0), read(0.5)], Some(0.2), None);
    assert_eq!(others.cause, BindingLimit::OtherWaits);
}

#[test]
fn a_volume_holds_back_by_its_latency_or_its_limit() {
    let waits = [read(3.0), ("CPU*", "CPU*", 1.0)];
    let latency = bottleneck(&waits, Some(0.3), None);
    assert_eq!((latency.cause, latency.is_outside_storage()), (BindingLimit::Latency, false));
    assert!(latency.ideal_ratio.middle > 2.0, "{latency:?}");
    assert_eq!(bottleneck(&waits, Some(0.3), Some(LimitKind::Iops)).cause, BindingLimit::VOLUME_IOPS);
}
