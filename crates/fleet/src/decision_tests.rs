//! Actions where counts and description leave a doubt: averages that may hide more, a limit below the described one, space that runs out.

use ebs_advice::{Action, ActionReason, ConfidenceLevel, Finding, Risk};
use ebs_fixtures::fleet::MadeFleet;
use ebs_imports::configuration::read;
use ebs_prometheus::Series;
use ebs_workload::io_profile::Metric;

use crate::made_series::{self, disk, labels};
use crate::{Fleet, Reason, Selection, Settings, UnknownFact, VolumeAnswer, evaluate};

const TARGET: [(&str, &str); 2] = [("instance", "i-0aaaaaaa:9100"), ("job", "node")];
const MINUTES: usize = 4 * 1_440;

fn described(volume: &str, instance_type: &str) -> String {
    format!(
        r#"{{"Volumes": [{{"VolumeId": "vol-06c1835863d5d7360", {volume}, "State": "in-use", "AvailabilityZone": "us-east-1a",
        "Attachments": [{{"InstanceId": "i-0aaaaaaa"}}]}}]}}
        {{"Reservations": [{{"OwnerId": "1", "Instances": [{{"InstanceId": "i-0aaaaaaa", "InstanceType": "{instance_type}"}}]}}]}}"#
    )
}

fn answer(series: Vec<Series>, documents: &str, (from_us, to_us): (i64, i64)) -> VolumeAnswer {
    let configuration = read(documents, &|| ()).unwrap();
    let found = Fleet::discover(labels(&series), &configuration, &Selection::default());
    let settings = Settings { from_us, to_us, ..Settings::default() };
    evaluate(&found.batches[0], series, &configuration, &settings, &|| ()).remove(0)
}

/// Four days with each 24th minute at 8,000 IOPS of 8 KiB, else 200; the device is busy for so many seconds of such a minute.
fn peaks(busy_s: f64, volume: &str) -> VolumeAnswer {
    peaks_on("r6i.8xlarge", busy_s, volume)
}

/// The same on an instance of this type.
fn peaks_on(instance_type: &str, busy_s: f64, volume: &str) -> VolumeAnswer {
    let is_peak = |minute: usize| minute.is_multiple_of(24);
    let (mut requests, mut busy) = (0.0, 0.0);
    let mut busy_sums = Vec::new();
    let reads = (0..=MINUTES).map(|minute| {
        // A hair of variation: a rate that is flat to the digit would be a limit.
        requests += if is_peak(minute) { 240_000.0 } else { 6_000.0 } * (1.0 - 0.002 * (minute * 7 % 11) as f64);
        busy += if is_peak(minute) { busy_s } else { 20.0 };
        busy_sums.push(busy);
        Some(requests)
    });
    let reads: Vec<Option<f64>> = reads.collect();
    let mut series = disk(&TARGET, "nvme1n1", "vol06c1835863d5d7360", &reads);
    let is_busy = |one: &&mut Series| one.labels.name() == "node_disk_io_time_seconds_total";
    let samples = series.iter_mut().filter(is_busy).flat_map(|one| &mut one.samples);
    samples.zip(busy_sums).for_each(|(sample, sum)| sample.value = sum);
    let file_system = |name: &str, gib: f64| {
        let own = [("__name__", name), ("device", "/dev/nvme1n1"), ("mountpoint", "/data"), ("fstype", "xfs")];
        made_series::series(&[&own[..], &TARGET].concat(), &vec![Some(gib * 1_073_741_824.0); MINUTES + 1])
    };
    series.push(file_system("node_filesystem_size_bytes", 196.0));
    series.push(file_system("node_filesystem_avail_bytes", 100.0));
    let (from_us, to_us) = (1_000_000_000, 1_000_000_000 + 60_000_000 * MINUTES as i64);
    answer(series, &described(volume, instance_type), (from_us, to_us))
}

