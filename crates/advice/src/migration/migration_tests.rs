use super::procedure::Script;
use super::rule::MigrationRule;
use super::unknown::Unknown;
use super::*;
use ebs_aws::catalogue::{Platform, VolumeConfig, VolumeType};
use ebs_samples::evidence::{Layout, Medium, Member, Role};
use ebs_workload::attached::AttachedVolume;

fn volume(layout: Layout, disks: usize) -> Volume {
    let member = |n: usize| Member { device: format!("nvme{n}n1"), medium: Medium::Unknown };
    let members = (1..=disks).map(member).collect();
    let device = if disks > 1 { "md0" } else { "nvme1n1" };
    Volume { device: device.into(), roles: vec![Role::Data], members, layout, ..Volume::default() }
}

fn config(
    platform: Platform,
    volume_type: VolumeType,
    gib: u64,
    iops: Option<u64>,
    mibps: Option<u64>,
) -> VolumeConfig {
    VolumeConfig::new(platform, volume_type, gib, iops, mibps).unwrap()
}

fn gp3(gib: u64, iops: u64, mibps: u64) -> VolumeConfig {
    config(Platform::Ec2, VolumeType::Gp3, gib, Some(iops), Some(mibps))
}

fn known(configs: &[VolumeConfig]) -> Attached {
    let one = |(n, &it): (usize, &VolumeConfig)| AttachedVolume { id: Some(format!("vol-0{n}")), config: Some(it) };
    Attached { volumes: (1..).zip(configs).map(one).collect(), filesystem_gib: None }
}

/// One volume of a size that is known.
pub(super) fn target(config: VolumeConfig) -> MigrationTarget<'static> {
    MigrationTarget {
        config,
        volumes: 1,
        size_known: true,
        instance: None,
        database: None,
        deployment: None,
        max_allocated_gib: None,
        has_log_volume: false,
        is_multi_attach: false,
        role: "data",
    }
}

fn plan(volume: &Volume, attached: Option<&Attached>, config: &VolumeConfig, volumes: u64) -> Procedure {
    super::plan_migration(volume, attached, &MigrationTarget { volumes, ..target(*config) })
}

/// Its lines, each with what continues it.
fn joined(script: &Script) -> String {
    script.lines.join("\n").replace(" \\\n   ", "")
}

/// Commands that begin like this, each with what continues it, on one line.
fn commands(procedure: &Procedure, beginning: &str) -> Vec<String> {
    let all = joined(&procedure.change);
    all.lines().map(str::trim).filter(|line| line.starts_with(beginning)).map(str::to_owned).collect()
}

fn modifications(procedure: &Procedure) -> Vec<String> {
    commands(procedure, "aws ec2 modify-volume")
}

fn creation(procedure: &Procedure) -> String {
    commands(procedure, "volume=$(aws ec2 create-volume").concat()
}

fn has(procedure: &Procedure, rule: MigrationRule) -> bool {
    procedure.rules.contains(&rule) && rule.source().starts_with("https://")
}

#[test]
fn a_volume_is_modified_where_it_is() {
    let now = known(&[config(Platform::Ec2, VolumeType::Gp2, 400, None, None)]);
    let found = plan(&volume(Layout::Single, 1), Some(&now), &gp3(500, 16_700, 175), 1);
    let line = "aws ec2 modify-volume --volume-id vol-01 --volume-type gp3 --size 500 --iops 16700 --throughput 175";
    assert_eq!(modifications(&found), [line]);
    assert_eq!(found.rollback.lines, ["aws ec2 modify-volume --volume-id vol-01 --volume-type gp2"]);
    assert!(found.rollback.unknown.is_empty(), "{found:?}");
    assert!(has(&found, MigrationRule::SizeOnlyGrows) && has(&found, MigrationRule::ModificationsPerDay));
    assert!(has(&found, MigrationRule::Optimization) && !has(&found, MigrationRule::RootVolume));
}

