//! Price of the volume with an index in place: the demand without the reads that it spares goes through the same search and replay
//! as any other.

use ebs_advice::{Advice, Candidate, Request, advise, insufficient};
use ebs_base::units::Usd;
use ebs_report::reasons::evidence;
use ebs_samples::evidence::{Coverage, Window};
use ebs_tuning::indexes::{Finding, Kind, read_pages_s, residual_demand};

use crate::errors::notice;
use crate::functions::run_selection::RunSelection;
use crate::interrupts::check_interrupts;

/// The recommendation without an index, for comparison with those that have one.
pub struct IndexPrices<'a> {
    selection: &'a RunSelection,
    request: &'a Request,
    present_usd: Option<Usd>,
    read_pages_s: f64,
}

impl<'a> IndexPrices<'a> {
    /// `None` where there is no advice, or PostgreSQL's reads are not known.
    pub fn new(selection: &'a RunSelection, request: &'a Request) -> Option<IndexPrices<'a>> {
        let window = &selection.window;
        let missing =
            insufficient(window, &Coverage::from_window(window)).as_ref().map(evidence::describe_reason_with_heading);
        let pages = read_pages_s(window);
        let missing = missing.or_else(|| pages.is_none().then(|| "PostgreSQL's reads were not sampled".to_owned()));
        if let Some(missing) = missing {
            notice(format!("no volume with an index in place: {missing}"));
            return None;
        }
        let present_usd = advise_on(window, selection, request).separate_usd();
        Some(IndexPrices { selection, request, present_usd, read_pages_s: pages? })
    }

    /// The volume with a recommended index in place, and its monthly saving.
    pub fn with_index(&self, finding: &Finding) -> Option<(Candidate, Option<Usd>)> {
        let saved_s = finding.saved_s.filter(|_| finding.kind == Kind::Index && finding.advised)?;
        let cost = finding.cost.unwrap_or_default();
        self.with_demand(saved_s - cost.reads_s, cost.writes_s)
    }

    /// The volume for this many fewer reads and more writes a second, and its monthly saving.
    fn with_demand(&self, reads_s: f64, writes_s: f64) -> Option<(Candidate, Option<Usd>)> {
        let window = residual_demand(&self.selection.window, reads_s / self.read_pages_s, writes_s);
        let advice = advise_on(&window, self.selection, self.request);
        let request = self.request;
        let are_known = request.prices.are_known(request.platform);
        let saved = self.present_usd.zip(advice.separate_usd()).filter(|_| are_known);
        let saved = saved.map(|(present, then)| present - then);
        Some((advice.roles.iter().find_map(|role| role.best().cloned())?, saved))
    }
}

fn advise_on(window: &Window, selection: &RunSelection, request: &Request) -> Advice {
    advise(window, request, &selection.configured.declared, &check_interrupts)
}
