//! Evidence of a server: blocks of samples, readings and limitations, until they become a run.

use crate::message::print_message;
use std::collections::BTreeMap;

use ebs_base::format::plain;
use ebs_comparison::export::{
    EnvironmentDocument, MAX_PACKED_BYTES, NO_INDEX_ADVICE, Run, RunReading, Samples, WATCH_SOURCE,
};
use ebs_remote::server::Server;
use ebs_samples::evidence::Block;
use ebs_tuning::indexes::Finding;
use ebs_workload::reading::{Reading, Span};
use ebs_workload::statements::{Missing, Observed};
use serde_json::Value;

use super::gaps::Gaps;
use super::index_advice::IndexAdvice;
use super::target::Target;

/// Room in a document for the last block.
const RESERVE_BYTES: usize = 1 << 20;

/// Evidence of a server.
#[derive(Clone, Default)]
pub struct Evidence {
    samples: Vec<Samples>,
    bytes: usize,
    /// Readings of the beginning and of the end; `None` is one that failed.
    readings: Vec<Option<Reading>>,
    /// Limitations, a sentence each.
    doubts: Vec<String>,
    gaps: Gaps,
    /// The server.
    server: Server,
    system_identifier: Option<String>,
    /// Findings on indexes; `None` where the planner was not asked.
    index_findings: Option<Vec<Finding>>,
    /// RDS instance.
    db_instance: Option<String>,
}

impl Evidence {
    /// Begins with the server and what its role may not read.
    pub fn new(target: &Target, doubts: Vec<String>) -> Evidence {
        let (server, system_identifier) = (target.server.clone(), target.system_identifier.clone());
        Evidence { server, system_identifier, db_instance: target.db_instance.clone(), doubts, ..Evidence::default() }
    }

    /// Adds a block of samples.
    pub fn add_block(&mut self, block: Block) {
        match Samples::from_block(block, &|| ()) {
            Ok(samples) => {
                self.bytes += samples.iter().map(|samples| samples.bytes.len()).sum::<usize>();
                self.samples.extend(samples);
            }
            Err(error) => self.add_doubt(format!("samples of a block could not be kept: {error}")),
        }
    }

    /// Adds a reading of statements, checkpoints and tables.
    pub fn add_reading(&mut self, reading: Option<Reading>) {
        self.readings.push(reading);
    }

    /// The reading of the beginning.
    pub fn first_reading(&mut self) -> Option<&mut Reading> {
        self.readings.first_mut()?.as_mut()
    }

    /// Activity of statements between both readings, or the reason for which it is not known.
    pub fn statements(&self) -> Result<Observed, Missing> {
        let [Some(before), .., Some(after)] = self.readings.as_slice() else { return Err(Missing::NotRead) };
        Span { before: before.clone(), after: after.clone() }.statements()
    }

    /// Keeps advice on indexes; the reason for which there is none, or not for each role, is printed and a limitation.
    pub fn add_index_advice(&mut self, advice: Result<IndexAdvice, String>) {
        let doubts: Vec<String> = match advice {
            Ok(IndexAdvice { findings, failed }) => {
                self.index_findings = Some(findings);
                failed.into_iter().map(|reason| format!("statements are not planned: {reason}")).collect()
            }
            Err(reason) => vec![format!("{NO_INDEX_ADVICE}: {reason}")],
        };
        for doubt in doubts {
            print_message!("warning: {}", plain(&doubt));
            self.add_doubt(doubt);
        }
    }

    /// Adds a limitation, once.
    pub fn add_doubt(&mut self, doubt: String) {
        if !self.doubts.contains(&doubt) {
            self.doubts.push(doubt);
        }
    }

    /// Adds a gap between two times of the server's clock, microseconds since 1970.
    pub fn add_gap(&mut self, reason: &'static str, from_us: i64, to_us: i64) {
        self.gaps.add(reason, from_us, to_us);
    }

    /// True once a document holds no more.
    pub fn is_full(&self) -> bool {
        self.bytes + RESERVE_BYTES > MAX_PACKED_BYTES
    }

    /// Number of samples.
    pub fn sample_count(&self) -> u64 {
        self.samples.iter().map(|samples| u64::try_from(samples.ticks).unwrap_or(0)).sum()
    }

    /// The run with this label: from its first sample to its last.
    pub fn into_run(self, label: &str, note: Option<Value>) -> Run {
        let started_us = self.samples.iter().map(|samples| samples.started_us).min().unwrap_or(0);
        let ended_us = self.samples.iter().map(|samples| samples.ended_us).max().unwrap_or(0);
        let environment = self.environment();
        // Readings are taken before the first sample and after the last: they belong to the run's ends.
        let of_moment =
            |(reading, moment_us): (Option<Reading>, i64)| Some(RunReading { moment_us, reading: reading? });
        let readings = self.readings.into_iter().zip([started_us, ended_us]).filter_map(of_moment);
        Run {
            label: label.to_owned(),
            started_us,
            ended_us,
            note,
            environment: Some(environment),
            readings: readings.collect(),
            samples: self.samples,
            index_findings: self.index_findings,
            ..Run::default()
        }
    }

    fn environment(&self) -> Value {
        let settings: BTreeMap<&str, &str> =
            self.server.settings.iter().flatten().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let doubts: Vec<String> = self.doubts.iter().cloned().chain(self.gaps.describe()).collect();
        let document = EnvironmentDocument {
            server_version: Some(self.server.version.as_str()),
            system_identifier: self.system_identifier.as_deref(),
            db_instance: self.db_instance.as_deref(),
            settings,
            ..EnvironmentDocument::imported(WATCH_SOURCE, &doubts)
        };
        document.to_json()
    }
}
