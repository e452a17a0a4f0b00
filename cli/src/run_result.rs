//! The result of a run as it is stored: figures, and a document of everything else that is known of it.

mod details;

pub use details::{Details, ResultDocument, UntilThen};
use ebs_base::format::{count, ms, rate};
use ebs_imports::drivers::{Figures, Report};
use serde_json::Value;

/// Query that stores a result, by ebs_run_result.
pub const STORE: &str = "SELECT '' AS value FROM {call}";

/// Arguments of ebs_run_result.
pub fn values(label: &str, figures: &Figures, details: &Value) -> Vec<Option<String>> {
    let number = |value: Option<f64>| value.map(|value| value.to_string());
    let Figures { tps, latency_ms, nopm, tpm, .. } = *figures;
    vec![Some(label.to_owned()), number(tps), number(latency_ms), number(nopm), number(tpm), Some(details.to_string())]
}

/// `989 tps, 4.00 ms`: the figures that are known; `None` if none is.
pub fn describe_figures(report: &Report) -> Option<String> {
    let figures = &report.figures;
    let mut parts = Vec::new();
    parts.extend(figures.tps.map(|tps| format!("{} tps", rate(tps))));
    parts.extend(figures.nopm.map(|nopm| format!("{} NOPM", count(nopm))));
    parts.extend(figures.tpm.map(|tpm| format!("{} TPM", count(tpm))));
    parts.extend(figures.latency_ms.map(|latency_ms| format!("{} ms", ms(latency_ms))));
    parts.extend(figures.failed.filter(|failed| *failed > 0).map(|failed| format!("{} failed", count(failed as f64))));
    let means = report.query_sets.iter().filter_map(|set| set.geometric_mean_s);
    parts.extend(means.map(|seconds| format!("geometric mean of queries {} s", ms(seconds))));
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_figure_that_is_not_known_is_null() {
        let figures = Figures { tps: Some(988.5), nopm: Some(0.0), ..Figures::default() };
        assert_eq!(
            values("it's", &figures, &json!({ "command": ["a'b"] })),
            [Some("it's"), Some("988.5"), None, Some("0"), None, Some(r#"{"command":["a'b"]}"#)]
                .map(|value| value.map(str::to_owned))
        );
    }

    #[test]
    fn known_figures_are_described() {
        let mut report = Report::default();
        assert_eq!(describe_figures(&report), None);
        (report.figures.nopm, report.figures.tpm, report.figures.failed) = (Some(20_753.0), Some(48_102.0), Some(0));
        assert_eq!(describe_figures(&report).as_deref(), Some("20,753 NOPM, 48,102 TPM"));
        report.figures.failed = Some(3);
        assert!(describe_figures(&report).unwrap().ends_with(", 3 failed"));
    }
}
