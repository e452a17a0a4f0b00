//! Inputs of a prediction, in words.

use ebs_prediction::predict::{MissingInput, Source};

/// Describes the missing input, to follow "no prediction: ".
pub fn describe_missing_input(missing: MissingInput) -> &'static str {
    match missing {
        MissingInput::Waits => "what sessions waited for was not sampled",
        MissingInput::Sessions => "client sessions were hardly at work (fewer than 0.02 on average)",
        MissingInput::Times => "the samples hold no latencies of the device",
    }
}

/// Describes the origin of a service time, to follow "latency ".
pub fn describe_source(source: Source) -> &'static str {
    match source {
        Source::Given => "as given",
        Source::Measured => "as measured in this run",
        Source::Scaled => "as published, scaled as the type measured in this run",
        Source::Published => "as published for the type",
    }
}
