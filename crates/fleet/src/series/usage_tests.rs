//! Volumes that documents attach to no instance: those that were used are kept, the others can be deleted.

use ebs_advice::{Action, ActionReason, Finding};
use ebs_imports::configuration::read;
use ebs_prometheus::Series;
use ebs_workload::io_profile::Metric;

use crate::made_series::{disk, labels, series};
use crate::{Fleet, Reason, Selection, Settings, Unseen, VolumeAnswer, answer_unobserved, evaluate};

const ID: &str = "vol-06c1835863d5d7360";
const SERIAL: &str = "vol06c1835863d5d7360";
const MINUTES: usize = 1_441;
const CLAIM: &str = "db/data-0";

const TARGET: [(&str, &str); 2] = [("instance", "i-0aaaaaaa:9100"), ("job", "node")];

fn kubernetes() -> Vec<Series> {
    let pv = ("persistentvolume", "pvc-1");
    let ones = vec![Some(1.0); MINUTES];
    vec![
        series(&[("__name__", "kube_persistentvolume_info"), pv, ("csi_volume_handle", ID)], &ones),
        series(
            &[("__name__", "kube_persistentvolume_claim_ref"), pv, ("name", "data-0"), ("claim_namespace", "db")],
            &ones,
        ),
    ]
}

fn mounted() -> Series {
    let own = [("namespace", "db"), ("persistentvolumeclaim", "data-0")];
    series(&[&[("__name__", "kubelet_volume_stats_used_bytes")], &own[..]].concat(), &vec![Some(1e9); MINUTES])
}

/// The answer for the volume, which describe-volumes shows as available; `None` where it has none.
fn answer_selected(series: Vec<Series>, selection: &Selection) -> Option<VolumeAnswer> {
    let text = format!(
        r#"{{"Volumes": [{{"VolumeId": "{ID}", "VolumeType": "gp2", "Size": 200, "Iops": 600, "State": "available",
        "AvailabilityZone": "us-east-1a", "Attachments": []}}]}}"#
    );
    let configuration = read(&text, &|| ()).unwrap();
    let found = Fleet::discover(labels(&series), &configuration, selection);
    let (from_us, to_us) = (1_000_000_000, 1_000_000_000 + 60_000_000 * (MINUTES as i64 - 1));
    let settings = Settings { from_us, to_us, ..Settings::default() };
    let unobserved = found.unobserved.iter().map(|one| answer_unobserved(one, &configuration, &settings));
    let mut answers: Vec<VolumeAnswer> = unobserved.collect();
    let batches = found.batches.iter();
    answers.extend(batches.flat_map(|batch| evaluate(batch, series.clone(), &configuration, &settings, &|| ())));
    assert!(answers.len() <= 1, "{answers:?}");
    answers.pop()
}

fn answer(series: Vec<Series>) -> VolumeAnswer {
    answer_selected(series, &Selection::default()).unwrap()
}

fn last_io(answer: &VolumeAnswer) -> Option<Option<i64>> {
    answer.findings.iter().find_map(|finding| match finding {
        Finding::Unattached { last_io_us, .. } => Some(*last_io_us),
        _ => None,
    })
}

/// Requests in total: so many a minute up to a minute, and none after it.
fn until(minute: usize, each: f64) -> Vec<Option<f64>> {
    (0..MINUTES).map(|scrape| Some(each * scrape.min(minute) as f64 * (1.0 + 0.001 * (scrape % 7) as f64))).collect()
}

fn steady(each: f64) -> Vec<Option<f64>> {
    (0..MINUTES).map(|scrape| Some(each * scrape as f64)).collect()
}

#[test]
fn a_volume_with_io_until_the_last_minute_keeps_its_counts() {
    let series = [disk(&TARGET, "nvme1n1", SERIAL, &steady(6_000.0)), kubernetes(), vec![mounted()]].concat();
    let by_claim = Selection { claims: vec![CLAIM.to_owned()], ..Selection::default() };
    for selection in [Selection::default(), by_claim] {
        let answer = answer_selected(series.clone(), &selection).unwrap();
        assert!(matches!(answer.action, Action::Modify | Action::Keep), "{:?}", answer.action);
        assert!(
            answer.evidence.coverage > 0.99
                && answer.demand.as_ref().unwrap().find(Metric::Requests).unwrap().p50.unwrap() > 199.0
        );
        assert_eq!(last_io(&answer), Some(Some(1_000_000_000 + 60_000_000 * (MINUTES as i64 - 1))));
        assert_eq!(answer.identity.claim.as_deref(), Some(CLAIM));
    }
}

