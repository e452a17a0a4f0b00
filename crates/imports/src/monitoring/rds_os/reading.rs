//! The figures that are kept of an event.

use super::devices::{self, Loads, Part, part};
use super::document::Event;
use super::load::Load;
use super::message::Message;
use crate::import::civil::{self, Stamp};
use crate::monitoring::ImportError;
use ebs_base::units::{KIB, LATEST_US, SECOND_US};

/// Figures of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OsReading {
    /// End of its interval, microseconds since 1970.
    pub at_us: i64,
    /// Length of its interval by its own figures, seconds; `None` where too few bytes moved.
    pub hint_s: Option<f32>,
    /// Per cent of the CPUs at work; `None` where it is not known.
    pub busy_pct: Option<f32>,
    /// CPUs; 0 where they are not known.
    pub vcpus: u16,
    pub data: Load,
    pub log: Option<Load>,
    /// Size of the data's filesystem, and what of it is in use.
    pub space: Option<Space>,
}

/// Space of a filesystem, bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Space {
    pub total: u64,
    pub used: u64,
}

/// KiB from which on the ratio of bytes and their rate gives the length of an interval: each is a whole number.
const MIN_HINT_KIB: f64 = 40.0;

/// The event's time by its message, which has whole seconds, refined by that of the event where both are the same second.
pub(super) fn event_time(event: &Event) -> Option<i64> {
    let own = event.message.timestamp.as_deref().and_then(|text| match civil::stamp(text)? {
        Stamp::Absolute(us) => Some(us),
        Stamp::Civil(..) | Stamp::Offset(..) => None,
    });
    let time = match (own, event.at_us) {
        (Some(own), Some(logged)) if (0..SECOND_US as i64).contains(&(logged - own)) => Some(logged),
        (own, logged) => own.or(logged),
    };
    time.filter(|us| (0..LATEST_US).contains(us))
}

impl OsReading {
    /// The figures of an event at this time, of the named devices; and true where the stripe stands for its volumes.
    pub fn from_event(
        event: &Event,
        at_us: i64,
        devices: (Option<&str>, Option<&str>),
    ) -> Result<(OsReading, bool), ImportError> {
        let message = &event.message;
        let malformed = |problem: String| ImportError::Malformed { at: format!("event {}", event.number), problem };
        let loads = devices::loads(message, devices)
            .map_err(|(device, rate)| malformed(format!("\"{device}\" has no {rate} that is a rate")))?;
        let data = loads.data.ok_or_else(|| unknown_device(message, devices.0))?;
        if devices.1.is_some() && loads.log.is_none() {
            return Err(unknown_device(message, devices.1));
        }
        let utilization = message.cpu_utilization.as_ref();
        let reading = OsReading {
            at_us,
            hint_s: hint(&loads),
            busy_pct: utilization.and_then(|all| all.busy_pct()).map(|pct| pct as f32),
            vcpus: message.vcpus.filter(|cpus| (1.0..=10_000.0).contains(cpus)).map_or(0, |cpus| cpus as u16),
            data,
            log: loads.log,
            space: space(message),
        };
        Ok((reading, loads.is_stripe))
    }
}

/// Error of an event that lacks a device.
fn unknown_device(message: &Message, name: Option<&str>) -> ImportError {
    match name {
        Some(name) => ImportError::UnknownDevice { name: name.to_owned(), devices: devices::names(message) },
        None => ImportError::Foreign("device that holds data"),
    }
}

/// Seconds of the interval, by the bytes of the interval over their rate.
fn hint(loads: &Loads) -> Option<f32> {
    let enough = loads.kib >= MIN_HINT_KIB && loads.kib_a_second > 0.0;
    let seconds = loads.kib / loads.kib_a_second;
    (enough && (0.5..=120.0).contains(&seconds)).then_some(seconds as f32)
}

/// Space of the filesystems with data. The sum, since several volumes are one role.
fn space(message: &Message) -> Option<Space> {
    let is_data = |mount: &Option<String>| mount.is_some() && part(mount.as_deref()) == Part::Data;
    let bytes = |kib: Option<f64>| kib.filter(|kib| (0.0..1e14).contains(kib)).map(|kib| kib as u64 * KIB);
    let mut sum = None;
    for system in message.file_sys.iter().flatten().filter(|system| is_data(&system.mount_point)) {
        let (total, used) = (bytes(system.total)?, bytes(system.used)?);
        let before: Space = sum.unwrap_or(Space { total: 0, used: 0 });
        sum = Some(Space { total: before.total + total, used: before.used + used.min(total) });
    }
    sum
}
