//! Volumes that label sets and documents name, and those that a selection leaves.

use ebs_imports::configuration::{Configuration, read};
use ebs_prometheus::Labels;

use crate::discovery::fleet::{Fleet, Unseen};
use crate::discovery::selection::Selection;

const A: &str = "vol-0000000000000000a";
const B: &str = "vol-0000000000000000b";

fn set(labels: &[(&str, &str)]) -> Labels {
    labels.iter().map(|(label, value)| (*label, *value)).collect()
}

fn info(instance: &str, device: &str, id: &str) -> Labels {
    let serial = id.replace('-', "");
    set(&[("__name__", "node_disk_info"), ("instance", instance), ("device", device), ("serial", &serial)])
}

fn mounted(instance: &str, device: &str, mountpoint: &str) -> Labels {
    let name = ("__name__", "node_filesystem_size_bytes");
    set(&[name, ("instance", instance), ("device", device), ("mountpoint", mountpoint), ("fstype", "ext4")])
}

fn machine() -> Vec<Labels> {
    vec![
        info("db1:9100", "nvme0n1", A),
        info("db1:9100", "nvme1n1", B),
        mounted("db1:9100", "/dev/nvme0n1p1", "/"),
        mounted("db1:9100", "/dev/nvme0n1p15", "/boot/efi"),
        mounted("db1:9100", "/dev/nvme1n1", "/var/lib/postgresql"),
    ]
}

fn selected(labels: Vec<Labels>, selection: &Selection) -> Vec<String> {
    let found = Fleet::discover(labels, &Configuration::default(), selection);
    found.batches.iter().flat_map(|batch| batch.selected()).map(|volume| volume.id.clone()).collect()
}

fn documents(text: &str) -> Configuration {
    read(text, &|| ()).unwrap()
}

#[test]
fn root_volumes_beside_others_are_not_answered_unless_asked_for() {
    let one = |selection: Selection| selected(machine(), &selection);
    assert_eq!(one(Selection::default()), [B]);
    assert_eq!(one(Selection { root_volumes: true, ..Selection::default() }), [A, B]);
    assert_eq!(one(Selection { mountpoints: vec!["/".to_owned()], ..Selection::default() }), [A]);
    assert_eq!(one(Selection { mountpoints: vec!["/var/lib".to_owned()], ..Selection::default() }), [B]);
    assert_eq!(one(Selection { volumes: vec![A.to_owned()], ..Selection::default() }), [A]);
    // PostgreSQL may be on the only volume.
    let alone = vec![info("db2:9100", "nvme0n1", A), mounted("db2:9100", "/dev/nvme0n1p1", "/")];
    assert_eq!(selected(alone, &Selection::default()), [A]);
    // Both are fetched: the limit of the instance binds their sum.
    let found = Fleet::discover(machine(), &Configuration::default(), &Selection::default());
    assert_eq!((found.batches[0].volumes.len(), found.excluded), (2, 1));
    let texts: Vec<String> = found.batches[0].selectors().iter().map(ToString::to_string).collect();
    assert!(
        texts.iter().any(|text| text.contains("device=\"nvme0n1\"") && text.contains("instance=\"db1:9100\"")),
        "{texts:?}"
    );
}

/// No metric of node_exporter names the disks that device mapper puts together: all that have no file system of their own.
#[test]
fn a_file_system_over_several_disks_is_of_all_that_have_none() {
    let c = "vol-0000000000000000c";
    let mut labels =
        vec![info("db1:9100", "nvme1n1", A), info("db1:9100", "nvme2n1", B), info("db1:9100", "nvme3n1", c)];
    labels.push(mounted("db1:9100", "/dev/nvme3n1", "/home"));
    labels.push(mounted("db1:9100", "/dev/mapper/vg-data", "/pgdata"));
    labels.push(set(&[
        ("__name__", "node_filesystem_size_bytes"),
        ("instance", "db1:9100"),
        ("device", "tmpfs"),
        ("mountpoint", "/run"),
    ]));
    let selection = Selection { mountpoints: vec!["/pgdata".to_owned()], ..Selection::default() };
    let found = Fleet::discover(labels, &Configuration::default(), &selection);
    let volumes: Vec<_> = found.batches[0].selected().map(|volume| (volume.id.as_str(), volume.spaces.len())).collect();
    assert_eq!(volumes, [(A, 0), (B, 0)]);
}

