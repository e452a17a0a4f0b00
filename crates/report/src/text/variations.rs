//! Variations of the request: what other arguments would recommend.

use super::candidate::order;
use crate::Report;
use crate::reasons::variation;
use ebs_advice::{RoleAdvice, Variation};
use ebs_base::format::usd;

/// Each argument with what it would recommend, and at what price.
pub(crate) fn sentences(report: &Report) -> Vec<String> {
    let several = report.roles().count() > 1;
    let of_role = |role: &RoleAdvice| -> Vec<String> {
        let suffix = if several { format!(" for {}", role.state.group.role) } else { String::new() };
        role.variations.iter().map(|variation| sentence(variation, &suffix)).collect()
    };
    report.roles().flat_map(of_role).collect()
}

fn sentence(variation: &Variation, suffix: &str) -> String {
    let recommended = match &variation.best {
        Some(best) => format!("{}, {}", order(best), usd(best.total())),
        None => "nothing".to_owned(),
    };
    format!(
        "{}{suffix} ({}): {recommended}",
        variation::describe_argument(&variation.argument),
        variation::describe_meaning(&variation.argument)
    )
}
