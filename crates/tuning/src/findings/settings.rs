//! Settings of the server as a run keeps them, in the format of SHOW.

use serde_json::Value;

use ebs_base::units::{GIB, KIB, MIB};

/// Settings on which findings are based; `None` is not known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// work_mem, bytes.
    pub work_mem: Option<u64>,
    /// max_wal_size, bytes.
    pub max_wal_size: Option<u64>,
    /// checkpoint_timeout, seconds.
    pub checkpoint_timeout_s: Option<f64>,
    /// checkpoint_completion_target, 0 to 1.
    pub checkpoint_completion_target: Option<f64>,
    /// True if WAL has full-page images.
    pub full_page_writes: Option<bool>,
    /// True if they are compressed.
    pub wal_compression: Option<bool>,
}

impl Settings {
    /// Reads the settings from the environment that a run keeps.
    pub fn from_environment(environment: &Value) -> Settings {
        let text = |name: &str| environment.get("settings")?.get(name)?.as_str().map(str::to_owned);
        Settings {
            work_mem: text("work_mem").and_then(|text| bytes(&text)),
            max_wal_size: text("max_wal_size").and_then(|text| bytes(&text)),
            checkpoint_timeout_s: text("checkpoint_timeout").and_then(|text| seconds(&text)),
            checkpoint_completion_target: text("checkpoint_completion_target").and_then(|text| text.parse().ok()),
            full_page_writes: text("full_page_writes").map(|text| text == "on"),
            wal_compression: text("wal_compression").map(|text| text != "off"),
        }
    }
}

/// Parses `64MB`.
fn bytes(text: &str) -> Option<u64> {
    let (number, unit) = split(text)?;
    let unit = match unit {
        "B" | "" => 1,
        "kB" => KIB,
        "MB" => MIB,
        "GB" => GIB,
        "TB" => 1024 * GIB,
        _ => return None,
    };
    number.checked_mul(unit)
}

/// Parses `5min`.
fn seconds(text: &str) -> Option<f64> {
    let (number, unit) = split(text)?;
    let unit = match unit {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => return None,
    };
    Some(number as f64 * unit)
}

fn split(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    Some((number.parse().ok()?, unit.trim()))
}
