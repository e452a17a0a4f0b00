//! A sweep: the same command with more and more clients, a run each, and where more no longer bring more.

use std::time::Duration;

use ebs_base::format::{ms, pct, rate};
use ebs_imports::driver::{Figures, Knee, Step, knee};
use serde_json::Value;

use super::ledger::Ledger;
use crate::error::Error;
use crate::session::literal;

/// Between two runs, so that a sampler writes what it holds and the device comes to rest. A checkpoint still goes on.
pub const PAUSE: Duration = Duration::from_secs(2);

/// The most steps: each is a run of minutes.
const MOST: usize = 64;

/// The steps of `clients=1,2,4,8`.
pub fn steps(text: &str) -> Result<Vec<u64>, Error> {
    let refused = |message: String| Error::Argument { message, hint: "For example: --sweep clients=1,2,4,8,16" };
    let list = text.strip_prefix("clients=").ok_or_else(|| refused(format!("cannot sweep \"{text}\"")))?;
    let step = |word: &str| word.trim().parse().ok().filter(|clients| *clients > 0);
    let steps: Option<Vec<u64>> = list.split(',').map(step).collect();
    let steps = steps.ok_or_else(|| refused(format!("\"{list}\" is no list of numbers of clients")))?;
    let ascending = steps.windows(2).all(|pair| pair[0] < pair[1]);
    match steps.len() {
        // Each label once, and load that only grows: a step must not find what a heavier one left behind.
        _ if !ascending => Err(refused("the steps of a sweep must rise".to_owned())),
        0..=1 => Err(refused("a sweep needs two steps or more".to_owned())),
        2..=MOST => Ok(steps),
        many => Err(refused(format!("a sweep of {many} steps is too long, {MOST} is the most"))),
    }
}

const UNKNOWN: &str = "not known";

/// What a step gave.
pub struct Done {
    pub clients: u64,
    pub figures: Figures,
    /// What held the database back, as far as the server knows.
    pub held: Option<String>,
}

impl Done {
    pub fn new(label: &str, clients: u64, figures: &Figures, ledger: &mut Ledger) -> Done {
        Done { clients, figures: figures.clone(), held: held(ledger, label) }
    }
}

/// A limit that the run was at, or else what held it back, in the report's words.
fn held(ledger: &mut Ledger, label: &str) -> Option<String> {
    let query = format!(
        "SELECT pg_catalog.json_build_object('held', d -> 'held_back' ->> 'by', 'insufficient', d -> 'evidence' ->> 'insufficient',
            'limits', (SELECT pg_catalog.json_agg(pg_catalog.json_build_object('device', r ->> 'device', 'at', r -> 'at_limit'))
                       FROM pg_catalog.jsonb_array_elements(d -> 'roles') r WHERE r -> 'at_limit' <> 'null'))::text AS value
         FROM ebs_advise_json({}) d",
        literal(label)
    );
    words(&serde_json::from_str(&ledger.ask(&query)?).ok()?)
}

fn words(found: &Value) -> Option<String> {
    let limit = found["limits"].as_array().and_then(|limits| limits.first());
    if let Some((device, at)) = limit.and_then(|limit| Some((limit["device"].as_str()?, limit["at"].as_object()?))) {
        let (level, unit) = (at["level"].as_f64()?, at["limited"].as_str()?);
        let whose = at["of"].as_str()?;
        return Some(format!("the {whose}'s {unit} ({device} at {} {})", rate(level), at["unit"].as_str()?));
    }
    let held = found["held"].as_str().map(|held| match held {
        "latency" => "the volume's latency".to_owned(),
        held => held.to_owned(),
    });
    held.or_else(|| Some(format!("{UNKNOWN}: {}", found["insufficient"].as_str()?)))
}

