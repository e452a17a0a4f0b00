//! Findings about indexes that come with a run.

use ebs_report::reasons::indexes::describe_reason;
use ebs_tuning::indexes::command_text::check_text;
use ebs_tuning::indexes::{Cost, Finding, Kind, Price, Reason};

/// Words a finding; a command that passes has no second line, and a net saving is finite.
pub fn check_index_finding(finding: &Finding) {
    let _ = describe_reason(finding);
    if let Some(command) = finding.command.as_deref().filter(|command| check_text(command).is_ok()) {
        assert!(!command.contains(char::is_control), "{command:?}");
    }
    assert!(finding.net_s().is_none_or(f64::is_finite), "{finding:?}");
}

/// An index to create and one to drop.
pub fn index_findings() -> Vec<Finding> {
    let price = |pages| Some(Price { cost: 2.0 * pages, pages, used: Vec::new() });
    let reason = Reason::Saves { statements: 2, foreign_keys: false, limit_from_rows: true };
    let index = Finding {
        advised: true,
        command: Some("CREATE INDEX CONCURRENTLY ON public.t (a)".to_owned()),
        before: price(900.5),
        after: price(4.0),
        saved_s: Some(120.0),
        cost: Some(Cost { entries_s: 1.0, ..Cost::default() }),
        ..Finding::new(Kind::Index, reason)
    };
    vec![index, Finding::new(Kind::Unused, Reason::Unused { counted_s: Some(86_400.0) })]
}
