//! The report of a request, and its page.

use ebs_advice::{Request, advise, frontier_from_advice, insufficient};
use ebs_base::format::plain_page;
use ebs_comparison::card::{histograms, report_card};
use ebs_imports::drivers::fio::Fio;
use ebs_report::html::{self, Comparison, Page};
use ebs_report::{Arguments, Report};
use ebs_samples::evidence::{Coverage, Window};
use ebs_tuning::findings::Finding;
use ebs_workload::declarations::Declarations;
use ebs_workload::io_sources::sources;
use ebs_workload::run_timeline::RunTimeline;
use ebs_workload::steady_state::Steadiness;
use ebs_workload::waits::waits;

use crate::LocalTime;

/// Input of a report.
pub struct ReportInput<'a> {
    /// The run or look-back: `run tpcc-100`.
    pub subject: String,
    /// The server: `PostgreSQL 18.6`.
    pub server: String,
    /// Its times.
    pub local: LocalTime,
    /// The request.
    pub request: &'a Request,
    /// The evidence.
    pub window: &'a Window,
    /// Steadiness of a run; `None` of a look-back.
    pub steadiness: Option<Steadiness>,
    /// checkpoint_timeout, seconds; `None` where it is not known.
    pub checkpoint_timeout_s: Option<f64>,
    /// Volumes and instance, declared or described.
    pub declared: &'a Declarations,
    /// Arguments for further calls.
    pub arguments: Arguments,
}

impl<'a> ReportInput<'a> {
    /// Makes the report. `findings` is called where the evidence suffices, `pause` between pieces of the work.
    pub fn report<E>(
        self,
        findings: impl FnOnce() -> Result<Vec<Finding>, E>,
        pause: &dyn Fn(),
    ) -> Result<Report<'a>, E> {
        let (window, request, declared) = (self.window, self.request, self.declared);
        let coverage = Coverage::from_window(window);
        let enough = insufficient(window, &coverage).is_none();
        Ok(Report {
            subject: self.subject,
            server: self.server,
            when: self.local.when,
            utc_offset: self.local.utc_offset,
            request,
            window,
            coverage,
            steadiness: self.steadiness,
            checkpoint_timeout_s: self.checkpoint_timeout_s,
            advice: enough.then(|| advise(window, request, declared, pause)),
            sources: sources(window),
            waits: waits(window),
            declared,
            arguments: self.arguments,
            findings: if enough { findings()? } else { Vec::new() },
        })
    }
}

/// Renders a report as one page with plots: of a run with its timeline, fio's reports and a comparison with others.
pub fn render_page(
    report: &Report,
    timeline: Option<&RunTimeline>,
    fio: &[Fio],
    comparison: Option<Comparison>,
    pause: &dyn Fn(),
) -> String {
    let advice = report.advice.iter();
    let frontier = advice.flat_map(|advice| frontier_from_advice(advice, report.request, None, pause));
    let page = html::render(&Page {
        report,
        insufficient: Page::insufficient(report),
        timeline,
        frontier: frontier.collect(),
        histograms: histograms(report.window, fio),
        card: report_card(report.window, fio),
        comparison,
        utc_offset: report.utc_offset.clone(),
    });
    plain_page(&page)
}
