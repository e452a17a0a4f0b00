//! What to put right before a volume is bought.

use maud::{Markup, html};

use crate::report::findings::effect;
use ebs_tuning::findings::Finding;

/// Its section.
pub fn markup(findings: &[Finding]) -> Markup {
    html! {
        section id="findings" {
            h2 { "Before you buy" }
            ol class="path" {
                @for finding in findings {
                    li {
                        strong { (finding.subject) } ": " (finding.measured)
                        p class="caption" { (effect(finding)) }
                        p { (finding.remedy) }
                    }
                }
            }
        }
    }
}