#[test]
fn kubernetes_names_the_claim_of_a_volume_and_its_space() {
    let csi = set(&[
        ("__name__", "aws_ebs_csi_read_ops_total"),
        ("volume_id", A),
        ("instance_id", "i-0aaaaaaa"),
        ("pod", "ebs-csi-node-x"),
    ]);
    let handle =
        set(&[("__name__", "kube_persistentvolume_info"), ("persistentvolume", "pvc-1"), ("csi_volume_handle", A)]);
    let claim = set(&[
        ("__name__", "kube_persistentvolume_claim_ref"),
        ("persistentvolume", "pvc-1"),
        ("claim_namespace", "db"),
        ("name", "data-pg-0"),
    ]);
    let used = set(&[
        ("__name__", "kubelet_volume_stats_used_bytes"),
        ("namespace", "db"),
        ("persistentvolumeclaim", "data-pg-0"),
        ("node", "n1"),
    ]);
    let labels = vec![csi, handle, claim, used];
    let selection = |claim: &str| Selection { claims: vec![claim.to_owned()], ..Selection::default() };
    let found = Fleet::discover(labels.clone(), &Configuration::default(), &selection("db/data-*"));
    let volume = &found.batches[0].volumes[0];
    assert_eq!(
        (volume.claim.as_deref(), volume.spaces.len(), found.batches[0].key.as_str()),
        (Some("db/data-pg-0"), 1, "i-0aaaaaaa")
    );
    let texts: Vec<String> = found.batches[0].selectors().iter().map(ToString::to_string).collect();
    assert!(texts.iter().any(|text| text.contains("kubelet_volume_stats") && text.contains("data-pg-0")), "{texts:?}");
    assert!(Fleet::discover(labels.clone(), &Configuration::default(), &selection("other/*")).batches.is_empty());
    // A volume from before the driver.
    let mut labels = labels;
    labels[1] = set(&[
        ("__name__", "kube_persistentvolume_info"),
        ("persistentvolume", "pvc-1"),
        ("ebs_volume_id", "aws://eu-west-1a/vol-0000000000000000a"),
    ]);
    let found = Fleet::discover(labels, &Configuration::default(), &selection("db/data-*"));
    assert_eq!(found.batches[0].volumes[0].claim.as_deref(), Some("db/data-pg-0"));
}

#[test]
fn what_is_no_counter_and_no_amount_is_refused_by_name() {
    let labels = vec![
        set(&[("__name__", "node_disk_read_bytes_total"), ("instance", "mydb"), ("device", "rdsdev")]),
        set(&[("__name__", "aws_ebs_volume_read_ops_average"), ("dimension_VolumeId", A)]),
        set(&[("__name__", "node_uname_info"), ("instance", "db9:9100")]),
    ];
    let found = Fleet::discover(labels, &Configuration::default(), &Selection::default());
    let reasons: Vec<_> = found.unobserved.iter().map(|one| (one.id.as_str(), one.is_rds(), one.reason)).collect();
    assert_eq!(reasons, [("mydb", true, Unseen::NotCumulative), (A, false, Unseen::AverageOfCounts)]);
    assert!(found.batches.is_empty());
    assert_eq!(found.unidentified, ["db9:9100"]);
}

