//! Identity of a disk by its NVMe model and serial number. Every user may read them without network access, unlike any
//! other source of a volume's id.

use super::Tree;
use ebs_samples::evidence::Medium;

/// Models as the NVMe controllers of EC2 name them:
/// <https://docs.aws.amazon.com/ebs/latest/userguide/nvme-ebs-volumes.html>.
const EBS: &str = "Amazon Elastic Block Store";
const INSTANCE_STORE: &str = "Amazon EC2 NVMe Instance Storage";

/// Identifies the disk at this path of sysfs. Its `device` is the NVMe controller, or the subsystem where the kernel's
/// multipathing stands before it; model and serial are in both. Xen's disks have neither.
pub fn medium(sysfs: &dyn Tree, disk: &str) -> Medium {
    let field = |name: &str| sysfs.read(&format!("{disk}/device/{name}")).filter(|text| !text.is_empty());
    match field("model") {
        None => Medium::Unknown,
        Some(model) if model == INSTANCE_STORE => Medium::InstanceStore,
        Some(model) if model == EBS => match field("serial").as_deref().and_then(volume_id) {
            Some(id) => Medium::Ebs(id),
            None => Medium::Other(model),
        },
        Some(model) => Medium::Other(model),
    }
}

/// `vol0123456789abcdef0`, as the controller's serial number has it, with the dash that it has everywhere else.
fn volume_id(serial: &str) -> Option<String> {
    let digits = serial.strip_prefix("vol")?.trim_start_matches('-');
    let hexadecimal = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    hexadecimal.then(|| format!("vol-{digits}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_serial_number_is_an_id_only_if_it_looks_like_one() {
        assert_eq!(volume_id("vol0123456789abcdef0").as_deref(), Some("vol-0123456789abcdef0"));
        assert_eq!(volume_id("vol-0abc").as_deref(), Some("vol-0abc"));
        assert_eq!((volume_id("vol"), volume_id("AWS2E1D"), volume_id("volume one")), (None, None, None));
    }
}
