//! Which EBS volumes have a page of what EBS counts itself.

use ebs_base::format::size;
use ebs_samples::evidence::Place;

use super::Row;
use crate::probes::{self, EbsPageResult};

const START: &str = "To see what EBS counts itself: sudo make install-nvme-helper, then sudo systemctl enable --now ebs-nvme-stats (docs/nvme.md).";
const LOOK: &str = "Ask the program why: journalctl -u ebs-nvme-stats (docs/nvme.md).";

/// One row: not well where the program serves some volumes and not others, not known where there is nothing to serve or
/// nobody who does.
pub(super) fn row(place: &Place) -> Row {
    let unknown = |detail: &str, hint: Option<&str>| ("nvme", None, detail.to_owned(), hint.map(str::to_owned));
    let Some(pages) = probes::ebs_pages(place) else {
        return unknown("off: ebs_advisor.nvme_directory is empty", None);
    };
    if pages.is_empty() {
        return unknown("no EBS volume found", None);
    }
    let detail = pages.iter().map(|(volume, page)| words(volume, page)).collect::<Vec<_>>().join("; ");
    if pages.iter().all(|(_, page)| matches!(page, Ok(None))) {
        return unknown(&detail, Some(START));
    }
    let well = pages.iter().all(|(_, page)| matches!(page, Ok(Some(_))));
    ("nvme", Some(well), detail, (!well).then(|| LOOK.to_owned()))
}

fn words(volume: &str, page: &EbsPageResult) -> String {
    match page {
        Ok(Some(reading)) => format!("{volume}: page {} s old", size(reading.age_us as f64 / 1e6)),
        Ok(None) => format!("{volume}: no page"),
        Err(reason) => format!("{volume}: {reason}"),
    }
}