/// Detached in the middle of the time: its last I/O is of minute 700, and one request is enough.
#[test]
fn a_volume_that_was_used_once_is_not_deleted() {
    let mut counts = vec![Some(5.0); 700];
    counts.extend(vec![Some(6.0); 20]);
    counts.resize(MINUTES, None);
    let answer = answer(disk(&TARGET, "nvme1n1", SERIAL, &counts));
    assert_ne!(answer.action, Action::Delete);
    assert_eq!(last_io(&answer), Some(Some(1_000_000_000 + 60_000_000 * 700)));
}

/// A gap and a reset leave nothing for advice, and I/O all the same.
#[test]
fn io_over_a_gap_and_a_reset_counts() {
    for (values, scrape) in [
        ([vec![Some(5.0)], vec![None; 300], vec![Some(9.0); 2]].concat(), 301),
        (vec![Some(500.0), Some(500.0), Some(7.0), Some(7.0)], 2),
    ] {
        let answer = answer(disk(&TARGET, "nvme1n1", SERIAL, &values));
        assert_ne!(answer.action, Action::Delete);
        assert_eq!(last_io(&answer), Some(Some(1_000_000_000 + 60_000_000 * scrape)));
    }
    let once = answer(disk(&TARGET, "nvme1n1", SERIAL, &[None, Some(9.0)]));
    assert_eq!((once.action, last_io(&once)), (Action::NoAnswer, Some(None)));
}

#[test]
fn counters_that_stand_still_are_a_volume_to_delete() {
    let answer = answer(disk(&TARGET, "nvme1n1", SERIAL, &vec![Some(9_000.0); MINUTES]));
    assert_eq!((answer.action, last_io(&answer)), (Action::Delete, Some(None)));
    assert!(matches!(answer.reason, Reason::Unseen(Unseen::Unattached)) && answer.evidence.coverage > 0.99);
    assert_eq!((answer.saved.map(|usd| usd.cents()), answer.recommended), (Some(2_000), None));
    assert_eq!(answer.demand.unwrap().find(Metric::Requests).unwrap().max.unwrap(), 0.0);
}

/// A device that comes within the time has counted its requests since: 900,000 in three minutes of a night, or since its node booted. One
/// that was never used counts none, and the first scrape of the time may be late.
#[test]
fn requests_before_the_first_sample_of_a_device_are_not_taken_for_none() {
    let since = |minute: usize, requests: f64| [vec![None; minute], vec![Some(requests); MINUTES - minute]].concat();
    let nightly = [vec![None; 120], vec![Some(900_000.0); 3], vec![None; MINUTES - 123]].concat();
    for (values, action) in [
        (since(600, 2_000_000.0), Action::Keep),
        (nightly, Action::NoAnswer),
        (since(600, 0.0), Action::Delete),
        (since(2, 9_000.0), Action::Delete),
    ] {
        let answer = answer(disk(&TARGET, "nvme1n1", SERIAL, &values));
        let is_kept = |action| action != Action::Delete;
        assert_eq!((is_kept(answer.action), last_io(&answer)), (is_kept(action), Some(None)), "{:?}", answer.action);
    }
}

/// Only the service that manages a volume deletes it.
#[test]
fn a_managed_volume_is_not_deleted() {
    let text = format!(
        r#"{{"Volumes": [{{"VolumeId": "{ID}", "VolumeType": "gp2", "Size": 200, "State": "available", "Attachments": [],
        "AvailabilityZone": "us-east-1a", "Operator": {{"Managed": true, "Principal": "eks.amazonaws.com"}}}}]}}"#
    );
    let configuration = read(&text, &|| ()).unwrap();
    let found = Fleet::discover(Vec::new(), &configuration, &Selection::default());
    let answer = answer_unobserved(&found.unobserved[0], &configuration, &Settings::default());
    assert_eq!((answer.action, answer.saved), (Action::NoAnswer, None));
    assert!(matches!(answer.reason, Reason::Unseen(Unseen::UnattachedManaged)), "{:?}", answer.reason);
}

