//! Selection of evidence by the arguments `run` and `lookback`: a run by its label, or everything sampled in a time up to now.

use ebs_answer::{ConfiguredStorage, JoinDoubt, RunHeader, complete_window, server_name};
use ebs_base::format::plain;
use ebs_base::labels::quoted_label;
use ebs_base::lookback::Lookback;
use ebs_report::{Arguments, sql_literal};
use ebs_samples::evidence::{Tier, Window};
use ebs_tuning::findings::Settings;
use ebs_workload::declarations::Declarations;
use ebs_workload::run_timeline::RunTimeline;
use ebs_workload::steady_state::Steadiness;
use pgrx::datum::Interval;

use crate::errors::{Error, notice, notice_with_hint};
use crate::sql::{first_text, first_value};
use crate::{probes, settings, storage};

/// The run or look-back of an answer, with its evidence.
pub struct RunSelection {
    /// `run tpcc-100`, `the last 14 days`.
    pub name: String,
    /// `PostgreSQL 18.6`.
    pub server: String,
    /// The run; `None` of a look-back.
    pub run: Option<storage::Run>,
    /// The look-back; `None` of a run.
    pub lookback: Option<Lookback>,
    /// The evidence.
    pub window: Window,
    /// The run from flush to flush; `None` of a look-back, most of which is downsampled.
    pub timeline: Option<RunTimeline>,
    /// Steadiness of a run; `None` of a look-back, which need not be steady.
    pub steadiness: Option<Steadiness>,
    /// Configuration of the cluster's volumes at its end: declared (of a run from another server, there), or else imported.
    pub configured: ConfiguredStorage,
}

/// Selects the run of this label, or the last `lookback`.
pub fn select_run(run: Option<&str>, lookback: Option<Interval>) -> Result<RunSelection, Error> {
    let selection = match run {
        Some(label) => refuse_lookback(label, lookback, Lookback::DEFAULT.us()).and_then(|()| from_run(label)),
        None => from_lookback(lookback),
    }?;
    if selection.window.sampling.tier == Tier::OnDemand {
        notice(format!("{} was sampled {}", selection.name, Tier::OnDemand.name()));
    }
    Ok(selection)
}

/// Refuses a look-back beside a run, which has its own beginning and end. A look-back of the default length is accepted, because it
/// cannot be distinguished from none.
pub fn refuse_lookback(label: &str, lookback: Option<Interval>, default_us: i64) -> Result<(), Error> {
    if lookback.is_none_or(|lookback| lookback.as_micros() == i128::from(default_us)) {
        return Ok(());
    }
    let message = format!("lookback is for no run, and run \"{}\" is named", quoted_label(label));
    let hint = "Leave out one of the two.";
    Err(Error::invalid_parameter(message, hint)
        .with_detail("A run is looked at from its beginning, or its mark measure, to its end."))
}

fn from_run(label: &str) -> Result<RunSelection, Error> {
    let run = storage::find_run(label)?;
    let to_us = run.to_us.unwrap_or_else(probes::wall_us);
    let (mut window, timeline) = storage::load_evidence_and_timeline(&run, run.from_us, to_us)?;
    let steadiness = Some(Steadiness::from_window(&window, &timeline, run.marked));
    if run.to_us.is_none() {
        window.end_at_last_sample(pending_us());
    }
    let server = run.server();
    window.caveats.clone_from(&run.doubts);
    let declared = storage::declarations_of_run(&run, to_us)?;
    let configured = configure(&mut window, declared, Some(&run), to_us)?;
    let (name, timeline) = (plain(&format!("run {}", run.label)), Some(timeline));
    let run = Some(run);
    Ok(RunSelection { name, server, run, lookback: None, window, timeline, steadiness, configured })
}

/// Finds the configuration of evidence up to `to_us`, and completes the evidence with it, its changes and those that are pending.
fn configure(
    window: &mut Window,
    declared: Declarations,
    run: Option<&RunHeader>,
    to_us: i64,
) -> Result<ConfiguredStorage, Error> {
    let times = (to_us, probes::wall_us());
    let configured = complete_window(&storage::ImportedConfiguration, window, declared, run, times)?;
    if let Some((label, doubt)) = run.map(|run| &run.label).zip(configured.join_doubt.as_ref()) {
        notice_join_doubt(label, doubt);
    }
    Ok(configured)
}

