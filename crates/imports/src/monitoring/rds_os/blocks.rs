//! Blocks of the readings of one instance.

use super::devices::{LOG_VOLUME, STORAGE};
use super::identity::{Identity, Selection};
use super::intervals::lengths;
use super::load::Load;
use super::reading::OsReading;
use super::repeated::Contradicting;
use crate::import::time_text;
use crate::monitoring::rates::TimeRest;
use crate::monitoring::{ImportError, Series, SeriesPoint, block};
use ebs_base::input::WorkMeter;
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::{Block, ProcessorCounts, Timed};

/// An import of Enhanced Monitoring.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OsMetrics {
    /// The samples, in time order.
    pub blocks: Vec<Block>,
    /// Identifier of the instance (instanceID).
    pub db_instance: Option<String>,
    /// Its resource id, which it keeps (instanceResourceID).
    pub dbi_resource_id: Option<String>,
    /// Limitations of the source, for the report's list of what is not known.
    pub limitations: Vec<String>,
}

impl OsMetrics {
    /// Number of intervals.
    pub fn intervals(&self) -> usize {
        self.blocks.iter().map(|block| block.samples.len()).sum()
    }
}

/// Most samples of a block: space, CPU time and waits are known by block.
const MAX_SAMPLES: usize = 60;
/// Longest block.
const MAX_LENGTH_US: i64 = 3_600 * SECOND_US as i64;
/// Queue from which on its two decimals are exact to 5 %: the time of requests gives a shorter one.
const MIN_QUEUE: f64 = 0.1;

/// Blocks of readings, which are in time order, each at another time.
pub(super) fn metrics(
    readings: Vec<OsReading>,
    identity: Identity,
    has_stripes: bool,
    contradicting: Option<Contradicting>,
    selection: &Selection,
    pause: &dyn Fn(),
) -> Result<OsMetrics, ImportError> {
    let lengths = lengths(&readings);
    let mut limitations = vec![ONE_TIME.to_owned(), WHOLE_CPU.to_owned()];
    limitations.extend(has_stripes.then(|| STRIPE.to_owned()));
    limitations.extend(contradicting.map(|events| describe_contradicting(&events)));
    let mut blocks = Vec::new();
    let mut builder = Builder::new(selection, pause);
    for (reading, &length_us) in readings.iter().zip(&lengths) {
        builder.meter.step();
        if length_us <= 0 {
            continue;
        }
        if !builder.takes(reading, length_us) {
            blocks.extend(builder.finish()?);
        }
        builder.add(reading, length_us)?;
    }
    blocks.extend(builder.finish()?);
    if blocks.is_empty() {
        return Err(ImportError::Argument(
            "events that are alone, or more than 75 s apart, do not tell the length of an interval".to_owned(),
        ));
    }
    let Identity { instance, resource, .. } = identity;
    Ok(OsMetrics { blocks, db_instance: instance, dbi_resource_id: resource, limitations })
}

const ONE_TIME: &str = "Enhanced Monitoring has one latency for reads and writes together; both are taken to have it";
const WHOLE_CPU: &str =
    "CPU time is that of the whole instance: processes of RDS and stolen time are counted with PostgreSQL's";
const STRIPE: &str =
    "the events have no physicalDeviceIO: requests are those of the device above the volumes, before they are merged";

fn describe_contradicting(events: &Contradicting) -> String {
    let Contradicting { count, first_us } = events;
    format!("events that repeat a time with other figures are left out: {count}, the first at {}", time_text(*first_us))
}

/// A block in the making.
struct Builder<'a> {
    pause: &'a dyn Fn(),
    meter: WorkMeter<'a>,
    data: Series,
    log: Option<Series>,
    /// Fractions of milliseconds of data and log.
    rests: [TimeRest; 2],
    first: Option<OsReading>,
    /// Length of the first interval.
    length_us: i64,
    /// Beginning of the first interval.
    began_us: i64,
    last_us: i64,
    processor: Timed<ProcessorCounts>,
    vcpus: u16,
}

