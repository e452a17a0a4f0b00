use ebs_imports::configuration::{Modification, Volume, read};

use super::*;

const TEXT: &str = r#"{"Volumes": [{"VolumeId": "vol-0a", "Size": 100, "VolumeType": "gp3"}, {"VolumeId": "vol-0b"}]}
    {"DBInstances": [{"DBInstanceIdentifier": "db2", "DbiResourceId": "db-R"}, {"DBInstanceIdentifier": "db1"}]}"#;

#[test]
fn objects_are_found_by_name_and_by_resource() {
    let source = DescribedConfiguration { configuration: read(TEXT, &|| ()).unwrap(), described_us: 7 };
    let names = |found: Vec<Configured<Volume>>| found.into_iter().map(|one| one.name).collect::<Vec<_>>();
    let wanted = ["vol-0b", "vol-0c"].map(str::to_owned);
    let Ok(found) = source.find(&wanted, 0);
    assert_eq!(names(found), ["vol-0b"]);
    let Ok(found) = source.find::<Modification>(&wanted, 0);
    assert!(found.is_empty());
    let Ok(found) = source.databases_by_resource("db-R", 0);
    assert_eq!(found.iter().map(|one| (one.name.as_str(), one.confirmed_us)).collect::<Vec<_>>(), [("db2", 7)]);
    let Ok(found) = source.databases_of_cluster("none", 0);
    assert!(found.is_empty());
    assert_eq!(source.database_names(), Ok(vec!["db1".to_owned(), "db2".to_owned()]));
}
