//! Detection of a queue: requests take longer, and more are in flight, than the volume's own latency explains.

use super::ceiling;
use super::evidence::{Apart, Base, Known, Plateau};
use super::second::Second;
use ebs_aws::catalogue::{Promise, VolumeType};
use ebs_base::pause::Pause;
use ebs_stats::{Sample, pausing_quantile};

impl Base {
    /// From seconds of at most four fifths of the level, with requests of like size; where they are too few, published.
    pub(super) fn from_seconds(
        (seconds, pause): (&[Second], Pause),
        level: f64,
        request_bytes: f64,
        promise: Option<&Promise>,
    ) -> Base {
        let like = |second: &&Second| {
            let size = second.bytes / second.requests;
            second.rate <= BELOW * level && size < ALIKE * request_bytes && size > request_bytes / ALIKE
        };
        let below: Vec<&Second> = pause.each(seconds).filter(like).collect();
        let enough = below.iter().map(|second| second.seconds).sum::<f64>() >= FEWEST_SECONDS
            && below.iter().map(|second| second.requests).sum::<f64>() >= FEWEST_REQUESTS;
        let median = |of: fn(&Second) -> (f64, f64)| {
            let latency = |second: &&Second| {
                let (requests, ms) = of(second);
                (requests > 0.0).then(|| Sample { value: ms / requests, seconds: requests })
            };
            let latencies: Vec<Sample> = pause.each(&below).filter_map(latency).collect();
            pausing_quantile(&latencies, 0.5, pause).filter(|ms| *ms > 0.0)
        };
        match median(|second| (second.requests, second.waited_ms)).filter(|_| enough) {
            Some(ms) => {
                let apart = Apart { read_ms: median(|second| second.reads), write_ms: median(|second| second.writes) };
                Base { ms, measured: Some(apart) }
            }
            None => {
                let ms = promise.and_then(greatest_ms).unwrap_or_else(greatest_of_any_ms);
                Base { ms, measured: None }
            }
        }
    }
}

/// Below this share of the level queues are short: a request waits for 1 / (1 − ρ) of its service at most, and for a token
/// bucket of thousands of tokens a second next to nothing.
const BELOW: f64 = 0.8;

/// Requests whose sizes differ by less than this factor are alike.
const ALIKE: f64 = 2.0;

/// So many seconds and requests below the level show the latency.
const FEWEST_SECONDS: f64 = 10.0;
const FEWEST_REQUESTS: f64 = 500.0;

/// The most that was published as a mean, ms.
fn greatest_ms(promise: &Promise) -> Option<f64> {
    [promise.read_high_ms, promise.write_high_ms].into_iter().flatten().reduce(f64::max)
}

fn greatest_of_any_ms() -> f64 {
    VolumeType::ALL.iter().filter_map(|of| greatest_ms(of.promise())).fold(0.0, f64::max)
}

/// CPUs this busy make requests wait by themselves.
const BUSY: f64 = 0.9;

/// Fewest requests in flight where some queue: one session has one, and a little read-ahead.
const IN_FLIGHT: f64 = 1.5;

/// Times the latency without a queue, where the limit is known: what is at it and takes longer than the published figures
/// vary among themselves (0.60 to 0.91 ms for gp3) waits for it.
const WAITED: f64 = 1.5;

/// The same, where the limit is inferred.
const GREW: f64 = 2.0;

/// The same, where waits were not sampled either: a slow volume under a fixed rate looks the same.
const GREW_UNSEEN: f64 = 3.0;

/// At a queue the latency varies, and not the rate: at least so many times as much. Where the latency makes the rate, it
/// varies no more than the rate does, but for the time that sessions spend elsewhere.
const VARIES: f64 = 2.0;

/// True if requests waited at a known limit.
pub(super) fn waited(plateau: &Plateau) -> bool {
    plateau.stretch() >= WAITED
}

/// True if requests waited at an inferred ceiling: more are in flight than the latency without a queue explains.
///
/// If no seconds below the ceiling show that latency, the rate must be more constant than the latency: a slow volume is not
/// taken for a saturated one. A rate that clients set is never evidence then. The rate must be constant too if the CPUs are
/// busy: requests that wait for a CPU are as late as those that wait for a volume, but their rate varies as much.
pub(super) fn grew(plateau: &Plateau, known: &Known, rate_spread: f64, latency_spread: Option<f64>) -> bool {
    let varies = latency_spread.is_some_and(|latency| latency > 0.0 && latency >= VARIES * rate_spread);
    let times = match (plateau.base.measured, known.paced) {
        (Some(_), _) | (None, Some(false)) => GREW,
        (None, None) => GREW_UNSEEN,
        (None, Some(true)) => return false,
    };
    let busy = known.utilization.is_some_and(|busy| busy > BUSY);
    let seen = plateau.base.measured.is_some() && !busy;
    plateau.in_flight >= IN_FLIGHT && plateau.stretch() >= times && (seen || varies)
}

/// Relative spread of the latency from second to second; `None` without requests.
pub(super) fn spread<'a>(seconds: impl Iterator<Item = &'a Second>, pause: Pause) -> Option<f64> {
    let value = |second: &Second| Some(Sample { value: second.latency_ms()?, seconds: second.seconds });
    let values: Vec<Sample> = seconds.filter_map(value).collect();
    ceiling::spread(&values, pausing_quantile(&values, 0.5, pause).filter(|middle| *middle > 0.0)?, pause)
}
