//! Causes of I/O to remove before a volume is bought.

use super::layout::wrap;
use crate::Report;
use crate::reasons::findings;
use ebs_base::format::{plain, rate, share, usd};
use ebs_tuning::findings::{Finding, Saving};

/// Findings that the report has; `ebs_findings` has them all.
const MAX_SHOWN: usize = 3;

/// Renders them under the heading that a volume's commands have, too; empty where there is none.
pub(super) fn render(report: &Report) -> Vec<String> {
    if report.findings.is_empty() {
        return Vec::new();
    }
    let mut lines = vec!["Before you buy".to_owned()];
    for (number, finding) in (1..).zip(report.findings.iter().take(MAX_SHOWN)) {
        lines.extend(wrap(
            &plain(&format!(
                "  {number}. {}: {}",
                findings::describe_subject(finding),
                findings::describe_measurement(finding)
            )),
            "     ",
        ));
        lines.extend(wrap(&plain(&format!("     {}", effect(finding))), "     "));
        lines
            .extend(wrap(&plain(&format!("     {}", findings::describe_remedy(finding, &report.argument))), "       "));
    }
    let more = report.findings.len().saturating_sub(MAX_SHOWN);
    if more > 0 {
        lines.push(format!("  {more} more: SELECT * FROM ebs_findings({})", report.argument));
    }
    lines
}

/// `60 % of the device's requests · saves 80 to 200 requests/s (estimated) · $12.00 a month less`.
pub(crate) fn effect(finding: &Finding) -> String {
    let part = finding.share.map(|part| format!("{} of the device's requests", share(part)));
    let saved = finding.saving.map(|saving| format!("saves {} requests/s (estimated)", saved_requests(&saving)));
    let dollars = finding.usd_month_saved.map(|dollars| format!("{} a month less", usd(dollars)));
    let words: Vec<String> = [part, saved, dollars].into_iter().flatten().collect();
    if finding.saving.is_none() && finding.usd_month_saved.is_none() {
        return format!("{} · {}", words.join(" · "), findings::describe_reason(finding));
    }
    words.join(" · ")
}

fn saved_requests(saving: &Saving) -> String {
    if saving.low > 0.0 {
        format!("{} to {}", rate(saving.low), rate(saving.high))
    } else {
        format!("at most {}", rate(saving.high))
    }
}
