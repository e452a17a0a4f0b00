//! Load of a volume as the displays show it.

use ebs_base::format::{count, ms};

/// Requests to a volume, and their mean times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VolumeLoad {
    /// Name of the volume.
    pub name: String,
    /// Requests a second.
    pub iops: f64,
    /// Mean time of a read; `None` where there was none, or it is not known.
    pub read_ms: Option<f64>,
    /// Mean time of a write, likewise.
    pub write_ms: Option<f64>,
}

impl VolumeLoad {
    /// `vda 3,211 IOPS, read 0.42 ms, write 0.61 ms`.
    pub fn describe(&self) -> String {
        let mut text = format!("{} {} IOPS", self.name, count(self.iops));
        for (operation, time) in [("read", self.read_ms), ("write", self.write_ms)] {
            if let Some(time) = time {
                text += &format!(", {operation} {} ms", ms(time));
            }
        }
        text
    }
}
