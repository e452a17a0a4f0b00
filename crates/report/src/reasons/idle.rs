//! The answer for an idle volume, of which there is no other advice.

use super::decided::{Decided, describe_finding, describe_reason};
use crate::Report;
use crate::reasons::{candidate, month};
use ebs_advice::{Action, IdleVolume, PricedVolumes, Procedure};
use ebs_aws::price::{Bill, PriceUncertainty, bill, uncertainties};
use ebs_base::units::Usd;

/// The answer for an idle volume.
pub struct IdleAnswer {
    /// Role of the volume.
    pub role: String,
    /// The volumes that it leads to.
    pub volumes: PricedVolumes,
    /// True where these are the present ones.
    pub keeps: bool,
    /// Their price by its parts; `None` where it is not known.
    pub bill: Option<Bill>,
    /// Parts of it that are not straight from a price list.
    pub price_uncertainties: Vec<PriceUncertainty>,
    /// Saving a month; `None` where a price is not known.
    pub saved: Option<Usd>,
    /// Reason, and the findings beside it.
    pub reason: String,
    /// The change; `None` where it keeps them.
    pub procedure: Option<Procedure>,
}

impl IdleAnswer {
    /// The answer of a report; `None` where there is other advice, or where nothing is known of an idle volume to decide on.
    pub fn from_report(report: &Report) -> Option<IdleAnswer> {
        let (idle, decision) = report.idle()?;
        let (volumes, prices) = (decision.volumes?, &report.request.prices);
        let decided = Decided::of_run(report, &decision, idle.present, None);
        let findings = decision.findings.iter().map(|finding| describe_finding(finding, &decided));
        let beside = findings.filter(|(code, _)| *code != "idle").map(|(_, text)| text);
        let (_, reason) = describe_reason(&decision.reason, &decided);
        let role = report.window.layout.volumes.get(*report.window.current.first()?)?.role();
        Some(IdleAnswer {
            role,
            bill: bill(&volumes.config, volumes.volumes, prices).filter(|_| volumes.usd_month.is_some()),
            price_uncertainties: uncertainties(&volumes.config, prices),
            volumes,
            keeps: decision.action == Action::Keep,
            saved: decision.saved,
            reason: std::iter::once(reason).chain(beside).collect::<Vec<_>>().join("; "),
            procedure: IdleVolume::plan(&decision, report.window, report.declared, report.request),
        })
    }

    /// Describes the answer in a sentence: `Recommended: keep gp3, 1 × 500 GiB, 3,000 IOPS, 125 MiB/s, $40.00 a month: …`.
    pub fn describe(&self) -> String {
        let PricedVolumes { config, volumes, usd_month } = &self.volumes;
        let keep = if self.keeps { "keep " } else { "" };
        let order = candidate::describe_config(config, *volumes);
        let price = format!("{}{}", month::describe(*usd_month), candidate::describe_saving(self.saved));
        format!("Recommended: {keep}{order}, {price}: {}.", self.reason)
    }
}
