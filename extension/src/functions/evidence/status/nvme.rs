//! The check of pages with EBS's own counters.

use ebs_base::format::size;
use ebs_samples::evidence::StorageLayout;

use super::row::StatusRow;
use crate::probes::{self, EbsPageResult};

const START: &str = "To see what EBS counts itself: sudo make install-nvme-helper, then sudo systemctl enable --now ebs-nvme-stats (docs/nvme.md).";
const READ_LOG: &str = "Ask the program why: journalctl -u ebs-nvme-stats (docs/nvme.md).";

/// One row: failed where some EBS volumes have a page and others none, without a result where there is no volume or no page.
pub fn row(layout: &StorageLayout) -> StatusRow {
    let Some(pages) = probes::ebs_pages(layout) else {
        return StatusRow::unknown("nvme", "off: ebs_advisor.nvme_directory is empty", None);
    };
    if pages.is_empty() {
        return StatusRow::unknown("nvme", "no EBS volume found", None);
    }
    let detail = pages.iter().map(|(volume, page)| page_text(volume, page)).collect::<Vec<_>>().join("; ");
    if pages.iter().all(|(_, page)| matches!(page, Ok(None))) {
        return StatusRow::unknown("nvme", detail, Some(START.to_owned()));
    }
    let complete = pages.iter().all(|(_, page)| matches!(page, Ok(Some(_))));
    StatusRow::unless("nvme", detail, (!complete).then(|| READ_LOG.to_owned()))
}

fn page_text(volume: &str, page: &EbsPageResult) -> String {
    match page {
        Ok(Some(reading)) => format!("{volume}: page {} s old", size(reading.age_us as f64 / 1e6)),
        Ok(None) => format!("{volume}: no page"),
        Err(reason) => format!("{volume}: {reason}"),
    }
}
