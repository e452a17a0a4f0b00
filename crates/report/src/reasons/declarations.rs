//! Declarations of a volume, in words.

use crate::Report;
use ebs_advice::RoleAdvice;
use ebs_aws::catalogue::VolumeConfig;
use ebs_base::format::count;
use ebs_samples::evidence::{Tier, Volume};
use ebs_workload::declarations::{Declarations, Declared, names_whole};

/// Describes what is declared of a volume, `declared io2 20,000 IOPS, 500 GiB`, or imported, `io2 20,000 IOPS, 500 GiB (AWS
/// configuration of 2026-11-26)`; `None` where nothing is.
pub fn describe(declarations: &Declarations, volume: &Volume) -> Option<String> {
    let declared = declarations.find(volume);
    let words = match declared.as_slice() {
        [] => return None,
        [one] if names_whole(volume, &one.volume) => describe_configuration(one),
        members => members
            .iter()
            .map(|one| format!("{} as {}", one.volume, describe_configuration(one)))
            .collect::<Vec<_>>()
            .join("; "),
    };
    Some(match describe_origin(&declared) {
        Some(origin) => format!("{words} ({origin})"),
        None => format!("declared {words}"),
    })
}

/// Describes the origin of imported configurations: `AWS configuration of 2026-11-26`, that of the oldest; `None` where one was declared.
pub(super) fn describe_origin(declared: &[&Declared]) -> Option<String> {
    let imported: Option<Vec<i64>> = declared.iter().map(|one| one.imported_us).collect();
    let oldest = jiff::Timestamp::from_microsecond(imported?.into_iter().min()?).ok()?;
    Some(format!("AWS configuration of {}", oldest.strftime("%Y-%m-%d")))
}

/// The call that declares volumes of the evidence: those of an imported run are declared for that run, which this server's are not part of.
pub(crate) fn describe_declaring_call(report: &Report) -> String {
    let is_local = matches!(report.window.sampling.tier, Tier::Sampler | Tier::OnDemand);
    match report.arguments.run.as_ref().filter(|_| !is_local) {
        Some(run) => format!("ebs_volume_declare(…, run => {run})"),
        None => "ebs_volume_declare(…)".to_owned(),
    }
}

/// Describes what is declared of a role's volumes; empty where nothing is.
pub(crate) fn describe_role(report: &Report, role: &RoleAdvice) -> String {
    let each: Vec<String> = report.volumes(role).filter_map(|volume| describe(report.declared, volume)).collect();
    each.join("; ")
}

/// Describes the configuration of a declaration, `2 × gp3 6,000 IOPS, 250 MiB/s, 500 GiB each`; throughput where it is provisioned.
pub fn describe_configuration(declared: &Declared) -> String {
    let VolumeConfig { volume_type, size_gib, iops, throughput_mibps, .. } = declared.config;
    let (many, each) =
        if declared.volumes > 1 { (format!("{} × ", declared.volumes), " each") } else { Default::default() };
    let mibps = if volume_type.has_chosen_throughput() {
        format!(", {} MiB/s", count(throughput_mibps as f64))
    } else {
        String::new()
    };
    let (iops, size) = (count(iops as f64), count(size_gib as f64));
    format!("{many}{} {iops} IOPS{mibps}, {size} GiB{each}", volume_type.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_aws::catalogue::{Platform, VolumeType};
    use ebs_samples::evidence::{Medium, Member, Role};

    fn declared(volume: &str, volume_type: VolumeType, iops: Option<u64>, volumes: u64) -> Declared {
        let config = VolumeConfig::new(Platform::Ec2, volume_type, 500, iops, None).unwrap();
        Declared::new(volume, config, volumes)
    }

    #[test]
    fn a_volume_is_declared_as_a_whole_or_by_its_disks() {
        let member = |device: &str| Member { device: device.to_owned(), medium: Medium::Unknown };
        let members = vec![member("nvme1n1"), member("nvme2n1")];
        let volume = Volume { device: "md0".to_owned(), roles: vec![Role::Data], members, ..Volume::default() };
        let text = |volumes: Vec<Declared>| {
            describe(&Declarations { instance: None, volumes, ..Declarations::default() }, &volume)
        };
        assert_eq!(text(Vec::new()), None);
        let disk = declared("nvme2n1", VolumeType::Gp3, None, 1);
        assert_eq!(text(vec![disk]).unwrap(), "declared nvme2n1 as gp3 3,000 IOPS, 125 MiB/s, 500 GiB");
        let whole = |volumes| text(vec![declared("data", VolumeType::Io2, Some(20_000), volumes)]).unwrap();
        assert_eq!(whole(1), "declared io2 20,000 IOPS, 500 GiB");
        assert_eq!(whole(2), "declared 2 × io2 20,000 IOPS, 500 GiB each");
        // 2026-11-20 00:00 UTC.
        let imported =
            Declared { imported_us: Some(1_795_132_800_000_000), ..declared("md0", VolumeType::Gp3, None, 1) };
        let expected = "gp3 3,000 IOPS, 125 MiB/s, 500 GiB (AWS configuration of 2026-11-20)";
        assert_eq!(text(vec![imported.clone()]).unwrap(), expected);
        // A declaration has precedence.
        let both = vec![imported, Declared { declared_us: 1, ..declared("data", VolumeType::Io2, Some(20_000), 1) }];
        assert_eq!(text(both).unwrap(), "declared io2 20,000 IOPS, 500 GiB");
    }
}
