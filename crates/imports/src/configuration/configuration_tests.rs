use super::*;
use ebs_samples::evidence::PendingCause;
use proptest::prelude::*;
use serde_json::{Value, json};

fn read_json(document: &Value) -> Result<Configuration, ConfigurationError> {
    read(&document.to_string(), &|| ())
}

fn refused(text: &str) -> String {
    read(text, &|| ()).unwrap_err().to_string()
}

fn volumes() -> Value {
    json!({"Volumes": [
        {"AvailabilityZone": "us-east-1a", "Attachments": [{"InstanceId": "i-01", "Device": "/dev/sdf", "State": "attached"}],
         "Encrypted": true, "Size": 500, "State": "in-use", "VolumeId": "vol-0a", "Iops": 6000, "VolumeType": "gp3",
         "Throughput": 250, "Tags": [{"Key": "Name", "Value": "data"}], "MultiAttachEnabled": false},
        {"VolumeId": "vol-0b"}]})
}

fn databases(arn_region: &str) -> Value {
    json!({"DBInstances": [{"DBInstanceIdentifier": "mydb", "DBInstanceClass": "db.r6g.large", "Engine": "postgres",
        "DBInstanceStatus": "available", "AllocatedStorage": 400, "AvailabilityZone": "eu-west-1b", "MultiAZ": true,
        "EngineVersion": "16.4", "StorageType": "gp3", "Iops": 12000, "StorageThroughput": 500, "DbiResourceId": "db-ABC",
        "PendingModifiedValues": {"Iops": 16000, "MasterUserPassword": "****"}, "MonitoringInterval": 60,
        "MaxAllocatedStorage": 1000, "DedicatedLogVolume": false, "TagList": [{"Key": "env", "Value": "prod"}],
        "DBInstanceArn": format!("arn:aws:rds:{arn_region}:123456789012:db:mydb")}]})
}

#[test]
fn a_volume_has_what_aws_printed() {
    let found = read_json(&volumes()).unwrap();
    let full = Volume {
        configured: VolumeState {
            volume_type: Some("gp3".into()),
            size_gib: Some(500),
            iops: Some(6_000),
            throughput_mibps: Some(250),
        },
        availability_zone: Some("us-east-1a".into()),
        region: Some("us-east-1".into()),
        state: Some("in-use".into()),
        instances: vec!["i-01".into()],
        multi_attach: None,
        managed_by: None,
        outpost_arn: None,
        tags: [("Name".into(), "data".into())].into(),
    };
    assert_eq!(
        found.volumes.into_iter().collect::<Vec<_>>(),
        [("vol-0a".to_owned(), full), ("vol-0b".to_owned(), Volume::default())]
    );
}

/// Volumes as those of EKS Auto Mode are printed.
#[test]
fn a_managed_volume_has_its_service() {
    let of = |operator: Value| {
        let text = json!({"Volumes": [{"VolumeId": "vol-0a", "State": "in-use", "Operator": operator}]});
        let volume = read_json(&text).unwrap().volumes.remove("vol-0a").unwrap();
        (volume.pending_change("vol-0a", 7).map(|change| change.cause), volume.managed_by)
    };
    let service = "eks.amazonaws.com".to_owned();
    let managed = (Some(PendingCause::Managed(service.clone())), Some(service));
    assert_eq!(of(json!({"Managed": true, "Principal": "eks.amazonaws.com"})), managed);
    assert_eq!([of(json!({"Managed": false})), of(Value::Null)], [(None, None), (None, None)]);
}

#[test]
fn a_database_has_its_region_and_its_account() {
    let found = read_json(&databases("eu-west-1")).unwrap();
    let (key, database) = found.databases.first_key_value().unwrap();
    let expected = ("mydb", Some("eu-west-1"), Some("123456789012"));
    assert_eq!((key.identifier.as_str(), key.region.as_deref(), key.account.as_deref()), expected);
    assert_eq!((database.configured.allocated_gib, database.configured.multi_az), (Some(400), Some(true)));
    assert_eq!(
        (database.configured.class.as_deref(), database.resource_id.as_deref()),
        (Some("db.r6g.large"), Some("db-ABC"))
    );
    assert_eq!(database.pending, DatabaseState { iops: Some(16_000), ..DatabaseState::default() });
    let message = "\"AvailabilityZone\" of DB instance \"mydb\" is in eu-west-1, and its ARN in us-east-1";
    assert_eq!(read_json(&databases("us-east-1")).unwrap_err().to_string(), message);
}

