//! Price against predicted throughput for each role.

use maud::html;

use super::Section;
use crate::html::Page;
use crate::html::figures::frontier::{Markers, Recommended, figure};
use crate::reasons::{candidate, prediction};

pub fn section(page: &Page) -> Section {
    let body = html! {
        @for (at, frontier) in page.frontier.iter().enumerate() {
            @match figure(format!("frontier-{}", at + 1), frontier, &markers(page, &frontier.role)) {
                Some(figure) => (figure.markup()),
                None if frontier.points.is_ok() => p { "No prices for " (frontier.role) ": those of " (page.report.request.prices.region) " are not known." },
                None => p { "No prediction for " (frontier.role) ": " (frontier.points.as_ref().err().map_or("", |missing| prediction::describe_missing_input(*missing))) "." },
            }
        }
    };
    Section { id: "price", name: "Price", heading: "Price against throughput".to_owned(), body }
}

/// Returns the current and the recommended volumes of a role.
fn markers(page: &Page, role: &str) -> Markers {
    let consolidated = page.report.advice.iter().filter_map(|advice| advice.consolidated.as_ref());
    let Some(advice) = page.report.roles().chain(consolidated).find(|advice| advice.state.group.role == role) else {
        return Markers::default();
    };
    let current = advice.current.as_ref().and_then(|current| current.bill).map(|bill| bill.total());
    let recommended = advice.best().filter(|_| advice.instance_saturation.is_none()).and_then(|best| {
        let (order, kind) = (candidate::describe_volumes(best), best.config.volume_type);
        Some(Recommended { order, kind, price: best.usd_month()?, ratio: best.ratio()? })
    });
    Markers { current, recommended }
}
