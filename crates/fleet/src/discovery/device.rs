//! Names of block devices: volume IDs in serial numbers, and the disk below a partition.

/// EBS volume ID of a serial number: `vol-06c1835863d5d7360` of `vol06c1835863d5d7360`; `None` of another disk.
pub fn volume_id(serial: &str) -> Option<String> {
    let digits = serial.trim().strip_prefix("vol")?;
    let digits = digits.strip_prefix('-').unwrap_or(digits);
    is_hexadecimal(digits).then(|| format!("vol-{digits}"))
}

/// True of an EC2 instance ID, `i-0123456789abcdef0`: not of the name of an exporter that begins with one.
pub fn is_instance_id(name: &str) -> bool {
    name.strip_prefix("i-").is_some_and(is_hexadecimal)
}

/// True of the digits of an ID of EC2: 17, or 8 of old ones.
fn is_hexadecimal(digits: &str) -> bool {
    matches!(digits.len(), 8 | 17) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Disk below the block device of a file system, as the kernel names it: `nvme1n1` of `/dev/nvme1n1p1`, `xvdf` of `/dev/xvdf1`; `None` of a
/// device that other disks make together (device mapper, md), whose name does not tell them.
pub fn disk(path: &str) -> Option<&str> {
    let name = path.strip_prefix("/dev/")?;
    if name.starts_with("nvme") {
        return match name.rsplit_once('p') {
            Some((disk, partition)) if is_number(partition) && disk.contains('n') => Some(disk),
            _ => Some(name),
        };
    }
    let is_disk = ["xvd", "sd", "vd"].iter().any(|prefix| name.starts_with(prefix)) && !name.contains('/');
    is_disk.then(|| name.trim_end_matches(|letter: char| letter.is_ascii_digit()))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_serial_number_of_ebs_is_a_volume_id() {
        assert_eq!(volume_id("vol06c1835863d5d7360").as_deref(), Some("vol-06c1835863d5d7360"));
        assert_eq!(volume_id("vol-1234abcd").as_deref(), Some("vol-1234abcd"));
        for other in ["AWS6AAF61E0B6A7C1C6A", "vol", "volume", "vol06c1835863d5d736", ""] {
            assert_eq!(volume_id(other), None, "{other}");
        }
    }

    #[test]
    fn the_name_of_an_exporter_is_no_instance_id() {
        assert!(is_instance_id("i-0123456789abcdef0") && is_instance_id("i-1234abcd"));
        assert!(!is_instance_id("i-0123456789abcdef0:9100") && !is_instance_id("i-db"));
    }

    #[test]
    fn a_partition_is_of_its_disk() {
        for (path, expected) in [
            ("/dev/nvme1n1p1", Some("nvme1n1")),
            ("/dev/nvme10n1", Some("nvme10n1")),
            ("/dev/xvdf1", Some("xvdf")),
            ("/dev/sda", Some("sda")),
            ("/dev/mapper/vg-data", None),
            ("/dev/md0", None),
            ("tmpfs", None),
        ] {
            assert_eq!(disk(path), expected, "{path}");
        }
    }
}