#[test]
fn options_that_a_type_does_not_take_are_left_out() {
    let now = known(&[gp3(500, 3_000, 125)]);
    let line = |target| modifications(&plan(&volume(Layout::Single, 1), Some(&now), &target, 1)).concat();
    let modify = "aws ec2 modify-volume --volume-id vol-01 --volume-type";
    assert_eq!(line(config(Platform::Ec2, VolumeType::Gp2, 600, None, None)), format!("{modify} gp2 --size 600"));
    let io2 = config(Platform::Ec2, VolumeType::Io2, 500, Some(20_000), None);
    assert_eq!(line(io2), format!("{modify} io2 --iops 20000"));
    let st1 = config(Platform::Ec2, VolumeType::St1, 500, None, None);
    assert_eq!(line(st1), format!("{modify} st1"));
    assert!(has(&plan(&volume(Layout::Single, 1), Some(&now), &st1, 1), MigrationRule::RootVolume));
}

#[test]
fn what_is_as_it_should_be_is_left_alone() {
    let now = known(&[gp3(500, 4_000, 125), gp3(500, 3_000, 125)]);
    let target = gp3(500, 4_000, 125);
    let one = plan(&volume(Layout::Md("raid0".into()), 2), Some(&now), &target, 2);
    let line = "aws ec2 modify-volume --volume-id vol-02 --volume-type gp3 --iops 4000 --throughput 125";
    assert_eq!((modifications(&one), one.change.lines.len()), (vec![line.to_owned()], 1));
    let back = "aws ec2 modify-volume --volume-id vol-02 --volume-type gp3 --iops 3000 --throughput 125";
    assert_eq!(one.rollback.lines, [back]);
    let none = plan(&volume(Layout::Md("raid0".into()), 2), Some(&known(&[target, target])), &target, 2);
    assert_eq!(none, Procedure::default());
}

#[test]
fn every_member_of_a_stripe_has_its_command() {
    let mut now = known(&[gp3(100, 3_000, 125), gp3(100, 3_000, 125)]);
    now.volumes[1].id = None;
    let found = plan(&volume(Layout::DeviceMapper, 2), Some(&now), &gp3(150, 3_000, 125), 2);
    let line = |id: &str| {
        format!("aws ec2 modify-volume --volume-id {id} --volume-type gp3 --size 150 --iops 3000 --throughput 125")
    };
    assert_eq!(modifications(&found), [line("vol-01"), line("\"$VOLUME_ID_2\"")]);
    assert_eq!(found.change.unknown, [Unknown::VolumeId(Some(2)), Unknown::Directory]);
    assert!(found.rollback == Script::default() && has(&found, MigrationRule::GrowthWithoutRollback));
    assert_complete(&found);
}

/// Asserts that each variable in capitals has its value asked for in the same script, the way back too, and that lines have room.
fn assert_complete(procedure: &Procedure) {
    for script in [&procedure.change, &procedure.rollback] {
        let text = script.lines.join("\n");
        let asked: Vec<String> = script.unknown.iter().map(|unknown| unknown.variable()).collect();
        for part in text.split('$').skip(1) {
            let name = part.trim_start_matches('{');
            let end =
                |character: char| !(character.is_ascii_uppercase() || character.is_ascii_digit() || character == '_');
            let name = &name[..name.find(end).unwrap_or(name.len())];
            let is_variable = name.starts_with(|first: char| first.is_ascii_uppercase());
            assert!(!is_variable || asked.iter().any(|asked| asked == name), "{name} in\n{text}");
        }
        assert!(script.lines.iter().all(|line| line.chars().count() <= 98), "{text}");
    }
}

#[test]
fn a_stripe_of_many_unknown_volumes_has_lines_with_room_and_all_its_variables() {
    let mut now = known(&vec![gp3(100, 3_000, 125); 28]);
    now.volumes.iter_mut().for_each(|volume| volume.id = None);
    let larger = plan(&volume(Layout::DeviceMapper, 28), Some(&now), &gp3(150, 3_000, 125), 28);
    assert_eq!((larger.change.unknown.len(), larger.rollback.unknown.len()), (29, 0));
    assert_complete(&larger);
    now.volumes.iter_mut().for_each(|volume| volume.config = None);
    now.volumes.iter_mut().for_each(|volume| volume.id = Some("vol-0123456789abcdef0".into()));
    let detected = plan(&volume(Layout::DeviceMapper, 28), Some(&now), &gp3(150, 3_000, 125), 28);
    assert_eq!((modifications(&detected).len(), detected.rollback.unknown.len()), (28, 3));
    assert_complete(&detected);
    let outposts = config(Platform::Outposts, VolumeType::Gp2, 150, None, None);
    let target = MigrationTarget { volumes: 28, size_known: false, ..target(outposts) };
    assert_complete(&super::plan_migration(&volume(Layout::Single, 1), None, &target));
}

