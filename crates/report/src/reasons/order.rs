//! Volumes as they are ordered, in columns.

use crate::clip::display_width;
use ebs_advice::Candidate;
use ebs_aws::catalogue::VolumeConfig;
use ebs_base::format::count;

/// Describes an order: `4 × gp3  125 GiB  4,400 IOPS  125 MiB/s each`.
pub fn describe(candidate: &Candidate) -> String {
    describe_volumes(&candidate.config, candidate.volumes)
}

/// Describes an order whose size is the smallest for its limits, because that of the data is unknown; without the remark where that has no
/// room in so many columns.
pub fn describe_unsized(candidate: &Candidate, columns: usize) -> String {
    let with_remark = describe_sized(&candidate.config, candidate.volumes, " (size unknown)");
    if display_width(&with_remark) <= columns { with_remark } else { describe(candidate) }
}

/// Describes volumes in the same columns.
pub fn describe_volumes(config: &VolumeConfig, volumes: u64) -> String {
    describe_sized(config, volumes, "")
}

/// Describes volumes with a remark behind their size.
fn describe_sized(config: &VolumeConfig, volumes: u64, remark: &str) -> String {
    let number = |value: u64| count(value as f64);
    let each = if volumes > 1 { " each" } else { "" };
    format!(
        "{}  {} GiB{remark}  {} IOPS  {} MiB/s{each}",
        describe_type(config, volumes),
        number(config.size_gib),
        number(config.iops),
        number(config.throughput_mibps)
    )
}

/// Describes volumes in a sentence, with the throughput that was added: `gp3 500 GiB, 6,000 IOPS, 250 MiB/s`.
pub fn describe_briefly(config: &VolumeConfig, volumes: u64) -> String {
    let number = |value: u64| count(value as f64);
    let mibps = match has_added_throughput(config) {
        true => format!(", {} MiB/s", number(config.throughput_mibps)),
        false => String::new(),
    };
    let each = if volumes > 1 { " each" } else { "" };
    let (name, gib, iops) = (describe_type(config, volumes), number(config.size_gib), number(config.iops));
    format!("{name} {gib} GiB, {iops} IOPS{mibps}{each}")
}

/// True where more throughput was added than comes with size and IOPS.
pub fn has_added_throughput(config: &VolumeConfig) -> bool {
    let included = config.class().map_or(0, |class| class.mibps_at_least(config.size_gib, config.iops));
    config.throughput_mibps > included
}

/// Describes number and type: `4 × gp3`.
pub fn describe_type(config: &VolumeConfig, volumes: u64) -> String {
    let name = config.volume_type.name();
    if volumes > 1 { format!("{volumes} × {name}") } else { name.to_owned() }
}
