//! Average active sessions by wait event and period.

use std::collections::BTreeMap;

use super::{MAX_POINTS, MAX_WAIT_EVENTS, SOURCE};
use crate::import::time_text;
use crate::monitoring::ImportError;
use crate::monitoring::metric_data::gcd;
use ebs_base::format::size;
use ebs_base::input::WorkMeter;
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::{Session, WaitKey};

/// Edge of a period that the time of its point is. Without a request for the other, Performance Insights gives the end
/// (PeriodAlignment: END_TIME).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Alignment {
    Begin,
    #[default]
    End,
}

/// Load of one period.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Period {
    /// All active sessions, where they are known by themselves.
    pub total: Option<f64>,
    /// Sessions in each wait event, by its number.
    pub waits: Vec<(u16, f64)>,
}

/// Average active sessions by wait event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WaitLoad {
    /// Resource id of the instance (DbiResourceId), where the pages name it.
    pub identifier: Option<String>,
    /// Length of a period, microseconds.
    pub period_us: i64,
    /// Wait events.
    pub(super) keys: Vec<WaitKey>,
    /// Periods of which the load is known, by their beginning, microseconds since 1970.
    pub(super) periods: BTreeMap<i64, Period>,
}

/// Longest period, seconds: PeriodInSeconds is at most a day.
const MAX_PERIOD_S: i64 = 86_400;

/// Largest load that is one: PostgreSQL has at most 262,143 backends.
const MAX_SESSIONS: f64 = 1e6;

/// Share by which the waits of all periods together may exceed db.load.avg: both are rounded.
const MAX_EXCESS: f64 = 0.05;

/// Class and event of sessions whose wait event is not among those listed: the answer has the greatest alone.
pub(super) const UNLISTED: &str = "unlisted";

impl WaitLoad {
    /// Beginning of the first period and end of the last, microseconds since 1970.
    pub fn span_us(&self) -> (i64, i64) {
        let (first, last) = (self.periods.keys().next(), self.periods.keys().next_back());
        (first.copied().unwrap_or(0), last.map_or(0, |begin| begin + self.period_us))
    }
}

/// Load of pages read so far.
#[derive(Default)]
pub(super) struct Builder {
    identifier: Option<String>,
    alignment: Option<Alignment>,
    numbers: BTreeMap<WaitKey, u16>,
    points: usize,
    /// Periods, each at the time of its points.
    periods: BTreeMap<i64, Period>,
}

