//! What this is about, and on how much evidence it rests.

use super::{Report, wrapped};
use crate::catalogue::PRICES_AS_OF;
use crate::format::count;

pub(super) fn lines(report: &Report) -> Vec<String> {
    let instance = match report.request.instance {
        Some(instance) => instance.instance_type.clone(),
        None => "instance not named".to_owned(),
    };
    let region = &report.request.prices.region;
    let title = format!(
        "EBS advice for {} · {} · {instance} · {region}, prices of {PRICES_AS_OF}",
        report.subject, report.server
    );
    let coverage = &report.coverage;
    let mut evidence =
        format!("Evidence: {}, {} of {} s sampled", report.when, count(coverage.sampled_s), count(coverage.window_s));
    if coverage.missed_ticks > 0 {
        evidence.push_str(&format!(", {} ticks missed", count(coverage.missed_ticks as f64)));
    }
    if coverage.resets > 0 {
        let plural = if coverage.resets == 1 { "" } else { "s" };
        evidence.push_str(&format!(", {} counter reset{plural} (those seconds left out)", coverage.resets));
    }
    [wrapped(&title, "  "), wrapped(&evidence, "  ")].concat()
}
