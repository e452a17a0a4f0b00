use super::*;
use ebs_aws::catalogue::Platform;
use ebs_samples::evidence::{Layout, UnresolvedRole};

fn member(device: &str, id: &str) -> Member {
    Member { device: device.to_owned(), medium: Medium::Ebs(id.to_owned()) }
}

/// Data on a stripe of two, WAL on a volume of its own, a tablespace nobody knows where.
fn cluster() -> StorageLayout {
    let stripe = Volume {
        device: "md0".into(),
        roles: vec![Role::Data],
        members: vec![member("nvme1n1", "vol-0a"), member("nvme2n1", "vol-0b")],
        layout: Layout::Md("raid0".into()),
        ..Volume::default()
    };
    let wal = Volume {
        device: "nvme3n1".into(),
        roles: vec![Role::Wal, Role::Tablespace("Fast One".into())],
        members: vec![member("nvme3n1", "vol-0c")],
        ..Volume::default()
    };
    let unresolved = vec![UnresolvedRole { role: Role::Temp, reason: "it is on tmpfs".into() }];
    StorageLayout { volumes: vec![stripe, wal], unresolved, instance: None }
}

fn declared(volume: &str, kind: &str, size_gib: u64, iops: Option<u64>, volumes: u64, declared_us: i64) -> Declared {
    let config = VolumeConfig::new(Platform::Ec2, kind.parse().unwrap(), size_gib, iops, None).unwrap();
    Declared { volume: volume.to_owned(), config, volumes, declared_us, imported_us: None, is_multi_attach: false }
}

fn refused(name: &str, volumes: u64) -> (String, String) {
    let refusal = check(&cluster(), "This cluster", name, volumes).unwrap_err();
    (refusal.to_string(), refusal.hint())
}

#[test]
fn a_volume_goes_by_role_device_or_id() {
    for (name, volumes) in [
        ("data", 2),
        ("md0", 2),
        ("vol-0a", 1),
        ("nvme2n1", 1),
        ("wal", 1),
        ("wal+tablespace Fast One", 1),
        ("tablespace Fast One", 3),
        ("vol-0c", 1),
        ("temp", 1),
    ] {
        assert_eq!(check(&cluster(), "This cluster", name, volumes).as_deref(), Ok(name));
    }
    assert_eq!(check(&cluster(), "This cluster", " /dev/nvme3n1 ", 1).as_deref(), Ok("nvme3n1"));
}

#[test]
fn anything_else_is_refused_with_what_there_is() {
    let (message, hint) = refused("vol-0d", 1);
    assert_eq!(message, "unknown volume \"vol-0d\"");
    assert_eq!(hint, "This cluster is on data, md0, vol-0a, vol-0b, wal, tablespace Fast One, vol-0c, temp.");
    assert_eq!(refused("", 1).0, "unknown volume \"\"");
}

#[test]
fn a_stripe_that_is_seen_is_not_one_volume() {
    let (message, hint) = refused("data", 1);
    assert_eq!(message, "\"data\" is made of 2 disks, not 1");
    assert_eq!(hint, "Say volumes => 2 if they are alike, or declare each by itself: vol-0a, vol-0b.");
    assert_eq!(refused("vol-0a", 2).0, "\"vol-0a\" is made of 1 disk, not 2");
}

#[test]
fn the_latest_declaration_of_the_whole_holds_before_those_of_its_disks() {
    let layout = cluster();
    let mut declarations = Declarations::default();
    let found = |declarations: &Declarations, index: usize| {
        let found = declarations.find(&layout.volumes[index]);
        found.into_iter().map(|one| one.volume.clone()).collect::<Vec<_>>()
    };
    assert_eq!(found(&declarations, 0), Vec::<String>::new());
    declarations.volumes = vec![
        declared("nvme1n1", "gp2", 500, None, 1, 1),
        declared("vol-0a", "gp3", 500, None, 1, 2),
        declared("vol-0c", "io2", 500, Some(20_000), 1, 3),
    ];
    assert_eq!(
        (found(&declarations, 0), found(&declarations, 1)),
        (vec!["vol-0a".to_owned()], vec!["vol-0c".to_owned()])
    );
    declarations.volumes.push(declared("data", "gp3", 250, None, 2, 1));
    assert_eq!(found(&declarations, 0), ["data"]);
}

#[test]
fn a_declaration_that_is_not_in_force_names_the_one_that_is() {
    let layout = cluster();
    let overruling =
        |declarations: &Declarations, name| declarations.overruling(&layout, name).map(|one| one.volume.clone());
    let mut declarations = Declarations {
        volumes: vec![declared("vol-0a", "gp3", 500, None, 1, 5), declared("wal", "gp2", 500, None, 1, 1)],
        ..Declarations::default()
    };
    assert_eq!((overruling(&declarations, "vol-0a"), overruling(&declarations, "wal")), (None, None));
    assert_eq!(declarations.in_force(&layout), ["vol-0a", "wal"].into());
    // The whole before its disks, though it was declared before them; of one volume the latest.
    declarations.volumes.push(declared("data", "gp3", 250, None, 2, 1));
    declarations.volumes.push(declared("vol-0c", "io2", 500, None, 1, 2));
    assert_eq!(overruling(&declarations, "vol-0a").as_deref(), Some("data"));
    assert_eq!(overruling(&declarations, "wal").as_deref(), Some("vol-0c"));
    assert_eq!((overruling(&declarations, "data"), overruling(&declarations, "vol-0c")), (None, None));
    assert_eq!(declarations.in_force(&layout), ["data", "vol-0c"].into());
    // Parts without a block device, and names of no volume.
    assert_eq!((overruling(&declarations, "temp"), overruling(&declarations, "vol-0d")), (None, None));
}
