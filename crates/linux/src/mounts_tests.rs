use super::*;

const MOUNTINFO: &str = r"27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
24 27 0:6 / /dev rw,relatime - devtmpfs devtmpfs rw
25 24 0:23 / /dev/shm rw,relatime - tmpfs tmpfs rw
30 27 259:3 / /data rw,relatime shared:5 - xfs /dev/nvme1n1 rw
31 30 259:4 / /data/pg\040wal rw,relatime - xfs /dev/nvme2n1 rw
32 27 259:9 / /data2 rw,relatime - xfs /dev/nvme3n1 rw
33 32 0:45 / /data2 rw,relatime - overlay overlay rw,lowerdir=/l,upperdir=/over\040here/u,workdir=/w
34 27 0:46 / /btr rw,relatime - btrfs /dev/mapper/vg-btr rw
35 27 0:47 / /shared rw,relatime - nfs4 server:/export rw
36 27 0:48 / /seen rw,relatime - overlay overlay ro,lowerdir=/l:/m
37 27 259:4 /sub /bound rw,relatime - xfs /dev/nvme2n1 rw
38 30 259:12 / /data/pgdata rw,relatime - xfs /dev/nvme4n1 rw
39 27 259:13 / /hidden/pgdata rw,relatime - xfs /dev/nvme4n1 rw
40 27 259:14 / /hidden rw,relatime - xfs /dev/nvme5n1 rw
";

fn backing(path: &str) -> Backing {
    Mounts::parse(MOUNTINFO.as_bytes()).unwrap().backing(Path::new(path)).unwrap()
}

fn device(number: &str) -> Backing {
    Backing::Device(number.to_owned())
}

#[test]
fn the_innermost_mount_holds_a_path() {
    assert_eq!(backing("/var/lib/postgresql"), device("254:0"));
    assert_eq!(backing("/data/base"), device("259:3"));
    assert_eq!(backing("/data/pg wal"), device("259:4"));
    assert_eq!(backing("/data/pgdata/base"), device("259:12"));
    assert_eq!(backing("/database"), device("254:0"));
}

#[test]
fn a_bind_mount_is_on_the_device_of_what_is_bound() {
    assert_eq!(backing("/bound/pg"), device("259:4"));
}

/// /hidden was mounted after /hidden/pgdata, so no process gets there any more.
#[test]
fn what_another_mount_hides_is_not_found() {
    assert_eq!(backing("/hidden/pgdata/base"), device("259:14"));
}

#[test]
fn a_path_that_no_mount_holds_is_told_apart() {
    let chroot = MOUNTINFO.lines().nth(3).unwrap();
    assert_eq!(Mounts::parse(chroot.as_bytes()).unwrap().backing(Path::new("/var")), None);
    assert_eq!(Mounts::parse(chroot.as_bytes()).unwrap().backing(Path::new("/data/pg")), Some(device("259:3")));
}

#[test]
fn mounts_in_a_circle_are_left_alone() {
    let circle = "1 2 259:1 / / rw - xfs /dev/a rw\n2 1 259:2 / / rw - xfs /dev/b rw\n";
    assert_eq!(Mounts::parse(circle.as_bytes()).unwrap().backing(Path::new("/data")), None);
}

#[test]
fn filesystems_that_lie_on_others_say_on_what() {
    assert_eq!(backing("/btr/pg"), Backing::Btrfs("/dev/mapper/vg-btr".into()));
    // The overlay was mounted over the volume, so it is what a process sees.
    assert_eq!(backing("/data2/pg"), Backing::Overlay("/over here/u".into()));
}

#[test]
fn what_has_no_device_is_unknown_and_says_why() {
    let why = |path| match backing(path) {
        Backing::Unknown(why) => why,
        other => panic!("{path} is on {other:?}"),
    };
    assert!(why("/dev/shm/pg").contains("tmpfs, which lives in memory"));
    assert!(why("/shared/pg").contains("nfs4, which is served by another machine"));
    assert!(why("/seen/pg").contains("overlay, which is read-only"));
}