impl<'a> Builder<'a> {
    fn new(selection: &Selection, pause: &'a dyn Fn()) -> Builder<'a> {
        let named = |name: &Option<String>, default: &str| name.clone().unwrap_or_else(|| default.to_owned());
        let series = |device: String| Series { device, timed: true, ..Series::default() };
        Builder {
            pause,
            meter: WorkMeter::new(pause),
            data: series(named(&selection.device, STORAGE)),
            log: Some(series(named(&selection.wal_device, LOG_VOLUME))),
            rests: [TimeRest::default(); 2],
            first: None,
            length_us: 0,
            began_us: 0,
            last_us: i64::MIN,
            processor: Timed::default(),
            vcpus: 0,
        }
    }

    /// True if a reading belongs to this block: the same volumes, about the same interval, neither too many nor too long.
    fn takes(&self, reading: &OsReading, length_us: i64) -> bool {
        let Some(first) = &self.first else { return true };
        let alike = 5 * length_us <= 8 * self.length_us && 5 * self.length_us <= 8 * length_us;
        let near = reading.at_us - self.began_us <= MAX_LENGTH_US;
        let full = self.data.points.len() >= MAX_SAMPLES;
        alike && near && !full && first.log.is_some() == reading.log.is_some() && self.vcpus == reading.vcpus
    }

    fn add(&mut self, reading: &OsReading, length_us: i64) -> Result<(), ImportError> {
        // Rounded times never make two intervals overlap.
        let began_us = (reading.at_us - length_us).max(self.last_us).max(0);
        let length_us = reading.at_us - began_us;
        if self.first.is_none() {
            (self.first, self.length_us, self.began_us) = (Some(*reading), length_us, began_us);
            self.vcpus = reading.vcpus;
        }
        let span = (began_us, reading.at_us);
        add_point(&mut self.data, &reading.data, span, &mut self.rests[0])?;
        if let (Some(series), Some(load)) = (self.log.as_mut(), &reading.log) {
            add_point(series, load, span, &mut self.rests[1])?;
        }
        if let Some(pct) = reading.busy_pct.filter(|_| reading.vcpus > 0) {
            let us = (f64::from(pct) / 100.0 * f64::from(reading.vcpus) * length_us as f64).round() as u64;
            let counts = ProcessorCounts { server_us: us, host_us: us, ..ProcessorCounts::default() };
            self.processor.add(&Timed { counts, known_us: length_us.unsigned_abs() });
        }
        self.last_us = reading.at_us;
        Ok(())
    }

    /// The block, and another is begun; `None` without readings.
    fn finish(&mut self) -> Result<Option<Block>, ImportError> {
        let Some(first) = self.first.take() else { return Ok(None) };
        let log = self.log.as_ref().filter(|series| !series.points.is_empty());
        let mut block = block(&self.data, log, self.pause)?;
        if let (Some(volume), Some(space)) = (block.layout.volumes.first_mut(), first.space) {
            volume.filesystem_bytes = Some(space.total).filter(|bytes| *bytes > 0);
            volume.used_bytes = Some(space.used).filter(|_| space.total > 0);
        }
        block.totals.processor = std::mem::take(&mut self.processor);
        block.totals.cpus = (self.vcpus > 0).then(|| u32::from(self.vcpus).into());
        for series in [Some(&mut self.data), self.log.as_mut()].into_iter().flatten() {
            series.points.clear();
            series.timed = true;
        }
        Ok(Some(block))
    }
}

/// Appends the counts of a load over an interval.
fn add_point(
    series: &mut Series,
    load: &Load,
    (began_us, ended_us): (i64, i64),
    rest: &mut TimeRest,
) -> Result<(), ImportError> {
    let length_us = (ended_us - began_us).unsigned_abs();
    let counted = load.rates().counted(length_us, rest);
    let mut counted = counted.ok_or_else(|| ImportError::Malformed {
        at: series.device.clone(),
        problem: "more than any volume does".to_owned(),
    })?;
    if let Some(queue) = load.queue.filter(|queue| *queue >= MIN_QUEUE) {
        counted.counts.weighted_ms = (queue * length_us as f64 / 1_000.0).round() as u64;
    }
    series.timed &= counted.timed;
    series.points.push(SeriesPoint { began_us, ended_us, counts: counted.counts });
    Ok(())
}