#[test]
fn instances_stand_in_reservations() {
    let found = read_json(&json!({"Reservations": [{"OwnerId": "123456789012", "Instances": [
        {"InstanceId": "i-01", "InstanceType": "r6i.4xlarge", "EbsOptimized": true, "State": {"Code": 16, "Name": "running"},
         "Placement": {"AvailabilityZone": "us-west-2-lax-1a"}}, {"InstanceId": "i-02"}]}]}));
    let found = found.unwrap().instances;
    let first = &found["i-01"];
    assert_eq!((first.instance_type.as_deref(), first.ebs_optimized), (Some("r6i.4xlarge"), Some(true)));
    assert_eq!((first.state.as_deref(), first.region.as_deref()), (Some("running"), Some("us-west-2")));
    assert_eq!(found["i-02"], Instance { account: Some("123456789012".into()), ..Instance::default() });
}

#[test]
fn a_modification_has_both_states() {
    let document = json!({"VolumesModifications": [{"VolumeId": "vol-0a", "ModificationState": "completed",
        "TargetSize": 500, "TargetIops": 6000, "TargetVolumeType": "gp3", "TargetThroughput": 250, "OriginalSize": 500,
        "OriginalIops": 1500, "OriginalVolumeType": "gp2", "Progress": 100, "StartTime": "2026-11-20T10:00:00.000Z",
        "EndTime": "2026-11-20T11:30:00+00:00"}]});
    let found = read_json(&document).unwrap().modifications;
    let (key, modification) = found.first_key_value().unwrap();
    let start_us = 1_795_168_800_000_000;
    assert_eq!(*key, ModificationKey { volume: "vol-0a".into(), started_us: start_us });
    assert_eq!(modification.ended_us, Some(start_us + 5_400_000_000));
    assert_eq!(modification.to_string(), "gp2 500 GiB, 1,500 IOPS to gp3 500 GiB, 6,000 IOPS, 250 MiB/s");
    assert_eq!(modification.original.throughput_mibps, None);
    assert_eq!((modification.original.iops, modification.target.iops), (Some(1_500), Some(6_000)));
    for (key, value, message) in [
        ("StartTime", Value::Null, "modification of \"vol-0a\" has no \"StartTime\""),
        (
            "StartTime",
            json!("yesterday"),
            "\"StartTime\" of modification of \"vol-0a\" is not a time such as 2026-11-20T10:00:00Z",
        ),
        ("EndTime", json!("2026-11-20T09:00:00Z"), "\"EndTime\" of modification of \"vol-0a\" is before its start"),
    ] {
        let mut document = document.clone();
        document["VolumesModifications"][0][key] = value;
        assert_eq!(read_json(&document).unwrap_err().to_string(), message);
    }
}

#[test]
fn pages_come_in_succession_or_in_an_array() {
    let pages = [volumes(), databases("eu-west-1"), json!({"Volumes": [{"VolumeId": "vol-0c"}], "NextToken": null})];
    let all = format!("{}\n{} {}", pages[0], pages[1], pages[2]);
    let found = read(&all, &|| ()).unwrap();
    assert_eq!((found.volumes.len(), found.databases.len(), found.len()), (3, 1, 4));
    assert_eq!(read_json(&json!(pages)).unwrap(), found);
    // The same page twice is one.
    assert_eq!(read(&format!("{all}{}", pages[0]), &|| ()).unwrap(), found);
}

#[test]
fn a_page_that_is_not_the_last_is_named() {
    let page = |token: Value| json!({"Volumes": [], "NextToken": token});
    let unfinished = |pages: Value| read_json(&pages).unwrap().unfinished;
    assert_eq!(unfinished(page(json!("abc"))), [Kind::Volumes].into());
    assert_eq!(unfinished(json!([page(json!("abc")), page(Value::Null)])), [].into());
    assert_eq!(unfinished(json!({"DBInstances": [], "Marker": "abc"})), [Kind::DbInstances].into());
}