/// A table of all steps, and the plateau.
pub fn table(done: &[Done]) -> String {
    let unit = done.iter().find_map(|step| Some(step.figures.throughput()?.1)).unwrap_or("tps");
    let mut text = format!("{:>8}  {unit:>10}  {:>8}  held back by\n", "clients", "ms");
    for step in done {
        let throughput = of(step, unit).map_or("-".to_owned(), rate);
        let latency = step.figures.latency_ms.map_or("-".to_owned(), ms);
        let held = step.held.as_deref().unwrap_or("-");
        text += &format!("{:>8}  {throughput:>10}  {latency:>8}  {held}\n", step.clients);
    }
    text + &plateau(done, unit)
}

fn of(done: &Done, wanted: &str) -> Option<f64> {
    done.figures.throughput().filter(|(_, unit)| *unit == wanted).map(|(value, _)| value)
}

fn plateau(done: &[Done], unit: &str) -> String {
    let step = |done: &Done| Some(Step { clients: done.clients, throughput: of(done, unit)? });
    let steps: Vec<Step> = done.iter().filter_map(step).collect();
    let Some(Knee { at, best, is_plateau }) = knee(&steps) else {
        return "No plateau: fewer than two steps have a result.\n".to_owned();
    };
    if !is_plateau {
        return format!(
            "No plateau up to {} clients: {} {unit} there, still rising. Sweep further.\n",
            at.clients,
            rate(at.throughput)
        );
    }
    let share = pct(100.0 * at.throughput / best.throughput);
    let held = done.iter().find(|step| step.clients == at.clients).and_then(|step| step.held.as_deref());
    let held = match held {
        Some(held) if !held.starts_with(UNKNOWN) => format!("Held back there by {held}"),
        held => format!("What holds it back there is {}", held.unwrap_or(UNKNOWN)),
    };
    format!(
        "Plateau (knee) at {} clients: {} {unit}, {share} of the best ({} with {}). {held}.\n",
        at.clients,
        rate(at.throughput),
        rate(best.throughput),
        best.clients
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn done(clients: u64, tps: Option<f64>, held: Option<&str>) -> Done {
        let figures = Figures { tps, latency_ms: tps.map(|_| 1.5), ..Figures::default() };
        Done { clients, figures, held: held.map(str::to_owned) }
    }

    #[test]
    fn steps_are_numbers_that_rise() {
        assert_eq!(steps("clients=1,2, 4").unwrap(), [1, 2, 4]);
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
            assert_eq!(steps(text).unwrap_err().to_string(), why);
        }
    }

    #[test]
    fn the_plateau_is_named_with_its_limit() {
        let text = table(&[
            done(1, Some(1_000.0), Some("the volume's latency")),
            done(4, Some(2_900.0), Some("the volume's IOPS (vdb at 3,000 1/s)")),
            done(8, Some(3_000.0), None),
        ]);
        let expected = " clients         tps        ms  held back by
       1       1,000      1.50  the volume's latency
       4       2,900      1.50  the volume's IOPS (vdb at 3,000 1/s)
       8       3,000      1.50  -
Plateau (knee) at 4 clients: 2,900 tps, 97 % of the best (3,000 with 8). Held back there by the volume's IOPS (vdb at 3,000 1/s).
";
        assert_eq!(text, expected);
        assert!(
            table(&[done(1, Some(10.0), None), done(2, Some(20.0), None)]).ends_with("still rising. Sweep further.\n")
        );
        let one = table(&[done(1, Some(10.0), None), done(2, None, None)]);
        assert!(
            one.ends_with("       2           -         -  -\nNo plateau: fewer than two steps have a result.\n"),
            "{one}"
        );
    }

    #[test]
    fn a_limit_goes_before_what_holds_back() {
        let at = json!({ "limited": "IOPS", "level": 3000.0, "unit": "1/s", "of": "volume" });
        let limits = json!([{ "device": "vdb", "at": at }]);
        let found = json!({ "held": "CPU", "insufficient": null, "limits": limits });
        assert_eq!(words(&found).as_deref(), Some("the volume's IOPS (vdb at 3,000 1/s)"));
        assert_eq!(words(&json!({ "held": "CPU", "limits": null })).as_deref(), Some("CPU"));
        let short = json!({ "held": null, "insufficient": "10 s of samples", "limits": null });
        assert_eq!(words(&short).as_deref(), Some("not known: 10 s of samples"));
    }
}
