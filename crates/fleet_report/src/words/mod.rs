//! Sentences of a row: the reason for its action, its findings, and what is not known, each with a code that stays.

mod brief;
mod finding;
mod reason;
mod unknown;

pub use brief::describe_reason_briefly;
pub use finding::describe_finding;
pub use reason::describe_reason;
pub use unknown::describe_unknown;

use ebs_fleet::{UnknownFact, VolumeAnswer};
use ebs_report::reasons::decided::Decided;
use ebs_report::reasons::observed::Observed;

use ebs_fleet_row::Coded;

/// The decision of an answer.
fn decided_of(answer: &VolumeAnswer) -> Decided<'_> {
    let unknown_type = answer.unknown.iter().find_map(|fact| match fact {
        UnknownFact::VolumeType(name) => Some(name.as_str()),
        _ => None,
    });
    Decided {
        observed: Observed::Volume,
        platform: answer.identity.platform,
        unknown_type,
        interval_s: answer.evidence.interval_s,
        present: answer.present,
        volumes: answer.recommended,
        space: answer.space,
        action: answer.action,
        saved: answer.saved,
        findings: &answer.findings,
    }
}

fn from_coded((code, text): (&str, String)) -> Coded {
    coded(code, text)
}

/// A code with its sentence.
fn coded(code: &str, text: impl Into<String>) -> Coded {
    Coded { code: code.to_owned(), text: text.into() }
}

#[cfg(test)]
mod reason_tests;
