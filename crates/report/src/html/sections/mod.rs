//! Sections of the page, each a file.

mod balance;
mod comparison;
mod demand;
mod findings;
mod limitations;
mod prices;
mod report_card;
mod section;
mod sessions;
pub mod summary;
mod volumes;

pub use section::Section;

use super::Page;

/// Builds the sections of a page, in their order.
pub fn all(page: &Page) -> Vec<Section> {
    let advised = page.insufficient.is_none();
    let sections = [
        Some(demand::section(page)),
        Some(sessions::section(page)),
        Some(balance::section(page)),
        advised.then(|| prices::section(page)),
        advised.then(|| volumes::section(page)),
        findings::section(&page.report.findings, &page.report.arguments),
        report_card::section(&page.card),
        page.comparison.as_ref().map(comparison::section),
        Some(limitations::section(page)),
    ];
    sections.into_iter().flatten().collect()
}
