//! The HTML document: its head, its sections, and the report as text.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::Page;
use super::sections::{Section, all, summary};
use super::theme::style_sheet;
use crate::text::{self, Show};

/// Renders the page.
pub fn render(page: &Page) -> String {
    let report = page.report;
    let sections = all(page);
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                // Even if an attacker injected markup, nothing would be loaded, and nothing would run.
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:";
                link rel="icon" href="data:,";
                title { "EBS advice for " (report.subject) }
                style { (PreEscaped(style_sheet())) }
            }
            body {
                header class="top" { (summary::markup(page)) (contents(&sections)) }
                main {
                    @for section in &sections { (section.markup()) }
                    details { summary { "The report as text" } pre tabindex="0" { (text::render(report, Show::All).join("\n")) } }
                }
                footer { "ebs_advisor " (env!("CARGO_PKG_VERSION")) }
            }
        }
    };
    markup.into_string()
}

fn contents(sections: &[Section]) -> Markup {
    html! {
        nav aria-label="Contents" { ul {
            @for section in sections { li { a href=(format!("#{}", section.id)) { (section.name) } } }
        } }
    }
}

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
