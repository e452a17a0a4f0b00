//! The HTML document: its head, its sections, and the report as text.

use maud::{Markup, html};

use super::Page;
use super::kit::Shell;
use super::sections::{Section, all, summary};
use crate::text::{self, Show};

/// Renders the page.
pub fn render(page: &Page) -> String {
    let report = page.report;
    let sections = all(page);
    let title = format!("EBS advice for {}", report.subject);
    let header = html! { (summary::markup(page)) (contents(&sections)) };
    let main = html! {
        @for section in &sections { (section.markup()) }
        details { summary { "The report as text" } pre tabindex="0" { (text::render(report, Show::All).join("\n")) } }
    };
    Shell { title: &title, ..Shell::default() }.render(&header, &main, &html! {})
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
