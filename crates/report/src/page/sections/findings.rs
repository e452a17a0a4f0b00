//! Causes of I/O to remove before a volume is bought.

use maud::html;

use super::Section;
use crate::report::findings::effect;
use ebs_tuning::findings::Finding;

/// The section; `None` where there are no findings.
pub fn section(findings: &[Finding]) -> Option<Section> {
    let body = html! {
        ol class="path" {
            @for finding in findings {
                li {
                    strong { (finding.subject) } ": " (finding.measured)
                    p class="caption" { (effect(finding)) }
                    p { (finding.remedy) }
                }
            }
        }
    };
    let section = Section { id: "findings", name: "Before you buy", heading: "Before you buy".to_owned(), body };
    (!findings.is_empty()).then_some(section)
}
