//! Sentences of a row: the reason for its action, its findings, and what is not known, each with a code that stays.

mod carried;
mod finding;
mod reason;
mod unknown;

pub use finding::describe_finding;
pub use reason::describe_reason;
pub use unknown::describe_unknown;

use ebs_fleet::Source;

use ebs_fleet_row::Coded;

/// Name of an exporter.
pub fn source_name(source: Source) -> &'static str {
    match source {
        Source::NodeExporter => "node_exporter",
        Source::CsiDriver => "ebs-csi-driver",
        Source::RdsQonto => "rds_exporter (qonto)",
        Source::RdsPercona => "rds_exporter (percona)",
        Source::RdsEnhanced => "rds_exporter (percona, Enhanced Monitoring)",
        Source::YaceEbs | Source::YaceRds => "yace",
    }
}

/// A code with its sentence.
fn coded(code: &str, text: String) -> Coded {
    Coded { code: code.to_owned(), text }
}

#[cfg(test)]
mod reason_tests;
