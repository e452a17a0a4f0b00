//! The subject of a report: run, server, instance and prices.

use crate::Report;
use ebs_aws::catalogue::Platform;

/// Describes the subject: `EBS advice for run tpcc-100 · PostgreSQL 18.6 · r6i.4xlarge · us-east-1, prices of 2026-10-15`.
pub fn describe_title(report: &Report) -> String {
    format!("EBS advice for {} · {}", report.subject, describe_server(report))
}

/// Describes server, instance and prices: `PostgreSQL 18.6 · r6i.4xlarge · us-east-1, prices of 2026-10-15`.
pub fn describe_server(report: &Report) -> String {
    let instance = match (report.request.instance, report.instance()) {
        (Some(instance), _) => instance.instance_type.clone(),
        (None, Some(instance)) => instance.to_owned(),
        (None, None) => "instance not named".to_owned(),
    };
    let request = report.request;
    let (region, as_of) = (&request.prices.region, request.prices.as_of(request.platform));
    let on = if request.platform == Platform::Ec2 { String::new() } else { format!("{}, ", request.platform.name()) };
    format!("{} · {instance} · {on}{region}, prices of {as_of}", report.server)
}
