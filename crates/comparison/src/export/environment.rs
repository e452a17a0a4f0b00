//! The environment of a run as a document.

use std::collections::BTreeMap;

use ebs_base::sparse;
use ebs_samples::evidence::DeviceChecks;
use serde::Serialize;
use serde_json::Value;

/// Program that watches a server, as the origin of its runs.
pub const WATCH_SOURCE: &str = "ebsctl watch";

/// Beginning of the limitation of such a run that names the reason for which it has no index advice, behind a colon.
pub const NO_INDEX_ADVICE: &str = "no index advice was made";

sparse! {
    /// Server that a run ran on, or origin of an imported run. Keys without a value are left out.
    #[derive(Default, Serialize)]
    #[cfg_attr(test, derive(schemars::JsonSchema))]
    pub struct EnvironmentDocument<'a> {
        /// Version of the server, `18.6`.
        pub server_version: Option<&'a str>,
        /// System identifier of the cluster (pg_control_system).
        pub system_identifier: Option<&'a str>,
        /// Settings that change the I/O of a workload, as current_setting shows them.
        pub settings: BTreeMap<&'a str, &'a str>,
        /// Program or service that the samples of an imported run come from.
        pub imported_from: Option<&'a str>,
        /// Limitations of that source, a sentence each.
        pub doubts: Option<&'a [String]>,
        /// Checks of limits and balances of burst credits that it kept of the devices.
        pub checks: &'a [DeviceChecks],
        /// Identifier of the RDS instance that an imported run is of (DBInstanceIdentifier).
        pub db_instance: Option<&'a str>,
        /// Resource id of that instance, which it keeps when it is renamed (DbiResourceId).
        pub dbi_resource_id: Option<&'a str>,
    }
}

impl<'a> EnvironmentDocument<'a> {
    /// The environment of an imported run.
    pub fn imported(source: &'a str, doubts: &'a [String]) -> EnvironmentDocument<'a> {
        EnvironmentDocument { imported_from: Some(source), doubts: Some(doubts), ..EnvironmentDocument::default() }
    }

    /// The same with checks of its devices.
    pub fn with_checks(self, checks: &'a [DeviceChecks]) -> EnvironmentDocument<'a> {
        EnvironmentDocument { checks, ..self }
    }

    /// Converts the environment to JSON.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}
