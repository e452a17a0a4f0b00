//! A sweep: the same command with more and more clients, a run for each, up to the plateau of its throughput.

use std::time::Duration;

use ebs_base::format::{ms, pct, rate};
use ebs_imports::drivers::{Figures, Knee, Step, knee};
use ebs_remote::parse_answer;
use serde::Deserialize;

use super::record::RunRecord;
use crate::error::Error;
use crate::postgres::function::advise_json;
use crate::report::values_of_run;

/// Time between two runs, in which the sampler writes pending samples and the device becomes idle. A checkpoint continues.
pub const PAUSE: Duration = Duration::from_secs(2);

/// Maximum number of steps: each is a run of minutes.
const MAX_STEPS: usize = 64;

/// Parses the numbers of clients of `clients=1,2,4,8`.
pub fn parse_steps(text: &str) -> Result<Vec<u64>, Error> {
    let invalid = |message| Error::InvalidArgument { message, hint: "For example: --sweep clients=1,2,4,8,16" };
    let list = text.strip_prefix("clients=").ok_or_else(|| invalid(format!("cannot sweep \"{text}\"")))?;
    let parse_step = |word: &str| word.trim().parse().ok().filter(|clients| *clients > 0);
    let steps: Option<Vec<u64>> = list.split(',').map(parse_step).collect();
    let steps = steps.ok_or_else(|| invalid(format!("\"{list}\" is no list of numbers of clients")))?;
    // Strictly increasing: labels are unique, and no step is affected by dirty pages that a heavier one left.
    if !steps.is_sorted_by(|a, b| a < b) {
        return Err(invalid("the steps of a sweep must rise".to_owned()));
    }
    match steps.len() {
        0..=1 => Err(invalid("a sweep needs two steps or more".to_owned())),
        2..=MAX_STEPS => Ok(steps),
        count => Err(invalid(format!("a sweep of {count} steps is too long, {MAX_STEPS} is the most"))),
    }
}

const UNKNOWN: &str = "unknown";

/// Result of a step.
pub struct StepResult {
    clients: u64,
    figures: Figures,
    /// Bottleneck of the database, as far as the server knows it.
    bottleneck: Option<String>,
}

impl StepResult {
    /// The result of a run that has ended, with the bottleneck by the server.
    pub fn new(label: &str, clients: u64, figures: &Figures, record: &mut RunRecord) -> StepResult {
        StepResult { clients, figures: figures.clone(), bottleneck: query_bottleneck(record, label) }
    }

    fn throughput(&self, unit: &str) -> Option<f64> {
        self.figures.throughput().filter(|(_, own_unit)| *own_unit == unit).map(|(value, _)| value)
    }
}

fn query_bottleneck(record: &mut RunRecord, label: &str) -> Option<String> {
    let query =
        "SELECT pg_catalog.json_build_object('bottleneck', d -> 'bottleneck' ->> 'by', 'insufficient', d -> 'evidence' ->> 'insufficient',
            'limits', (SELECT pg_catalog.json_agg(pg_catalog.json_build_object('device', r ->> 'device', 'at', r -> 'at_limit'))
                       FROM pg_catalog.jsonb_array_elements(d -> 'roles') r WHERE r -> 'at_limit' <> 'null'))::text AS value
         FROM {call} d";
    describe_bottleneck(parse_answer(&record.query(&advise_json(), query, values_of_run(label))?).ok()?)
}

/// Parts of the document of ebs_advise_json (docs/schema/report.json).
#[derive(Deserialize)]
struct Advice {
    bottleneck: Option<String>,
    insufficient: Option<String>,
    limits: Option<Vec<VolumeLimit>>,
}

/// A limit that a volume reached.
#[derive(Deserialize)]
struct VolumeLimit {
    device: String,
    at: Limit,
}

#[derive(Deserialize)]
struct Limit {
    limited: String,
    level: f64,
    unit: String,
    of: String,
}

/// A limit that was reached in the run, else the bottleneck in the report's words.
fn describe_bottleneck(advice: Advice) -> Option<String> {
    if let Some(VolumeLimit { device, at }) = advice.limits.iter().flatten().next() {
        return Some(format!("the {}'s {} ({device} at {} {})", at.of, at.limited, rate(at.level), at.unit));
    }
    match advice.bottleneck {
        Some(bottleneck) if bottleneck == "latency" => Some("the volume's latency".to_owned()),
        Some(bottleneck) => Some(bottleneck),
        None => Some(format!("{UNKNOWN}: {}", advice.insufficient?)),
    }
}

