//! Devices of a message by their part in the cluster.

use super::load::Load;
use super::message::{Device, Message};
use ebs_aws::catalogue::has_known_storage;

/// Name of the data volume, and of the only one: as CloudWatch's metrics of RDS have it.
pub(super) const STORAGE: &str = crate::monitoring::rds_source::RDS_STORAGE;
/// Name of a dedicated log volume.
pub(super) const LOG_VOLUME: &str = "log volume";

/// Mount point of the data. Additional volumes are `/rdsdbdata2` and so on.
const DATA_MOUNT: &str = "/rdsdbdata";

/// Names of the stripe that the data is on, the present one first.
const STRIPES: [&str; 2] = ["rdsdbdata", "rdsdev"];

/// Devices whose loads count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Data,
    Log,
    /// RDS's own, such as the root filesystem.
    Other,
}

/// Loads of one interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Loads {
    pub data: Option<Load>,
    pub log: Option<Load>,
    /// Sum of the bytes by rates and of the bytes of the interval, KiB: their ratio is its length.
    pub kib_a_second: f64,
    pub kib: f64,
    /// True where the stripe stands for its volumes.
    pub is_stripe: bool,
}

/// The part that a mount point has in the cluster; everything is data where there is none.
pub(super) fn part(mount_point: Option<&str>) -> Part {
    match mount_point {
        None => Part::Data,
        Some(mount) if mount.to_ascii_lowercase().contains("log") => Part::Log,
        Some(mount) if mount.starts_with(DATA_MOUNT) => Part::Data,
        Some(_) => Part::Other,
    }
}

/// The loads of a message: those of the named devices, or else of the volumes, or of the stripe where there are none. An error is
/// the name of a device and its rate that is missing.
pub(super) fn loads(
    message: &Message,
    (device, wal_device): (Option<&str>, Option<&str>),
) -> Result<Loads, (String, &'static str)> {
    let mut loads = Loads::default();
    for (part, device) in chosen(message, (device, wal_device), &mut loads.is_stripe) {
        let name = || device.device.clone().unwrap_or_else(|| "device".to_owned());
        let load = Load::from_device(device).map_err(|rate| (name(), rate))?;
        let sum = if part == Part::Log { &mut loads.log } else { &mut loads.data };
        *sum = Some(sum.map_or(load, |sum| sum.plus(load)));
        if let (Some(read), Some(written)) = (device.read_kib_total, device.write_kib_total) {
            loads.kib_a_second += load.read_kib + load.write_kib;
            loads.kib += read.max(0.0) + written.max(0.0);
        }
    }
    Ok(loads)
}

fn chosen<'a>(
    message: &'a Message,
    (device, wal_device): (Option<&str>, Option<&str>),
    is_stripe: &mut bool,
) -> Vec<(Part, &'a Device)> {
    let physical = || message.physical_device_io.iter().flatten();
    let stripes = || message.disk_io.iter().flatten();
    let called = |name: &str| {
        let is = |device: &&Device| device.device.as_deref() == Some(name);
        physical().find(is).or_else(|| stripes().find(is))
    };
    let by_part = |wanted: Part| physical().filter(move |device| part(device.mount_point.as_deref()) == wanted);
    let mut all: Vec<(Part, &Device)> = match wal_device {
        Some(name) if name != LOG_VOLUME => called(name).map(|device| (Part::Log, device)).into_iter().collect(),
        None if device.is_some_and(|name| name != STORAGE) => Vec::new(),
        _ => by_part(Part::Log).map(|device| (Part::Log, device)).collect(),
    };
    match device {
        Some(name) if name != STORAGE => all.extend(called(name).map(|device| (Part::Data, device))),
        _ => all.extend(by_part(Part::Data).map(|device| (Part::Data, device))),
    }
    let has_data = all.iter().any(|(part, _)| *part == Part::Data);
    if !has_data && device.is_none_or(|name| name == STORAGE) {
        let stripe = STRIPES.iter().find_map(|name| stripes().find(|device| device.device.as_deref() == Some(name)));
        let lone = || stripes().find(|device| device.device.as_deref() == Some("filesystem"));
        all.extend(stripe.or_else(lone).map(|device| (Part::Data, device)));
        *is_stripe = true;
    }
    all
}

/// Names of all devices of a message.
pub(super) fn names(message: &Message) -> Vec<String> {
    let all = message.physical_device_io.iter().flatten().chain(message.disk_io.iter().flatten());
    all.filter_map(|device| device.device.clone()).collect()
}

/// Name of the message's engine, where the catalogue does not have its storage: `DB2`, `DocDB`, `ORACLE`, `SQLSERVER`.
pub(super) fn engine_of_unknown_storage(message: &Message) -> Option<&str> {
    let engine = message.engine.as_deref()?;
    (!has_known_storage(&engine.to_ascii_lowercase())).then_some(engine)
}

/// True of a message of Aurora, whose storage is no volume.
pub(super) fn is_aurora(message: &Message) -> bool {
    let named = message.engine.as_deref().is_some_and(|engine| engine.to_ascii_lowercase().starts_with("aurora"));
    let network = |device: &Device| device.device.is_none() && device.disk_queue_depth.is_some();
    named || message.disk_io.iter().flatten().any(network)
}