/// Writes why no imported configuration is used for a run of RDS.
fn notice_join_doubt(label: &str, doubt: &JoinDoubt) {
    match doubt {
        JoinDoubt::Several { name, places } => notice_with_hint(
            format!("several imported RDS instances are called \"{name}\""),
            format!(
                "None is used for run \"{label}\": they are in {}. Declare its storage: ebs_volume_declare(…, run => …).",
                places.join(", ")
            ),
        ),
        JoinDoubt::Unnamed(names) => {
            let Some(first) = names.first() else { return };
            let hint = format!(
                "Imported are {}. Import the run under the identifier as its label, or with metrics that name it, as Label \
                 \"{first} ReadIOPS\"; or declare its storage: ebs_volume_declare(…, run => …).",
                names.join(", ")
            );
            notice_with_hint(format!("the RDS instance of run \"{label}\" is unknown: no configuration is used"), hint);
        }
    }
}

/// Checks the argument lookback.
pub fn parse_lookback(interval: Option<Interval>) -> Result<Lookback, Error> {
    let Some(interval) = interval else { return Ok(Lookback::DEFAULT) };
    Lookback::from_us(interval.as_micros()).ok_or_else(|| {
        let hint = "For example: lookback => '7 days'.";
        let message = "lookback must be longer than nothing and at most ten years";
        Error::invalid_parameter(message, hint)
    })
}

fn from_lookback(interval: Option<Interval>) -> Result<RunSelection, Error> {
    let lookback = parse_lookback(interval)?;
    let now_us = probes::wall_us();
    let mut window = storage::load_evidence(None, now_us - lookback.us(), now_us)?;
    window.begin_at_first_sample();
    window.end_at_last_sample(pending_us());
    let version = first_text("SELECT pg_catalog.current_setting('server_version')", &[])?;
    let declared = storage::declarations_at(now_us)?;
    let configured = configure(&mut window, declared, None, now_us)?;
    Ok(RunSelection {
        name: lookback.to_string(),
        server: server_name(&version),
        run: None,
        lookback: Some(lookback),
        timeline: None,
        steadiness: None,
        configured,
        window,
    })
}

/// Longest time between a sample and now in which the next one is taken and written.
fn pending_us() -> i64 {
    let pending = settings::flush_interval() + 2 * settings::sample_interval();
    i64::try_from(pending.as_micros()).unwrap_or(i64::MAX)
}

impl RunSelection {
    /// The run or look-back as arguments in SQL; a look-back of the default length is left out.
    pub fn arguments(&self) -> Arguments {
        let given = self.lookback.filter(|lookback| *lookback != Lookback::DEFAULT);
        let lookback = given.map(|lookback| ("lookback", sql_literal(&lookback.to_interval())));
        let run = self.run.as_ref().map(|run| sql_literal(&run.label));
        Arguments { run, named: lookback.into_iter().collect(), commands: None }
    }

    /// checkpoint_timeout, seconds.
    pub fn checkpoint_timeout_s(&self) -> Result<Option<f64>, Error> {
        let current = "SELECT setting::float8 FROM pg_catalog.pg_settings WHERE name = 'checkpoint_timeout'";
        self.setting(|kept| kept.checkpoint_timeout_s, || first_value(current, &[]))
    }

    /// max_wal_size, bytes.
    pub fn max_wal_bytes(&self) -> Result<Option<u64>, Error> {
        let current = "SELECT pg_catalog.pg_size_bytes(pg_catalog.current_setting('max_wal_size'))";
        let current = || Ok(first_value(current, &[])?.and_then(|bytes: i64| u64::try_from(bytes).ok()));
        self.setting(|kept| kept.max_wal_size, current)
    }

    /// A setting: the run's own, or for a look-back the server's; `None` where it is not known, as of imports.
    fn setting<T>(
        &self,
        of_run: impl Fn(Settings) -> Option<T>,
        of_server: impl Fn() -> Result<Option<T>, Error>,
    ) -> Result<Option<T>, Error> {
        let Some(run) = &self.run else { return of_server() };
        Ok(run.environment.as_ref().and_then(|kept| of_run(Settings::from_environment(kept))))
    }

    /// Explains an empty answer by the evidence that is missing: `what`.
    pub fn notice_if_empty(&self, is_empty: bool, what: &str) {
        if is_empty {
            notice(format!("no {what} in {}", self.name));
        }
    }

    /// The same where the evidence needs something beside the sampler, which `hint` names.
    pub fn hint_if_empty(&self, is_empty: bool, what: &str, hint: &str) {
        if is_empty {
            notice_with_hint(format!("no {what} in {}", self.name), hint);
        }
    }
}
