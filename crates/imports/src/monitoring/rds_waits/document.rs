//! Pages of get-resource-metrics.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, Visitor};

use super::load::{Alignment, Builder, WaitLoad};
use crate::import::civil::{self, Stamp};
use crate::monitoring::ImportError;
use ebs_base::input::{Pieces, WorkMeter};
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::{Session, WaitKey};

/// A page.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Page {
    identifier: Option<String>,
    aligned_start_time: Option<Moment>,
    aligned_end_time: Option<Moment>,
    metric_list: Vec<Metric>,
    /// Token of the next page; the last page has none.
    next_token: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Metric {
    key: Key,
    data_points: Vec<Point>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Key {
    metric: String,
    dimensions: Option<Dimensions>,
}

/// Dimensions of the group `db.wait_event`.
#[derive(Deserialize)]
struct Dimensions {
    #[serde(rename = "db.wait_event.name")]
    name: Option<String>,
    #[serde(rename = "db.wait_event.type")]
    class: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Point {
    timestamp: Moment,
    /// Null where there was none.
    value: Option<f64>,
}

/// A time, microseconds since 1970: a number of seconds or a text.
#[derive(Clone, Copy)]
struct Moment(i64);

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Moment, D::Error> {
        deserializer.deserialize_any(MomentVisitor)
    }
}

struct MomentVisitor;

impl Visitor<'_> for MomentVisitor {
    type Value = Moment;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("seconds since 1970, or a time such as 2026-11-20T09:00:00Z")
    }

    fn visit_f64<E: serde::de::Error>(self, seconds: f64) -> Result<Moment, E> {
        const YEAR_10000: f64 = 253_402_300_800.0;
        let valid = (0.0..YEAR_10000).contains(&seconds);
        valid
            .then(|| Moment((seconds * SECOND_US as f64).round() as i64))
            .ok_or_else(|| E::custom("a time is out of range"))
    }

    fn visit_u64<E: serde::de::Error>(self, seconds: u64) -> Result<Moment, E> {
        self.visit_f64(seconds as f64)
    }

    fn visit_i64<E: serde::de::Error>(self, seconds: i64) -> Result<Moment, E> {
        self.visit_f64(seconds as f64)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Moment, E> {
        match civil::stamp(text) {
            Some(Stamp::Absolute(us)) => Ok(Moment(us)),
            _ => Err(E::custom("a time has no zone, or is none")),
        }
    }
}

/// The metric of all active sessions, and of those in each wait.
const LOAD: &str = "db.load.avg";

/// Reads pages. `period_s` where it is known; otherwise it is the greatest that divides all distances of points. `pause` is called
/// between pieces of the work.
pub fn read(text: &str, period_s: Option<i64>, pause: &dyn Fn()) -> Result<WaitLoad, ImportError> {
    let meter = WorkMeter::new(pause);
    let (mut builder, mut is_part) = (Builder::default(), false);
    let pages = serde_json::Deserializer::from_reader(Pieces::new(text, pause)).into_iter::<Page>();
    for (number, page) in (1..).zip(pages) {
        let malformed = |problem: String| ImportError::Malformed { at: format!("page {number}"), problem };
        let page = page.map_err(|error| match error.is_eof() {
            true => malformed("it is cut off".to_owned()),
            false if number == 1 && !text.contains("MetricList") => {
                ImportError::Foreign("\"MetricList\" of get-resource-metrics")
            }
            false => malformed(error.to_string().chars().take(200).collect()),
        })?;
        // Pages may stand in any order.
        is_part = page.next_token.is_some() && (number == 1 || is_part);
        builder.identify(page.identifier)?;
        let (start, end) = (page.aligned_start_time.map(|time| time.0), page.aligned_end_time.map(|time| time.0));
        for metric in page.metric_list.iter().filter(|metric| metric.key.metric == LOAD) {
            let key = metric.key.dimensions.as_ref().map(|dimensions| wait_key(dimensions, number)).transpose()?;
            for point in &metric.data_points {
                meter.step();
                let Moment(at_us) = point.timestamp;
                builder.align(Alignment::from_edges(at_us, start, end), number)?;
                if let Some(value) = point.value {
                    builder.add(key.as_ref(), at_us, value, number)?;
                }
            }
        }
    }
    if is_part {
        let problem = "this is a part of the answer only".to_owned();
        return Err(ImportError::Malformed { at: "NextToken".to_owned(), problem });
    }
    builder.finish(period_s, &meter)
}

/// The key of a wait event. Its name may begin with its class (`IO:DataFileRead`).
fn wait_key(dimensions: &Dimensions, page: usize) -> Result<WaitKey, ImportError> {
    let Some(name) = dimensions.name.as_deref().filter(|name| !name.is_empty()) else {
        let problem = format!("{LOAD} is not grouped by wait event: its dimensions lack db.wait_event.name");
        return Err(ImportError::Malformed { at: format!("page {page}"), problem });
    };
    let (class, event) = match (name.split_once(':'), dimensions.class.as_deref()) {
        (Some((class, event)), _) => (class, event),
        (None, Some(class)) => (class, name),
        (None, None) => (name, name),
    };
    let cpu = |text: &str| text.eq_ignore_ascii_case("cpu");
    let (class, event) = if cpu(class) || cpu(event) { (WaitKey::CPU, WaitKey::CPU) } else { (class, event) };
    if [class, event].iter().any(|text| text.is_empty() || text.len() > 63 || text.chars().any(char::is_control)) {
        let problem = "a wait event has no name of 1 to 63 printable characters".to_owned();
        return Err(ImportError::Malformed { at: format!("page {page}"), problem });
    }
    Ok(WaitKey {
        backend_type: "client backend".to_owned(),
        class: class.to_owned(),
        event: event.to_owned(),
        session: Session::default(),
    })
}

impl Alignment {
    /// The end of a period that a point at this time stands for, where the time is an edge of its page; `None` elsewhere.
    fn from_edges(at_us: i64, start_us: Option<i64>, end_us: Option<i64>) -> Option<Alignment> {
        match (start_us, end_us) {
            (Some(start), Some(end)) if start == end => None,
            (Some(start), _) if at_us == start => Some(Alignment::Begin),
            (_, Some(end)) if at_us == end => Some(Alignment::End),
            _ => None,
        }
    }
}