/// The script where volumes of this layout grow from 100 to 150 GiB each.
fn extension(layout: Layout, disks: usize) -> String {
    let now = known(&vec![gp3(100, 3_000, 125); disks]);
    plan(&volume(layout, disks), Some(&now), &gp3(150, 3_000, 125), disks as u64).change.lines.join("\n")
}

#[test]
fn a_filesystem_grows_by_the_commands_of_its_layout() {
    let single = extension(Layout::Single, 1);
    assert!(single.contains("for id in vol-01; do\n") && single.contains("for disk in /dev/nvme1n1; do\n"), "{single}");
    assert!(single.contains("sudo growpart ") && single.contains("sudo xfs_growfs -d \"$mount_point\""), "{single}");
    assert!(
        single.contains("sudo resize2fs ") && !single.contains("pvresize") && !single.contains("mdadm"),
        "{single}"
    );
    // The array has its members' new size only once it is told (mdadm(8), --size=max).
    let mirror = extension(Layout::Md("raid1".into()), 2);
    assert!(mirror.contains("for id in vol-01 vol-02; do\n"), "{mirror}");
    let (array, filesystem) = (mirror.find("sudo mdadm --grow /dev/md0 --size=max"), mirror.find("sudo resize2fs "));
    assert!(array.is_some() && array < filesystem, "{mirror}");
    let logical = extension(Layout::DeviceMapper, 2);
    assert!(logical.contains("sudo pvresize \"${partition:-$disk}\""), "{logical}");
    assert!(logical.contains("sudo lvextend --resizefs --extents +100%FREE ") && !logical.contains("resize2fs"));
    let btrfs = extension(Layout::Btrfs, 2);
    assert!(btrfs.contains("sudo btrfs filesystem resize \"$id:max\" \"$mount_point\""), "{btrfs}");
    // A stripe of md's takes no larger members: another is made.
    let stripe = extension(Layout::Md("raid0".into()), 2);
    assert!(stripe.contains("sudo mdadm --create \"$array\" --level=0 --raid-devices=2 $devices\n"), "{stripe}");
}

#[test]
fn a_size_that_was_not_declared_is_the_filesystems_and_stays() {
    let seen = AttachedVolume { id: Some("vol-1".into()), config: None };
    let now = Attached { volumes: vec![seen], filesystem_gib: Some(500) };
    let stays = plan(&volume(Layout::Single, 1), Some(&now), &gp3(500, 3_000, 125), 1);
    let line = "aws ec2 modify-volume --volume-id vol-1 --volume-type gp3 --iops 3000 --throughput 125";
    assert_eq!(modifications(&stays), [line]);
    // What is not declared is printed before it is changed, for the way back.
    assert!(stays.change.lines[0].starts_with("aws ec2 describe-volumes --volume-ids vol-1 "), "{stays:?}");
    assert_eq!(stays.rollback.unknown, [Unknown::CurrentType, Unknown::CurrentIops, Unknown::CurrentThroughput]);
    let back = "aws ec2 modify-volume --volume-id vol-1 --volume-type \"$CURRENT_TYPE\" \
                ${CURRENT_IOPS:+--iops \"$CURRENT_IOPS\"} ${CURRENT_THROUGHPUT:+--throughput \"$CURRENT_THROUGHPUT\"}";
    assert_eq!(joined(&stays.rollback), back);
    assert!(!has(&stays, MigrationRule::SizeNotDeclared) && !has(&stays, MigrationRule::SizeOnlyGrows));
    let grown = plan(&volume(Layout::Single, 1), Some(&now), &gp3(600, 3_000, 125), 1);
    assert!(modifications(&grown)[0].contains(" --size 600 ") && has(&grown, MigrationRule::SizeOnlyGrows));
    assert!(has(&grown, MigrationRule::SizeNotDeclared), "{grown:?}");
    let smaller = plan(&volume(Layout::Single, 1), Some(&now), &gp3(400, 3_000, 125), 1);
    assert!(modifications(&smaller).is_empty() && !creation(&smaller).is_empty(), "{smaller:?}");
}

