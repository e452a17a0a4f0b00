//! The HTML document: its head, its sections, and the report as text.

use maud::{DOCTYPE, Markup, html};

use super::Page;
use super::head::head;
use super::sections::{Section, all, summary};
use crate::text::{self, Show};

/// Policy of the page: no scripts.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'";

/// Beginning of every page, up to its policy, which holds for all that follows.
const START: &str = concat!(
    "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"referrer\" content=\"no-referrer\">",
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; ",
    "form-action 'none'; base-uri 'none'\">",
);

/// True of a page whose policy comes before all else, so that a browser runs no script of it, whoever wrote it, and without a further
/// `meta`, which could lead elsewhere.
pub fn has_policy(page: &str) -> bool {
    page.strip_prefix(START).is_some_and(|rest| !rest.to_ascii_lowercase().contains("<meta"))
}

/// Renders the page.
pub fn render(page: &Page) -> String {
    let report = page.report;
    let sections = all(page);
    let title = format!("EBS advice for {}", report.subject);
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            (head(&title, POLICY, ""))
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
