//! Causes of I/O in a run: what its readings show, and the indexes that another server's planner recommended.

use std::collections::BTreeMap;

use ebs_advice::{Advice, Candidate, Request, advise, insufficient};
use ebs_base::units::Usd;
use ebs_report::reasons::evidence;
use ebs_samples::evidence::{Coverage, Window};
use ebs_tuning::findings::{self, Basis, DeviceShare, Settings, missing_index};
use ebs_tuning::indexes::{Finding, Kind, read_pages_s, residual_demand};
use ebs_workload::declarations::Declarations;
use ebs_workload::reading::Span;
use ebs_workload::statements::{Device, Observed, StatementKey, attribute};
use serde_json::Value;

/// Activity of statements, and its share of the device's requests.
pub struct StatementActivity {
    /// Statement by statement.
    pub observed: Observed,
    /// All together at the device; `None` where that is not known.
    pub device: Option<Device>,
}

impl StatementActivity {
    /// Activity between the readings at both ends of a run; `None` where statements were not read.
    pub fn from_readings(readings: &Span, window: &Window) -> Option<StatementActivity> {
        let mut observed = readings.statements().ok()?;
        let device = attribute(&mut observed, window);
        Some(StatementActivity { observed, device })
    }
}

/// Texts of statements that a run from another server keeps.
pub fn imported_texts(observed: &Observed) -> BTreeMap<StatementKey, String> {
    let text = |key: StatementKey| Some((key, observed.texts.get(&key.query_id)?.clone()));
    observed.statements.iter().filter_map(|statement| text(statement.key())).collect()
}

/// Evidence of causes of I/O in a run.
pub struct RunFindings<'a> {
    /// The samples.
    pub window: &'a Window,
    /// The readings at both ends of the run; `None` without them.
    pub readings: Option<&'a Span>,
    /// Activity of statements; `None` where it is not known.
    pub activity: Option<&'a StatementActivity>,
    /// Texts of statements.
    pub texts: &'a BTreeMap<StatementKey, String>,
    /// The server and its settings at the beginning of the run.
    pub environment: Option<&'a Value>,
}

impl RunFindings<'_> {
    /// Collects the findings, missing indexes among them.
    pub fn collect(&self, missing_indexes: Vec<findings::Finding>) -> Vec<findings::Finding> {
        let basis = Basis {
            window: self.window,
            readings: self.readings,
            observed: self.activity.map(|activity| &activity.observed),
            texts: self.texts,
            settings: self.environment.map(Settings::from_environment).unwrap_or_default(),
        };
        findings::collect_findings(&basis, missing_indexes)
    }
}

/// Recommended indexes as findings, with the saving of the volume by each.
pub fn priced_indexes(
    recommended: Vec<Finding>,
    activity: Option<&StatementActivity>,
    prices: Option<&IndexPrices>,
) -> Vec<findings::Finding> {
    let finding = |index: Finding| {
        let share = |StatementActivity { observed, device }: &_| DeviceShare::new(&index, observed, device.as_ref());
        let share = activity.map(share).unwrap_or_default();
        let saved = prices.and_then(|prices| prices.with_index(&index)?.1);
        missing_index(index, share, saved)
    };
    recommended.into_iter().map(finding).collect()
}

/// Prices of the volume with an index in place: the demand without the reads that it spares goes through the same search and replay as any
/// other.
pub struct IndexPrices<'a> {
    window: &'a Window,
    request: &'a Request,
    declared: &'a Declarations,
    pause: &'a dyn Fn(),
    present_usd: Option<Usd>,
    read_pages_s: f64,
}

impl<'a> IndexPrices<'a> {
    /// The recommendation without an index, for comparison with those that have one. Refuses, with the reason, where there is no advice or
    /// PostgreSQL's reads are not known.
    pub fn new(
        window: &'a Window,
        request: &'a Request,
        declared: &'a Declarations,
        pause: &'a dyn Fn(),
    ) -> Result<IndexPrices<'a>, String> {
        if let Some(missing) = insufficient(window, &Coverage::from_window(window)) {
            return Err(evidence::describe_reason_with_heading(&missing));
        }
        let read_pages_s = read_pages_s(window).ok_or("PostgreSQL's reads were not sampled")?;
        let present_usd = advise(window, request, declared, pause).separate_usd();
        Ok(IndexPrices { window, request, declared, pause, present_usd, read_pages_s })
    }

    /// The volume with a recommended index in place, and its monthly saving.
    pub fn with_index(&self, finding: &Finding) -> Option<(Candidate, Option<Usd>)> {
        let saved_s = finding.saved_s.filter(|_| finding.kind == Kind::Index && finding.advised)?;
        let cost = finding.cost.unwrap_or_default();
        self.with_demand(saved_s - cost.reads_s, cost.writes_s)
    }

    /// The volume for this many fewer reads and more writes a second, and its monthly saving.
    fn with_demand(&self, reads_s: f64, writes_s: f64) -> Option<(Candidate, Option<Usd>)> {
        let window = residual_demand(self.window, reads_s / self.read_pages_s, writes_s);
        let request = self.request;
        let advice: Advice = advise(&window, request, self.declared, self.pause);
        let are_known = request.prices.are_known(request.platform);
        let saved = self.present_usd.zip(advice.separate_usd()).filter(|_| are_known);
        let saved = saved.map(|(present, then)| present - then);
        Some((advice.roles.iter().find_map(|role| role.best().cloned())?, saved))
    }
}
