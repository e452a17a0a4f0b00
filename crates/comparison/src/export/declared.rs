//! Declarations in JSON.

use serde::Deserialize;
use serde_json::Value;

use super::MAX_DECLARED;
use ebs_aws::catalogue::{Platform, VolumeConfig};
use ebs_base::object;
use ebs_base::units::LATEST_US;
use ebs_workload::declarations::{Declarations, Declared};

object! {
    /// Volumes and instance, as ebs_volume_declare and ebs_instance_declare were called.
    #[derive(Default, Deserialize)]
    pub(super) struct DeclaredStorage(declarations: &Declarations) {
        /// EC2 instance type or RDS instance class.
        instance: Option<String> = declarations.instance.clone(),
        /// Volumes, at most 10,000.
        #[serde(default)]
        volumes: Vec<DeclaredVolume> = declarations.volumes.iter().map(DeclaredVolume::from).collect(),
    }
}

object! {
    /// Volumes of one kind.
    #[derive(Deserialize)]
    struct DeclaredVolume(declared: &Declared) {
        /// Role or device that they carry: `data`, `wal`, `data+wal`, a tablespace's name, `nvme1n1`.
        volume: String = declared.volume.clone(),
        /// Volume type, by AWS's name for it.
        volume_type: String = declared.config.volume_type.name().to_owned(),
        /// Size of each, GiB.
        size_gib: u64 = declared.config.size_gib,
        /// I/O operations a second of each.
        iops: u64 = declared.config.iops,
        /// MiB/s of each.
        throughput_mibps: u64 = declared.config.throughput_mibps,
        /// Number of them, 1 to 10,000.
        volumes: u64 = declared.volumes,
        /// Time of the declaration, microseconds since 1970.
        declared_us: i64 = declared.declared_us,
        /// Platform; `ec2` where it is missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        platform: Option<String> =
            (declared.config.platform != Platform::Ec2).then(|| declared.config.platform.name().to_owned()),
        /// Time of the import of a configuration, microseconds since 1970; missing of a declaration.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        imported_us: Option<i64> = declared.imported_us,
        /// True where they can be attached to several instances (Multi-Attach); false where it is missing.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        multi_attach: bool = declared.is_multi_attach,
    }
}

/// Largest figure of a declaration, as in ebs_volume_declare.
const MAX_FIGURE: u64 = 10_000_000;

/// Converts declarations to JSON.
pub fn declared(declarations: &Declarations) -> Value {
    serde_json::to_value(DeclaredStorage::from(declarations)).unwrap_or_default()
}

/// Parses declarations from JSON. Combinations that are not sold are not refused: they were when they were declared.
pub fn declarations(value: &Value) -> Result<Declarations, String> {
    let document = match value {
        Value::Null => DeclaredStorage::default(),
        value => DeclaredStorage::deserialize(value).map_err(|error| error.to_string())?,
    };
    if document.volumes.len() > MAX_DECLARED {
        return Err(format!("more than {MAX_DECLARED} volumes are declared"));
    }
    let volumes = document.volumes.into_iter().map(volume).collect::<Result<Vec<_>, String>>()?;
    Ok(Declarations { instance: document.instance, volumes, ..Declarations::default() })
}

fn volume(volume: DeclaredVolume) -> Result<Declared, String> {
    let figures = [volume.size_gib, volume.iops, volume.throughput_mibps];
    let valid_count = (1..=10_000).contains(&volume.volumes);
    if figures.iter().any(|figure| !(1..=MAX_FIGURE).contains(figure)) || !valid_count {
        return Err(format!("a figure of volume \"{}\" is out of range", volume.volume));
    }
    for (name, us) in [("declared_us", Some(volume.declared_us)), ("imported_us", volume.imported_us)] {
        if us.is_some_and(|us| !(0..LATEST_US).contains(&us)) {
            return Err(format!("\"{name}\" of volume \"{}\" is out of range", volume.volume));
        }
    }
    let platform = volume.platform.as_deref().map_or(Ok(Platform::Ec2), str::parse);
    let config = VolumeConfig {
        platform: platform.map_err(|error| format!("{error}"))?,
        volume_type: volume.volume_type.parse().map_err(|error| format!("{error}"))?,
        size_gib: volume.size_gib,
        iops: volume.iops,
        throughput_mibps: volume.throughput_mibps,
    };
    let DeclaredVolume { volume, volumes, declared_us, imported_us, multi_attach: is_multi_attach, .. } = volume;
    Ok(Declared { volume, config, volumes, declared_us, imported_us, is_multi_attach })
}
