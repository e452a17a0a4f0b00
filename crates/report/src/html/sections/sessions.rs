//! I/O by source, and sessions by wait event.

use maud::html;

use super::Section;
use crate::html::Page;
use crate::html::figures::waits;
use crate::reasons::{io_shares, io_sources, sessions};

pub fn section(page: &Page) -> Section {
    let report = page.report;
    let figure = waits::figure(&report.waits, page.timeline, &page.utc_offset);
    let body = html! {
        p { (io_sources::describe(&report.sources)) }
        p { (io_shares::describe(report)) }
        p { (sessions::describe(report)) }
        @if let Some(figure) = figure { (figure.markup()) }
    };
    Section { id: "sessions", name: "Sessions", heading: "I/O by source, and wait events of sessions".to_owned(), body }
}
