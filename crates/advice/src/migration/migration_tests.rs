use super::rule::MigrationRule;
use super::*;
use ebs_aws::catalogue::{Platform, VolumeConfig};
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
    let volume =
        |(n, config): (usize, &VolumeConfig)| AttachedVolume { id: Some(format!("vol-0{n}")), config: Some(*config) };
    Attached { volumes: (1..).zip(configs).map(volume).collect(), filesystem_gib: None }
}

fn plan(volume: &Volume, attached: Option<&Attached>, config: &VolumeConfig, volumes: u64) -> Procedure {
    super::plan_migration(volume, attached, &MigrationTarget { config: *config, volumes, size_known: true })
}

fn lines(change: &Procedure) -> Vec<(u64, &str)> {
    change.commands.iter().map(|command| (command.times, command.line.as_str())).collect()
}

fn has(procedure: &Procedure, rule: MigrationRule) -> bool {
    procedure.rules.contains(&rule) && rule.source().starts_with("https://")
}

#[test]
fn a_volume_is_modified_where_it_is() {
    let now = known(&[config(Platform::Ec2, VolumeType::Gp2, 400, None, None)]);
    let found = plan(&volume(Layout::Single, 1), Some(&now), &gp3(500, 16_700, 175), 1);
    let line = "aws ec2 modify-volume --volume-id vol-01 --volume-type gp3 --size 500 --iops 16700 --throughput 175";
    assert_eq!(lines(&found), [(1, line)]);
    assert!(has(&found, MigrationRule::SizeOnlyGrows) && has(&found, MigrationRule::ModificationsPerDay));
    assert!(has(&found, MigrationRule::Optimization) && !has(&found, MigrationRule::RootVolume));
}

#[test]
fn options_that_a_type_does_not_take_are_left_out() {
    let now = known(&[gp3(500, 3_000, 125)]);
    let line = |target| lines(&plan(&volume(Layout::Single, 1), Some(&now), &target, 1))[0].1.to_owned();
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
    assert_eq!((lines(&one), one.server_commands.len()), (vec![(1, line)], 0));
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
    assert_eq!(lines(&found), [(1, line("vol-01").as_str()), (1, line("<volume-id-2>").as_str())]);
}

/// Commands behind those of EBS where volumes of this layout grow from 100 to 150 GiB each.
fn extension(layout: Layout, disks: usize) -> Vec<String> {
    let now = known(&vec![gp3(100, 3_000, 125); disks]);
    plan(&volume(layout, disks), Some(&now), &gp3(150, 3_000, 125), disks as u64).server_commands
}

#[test]
fn a_filesystem_grows_by_the_commands_of_its_layout() {
    let first = "sudo growpart /dev/nvme1n1 <partition>  # if it is partitioned";
    let second = "sudo growpart /dev/nvme2n1 <partition>  # if it is partitioned";
    let on_a_device = "sudo resize2fs <device>  # ext4; for XFS: sudo xfs_growfs -d <mount-point>";
    assert_eq!(extension(Layout::Single, 1), [first, on_a_device]);
    assert_eq!(extension(Layout::Md("raid1".into()), 2), [first, second, on_a_device]);
    let logical =
        "sudo pvresize /dev/nvme1n1 /dev/nvme2n1 && sudo lvextend --resizefs --extents +100%FREE <logical-volume>";
    assert_eq!(extension(Layout::DeviceMapper, 2), [first, second, logical]);
    let btrfs = "sudo btrfs filesystem resize <devid>:max <mount-point>  # for each device";
    assert_eq!(extension(Layout::Btrfs, 2), [first, second, btrfs]);
    // A stripe of md's takes no larger members: another is made.
    let stripe = "sudo mdadm --create /dev/md0 --level=0 --raid-devices=2 <devices>";
    assert_eq!(extension(Layout::Md("raid0".into()), 2), [stripe]);
}

#[test]
fn a_size_that_was_not_declared_is_the_filesystems_and_stays() {
    let seen = AttachedVolume { id: Some("vol-1".into()), config: None };
    let now = Attached { volumes: vec![seen], filesystem_gib: Some(500) };
    let stays = plan(&volume(Layout::Single, 1), Some(&now), &gp3(500, 3_000, 125), 1);
    let line = "aws ec2 modify-volume --volume-id vol-1 --volume-type gp3 --iops 3000 --throughput 125";
    assert_eq!(lines(&stays), [(1, line)]);
    assert!(!has(&stays, MigrationRule::SizeNotDeclared) && !has(&stays, MigrationRule::SizeOnlyGrows));
    let grown = plan(&volume(Layout::Single, 1), Some(&now), &gp3(600, 3_000, 125), 1);
    assert!(lines(&grown)[0].1.contains(" --size 600 ") && has(&grown, MigrationRule::SizeOnlyGrows));
    assert!(has(&grown, MigrationRule::SizeNotDeclared), "{grown:?}");
    let smaller = plan(&volume(Layout::Single, 1), Some(&now), &gp3(400, 3_000, 125), 1);
    assert!(lines(&smaller)[0].1.starts_with("aws ec2 create-volume "), "{smaller:?}");
}

