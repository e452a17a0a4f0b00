//! The slow probes, and what of them failed: said once for each failure, not once a block.

use ebs_samples::evidence::{Accounts, Place};

use crate::probes::Processor;
use crate::{ffi, probes};

/// Reads them for the volumes of this place.
pub fn read(place: &Place, processor: &mut Processor) -> Accounts {
    let (accounts, problems) = probes::accounts(place, processor);
    let news = ffi::update_sampler_state(|state| {
        let nvme = state.nvme_problem.set(problems.nvme.as_deref());
        (nvme, state.processor_problem.set(problems.processor.as_deref()))
    });
    let (nvme_news, processor_news) = news.unwrap_or_default();
    if let (Some(reason), true) = (problems.nvme, nvme_news) {
        pgrx::warning!("ebs_advisor cannot use statistics of EBS volumes: {reason}");
    }
    if let (Some(reason), true) = (problems.processor, processor_news) {
        pgrx::warning!("ebs_advisor cannot tell CPU time: {reason}");
    }
    accounts
}