#[test]
fn what_cannot_be_modified_is_made_anew() {
    let create = "volume=$(aws ec2 create-volume --availability-zone \"$AVAILABILITY_ZONE\" --volume-type gp3 --size 100 \
                  --iops 3000 --throughput 125 --query VolumeId --output text)";
    let target = gp3(100, 3_000, 125);
    let single = volume(Layout::Single, 1);
    let unknown = plan(&single, None, &target, 1);
    assert_eq!(creation(&unknown), create);
    assert_eq!(commands(&unknown, "for number"), ["for number in $(seq 1); do"]);
    let asked = [Unknown::Directory, Unknown::InstanceId, Unknown::AvailabilityZone, Unknown::Service];
    assert_eq!(unknown.change.unknown, asked);
    assert!(has(&unknown, MigrationRule::NotOnEbs));
    let smaller = plan(&single, Some(&known(&[gp3(200, 3_000, 125)])), &target, 1);
    assert_eq!(creation(&smaller), create);
    assert!(has(&smaller, MigrationRule::CannotShrink { from_gib: 200, to_gib: 100 }));
    let four = plan(&single, Some(&known(&[gp3(100, 3_000, 125)])), &target, 4);
    assert_eq!(commands(&four, "for number"), ["for number in $(seq 4); do"]);
    assert_eq!(commands(&four, "array="), ["array=/dev/md/data number=1"]);
    assert_eq!(commands(&four, "sudo mdadm"), ["sudo mdadm --create \"$array\" --level=0 --raid-devices=4 $devices"]);
    assert!(has(&four, MigrationRule::NumberDiffers { from: 1, to: 4 }));
    assert_eq!(four.rollback.unknown, [Unknown::Directory, Unknown::Service]);
}

#[test]
fn md_raid_0_does_not_take_larger_members() {
    let now = known(&[gp3(100, 3_000, 125), gp3(100, 3_000, 125)]);
    let striped = volume(Layout::Md("raid0".into()), 2);
    let larger = plan(&striped, Some(&now), &gp3(200, 3_000, 125), 2);
    assert!(!creation(&larger).is_empty() && has(&larger, MigrationRule::StripeCannotGrow));
    let faster = plan(&striped, Some(&now), &gp3(100, 4_000, 125), 2);
    assert_eq!(modifications(&faster).len(), 2);
}

#[test]
fn an_outpost_and_an_instance_store() {
    let outposts = config(Platform::Outposts, VolumeType::Gp3, 100, None, None);
    let found = plan(&volume(Layout::Single, 1), None, &outposts, 1);
    let arguments = "\"$AVAILABILITY_ZONE\" --outpost-arn \"$OUTPOST_ARN\" --volume-type gp3";
    assert!(creation(&found).contains(arguments), "{found:?}");
    let disk = VolumeConfig { volume_type: VolumeType::InstanceStore, ..gp3(100, 3_000, 125) };
    assert_eq!(plan(&volume(Layout::Single, 1), None, &disk, 1), Procedure::default());
}

fn rds(platform: Platform, volume_type: VolumeType, gib: u64, iops: Option<u64>) -> VolumeConfig {
    config(platform, volume_type, gib, iops, None)
}

fn to_rds(now: Option<VolumeConfig>, target: VolumeConfig) -> Procedure {
    let attached = now.map(|now| known(&[now]));
    plan(&volume(Layout::Single, 1), attached.as_ref(), &target, 1)
}

fn modifies(procedure: &Procedure) -> Vec<String> {
    commands(procedure, "aws rds modify-db-")
}

