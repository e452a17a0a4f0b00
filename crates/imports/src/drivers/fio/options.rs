//! Options of a job, as far as they describe its requests. A job's own go before the global ones.

use serde_json::Value;

use super::document::{JobEntry, Options};

/// fio's own defaults (<https://fio.readthedocs.io/en/latest/fio_doc.html>).
const BLOCK_BYTES: u64 = 4096;
const RW: &str = "read";

/// Engines that wait for each request, whatever depth was asked for.
const SYNCHRONOUS: [&str; 6] = ["sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"];

/// Options that make requests of several sizes.
const VARIED: [&str; 4] = ["bsrange", "blocksize_range", "bssplit", "bs_unaligned"];

/// The options of one job.
pub(super) struct JobOptions<'a> {
    pub global: &'a Options,
    pub job: &'a Options,
}

impl<'a> JobOptions<'a> {
    pub fn new(global: &'a Options, entry: &'a JobEntry) -> JobOptions<'a> {
        JobOptions { global, job: &entry.options }
    }

    fn get(&self, names: &[&str]) -> Option<String> {
        let of = |options: &Options| names.iter().find_map(|name| options.get(*name)).map(text);
        of(self.job).or_else(|| of(self.global))
    }

    /// `randread`; a modifier after a colon is left off.
    pub fn rw(&self) -> String {
        let rw = self.get(&["rw", "readwrite"]).unwrap_or_else(|| RW.to_owned());
        rw.split(':').next().unwrap_or(RW).chars().take(32).collect()
    }

    pub fn jobs(&self) -> u64 {
        self.number(&["numjobs"])
    }

    pub fn iodepth(&self) -> u64 {
        let waits = self.engine().is_none_or(|engine| SYNCHRONOUS.contains(&engine.as_str()));
        if waits { 1 } else { self.number(&["iodepth"]) }
    }

    fn number(&self, names: &[&str]) -> u64 {
        self.get(names).and_then(|text| text.parse().ok()).unwrap_or(1)
    }

    pub fn engine(&self) -> Option<String> {
        self.get(&["ioengine"]).map(|engine| engine.chars().take(64).collect())
    }

    /// fio's default is the page cache.
    pub fn direct(&self) -> Option<bool> {
        let flag = |text: String| match text.as_str() {
            "0" => Some(false),
            "1" | "" => Some(true),
            _ => None,
        };
        match (self.get(&["direct"]), self.get(&["buffered"])) {
            (None, None) => Some(false),
            (Some(direct), None) => flag(direct),
            (None, Some(buffered)) => flag(buffered).map(|buffered| !buffered),
            (Some(_), Some(_)) => None,
        }
    }

    /// Bytes of reads, and of writes; `None` where they vary or cannot be read.
    pub fn block_bytes(&self) -> (Option<u64>, Option<u64>) {
        if self.get(&VARIED).is_some() {
            return (None, None);
        }
        let Some(sizes) = self.get(&["bs", "blocksize"]) else { return (Some(BLOCK_BYTES), Some(BLOCK_BYTES)) };
        let base = if self.get(&["kb_base"]).as_deref() == Some("1000") { 1000 } else { 1024 };
        let mut each = sizes.split(',').map(|size| bytes(size, base));
        let read = each.next().flatten();
        // "8k" is all, "8k,16k" reads and what follows, "8k," is reads alone: writes keep the default.
        let write = match (sizes.contains(','), each.next()) {
            (false, _) | (true, None) => read,
            (true, Some(_)) if sizes.split(',').nth(1) == Some("") => Some(BLOCK_BYTES),
            (true, Some(size)) => size,
        };
        (read, write)
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// `8k`, `1m`, `8192`, `8KiB`. In fio's compatibility mode (kb_base 1024) k is 1,024 and Ki 1,000; with 1000 it is the
/// other way round.
fn bytes(size: &str, base: u64) -> Option<u64> {
    let size = size.trim().to_ascii_lowercase();
    let digits = size.len() - size.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = size.split_at(digits);
    let unit = unit.strip_suffix('b').unwrap_or(unit);
    let (power, other) = match unit.strip_suffix('i').map_or((unit, false), |unit| (unit, true)) {
        ("", false) => (0, false),
        ("k", other) => (1, other),
        ("m", other) => (2, other),
        ("g", other) => (3, other),
        _ => return None,
    };
    let factor: u64 = if other { 2_024 - base } else { base };
    number.parse::<u64>().ok()?.checked_mul(factor.pow(power)).filter(|bytes| *bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_options(job: &[(&str, &str)], check: impl Fn(&JobOptions)) {
        let map = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect::<Options>()
        };
        check(&JobOptions { global: &map(&[("bs", "4k"), ("ioengine", "libaio")]), job: &map(job) });
    }

    #[test]
    fn sizes_are_read_as_fio_reads_them() {
        for (size, expected) in
            [("8k", 8192), ("8K", 8192), ("1m", 1 << 20), ("8192", 8192), ("8kb", 8192), ("8KiB", 8000), ("1b", 1)]
        {
            assert_eq!(bytes(size, 1024), Some(expected), "{size}");
        }
        assert_eq!((bytes("8k", 1000), bytes("8ki", 1000)), (Some(8000), Some(8192)));
        for none in ["", "k", "8x", "-1", "0", "99999999999999999999", "18446744073709551615k", "8ik"] {
            assert_eq!(bytes(none, 1024), None, "{none}");
        }
    }

    #[test]
    fn a_jobs_own_options_go_before_global_ones() {
        with_options(&[("bs", "8k,128k"), ("rw", "randrw:8")], |options| {
            assert_eq!(options.block_bytes(), (Some(8192), Some(131_072)));
            assert_eq!((options.rw(), options.engine().as_deref()), ("randrw".to_owned(), Some("libaio")));
        });
        with_options(&[], |options| {
            assert_eq!((options.block_bytes().0, options.rw()), (Some(4096), "read".to_owned()))
        });
        with_options(&[("bs", "8k,")], |options| assert_eq!(options.block_bytes(), (Some(8192), Some(4096))));
        with_options(&[("bssplit", "8k/50:16k/50")], |options| assert_eq!(options.block_bytes(), (None, None)));
    }

    #[test]
    fn an_engine_that_waits_has_one_in_flight() {
        with_options(&[("ioengine", "psync"), ("iodepth", "32")], |options| assert_eq!(options.iodepth(), 1));
        with_options(&[("iodepth", "32")], |options| assert_eq!(options.iodepth(), 32));
    }

    #[test]
    fn the_page_cache_is_used_unless_it_is_said() {
        for (options, direct) in [
            (&[] as &[(&str, &str)], Some(false)),
            (&[("direct", "1")], Some(true)),
            (&[("buffered", "0")], Some(true)),
            (&[("direct", "maybe")], None),
        ] {
            with_options(options, |options| assert_eq!(options.direct(), direct));
        }
    }
}