fn gp3(iops: u64, mibps: u64) -> String {
    format!(r#""VolumeType": "gp3", "Size": 200, "Iops": {iops}, "Throughput": {mibps}"#)
}

/// 8,000 and 20 % are 9,600 of 12,000: the seconds within a minute may have had more, and nothing shows it. No dollar is added for them.
#[test]
fn a_peak_that_was_carried_costs_no_more() {
    let one = peaks(60.0, &gp3(12_000, 250));
    let Reason::Decided(ActionReason::PresentSuffices(carried)) = &one.reason else { panic!("{:?}", one.reason) };
    assert_eq!((one.action, one.saved.map(|saved| saved.cents())), (Action::Keep, Some(0)));
    assert_eq!(one.recommended, one.present);
    assert!((7_800.0..=8_000.0).contains(&carried.demand.iops), "{:?}", carried.demand);
    let iops = one.demand.as_ref().unwrap().find(Metric::Requests).unwrap().clone();
    assert!((carried.demand_high.iops / iops.p99_interval.unwrap().high - 1.0).abs() < 0.01, "{carried:?}");
    assert!(carried.demand_high.iops * 1.2 > 12_000.0 && carried.candidate.saving.unwrap().cents() < 0);
    assert_eq!((one.confidence, one.risk), (Some(ConfidenceLevel::Medium), Some(Risk::Medium)));
}

/// 8,000 a second on average in 30 s are 16,000 while the device is busy, above the 12,000 that there are.
#[test]
fn busy_time_lowers_the_confidence_in_the_present_volume() {
    let one = peaks(30.0, &gp3(12_000, 250));
    assert!(matches!(one.reason, Reason::Decided(ActionReason::PresentSuffices(_))), "{:?}", one.reason);
    assert_eq!((one.action, one.confidence), (Action::Keep, Some(ConfidenceLevel::Low)));
}

/// 8,000 and 20 % are more than 9,000: the headroom that was requested is not there, whatever averages hide.
#[test]
fn a_peak_without_headroom_is_evidence() {
    let one = peaks(60.0, &gp3(9_000, 125));
    assert!(
        one.action == Action::Modify && matches!(one.reason, Reason::Decided(ActionReason::PresentTooSmall(_))),
        "{:?}",
        one.reason
    );
    assert!(one.saved.unwrap().cents() < 0);
}

/// m5.large sustains 3,600 IOPS. Its only volume asks for 10,000 at most, however far averages of a minute widen the demand, and nothing
/// queued there.
#[test]
fn an_instance_is_sized_for_what_its_volumes_can_ask_for() {
    let one = peaks_on("m5.large", 60.0, &gp3(10_000, 500));
    let Reason::Decided(ActionReason::InstanceBinds { required, .. }) = &one.reason else { panic!("{:?}", one.reason) };
    assert_eq!((one.action, required.iops), (Action::LargerInstance, 10_000.0));
    let iops = one.demand.as_ref().unwrap().find(Metric::Requests).unwrap().clone();
    assert_eq!(iops.p99_interval.unwrap().high, 10_000.0);
}

/// Volume `number` of the fleet of known demand, described otherwise.
fn known(number: usize, iops: u64, throughput: u64) -> VolumeAnswer {
    let fleet = MadeFleet::new(10, 4, 60);
    let mut volumes = fleet.describe_volumes();
    let id = fleet.volume(number).id;
    let all = volumes["Volumes"].as_array_mut().unwrap();
    let volume = all.iter_mut().find(|one| one["VolumeId"] == id.as_str()).unwrap();
    (volume["Iops"], volume["Throughput"]) = (iops.into(), throughput.into());
    let documents = format!("{volumes}\n{}", fleet.describe_instances());
    let time = (fleet.from_s * 1_000_000, fleet.to_s() * 1_000_000);
    answer(fleet.series(&fleet.volume(number)), &documents, time)
}

/// 48 GiB more cost $3.84, and 800 IOPS less save $4.00: 16 cents, for which a volume is not left to fill up.
#[test]
fn a_volume_that_fills_up_is_not_kept_for_cents() {
    let one = known(6, 3_800, 125);
    assert_eq!((one.action, one.saved.map(|saved| saved.cents())), (Action::Modify, Some(16)));
    let recommended = one.recommended.unwrap().config;
    assert_eq!((recommended.size_gib, recommended.iops), (148, 3_000));
    assert!(one.findings.iter().any(|finding| matches!(finding, Finding::FillsUp { .. })));
}

/// Counts that stop at 3,000 say what was let through, and not that 12,000 are too many.
#[test]
fn nothing_is_saved_on_demand_that_another_limit_truncated() {
    let one = known(3, 12_000, 125);
    let Reason::Decided(ActionReason::DescriptionRefuted { refuted, .. }) = &one.reason else {
        panic!("{:?}", one.reason)
    };
    assert!((refuted.level / 3_000.0 - 1.0).abs() < 0.01 && refuted.declared == 12_000.0, "{refuted:?}");
    assert_eq!((one.action, one.saved.map(|saved| saved.cents())), (Action::Keep, Some(0)));
    assert_eq!((one.recommended, one.confidence), (one.present, Some(ConfidenceLevel::Low)));
    let is_saturated = |finding: &Finding| matches!(finding, Finding::Saturated { share, .. } if *share > 0.5);
    let is_refuted = |finding: &Finding| matches!(finding, Finding::DescriptionRefuted(_));
    assert!(one.findings.iter().any(is_saturated) && one.findings.iter().any(is_refuted), "{:?}", one.findings);
}

/// Findings of the first of two gp3 with 6,000 IOPS on one instance of this type: each has 1,800 reads a second of 9 ms by day, and 500 by
/// night.
fn two_on(instance_type: &str) -> (Action, Vec<Finding>) {
    let volumes = [("nvme1n1", "vol06c1835863d5d7360"), ("nvme2n1", "vol06c1835863d5d7361")];
    let (mut requests, mut time) = (0.0, 0.0);
    let sums = (0..=MINUTES).map(|minute| {
        let (iops, ms) = if minute % 1_440 < 960 { (1_800.0, 9.0) } else { (500.0, 0.7) };
        requests += 60.0 * iops;
        time += 60.0 * iops * ms / 1_000.0;
        (requests, time)
    });
    let sums: Vec<(f64, f64)> = sums.collect();
    let reads: Vec<Option<f64>> = sums.iter().map(|(requests, _)| Some(*requests)).collect();
    let mut series: Vec<Series> =
        volumes.iter().flat_map(|(device, serial)| disk(&TARGET, device, serial, &reads)).collect();
    for one in series.iter_mut().filter(|one| one.labels.name().contains("time")) {
        one.samples.iter_mut().zip(&sums).for_each(|(sample, (_, time))| sample.value = *time);
    }
    let host = [("__name__", "node_dmi_info"), ("board_asset_tag", "i-0aaaaaaa"), ("product_name", instance_type)];
    series.push(made_series::series(&[&host[..], &TARGET].concat(), &vec![Some(1.0); MINUTES + 1]));
    let first = described(&gp3(6_000, 500), instance_type);
    let second = first.replace(&volumes[0].1.replace("vol", "vol-"), &volumes[1].1.replace("vol", "vol-"));
    let one =
        answer(series, &format!("{first}\n{second}"), (1_000_000_000, 1_000_000_000 + 60_000_000 * MINUTES as i64));
    (one.action, one.findings)
}

/// m5.large sustains 3,600 IOPS, which are those of both: neither is at a limit of its own, though each is flat with a queue below it. A large
/// instance has no limit there.
#[test]
fn a_limit_of_the_instance_is_none_of_its_volumes() {
    let (action, findings) = two_on("m5.large");
    assert_eq!(action, Action::LargerInstance);
    let [Finding::InstanceBinds { throttled, .. }] = findings.as_slice() else { panic!("{findings:?}") };
    assert!(*throttled > 0.6, "{throttled}");
    let (_, findings) = two_on("r6i.8xlarge");
    let is_own = |finding: &Finding| matches!(finding, Finding::Saturated { .. } | Finding::DescriptionRefuted(_));
    assert_eq!(findings.iter().filter(|finding| is_own(finding)).count(), 2, "{findings:?}");
}

/// 64 requests a second of so many KiB on st1 of 1,000 GiB, which sustains 39 MiB/s.
fn log(kib: f64) -> VolumeAnswer {
    let requests: Vec<Option<f64>> = (0..=MINUTES).map(|minute| Some(3_840.0 * minute as f64)).collect();
    let mut series = disk(&TARGET, "nvme1n1", "vol06c1835863d5d7360", &requests);
    let bytes = series.iter_mut().filter(|one| one.labels.name().contains("bytes")).flat_map(|one| &mut one.samples);
    bytes.for_each(|sample| sample.value *= kib / 8.0);
    let documents = described(r#""VolumeType": "st1", "Size": 1000"#, "r6i.large");
    answer(series, &documents, (1_000_000_000, 1_000_000_000 + 60_000_000 * MINUTES as i64))
}

/// 16 and 16 MiB/s of reads and writes, which EBS merges up to 1 MiB; one by one they would cost 128. Nothing shows a database.
#[test]
fn a_log_on_hard_disks_stays_there() {
    let one = log(256.0);
    assert_eq!((one.action, one.saved.map(|saved| saved.cents())), (Action::Keep, Some(0)));
    assert_eq!(one.recommended, one.present);
    assert_eq!(one.findings, [Finding::UnsuitableType { volume_type: "st1" }]);
    let Reason::Decided(ActionReason::Sufficient(kept)) = &one.reason else { panic!("{:?}", one.reason) };
    assert_eq!(kept.config.volume_type.name(), "st1");
    // More than it sustains, and requests as a database has them.
    assert!([log(512.0), log(8.0)].iter().all(|one| one.action == Action::Modify));
}

/// The catalogue lacks the newest types: their limits are not known, and the row says so.
#[test]
fn types_that_are_not_known_here_are_named() {
    let requests: Vec<Option<f64>> = (0..=1_440).map(|minute| Some(6_000.0 * minute as f64)).collect();
    let with = |volume: &str, instance_type: &str| {
        let series = disk(&TARGET, "nvme1n1", "vol06c1835863d5d7360", &requests);
        answer(series, &described(volume, instance_type), (1_000_000_000, 87_400_000_000)).unknown
    };
    let instance = UnknownFact::InstanceLimits("weird.type".to_owned());
    let volume = UnknownFact::VolumeType("gp9".to_owned());
    let all = with(r#""VolumeType": "gp9", "Size": 200"#, "weird.type");
    assert!(all.contains(&instance) && all.contains(&volume) && !all.contains(&UnknownFact::Configuration), "{all:?}");
    let all = with(&gp3(3_000, 125), "r6i.large");
    assert!(!all.iter().any(|one| matches!(one, UnknownFact::InstanceLimits(_) | UnknownFact::VolumeType(_))));
}

/// The answer of a volume that is kept, with this share of its file system in use all the time.
fn used(share: f64) -> VolumeAnswer {
    let fleet = MadeFleet::new(10, 4, 60);
    let documents = format!("{}\n{}", fleet.describe_volumes(), fleet.describe_instances());
    let mut series = fleet.series(&fleet.volume(8));
    let size = series.iter().find(|one| one.labels.name() == "node_filesystem_size_bytes").unwrap().samples[0].value;
    let avail = series.iter_mut().filter(|one| one.labels.name() == "node_filesystem_avail_bytes");
    avail.flat_map(|one| &mut one.samples).for_each(|sample| sample.value = (1.0 - share) * size);
    answer(series, &documents, (fleet.from_s * 1_000_000, fleet.to_s() * 1_000_000))
}

/// 85 % in use are sized for more space by ebs_options; here a size, which never shrinks again, waits for 90 %, or for 30 days.
#[test]
fn a_size_grows_for_itself_only_where_it_is_needed() {
    let size = |one: &VolumeAnswer| one.recommended.as_ref().unwrap().config.size_gib;
    let (some, full) = (used(0.85), used(0.95));
    assert_eq!((some.action, size(&some)), (Action::Keep, some.present.as_ref().unwrap().config.size_gib));
    assert!(full.action == Action::Modify && size(&full) > size(&some), "{:?} {}", full.action, size(&full));
    assert!(full.findings.iter().any(|finding| matches!(finding, Finding::NearlyFull { .. })));
}