/// A file system on the device until the last minute is in use, whatever a document says.
#[test]
fn a_mounted_volume_without_io_is_not_deleted() {
    let path = [("device", "/dev/nvme1n1"), ("mountpoint", "/data"), ("fstype", "xfs")];
    let space =
        |name, bytes| series(&[&[("__name__", name)], &TARGET[..], &path[..]].concat(), &[Some(bytes); MINUTES]);
    let spaces = vec![space("node_filesystem_size_bytes", 2e11), space("node_filesystem_avail_bytes", 1e11)];
    let answer = answer([disk(&TARGET, "nvme1n1", SERIAL, &vec![Some(9_000.0); MINUTES]), spaces].concat());
    assert!(matches!(answer.action, Action::Modify | Action::Keep), "{:?}", answer.action);
    assert!(matches!(answer.reason, Reason::Decided(ActionReason::Idle { .. })), "{:?}", answer.reason);
    let last_us = 1_000_000_000 + 60_000_000 * (MINUTES as i64 - 1);
    let expected = Finding::Unattached { last_io_us: None, last_seen_us: Some(last_us) };
    assert!(answer.findings.contains(&expected), "{:?}", answer.findings);
    assert_eq!(answer.identity.mountpoints, ["/data"]);
}

/// Label sets of a time before, or of no counters at all.
#[test]
fn a_volume_without_samples_is_answered_by_its_state() {
    let stale = disk(&TARGET, "nvme1n1", SERIAL, &[]);
    for (series, action) in [
        (stale, Action::Delete),
        (Vec::new(), Action::Delete),
        (kubernetes(), Action::Delete),
        ([kubernetes(), vec![mounted()]].concat(), Action::NoAnswer),
    ] {
        assert_eq!(answer(series.clone()).action, action, "{series:?}");
    }
    let selection = |claim: &str| Selection { claims: vec![claim.to_owned()], ..Selection::default() };
    assert_eq!(answer_selected(kubernetes(), &selection(CLAIM)).unwrap().action, Action::Delete);
    assert!(answer_selected(kubernetes(), &selection("db/other-*")).is_none());
}

/// Counters of another disk that had the name before are not the volume's.
#[test]
fn io_of_another_disk_is_not_its_own() {
    let mut all = disk(&TARGET, "nvme1n1", SERIAL, &[vec![None; 700], vec![Some(0.0); 741]].concat());
    let other = disk(&TARGET, "nvme1n1", "vol0bbbbbbbbbbbbbbbb", &until(700, 60.0)[..690]);
    for (own, other) in all.iter_mut().zip(other).filter(|(own, _)| own.labels.name() != "node_disk_info") {
        own.samples = [other.samples, own.samples.clone()].concat();
    }
    let info = disk(&TARGET, "nvme1n1", "vol0bbbbbbbbbbbbbbbb", &vec![Some(1.0); 690]).pop().unwrap();
    all.push(info);
    let found: Vec<VolumeAnswer> =
        answer_selected(all, &Selection { volumes: vec![ID.to_owned()], ..Selection::default() }).into_iter().collect();
    assert_eq!((found[0].action, last_io(&found[0])), (Action::Delete, Some(None)));
}

/// Averages of VolumeReadOps show no amounts, and are of a volume that was attached.
#[test]
fn a_volume_of_refused_series_is_not_deleted() {
    let series = series(&[("__name__", "aws_ebs_volume_read_ops_average"), ("dimension_VolumeId", ID)], &[Some(3.0)]);
    let answer = answer(vec![series]);
    assert!(matches!(answer.reason, Reason::Unseen(Unseen::AverageOfCounts)), "{:?}", answer.reason);
    assert_eq!((answer.action, last_io(&answer)), (Action::NoAnswer, Some(None)));
}

/// CloudWatch's sums: zeros that nilToZero writes, and one request.
#[test]
fn sums_of_nothing_are_no_io() {
    let yace = |reads: Vec<Option<f64>>| {
        let all = ["read_ops", "write_ops", "read_bytes", "write_bytes"].map(|name| {
            let name = format!("aws_ebs_volume_{name}_sum");
            let values = if name.contains("read_ops") { reads.clone() } else { vec![Some(0.0); MINUTES] };
            series(&[("__name__", &name), ("dimension_VolumeId", ID)], &values)
        });
        answer(all.to_vec())
    };
    assert_eq!(yace(vec![Some(0.0); MINUTES]).action, Action::Delete);
    let mut one = vec![Some(0.0); MINUTES];
    one[77] = Some(1.0);
    let answer = yace(one);
    assert_ne!(answer.action, Action::Delete);
    assert_eq!(last_io(&answer), Some(Some(1_000_000_000 + 60_000_000 * 77)));
}