#[test]
fn another_description_of_the_same_object_is_refused() {
    let pages = json!([volumes(), {"Volumes": [{"VolumeId": "vol-0a", "Size": 501}]}]);
    let error = read_json(&pages).unwrap_err();
    assert_eq!(error.to_string(), "volume \"vol-0a\" is described twice, and differently");
    assert!(error.hint().starts_with("Give the newest document"), "{}", error.hint());
    // Databases of two regions may have one name.
    let both = json!([databases("eu-west-1"), {"DBInstances": [{"DBInstanceIdentifier": "mydb"}]}]);
    assert_eq!(read_json(&both).unwrap().databases.len(), 2);
}

#[test]
fn what_is_wrong_is_named_by_key_and_element() {
    for (document, message) in [
        (json!({"Volumes": [{"VolumeId": "v"}, {"Size": 1}]}), "element 2 of \"Volumes\" has no \"VolumeId\""),
        (
            json!({"Volumes": [{"VolumeId": "v", "Size": "500"}]}),
            "\"Size\" of volume \"v\" is not a whole number from 0 to 1000000000",
        ),
        (json!({"Volumes": [{"VolumeId": 7}]}), "\"VolumeId\" of element 1 of \"Volumes\" is not a string"),
        (json!({"Volumes": [7]}), "element 1 of \"Volumes\" is not an object"),
        (json!({"Volumes": {"a": 1}}), "\"Volumes\" of document 1 is not an array"),
        (json!({"Volumes": 1}), "\"Volumes\" of document 1 is not an array"),
        (
            json!([{"Volumes": []}, {"DBInstances": [{"DBInstanceIdentifier": ""}]}]),
            "element 1 of \"DBInstances\" of document 2 has no \"DBInstanceIdentifier\"",
        ),
        (
            json!({"DBInstances": [{"DBInstanceIdentifier": "d", "MultiAZ": "yes"}]}),
            "\"MultiAZ\" of DB instance \"d\" is neither true nor false",
        ),
        (
            json!({"Reservations": [{"Instances": [{}]}]}),
            "instance 1 of element 1 of \"Reservations\" has no \"InstanceId\"",
        ),
        (
            json!({"Reservations": [{"Instances": {}}]}),
            "\"Instances\" of element 1 of \"Reservations\" is not an array",
        ),
        (json!({"Volumes": [{"VolumeId": "v", "Tags": [{"Value": "x"}]}]}), "tag 1 of volume \"v\" has no \"Key\""),
        (json!({"Volumes": [{"VolumeId": "v", "Tags": "x"}]}), "\"Tags\" of volume \"v\" is not an array"),
        (
            json!({"Volumes": [{"VolumeId": "v", "State": "a\u{7}"}]}),
            "\"State\" of volume \"v\" has a control character",
        ),
        (
            json!({"DBInstances": [{"DBInstanceIdentifier": "d", "PendingModifiedValues": 1}]}),
            "\"PendingModifiedValues\" of DB instance \"d\" is not an object",
        ),
    ] {
        assert_eq!(read_json(&document).unwrap_err().to_string(), message);
    }
}

#[test]
fn other_documents_are_refused() {
    let keys = "has none of the keys Volumes, Reservations, DBInstances, VolumesModifications";
    for text in ["", "  \n", "[]"] {
        assert_eq!(refused(text), format!("an empty text {keys}"), "{text}");
    }
    for text in ["{}", "7", "null", "\"Volumes\"", "[[]]", "{\"MetricDataResults\": []}"] {
        assert_eq!(refused(text), format!("document 1 {keys}"), "{text}");
    }
    assert_eq!(refused("{\"Volumes\": []} [{\"Volumes\": []}, 1]"), format!("document 3 {keys}"));
    assert!(refused("VOLUMES\tvol-0a").starts_with("the configuration is not JSON"), "{}", refused("VOLUMES"));
    assert!(read("{\"Volumes\": []}", &|| ()).unwrap().is_empty());
}

#[test]
fn every_truncated_document_is_refused() {
    let text = json!([volumes(), databases("eu-west-1")]).to_string();
    for end in (1..text.len()).filter(|end| text.is_char_boundary(*end)) {
        let message = refused(&text[..end]);
        assert!(message.starts_with("the configuration is not JSON: "), "{end}: {message}");
    }
}

