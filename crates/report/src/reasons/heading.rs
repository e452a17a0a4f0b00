//! The subject of a report: run, server, instance and prices.

use super::availability::describe_place;
use super::instance_type::describe_type;
use crate::Report;
use crate::clip::{clip, display_width};
use ebs_aws::catalogue::Platform;
use ebs_base::format::brief_duration;
use ebs_samples::evidence::Tier;
use ebs_workload::attached::Attached;
use ebs_workload::volume_group::VolumeGroup;

/// Describes the subject: `EBS advice for run tpcc-100 · PostgreSQL 18.6 · r6i.4xlarge · us-east-1, prices of 2026-10-15`.
pub fn describe_title(report: &Report) -> String {
    format!("EBS advice for {} · {}", report.subject, describe_server(report))
}

/// Describes server, instance and prices: `PostgreSQL 18.6 · r6i.4xlarge · us-east-1, prices of 2026-10-15`.
pub fn describe_server(report: &Report) -> String {
    let instance = match (report.request.instance, report.instance()) {
        (Some(instance), _) => describe_type(&instance.instance_type, report.request.platform),
        (None, Some(instance)) => instance.to_owned(),
        (None, None) => "instance unknown".to_owned(),
    };
    let request = report.request;
    let place = describe_place(request);
    let on = if request.platform == Platform::Ec2 { String::new() } else { format!("{}, ", request.platform.name()) };
    format!("{} · {instance} · {on}{place}", report.server)
}

/// Describes the subject in short parts, the most important first: run, duration, server, volumes, instance, region with the date
/// of its prices. Names that users chose are shortened.
pub fn describe_parts(report: &Report) -> Vec<String> {
    let coverage = &report.coverage;
    let request = report.request;
    let mut parts =
        vec![clip(&report.subject, MAX_NAME), brief_duration(coverage.sampled_s), clip(&report.server, MAX_NAME)];
    parts.extend(describe_devices(report));
    parts.push(match (request.instance, report.instance()) {
        (Some(instance), _) => describe_type(&instance.instance_type, request.platform),
        (None, Some(instance)) => clip(instance, 20),
        (None, None) => "instance unknown".to_owned(),
    });
    let platform =
        if request.platform == Platform::Ec2 { String::new() } else { format!("{} ", request.platform.name()) };
    parts.push(format!("{platform}{}", describe_place(request)));
    parts
}

/// Describes roles and their devices: `data+wal on vda (not identified as EBS)`.
fn describe_devices(report: &Report) -> Vec<String> {
    let groups = report.roles().map(|role| &role.state.group);
    let describe = |group: &VolumeGroup| {
        let volumes = group.volumes.iter().filter_map(|&volume| report.window.layout.volumes.get(volume));
        let is_ebs = volumes.map(|volume| Attached::find(volume, report.declared).is_some()).reduce(|a, b| a && b);
        let imported = report.window.sampling.tier == Tier::Imported;
        let ebs = match is_ebs {
            Some(true) => " (EBS)",
            Some(false) if !imported && !report.request.platform.is_rds() => " (not identified as EBS)",
            _ => "",
        };
        let begin = format!("{} on ", clip(&group.role, 20));
        let room = MAX_DEVICE.saturating_sub(display_width(&begin) + display_width(ebs));
        format!("{begin}{}{ebs}", clip(&group.device, room.min(MAX_NAME)))
    };
    let mut devices: Vec<String> = groups.map(describe).collect();
    if devices.len() > MAX_DEVICES {
        let more = devices.len() - MAX_DEVICES;
        devices.truncate(MAX_DEVICES);
        devices.push(format!("{more} more"));
    }
    devices
}

/// Most columns of a name: a DBInstanceIdentifier has 63 letters at most, a longer name is in the calls below.
const MAX_NAME: usize = 67;

/// Most columns of a role with its device: a line of the screen without its indent.
const MAX_DEVICE: usize = 78;

/// Most devices of a heading.
const MAX_DEVICES: usize = 2;
