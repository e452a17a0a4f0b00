//! What to put right before a volume is bought.

use maud::{Markup, html};

use crate::findings::Finding;
use crate::report::findings::effect;

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
