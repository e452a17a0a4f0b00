//! Head of a page.

use maud::{Markup, PreEscaped, html};

use super::theme::style_sheet;

/// Head of a page with this title, policy and style beside the common one. Even if an attacker injected markup, nothing would be loaded, and
/// no script would run but those that the policy names.
pub fn head(title: &str, policy: &str, style: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="referrer" content="no-referrer";
            meta http-equiv="Content-Security-Policy" content=(policy);
            link rel="icon" href="data:,";
            title { (title) }
            style { (PreEscaped(style_sheet())) (PreEscaped(style)) }
        }
    }
}