impl Builder {
    /// Takes the instance that a page names; refuses another.
    pub fn identify(&mut self, identifier: Option<String>) -> Result<(), ImportError> {
        match (&self.identifier, identifier) {
            (Some(first), Some(second)) if *first != second => {
                let name = |text: &str| ebs_base::names::quoted(text);
                Err(ImportError::MixedInstances { first: name(first), second: name(&second) })
            }
            (None, identifier) => {
                self.identifier = identifier;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Takes the alignment that a point shows.
    pub fn align(&mut self, alignment: Option<Alignment>, page: usize) -> Result<(), ImportError> {
        if self.alignment.is_some() && alignment.is_some() && self.alignment != alignment {
            return Err(malformed(page, "times are beginnings of periods in one page and ends in another".to_owned()));
        }
        self.alignment = self.alignment.or(alignment);
        Ok(())
    }

    /// Adds a point; of all sessions without a key.
    pub fn add(&mut self, key: Option<&WaitKey>, at_us: i64, value: f64, page: usize) -> Result<(), ImportError> {
        if !(0.0..MAX_SESSIONS).contains(&value) {
            return Err(malformed(page, format!("no number of sessions: {value}")));
        }
        self.points += 1;
        if self.points > MAX_POINTS {
            return Err(ImportError::TooMuch { at: SOURCE.to_owned(), most: MAX_POINTS, what: "points" });
        }
        let number = key.map(|key| self.number(key)).transpose()?;
        let period = self.periods.entry(at_us).or_default();
        let before = match number {
            None => period.total.replace(value),
            Some(number) => match period.waits.iter().find(|(known, _)| *known == number) {
                Some((_, before)) => Some(*before),
                None => {
                    period.waits.push((number, value));
                    None
                }
            },
        };
        match before.filter(|before| *before != value) {
            Some(_) => Err(malformed(page, format!("two values of one wait at {}", time_text(at_us)))),
            None => Ok(()),
        }
    }

    fn number(&mut self, key: &WaitKey) -> Result<u16, ImportError> {
        if let Some(number) = self.numbers.get(key) {
            return Ok(*number);
        }
        if self.numbers.len() >= MAX_WAIT_EVENTS {
            return Err(ImportError::TooMuch { at: SOURCE.to_owned(), most: MAX_WAIT_EVENTS, what: "wait events" });
        }
        let number = u16::try_from(self.numbers.len()).unwrap_or(u16::MAX);
        self.numbers.insert(key.clone(), number);
        Ok(number)
    }

    /// The load, with times as beginnings; `period_s` where it is known.
    pub fn finish(self, period_s: Option<i64>, meter: &WorkMeter) -> Result<WaitLoad, ImportError> {
        if self.numbers.is_empty() || self.periods.is_empty() {
            return Err(ImportError::Foreign("db.load.avg by wait event"));
        }
        let period_us = self.period_us(period_s)?;
        self.check_sum()?;
        let mut keys: Vec<(WaitKey, u16)> = self.numbers.into_iter().collect();
        keys.sort_by_key(|(_, number)| *number);
        let mut keys: Vec<WaitKey> = keys.into_iter().map(|(key, _)| key).collect();
        let unlisted = u16::try_from(keys.len()).unwrap_or(u16::MAX);
        keys.push(WaitKey {
            class: UNLISTED.to_owned(),
            event: UNLISTED.to_owned(),
            session: Session::default(),
            ..keys[0].clone()
        });
        let shift_us = if self.alignment.unwrap_or_default() == Alignment::End { period_us } else { 0 };
        let mut periods = BTreeMap::new();
        for (at_us, mut period) in self.periods {
            meter.step();
            let listed: f64 = period.waits.iter().map(|(_, value)| value).sum();
            let rest = period.total.map_or(0.0, |total| total - listed);
            if rest > 0.0 {
                period.waits.push((unlisted, rest));
            }
            periods.insert(at_us - shift_us, period);
        }
        Ok(WaitLoad { identifier: self.identifier, period_us, keys, periods })
    }

    fn period_us(&self, period_s: Option<i64>) -> Result<i64, ImportError> {
        let times = || self.periods.keys().copied();
        let common = times().zip(times().skip(1)).fold(0, |common, (one, two)| gcd(two - one, common));
        let second = SECOND_US as i64;
        match period_s {
            Some(period_s) if !(1..=MAX_PERIOD_S).contains(&period_s) || common % (period_s * second) != 0 => {
                Err(ImportError::Argument(format!("period_s => {period_s} does not fit the times of the points")))
            }
            Some(period_s) => Ok(period_s * second),
            None if common == 0 => {
                Err(ImportError::Argument("the points of one time do not tell their period: give period_s".to_owned()))
            }
            None if common % second != 0 || common > MAX_PERIOD_S * second => Err(malformed(
                1,
                format!("points are {} s apart, which is no period", common as f64 / SECOND_US as f64),
            )),
            None => Ok(common),
        }
    }

    /// Refuses waits that are more than all sessions, where these are known.
    fn check_sum(&self) -> Result<(), ImportError> {
        let known: Vec<(f64, &Period)> =
            self.periods.values().filter_map(|period| Some((period.total?, period))).collect();
        let mean = |sum: f64| sum / known.len().max(1) as f64;
        let all = mean(known.iter().map(|(total, _)| total).sum());
        let listed = mean(known.iter().flat_map(|(_, period)| &period.waits).map(|(_, value)| value).sum());
        if listed > all * (1.0 + MAX_EXCESS) + 0.01 {
            let problem =
                format!("the wait events have {} sessions on average, and db.load.avg {}", size(listed), size(all));
            return Err(ImportError::Malformed { at: SOURCE.to_owned(), problem });
        }
        Ok(())
    }
}

fn malformed(page: usize, problem: String) -> ImportError {
    ImportError::Malformed { at: format!("page {page}"), problem }
}
