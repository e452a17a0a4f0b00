//! Requests for advice: from the arguments of a SQL function to checked values and the evidence that they are about.

use ebs_advice::arguments::PLATFORM;
use ebs_advice::{GivenArguments, Request};
use ebs_answer::{
    AnswerError, ConfiguredStorage, check_request, complete_request, keep_source, load_driver, missing_prices,
    refuse_storage,
};
use ebs_aws::catalogue::{AURORA, Platform};
use ebs_base::argument::Value;
use ebs_base::lookback::Lookback;
use ebs_report::sql_literal;
use ebs_samples::evidence::StorageLayout;
use pgrx::datum::Interval;

use crate::errors::{Error, notice_with_hint};
use crate::ffi::CalledFunction;
use crate::functions::run_selection::{RunSelection, refuse_lookback, select_run};
use crate::storage;

/// The arguments, as written in SQL. NULL is the default, so that callers can pass on arguments that they were not given.
#[derive(Default)]
pub struct RequestArguments<'a>(GivenArguments<'a>);

impl<'a> RequestArguments<'a> {
    /// Takes those that the function is called with.
    pub fn from_call(call: &'a CalledFunction) -> RequestArguments<'a> {
        RequestArguments(GivenArguments::collect(|known| call.value(known.argument.name)))
    }

    /// Checks them for a run. Called before evidence is read: a mistyped one should not cost the time of a look-back.
    pub fn check(&self, run: Option<&str>) -> Result<Request, Error> {
        if let Some(platform) = self.0.text(&PLATFORM) {
            platform.parse::<Platform>()?;
            return self.check_on(None, None);
        }
        self.check_on(run.map(platform_of_run).transpose()?.flatten(), None)
    }

    /// Checks them; platform and place that were not given are these.
    fn check_on(&self, platform: Option<Platform>, place: Option<&str>) -> Result<Request, Error> {
        let request = check_request(&self.0, platform, place, storage::prices_of_place)?;
        if let Some((message, hint)) = missing_prices(&request) {
            notice_with_hint(message, hint);
        }
        Ok(request)
    }

    /// The arguments that differ from the defaults, with their literals: `percentile`, `95`.
    pub fn to_sql(&self) -> Vec<(&'static str, String)> {
        let literal = |value: Value| match value {
            Value::Text(text) => sql_literal(text),
            number => number.text(),
        };
        self.0.differing().map(|(name, value)| (name, literal(value))).collect()
    }
}

/// Checks the arguments, and selects the evidence of a request. Platform and region that were not given are those of the configuration.
/// Without a named instance, the limits of the one that was declared or detected count. The command of a run's load driver shows a
/// closed or an open loop.
pub fn resolve_request(
    arguments: &RequestArguments,
    run: Option<&str>,
    lookback: Option<Interval>,
) -> Result<(RunSelection, Request), Error> {
    if let Some(label) = run {
        refuse_lookback(label, lookback, Lookback::DEFAULT.us())?;
    }
    let request = arguments.check(run)?;
    let selection = select_run(run, lookback)?;
    let mut window = keep_source(selection.window, request.io_source, &selection.name)?;
    let request = arguments.check_on(selection.configured.platform, selection.configured.place())?;
    refuse_storage(&request, &selection.configured)?;
    let driver = selection.run.as_ref().map(|run| storage::load_driver(run.run_id)).transpose()?.unwrap_or_default();
    window.driver = load_driver(&driver);
    let selection = RunSelection { window, ..selection };
    let max_wal_bytes = selection.max_wal_bytes()?;
    let request = complete_request(request, &selection.window, &selection.configured, &driver, max_wal_bytes);
    Ok((selection, request))
}

/// Platform of a run by its configuration, without its samples. Aurora, which is none, is refused.
fn platform_of_run(label: &str) -> Result<Option<Platform>, Error> {
    let run = storage::find_run(label)?;
    let Some(to_us) = run.to_us.filter(|_| run.imported) else { return Ok(None) };
    let declared = storage::declarations_of_run(&run, to_us)?;
    let layout = StorageLayout::default();
    let storage = ConfiguredStorage::from_run(&storage::ImportedConfiguration, declared, &run, &layout, to_us)?;
    match (storage.is_aurora, storage.unknown_storage) {
        (true, _) => Ok(Some(AURORA.parse()?)),
        (false, Some(unknown)) => Err(AnswerError::UnknownStorage(unknown).into()),
        (false, None) => Ok(storage.platform),
    }
}