#[test]
fn rds_storage_is_modified_by_instance() {
    let found = to_rds(None, rds(Platform::Rds, VolumeType::Gp3, 500, None));
    let line = "aws rds modify-db-instance --db-instance-identifier \"$DB_INSTANCE\" --storage-type gp3 \
                --allocated-storage 500 --iops 12000 --storage-throughput 500 --apply-immediately";
    assert_eq!(modifies(&found), [line]);
    assert!(found.change.lines[0].starts_with("aws rds describe-db-instances "), "{found:?}");
    assert!(has(&found, MigrationRule::RdsGrowth) && has(&found, MigrationRule::RdsMayBecomeStripe));
    // Below 400 GiB nothing can be chosen.
    let small = to_rds(None, rds(Platform::Rds, VolumeType::Gp3, 100, None));
    let line = "aws rds modify-db-instance --db-instance-identifier \"$DB_INSTANCE\" --storage-type gp3 \
                --allocated-storage 100 --apply-immediately";
    assert_eq!(modifies(&small), [line]);
    assert!(small.rules == [MigrationRule::RdsGrowth, MigrationRule::RdsNextChange]);
    let back = "aws rds modify-db-instance --db-instance-identifier \"$DB_INSTANCE\" --storage-type \"$CURRENT_TYPE\" \
                --allocated-storage 100 ${CURRENT_IOPS:+--iops \"$CURRENT_IOPS\"} ${CURRENT_THROUGHPUT:+--storage-throughput \"$CURRENT_THROUGHPUT\"} \
                --apply-immediately";
    assert_eq!(joined(&small.rollback), back);
    assert_complete(&small);
}

/// RDS's storage cannot be attached to an EC2 instance: as without any known volume, a new one is made.
#[test]
fn from_rds_to_ec2_the_data_is_copied() {
    let attached = known(&[rds(Platform::Rds, VolumeType::Gp3, 500, None)]);
    let volume = volume(Layout::Single, 1);
    let target = gp3(500, 3_000, 125);
    assert_eq!(plan(&volume, Some(&attached), &target, 1), plan(&volume, None, &target, 1));
}

#[test]
fn rds_storage_grows_by_a_tenth_and_never_shrinks() {
    let now = rds(Platform::Rds, VolumeType::Gp3, 395, None);
    let little = to_rds(Some(now), rds(Platform::Rds, VolumeType::Gp3, 401, None));
    let has_size =
        |procedure: &Procedure, gib: u64| modifies(procedure)[0].contains(&format!(" --allocated-storage {gib} "));
    assert!(has_size(&little, 435) && has(&little, MigrationRule::RdsBecomesStripe));
    let now = rds(Platform::Rds, VolumeType::Gp3, 900, None);
    let same = to_rds(Some(now), rds(Platform::Rds, VolumeType::Gp3, 900, Some(16_000)));
    assert!(has_size(&same, 900) && same.rules == [MigrationRule::RdsNextChange]);
    let less = to_rds(Some(now), rds(Platform::Rds, VolumeType::Gp3, 500, None));
    let rule = MigrationRule::RdsCannotShrink { current_gib: 900, target_gib: 500 };
    assert!(has_size(&less, 900) && has(&less, rule));
    let back = "aws rds modify-db-instance --db-instance-identifier \"$DB_INSTANCE\" --storage-type gp3 --allocated-storage 900 --iops 12000 \
                --storage-throughput 500 --apply-immediately";
    assert_eq!(joined(&same.rollback), back);
    assert_eq!(same.rollback.unknown, [Unknown::DbInstance]);
    assert_eq!(to_rds(Some(now), now), Procedure::default());
}

#[test]
fn a_multi_az_cluster_has_its_own_command_and_no_throughput() {
    let found = to_rds(None, rds(Platform::RdsCluster, VolumeType::Io2, 500, Some(2_000)));
    let line = "aws rds modify-db-cluster --db-cluster-identifier \"$DB_CLUSTER\" --storage-type io2 --allocated-storage 500 \
                --iops 2000 --apply-immediately";
    assert_eq!(modifies(&found), [line]);
    assert_eq!(found.rollback.unknown, [Unknown::DbCluster, Unknown::CurrentType, Unknown::CurrentIops]);
    assert_complete(&found);
}