#[test]
fn volumes_without_series_are_answered_by_their_documents() {
    let text = format!(
        r#"{{"Volumes": [
            {{"VolumeId": "{A}", "VolumeType": "gp3", "Size": 100, "State": "available", "Tags": [{{"Key": "env", "Value": "prod"}}]}},
            {{"VolumeId": "{B}", "VolumeType": "gp3", "Size": 100, "State": "in-use", "Attachments": [{{"InstanceId": "i-0aaaaaaa"}}]}}
        ]}}
        {{"DBInstances": [{{"DBInstanceIdentifier": "cluster-1", "Engine": "aurora-postgresql", "DBInstanceClass": "db.r6g.large"}}]}}"#
    );
    let unseen = |labels: Vec<Labels>, selection: &Selection| {
        let found = Fleet::discover(labels, &documents(&text), selection);
        found.unobserved.into_iter().map(|one| (one.id, one.reason)).collect::<Vec<_>>()
    };
    let aurora = ("cluster-1".to_owned(), Unseen::Aurora);
    let (a, b) = ((A.to_owned(), Unseen::Unattached), (B.to_owned(), Unseen::NotScraped));
    assert_eq!(unseen(vec![], &Selection::default()), [a.clone(), b, aurora.clone()]);
    assert_eq!(unseen(vec![info("db1:9100", "nvme1n1", B)], &Selection::default()), [a.clone(), aurora]);
    let tags = vec![("env".to_owned(), "prod".to_owned())];
    assert_eq!(unseen(vec![], &Selection { tags, ..Selection::default() }), std::slice::from_ref(&a));
    // Of volumes that a job does not scrape most are not PostgreSQL's; one that is attached to nothing costs all the same.
    let job = ebs_prometheus::Matcher::new("job", ebs_prometheus::Operator::Equal, "postgres");
    let matches = vec![ebs_prometheus::Selector { matchers: vec![job] }];
    assert_eq!(unseen(vec![], &Selection { matches, ..Selection::default() }), [a]);
}

/// The name of an exporter that was two instances one after another stands for both.
#[test]
fn volumes_of_one_instance_and_of_one_that_shared_a_volume_are_a_batch() {
    let dmi = |instance: &str, id: &str| {
        set(&[
            ("__name__", "node_dmi_info"),
            ("instance", instance),
            ("board_asset_tag", id),
            ("product_name", "r6i.large"),
        ])
    };
    let c = "vol-0000000000000000c";
    let labels = vec![
        dmi("a:9100", "i-0bbbbbbb"),
        dmi("b:9100", "i-0aaaaaaa"),
        info("a:9100", "nvme1n1", A),
        info("a:9100", "nvme2n1", B),
        info("b:9100", "nvme1n1", B),
        info("c:9100", "nvme1n1", c),
    ];
    let found = Fleet::discover(labels, &Configuration::default(), &Selection::default());
    let keys: Vec<_> = found.batches.iter().map(|batch| (batch.key.as_str(), batch.volumes.len())).collect();
    assert_eq!(keys, [("c:9100", 1), ("i-0aaaaaaa", 2)]);
}

/// An instance of three volumes, of which one is scraped: the limit binds the sum of all.
#[test]
fn volumes_of_the_instance_without_series_are_counted() {
    let volume = |id: &str| {
        format!(
            r#"{{"VolumeId": "{id}", "VolumeType": "gp3", "Size": 100, "Attachments": [{{"InstanceId": "i-0aaaaaaa"}}]}}"#
        )
    };
    let text = format!(r#"{{"Volumes": [{}, {}, {}]}}"#, volume(A), volume(B), volume("vol-0000000000000000c"));
    let found = Fleet::discover(vec![info("db1:9100", "nvme1n1", A)], &documents(&text), &Selection::default());
    assert_eq!(found.batches[0].unscraped.get("i-0aaaaaaa"), Some(&2));
}

/// The label `instance` of CloudWatch's exporters is their own address.
#[test]
fn an_rds_instance_is_named_by_its_dimension() {
    let rates = |others: &[(&str, &str)]| {
        let own = [("__name__", "aws_rds_read_iops_average"), ("instance", "yace:5000")];
        set(&[&own[..], others].concat())
    };
    let ids = |labels: Vec<Labels>| selected(labels, &Selection::default());
    for label in ["dimension_DBInstanceIdentifier", "dimension_dbinstance_identifier", "dbinstance_identifier"] {
        assert_eq!(ids(vec![rates(&[(label, "mydb")])]), ["mydb"]);
    }
    assert!(ids(vec![rates(&[("dimension_EngineName", "postgres")])]).is_empty());
    assert_eq!(ids(vec![rates(&[])]), ["yace:5000"]);
}
