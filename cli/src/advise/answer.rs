//! The answer to a request on the evidence of files.

use std::collections::BTreeMap;
use std::convert::Infallible;

use ebs_advice::{GivenArguments, Request};
use ebs_answer::{
    IndexPrices, LocalTime, ReportInput, RunFindings, StatementActivity, check_request, complete_request,
    imported_texts, keep_source, missing_prices, price_region, priced_indexes, prices_of_place, prices_of_region,
    reading_pair, refuse_storage,
};
use ebs_aws::catalogue::{AURORA, Item, Platform, Price, Prices};
use ebs_aws::offer::ImportedPrice;
use ebs_base::argument::Value;
use ebs_base::error::InputError;
use ebs_base::format::plain;
use ebs_imports::drivers::fio::Fio;
use ebs_report::{Arguments, Report, ShellCommands, sql_literal};
use ebs_tuning::findings::{Finding, Settings};
use ebs_tuning::indexes::{Kind, statement::MAX_STATEMENTS, withdraw_other_commands};
use ebs_workload::run_timeline::RunTimeline;
use jiff::tz::TimeZone;

use super::arguments::OfAdvise;
use crate::advice_flags::AdviceFlags;
use crate::error::Error;
use crate::evidence_error::EvidenceError;
use crate::message::print_message;
use crate::server_files::Evidence;

/// A request that is resolved on the evidence of files.
pub struct Answer<'a> {
    evidence: Evidence,
    name: String,
    given: GivenArguments<'a>,
    request: Request,
}

impl<'a> Answer<'a> {
    /// Resolves a request.
    pub fn new(mut evidence: Evidence, sizing: &'a AdviceFlags<OfAdvise>) -> Result<Answer<'a>, Error> {
        let given = sizing.given();
        let name = plain(&format!("run {}", evidence.header.label));
        let Evidence { configured, prices, .. } = &evidence;
        if configured.is_aurora && given.text(&ebs_advice::arguments::PLATFORM).is_none() {
            // Refused: Aurora has no volumes.
            AURORA.parse::<Platform>()?;
        }
        let of_place = |place: &str| prices_of_place(place, |region| prices_of_files(region, prices));
        let request = check_request(&given, configured.platform, configured.place(), of_place)?;
        if let Some((message, hint)) = missing_prices(&request) {
            print_message!("warning: {message}");
            print_message!("hint:  {hint}");
        }
        refuse_storage(&request, configured).map_err(EvidenceError::Answer)?;
        let window = std::mem::take(&mut evidence.window);
        evidence.window = keep_source(window, request.io_source, &name).map_err(EvidenceError::Answer)?;
        let Evidence { window, configured, driver, .. } = &evidence;
        let max_wal_bytes = settings(&evidence).max_wal_size;
        let request = complete_request(request, window, configured, driver, max_wal_bytes);
        Ok(Answer { evidence, name, given, request })
    }

    /// Label of the run.
    pub fn label(&self) -> &str {
        &self.evidence.header.label
    }

    /// The run from flush to flush.
    pub fn timeline(&self) -> &RunTimeline {
        &self.evidence.timeline
    }

    /// Reports of fio.
    pub fn fio(&self) -> &[Fio] {
        &self.evidence.fio
    }

    /// Makes the report, with times of a zone. Its next steps are commands of a shell where some are given.
    pub fn report(&self, zone: &TimeZone, commands: Option<ShellCommands>) -> Report<'_> {
        let Evidence { header, window, steadiness, configured, .. } = &self.evidence;
        let input = ReportInput {
            subject: self.name.clone(),
            server: header.server(),
            local: LocalTime::new(window, zone),
            request: &self.request,
            window,
            steadiness: Some(*steadiness),
            checkpoint_timeout_s: settings(&self.evidence).checkpoint_timeout_s,
            declared: &configured.declared,
            arguments: self.arguments(commands),
        };
        let Ok(report) = input.report(|| Ok::<_, Infallible>(self.findings()), &|| ());
        report
    }

    /// Arguments of further calls.
    fn arguments(&self, commands: Option<ShellCommands>) -> Arguments {
        let literal = |value: Value| match value {
            Value::Text(text) => sql_literal(text),
            number => number.text(),
        };
        let named = self.given.differing().map(|(name, value)| (name, literal(value))).collect();
        Arguments { run: Some(sql_literal(self.label())), named, commands }
    }

    fn findings(&self) -> Vec<Finding> {
        let Evidence { header, document, window, configured, .. } = &self.evidence;
        let readings = reading_pair(document, header);
        let activity = readings.as_ref().and_then(|span| StatementActivity::from_readings(span, window));
        let texts = activity.as_ref().map_or_else(BTreeMap::new, |activity| imported_texts(&activity.observed));
        let mut recommended = document.index_findings.clone().unwrap_or_default();
        withdraw_other_commands(&mut recommended);
        recommended.retain(|finding| finding.kind == Kind::Index && finding.advised);
        recommended.truncate(MAX_STATEMENTS);
        let indexes = match recommended.is_empty() {
            true => Vec::new(),
            false => {
                let prices = IndexPrices::new(window, &self.request, &configured.declared, &|| ());
                priced_indexes(recommended, activity.as_ref(), prices.ok().as_ref())
            }
        };
        let environment = header.environment.as_ref();
        let (readings, activity, texts) = (readings.as_ref(), activity.as_ref(), &texts);
        RunFindings { window, readings, activity, texts, environment }.collect(indexes)
    }
}

/// Settings of the server at the beginning of the run.
fn settings(evidence: &Evidence) -> Settings {
    evidence.header.environment.as_ref().map(Settings::from_environment).unwrap_or_default()
}

/// Prices of a region: built in, or of a file.
fn prices_of_files(region: &str, imported: &[ImportedPrice]) -> Result<Prices, InputError> {
    let name = price_region(region);
    let of_region = imported.iter().filter(|(place, ..)| *place == name);
    let items: Vec<(Item, Price)> = of_region.map(|(_, item, price)| (*item, price.clone())).collect();
    prices_of_region(region, items)
}