#[test]
fn what_cannot_be_modified_is_made_anew() {
    let create = "aws ec2 create-volume --availability-zone <availability-zone> --volume-type gp3 --size 100 --iops 3000 \
                  --throughput 125";
    let attach = "aws ec2 attach-volume --volume-id <volume-id> --instance-id <instance-id> --device <device>";
    let target = gp3(100, 3_000, 125);
    let single = volume(Layout::Single, 1);
    let unknown = plan(&single, None, &target, 1);
    assert_eq!(lines(&unknown), [(1, create), (1, attach)]);
    assert!(has(&unknown, MigrationRule::NotOnEbs));
    let smaller = plan(&single, Some(&known(&[gp3(200, 3_000, 125)])), &target, 1);
    assert_eq!(lines(&smaller), [(1, create), (1, attach)]);
    assert!(has(&smaller, MigrationRule::CannotShrink { from_gib: 200, to_gib: 100 }));
    let four = plan(&single, Some(&known(&[gp3(100, 3_000, 125)])), &target, 4);
    assert_eq!(lines(&four), [(4, create), (4, attach)]);
    assert_eq!(four.server_commands, ["sudo mdadm --create /dev/md0 --level=0 --raid-devices=4 <devices>"]);
    assert!(has(&four, MigrationRule::NumberDiffers { from: 1, to: 4 }));
}

#[test]
fn md_raid_0_does_not_take_larger_members() {
    let now = known(&[gp3(100, 3_000, 125), gp3(100, 3_000, 125)]);
    let striped = volume(Layout::Md("raid0".into()), 2);
    let larger = plan(&striped, Some(&now), &gp3(200, 3_000, 125), 2);
    assert!(lines(&larger)[0].1.starts_with("aws ec2 create-volume ") && has(&larger, MigrationRule::StripeCannotGrow));
    let faster = plan(&striped, Some(&now), &gp3(100, 4_000, 125), 2);
    assert!(lines(&faster)[0].1.starts_with("aws ec2 modify-volume "));
}

#[test]
fn an_outpost_and_an_instance_store() {
    let outposts = config(Platform::Outposts, VolumeType::Gp3, 100, None, None);
    let found = plan(&volume(Layout::Single, 1), None, &outposts, 1);
    assert!(lines(&found)[0].1.contains("<availability-zone> --outpost-arn <outpost-arn> --volume-type gp3"));
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

#[test]
fn rds_storage_is_modified_by_instance() {
    let found = to_rds(None, rds(Platform::Rds, VolumeType::Gp3, 500, None));
    let line = "aws rds modify-db-instance --db-instance-identifier <db-instance> --storage-type gp3 \
                --allocated-storage 500 --iops 12000 --storage-throughput 500 --apply-immediately";
    assert_eq!(lines(&found), [(1, line)]);
    assert!(has(&found, MigrationRule::RdsGrowth) && has(&found, MigrationRule::RdsMayBecomeStripe));
    // Below 400 GiB nothing can be chosen.
    let small = to_rds(None, rds(Platform::Rds, VolumeType::Gp3, 100, None));
    let line = "aws rds modify-db-instance --db-instance-identifier <db-instance> --storage-type gp3 \
                --allocated-storage 100 --apply-immediately";
    assert_eq!(lines(&small), [(1, line)]);
    assert!(small.rules == [MigrationRule::RdsGrowth, MigrationRule::RdsNextChange]);
}

#[test]
fn rds_storage_grows_by_a_tenth_and_never_shrinks() {
    let now = rds(Platform::Rds, VolumeType::Gp3, 395, None);
    let little = to_rds(Some(now), rds(Platform::Rds, VolumeType::Gp3, 401, None));
    assert!(lines(&little)[0].1.contains(" --allocated-storage 435 ") && has(&little, MigrationRule::RdsBecomesStripe));
    let now = rds(Platform::Rds, VolumeType::Gp3, 900, None);
    let same = to_rds(Some(now), rds(Platform::Rds, VolumeType::Gp3, 900, Some(16_000)));
    assert!(!lines(&same)[0].1.contains("--allocated-storage") && same.rules == [MigrationRule::RdsNextChange]);
    let less = to_rds(Some(now), rds(Platform::Rds, VolumeType::Gp3, 500, None));
    assert!(
        !lines(&less)[0].1.contains("--allocated-storage")
            && has(&less, MigrationRule::RdsCannotShrink { current_gib: 900, target_gib: 500 })
    );
    assert_eq!(to_rds(Some(now), now), Procedure::default());
}

#[test]
fn a_multi_az_cluster_has_its_own_command_and_no_throughput() {
    let found = to_rds(None, rds(Platform::RdsCluster, VolumeType::Io2, 500, Some(2_000)));
    let line = "aws rds modify-db-cluster --db-cluster-identifier <db-cluster> --storage-type io2 --allocated-storage 500 \
                --iops 2000 --apply-immediately";
    assert_eq!(lines(&found), [(1, line)]);
}

#[test]
fn a_server_of_its_own_is_copied_into_rds() {
    let found = to_rds(Some(gp3(500, 3_000, 125)), rds(Platform::RdsMultiAz, VolumeType::Gp3, 100, None));
    let line = "aws rds create-db-instance --db-instance-identifier <db-instance> --engine postgres --multi-az \
                --db-instance-class <class> --master-username <user> --manage-master-user-password --storage-type gp3 \
                --allocated-storage 100";
    assert_eq!(lines(&found), [(1, line)]);
    assert!(has(&found, MigrationRule::CopiedIntoRds));
}

#[test]
fn a_size_that_is_not_known_is_left_to_be_filled_in() {
    let line = |config, attached: Option<&Attached>| {
        let target = MigrationTarget { config, volumes: 1, size_known: false };
        super::plan_migration(&volume(Layout::Single, 1), attached, &target).commands.remove(0).line
    };
    assert!(line(gp3(100, 3_000, 125), None).contains(" --volume-type gp3 --size <size> --iops 3000 "));
    let rds = line(rds(Platform::Rds, VolumeType::Gp3, 500, None), None);
    assert!(rds.contains(" --allocated-storage <size> --iops 12000 "), "{rds}");
}