/// A table of all steps, and the plateau.
pub fn table(steps: &[StepResult]) -> String {
    let unit = steps.iter().find_map(|step| Some(step.figures.throughput()?.1)).unwrap_or("tps");
    let mut text = format!("{:>8}  {unit:>10}  {:>8}  bottleneck\n", "clients", "ms");
    for step in steps {
        let throughput = step.throughput(unit).map_or("-".to_owned(), rate);
        let latency = step.figures.latency_ms.map_or("-".to_owned(), ms);
        let bottleneck = step.bottleneck.as_deref().unwrap_or("-");
        text += &format!("{:>8}  {throughput:>10}  {latency:>8}  {bottleneck}\n", step.clients);
    }
    text + &describe_plateau(steps, unit) + "\n"
}

fn describe_plateau(steps: &[StepResult], unit: &str) -> String {
    let measured = |step: &StepResult| Some(Step { clients: step.clients, throughput: step.throughput(unit)? });
    let measured: Vec<Step> = steps.iter().filter_map(measured).collect();
    let Some(Knee { at, best, is_saturated }) = knee(&measured) else {
        return "No plateau: fewer than two steps have a result.".to_owned();
    };
    let throughput = rate(at.throughput);
    if !is_saturated {
        return format!(
            "No plateau up to {} clients: {throughput} {unit} there, still rising. Sweep further.",
            at.clients
        );
    }
    let knee = steps.iter().find(|step| step.clients == at.clients);
    let reason = match knee.and_then(|step| step.bottleneck.as_deref()) {
        Some(bottleneck) if !bottleneck.starts_with(UNKNOWN) => format!("The bottleneck there is {bottleneck}"),
        unknown => format!("The bottleneck there is {}", unknown.unwrap_or(UNKNOWN)),
    };
    let share = pct(100.0 * at.throughput / best.throughput);
    let (clients, most, best_clients) = (at.clients, rate(best.throughput), best.clients);
    format!(
        "Plateau (knee) at {clients} clients: {throughput} {unit}, {share} of the best ({most} with {best_clients}). \
         {reason}."
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn step(clients: u64, tps: Option<f64>, bottleneck: Option<&str>) -> StepResult {
        let figures = Figures { tps, latency_ms: tps.map(|_| 1.5), ..Figures::default() };
        StepResult { clients, figures, bottleneck: bottleneck.map(str::to_owned) }
    }

    #[test]
    fn steps_are_numbers_that_rise() {
        assert_eq!(parse_steps("clients=1,2, 4").unwrap(), [1, 2, 4]);
        for (text, why) in [
            ("1,2", "cannot sweep \"1,2\""),
            ("threads=1,2", "cannot sweep \"threads=1,2\""),
            ("clients=1,x", "\"1,x\" is no list of numbers of clients"),
            ("clients=0,1", "\"0,1\" is no list of numbers of clients"),
            ("clients=", "\"\" is no list of numbers of clients"),
            ("clients=4", "a sweep needs two steps or more"),
            ("clients=4,2", "the steps of a sweep must rise"),
            ("clients=4,4", "the steps of a sweep must rise"),
        ] {
            assert_eq!(parse_steps(text).unwrap_err().to_string(), why);
        }
    }

    #[test]
    fn the_plateau_is_named_with_its_limit() {
        let text = table(&[
            step(1, Some(1_000.0), Some("the volume's latency")),
            step(4, Some(2_900.0), Some("the volume's IOPS (vdb at 3,000 1/s)")),
            step(8, Some(3_000.0), None),
        ]);
        let expected = " clients         tps        ms  bottleneck
       1       1,000      1.50  the volume's latency
       4       2,900      1.50  the volume's IOPS (vdb at 3,000 1/s)
       8       3,000      1.50  -
Plateau (knee) at 4 clients: 2,900 tps, 97 % of the best (3,000 with 8). The bottleneck there is the volume's IOPS (vdb at 3,000 1/s).
";
        assert_eq!(text, expected);
        assert!(
            table(&[step(1, Some(10.0), None), step(2, Some(20.0), None)]).ends_with("still rising. Sweep further.\n")
        );
        let one = table(&[step(1, Some(10.0), None), step(2, None, None)]);
        assert!(
            one.ends_with("       2           -         -  -\nNo plateau: fewer than two steps have a result.\n"),
            "{one}"
        );
    }

    #[test]
    fn a_limit_comes_before_the_bottleneck() {
        let at = json!({ "limited": "IOPS", "level": 3000.0, "unit": "1/s", "of": "volume" });
        let limits = json!([{ "device": "vdb", "at": at }]);
        let advice = json!({ "bottleneck": "CPU", "insufficient": null, "limits": limits });
        let describe = |advice| describe_bottleneck(serde_json::from_value(advice).unwrap());
        assert_eq!(describe(advice).as_deref(), Some("the volume's IOPS (vdb at 3,000 1/s)"));
        assert_eq!(describe(json!({ "bottleneck": "CPU", "limits": null })).as_deref(), Some("CPU"));
        let short = json!({ "bottleneck": null, "insufficient": "10 s of samples", "limits": null });
        assert_eq!(describe(short).as_deref(), Some("unknown: 10 s of samples"));
    }
}
