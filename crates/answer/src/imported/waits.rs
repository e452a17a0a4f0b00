//! Wait events of Performance Insights beside the samples of an imported run.

use ebs_base::format::whole_pct;
use ebs_base::names::quoted;
use ebs_imports::monitoring::rds_waits::{Covered, SOURCE, WaitLoad};
use ebs_imports::monitoring::time_text;
use ebs_samples::evidence::{Block, Tier};
use serde_json::{Value, json};

use super::ImportedRun;

/// Wait events that do not belong to a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WaitsError {
    /// They are of another instance.
    #[error("run \"{label}\" is of instance \"{own}\", and the metrics are of \"{other}\"")]
    OtherInstance {
        /// Label of the run.
        label: String,
        /// Resource id of its instance.
        own: String,
        /// That of the metrics, shortened.
        other: String,
    },
    /// They are of another time.
    #[error("no period of the metrics is in run \"{label}\"")]
    OtherTime {
        /// Label of the run.
        label: String,
        /// Beginning and end of the run and of the metrics, a sentence.
        detail: String,
    },
    /// The run has wait events of its own.
    #[error("run \"{0}\" was sampled with its own wait events")]
    Sampled(String),
}

impl WaitsError {
    /// Text of the DETAIL line.
    pub fn detail(&self) -> Option<&str> {
        match self {
            WaitsError::OtherInstance { .. } => Some("Nothing was imported."),
            WaitsError::OtherTime { detail, .. } => Some(detail),
            WaitsError::Sampled(_) => None,
        }
    }

    /// Text of the HINT line.
    pub fn hint(&self) -> &'static str {
        match self {
            WaitsError::OtherInstance { .. } => "Import the metrics of that instance, or into a run of the other.",
            WaitsError::OtherTime { .. } => "Get the metrics of the time of the run, with --start-time and --end-time.",
            WaitsError::Sampled(_) => {
                "Wait events of Performance Insights belong to a run of ebs_import_rds_os or ebs_import_cloudwatch."
            }
        }
    }
}

/// Refuses points of another instance than that of the run, where both are named.
pub fn check_waits(label: &str, environment: Option<&Value>, load: &WaitLoad) -> Result<(), WaitsError> {
    let resource = environment.and_then(|environment| environment.get("dbi_resource_id")?.as_str());
    match (resource, load.identifier.as_deref()) {
        (Some(own), Some(other)) if own != other => {
            Err(WaitsError::OtherInstance { label: label.to_owned(), own: own.to_owned(), other: quoted(other) })
        }
        _ => Ok(()),
    }
}

/// Limitations of waits that cover so much of a run, which begin with the name of the service. Refuses those of another time than the
/// run's, microseconds since 1970.
pub fn covered_doubts(
    label: &str,
    (from_us, to_us): (i64, i64),
    covered: &Covered,
    load: &WaitLoad,
) -> Result<Vec<String>, WaitsError> {
    if covered.known_us == 0 {
        let text = |us: i64| Some(time_text(us)).filter(|time| !time.is_empty()).unwrap_or_else(|| "?".to_owned());
        let (first_us, last_us) = load.span_us();
        let [began, ended, first, last] = [from_us, to_us, first_us, last_us].map(text);
        let detail = format!("The run is from {began} to {ended}, the metrics are from {first} to {last}.");
        return Err(WaitsError::OtherTime { label: label.to_owned(), detail });
    }
    let samples = covered.known_us / 1_000_000;
    let share = covered.known_us as f64 / covered.sampled_us.max(1) as f64;
    let rare =
        format!("{SOURCE} samples sessions once a second: {samples} samples; the share of a seldom wait is uncertain");
    let idle = format!(
        "{SOURCE} leaves out idle sessions: the clients' think time is unknown and taken as none, so that a predicted gain is an upper bound"
    );
    let part = (share < 0.995).then(|| format!("{SOURCE} covers {} of the samples", whole_pct(share)));
    Ok([rare, idle].into_iter().chain(part).collect())
}

/// Puts waits beside the samples of a run that is called so, with their limitations.
pub fn add_waits(run: &mut ImportedRun, label: &str, load: &WaitLoad) -> Result<(), WaitsError> {
    check_waits(label, run.environment.as_ref(), load)?;
    if run.blocks.iter().any(|block: &Block| block.sampling.tier != Tier::Imported) {
        return Err(WaitsError::Sampled(label.to_owned()));
    }
    let mut covered = Covered::default();
    run.blocks.iter_mut().for_each(|block| covered.add(load.add_to(block)));
    let new = covered_doubts(label, (run.from_us, run.to_us), &covered, load)?;
    let Some(environment) = run.environment.get_or_insert_with(|| json!({})).as_object_mut() else { return Ok(()) };
    let doubts = environment.entry("doubts").or_insert_with(|| json!([]));
    if let Some(doubts) = doubts.as_array_mut() {
        doubts.retain(|doubt| !doubt.as_str().is_some_and(|doubt| doubt.starts_with(SOURCE)));
        doubts.extend(new.into_iter().map(Value::from));
    }
    Ok(())
}