#[test]
fn a_server_of_its_own_is_copied_into_rds() {
    let found = to_rds(Some(gp3(500, 3_000, 125)), rds(Platform::RdsMultiAz, VolumeType::Gp3, 100, None));
    let line = "aws rds create-db-instance --db-instance-identifier \"$DB_INSTANCE\" --engine postgres --multi-az \
                --db-instance-class \"$DB_INSTANCE_CLASS\" --master-username \"$MASTER_USER\" --manage-master-user-password --storage-type gp3 \
                --allocated-storage 100";
    assert_eq!(commands(&found, "aws rds create-db-instance"), [line]);
    assert!(has(&found, MigrationRule::CopiedIntoRds));
}

#[test]
fn a_size_that_is_not_known_is_left_to_be_filled_in() {
    let planned = |config| {
        let target = MigrationTarget { size_known: false, instance: Some("r6g.large"), ..target(config) };
        super::plan_migration(&volume(Layout::Single, 1), None, &target)
    };
    let ec2 = planned(gp3(100, 3_000, 125));
    assert!(creation(&ec2).contains(" --volume-type gp3 --size \"$SIZE_GIB\" --iops 3000 "), "{ec2:?}");
    let rds = planned(rds(Platform::Rds, VolumeType::Gp3, 500, None));
    assert!(modifies(&rds)[0].contains(" --allocated-storage \"$SIZE_GIB\" --iops 12000 "), "{rds:?}");
}

#[test]
fn a_class_that_was_named_is_not_asked_for() {
    let config = rds(Platform::Rds, VolumeType::Gp3, 100, None);
    let target = MigrationTarget { instance: Some("r6g.large"), ..target(config) };
    let now = known(&[gp3(50, 3_000, 125)]);
    let created = super::plan_migration(&volume(Layout::Single, 1), Some(&now), &target);
    assert!(commands(&created, "aws rds create-db-instance")[0].contains(" --db-instance-class db.r6g.large "));
    assert_eq!(created.change.unknown, [Unknown::DbInstance, Unknown::MasterUser]);
}

/// A new instance beside it has another identifier.
#[test]
fn the_identifier_of_the_modified_instance_is_filled_in() {
    let planned = |now: Option<VolumeConfig>, platform| {
        let target = MigrationTarget { database: Some("my db"), ..target(rds(platform, VolumeType::Gp3, 500, None)) };
        super::plan_migration(&volume(Layout::Single, 1), now.map(|now| known(&[now])).as_ref(), &target)
    };
    let modified = planned(Some(rds(Platform::Rds, VolumeType::Gp2, 500, None)), Platform::Rds);
    assert!(joined(&modified.change).contains(" --db-instance-identifier 'my db' "), "{modified:?}");
    assert!(joined(&modified.rollback).contains(" --db-instance-identifier 'my db' "), "{modified:?}");
    assert_eq!([modified.change.unknown, modified.rollback.unknown], [vec![], vec![]]);
    assert!(joined(&planned(None, Platform::RdsCluster).change).contains(" --db-cluster-identifier 'my db' "));
    assert!(planned(Some(gp3(50, 3_000, 125)), Platform::Rds).change.unknown.contains(&Unknown::DbInstance));
}

/// r8gb.48xlarge has two EBS cards: a stripe alternates them, one volume is on the first, the default.
#[test]
fn a_stripe_alternates_ebs_cards() {
    let attachments = |instance, volumes| {
        let target = MigrationTarget { volumes, instance, ..target(gp3(100, 3_000, 125)) };
        let procedure = plan_migration(&volume(Layout::default(), 1), None, &target);
        let has_rule = procedure.rules.contains(&MigrationRule::EbsCards { cards: 2 });
        (procedure.change.lines.join("\n").contains("--ebs-card-index $((number % 2))"), has_rule)
    };
    assert_eq!(attachments(Some("r8gb.48xlarge"), 2), (true, true));
    let others = [(Some("r8gb.48xlarge"), 1), (Some("r8gb.24xlarge"), 2), (None, 2)];
    assert_eq!(others.map(|(instance, volumes)| attachments(instance, volumes)), [(false, false); 3]);
}