#[test]
fn a_value_that_would_take_much_memory_is_refused() {
    for (unit, count) in [("{\"\":0},", 200_000), ("[[]],", 1_400_000)] {
        let text = format!("{{\"Volumes\": [{{\"VolumeId\": \"vol-1\", \"Tags\": [{}0]}}]}}", unit.repeat(count));
        assert_eq!(refused(&text), "document 1 has a value that is larger than any that AWS prints", "{unit}");
        // What is not kept takes nothing.
        let text = format!("{{\"Other\": [{}0], \"Volumes\": [{{\"VolumeId\": \"vol-1\"}}]}}", unit.repeat(count));
        assert_eq!(read(&text, &|| ()).unwrap().volumes.len(), 1, "{unit}");
    }
}

#[test]
fn sources_are_one_configuration() {
    let mut sources = Sources::default();
    let mut read = |value: Value| sources.read(value.to_string().as_bytes());
    assert_eq!(read(json!({"Volumes": [{"VolumeId": "a"}], "NextToken": "x"})).unwrap(), [Kind::Volumes].into());
    assert_eq!(read(json!({"DBInstances": [], "Marker": "x"})).unwrap(), [Kind::DbInstances].into());
    assert_eq!(read(json!({"Volumes": [{"VolumeId": "a"}, {"VolumeId": "b"}]})).unwrap(), [].into());
    let found = sources.finish();
    assert_eq!((found.volumes.len(), found.unfinished), (2, [Kind::DbInstances].into()));
    let mut sources = Sources::default();
    sources.read(json!({"Volumes": [{"VolumeId": "b"}]}).to_string().as_bytes()).unwrap();
    for (document, message) in [
        (json!({}), "document 1 has none"),
        (json!({"Volumes": [{"VolumeId": "b", "Size": 1}]}), "volume \"b\" is described twice"),
    ] {
        let Err(ReadError::Documents(error)) = sources.read(document.to_string().as_bytes()) else {
            panic!("it is refused")
        };
        assert!(error.to_string().starts_with(message), "{error}");
    }
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("broken"))
        }
    }
    assert!(matches!(Sources::default().read(Broken), Err(ReadError::Source(_))));
    let text = b"{\"Volumes\": [".as_slice();
    assert!(matches!(Sources::default().read(std::io::Read::chain(text, Broken)), Err(ReadError::Source(_))));
}

proptest! {
    /// Whatever order volumes come in, and however they are split in pages, the configuration is the same; unknown keys have no effect.
    #[test]
    fn pages_and_order_have_no_effect(sizes in prop::collection::btree_map("vol-[0-9a-f]{2}", 0u64..100_000, 1..20), cut in 0usize..20) {
        let element = |(id, size): (&String, &u64)| json!({"VolumeId": id, "Size": size, "Unknown": {"deep": [1, null]}});
        let elements: Vec<Value> = sizes.iter().map(element).collect();
        let whole = read_json(&json!({"Volumes": elements})).unwrap();
        let (first, second) = elements.split_at(cut.min(elements.len()));
        let reversed: Vec<&Value> = second.iter().rev().collect();
        let pages = format!("{}{}", json!({"Other": 1, "Volumes": reversed}), json!({"Volumes": first}));
        prop_assert_eq!(read(&pages, &|| ()).unwrap(), whole.clone());
        let found: BTreeMap<String, u64> = whole.volumes.into_iter().filter_map(|(id, one)| Some((id, one.configured.size_gib?))).collect();
        prop_assert_eq!(found, sizes);
    }

    /// Stored facts are read again unchanged.
    #[test]
    fn facts_survive_json(size in prop::option::of(0u64..100_000), kind in prop::option::of("[a-z0-9]{3}"), tag in ".{0,9}") {
        let tags = [("k".to_owned(), tag)].into();
        let configured = VolumeState { size_gib: size, volume_type: kind, ..VolumeState::default() };
        let volume = Volume { configured, tags, ..Volume::default() };
        let json = serde_json::to_string(&volume).unwrap();
        prop_assert_eq!(serde_json::from_str::<Volume>(&json).unwrap(), volume);
    }
}
