//! Path of a run with its configuration to its report: the steps between evidence and answer that are the same for the tables of the extension
//! and for files in the hands of `ebsctl`. Imported evidence becomes a run ([`ImportedRun`]), the configuration is joined to it
//! ([`ConfiguredStorage`]), a request is resolved against both ([`complete_request`]), and the report is made ([`ReportInput`]).

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod configuration;
mod error;
mod findings;
mod imported;
mod local_time;
mod prices;
mod report;
mod request;
mod run;
mod run_evidence;

pub use configuration::{
    ConfigurationSource, Configured, ConfiguredStorage, DescribedConfiguration, JoinDoubt, complete_window,
    ebs_volume_ids, is_instance_class,
};
pub use error::AnswerError;
pub use findings::{IndexPrices, RunFindings, StatementActivity, imported_texts, priced_indexes};
pub use imported::{ImportedRun, WaitsError, add_waits, check_waits, covered_doubts};
pub use local_time::LocalTime;
pub use prices::{price_region, prices_of_place, prices_of_region};
pub use report::{ReportInput, render_page};
pub use request::{Driver, check_request, complete_request, keep_source, load_driver, missing_prices, refuse_storage};
pub use run::{RunHeader, server_name};
pub use run_evidence::{assemble_run, decode_samples, reading_pair};
