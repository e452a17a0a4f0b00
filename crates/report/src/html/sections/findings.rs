//! Causes of I/O to remove before a volume is bought.

use maud::html;

use super::Section;
use crate::Arguments;
use crate::reasons::findings;
use ebs_tuning::findings::Finding;

/// Builds the section; `None` without findings.
pub fn section(findings: &[Finding], arguments: &Arguments) -> Option<Section> {
    let body = html! {
        ol class="path" {
            @for finding in findings {
                li {
                    strong { (findings::describe_subject(finding)) } ": " (findings::describe_measurement(finding))
                    p class="caption" { (findings::describe_effect(finding)) }
                    p { (findings::describe_remedy(finding, arguments)) }
                }
            }
        }
    };
    let section = Section { id: "findings", name: "Before you buy", heading: "Before you buy".to_owned(), body };
    (!findings.is_empty()).then_some(section)
}
