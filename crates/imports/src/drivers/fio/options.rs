//! Options of a job, as far as they describe its requests. A job's own go before the global ones.

use serde_json::Value;

use super::document::{JobEntry, Options};

/// fio's own defaults (<https://fio.readthedocs.io/en/latest/fio_doc.html>).
const BLOCK_BYTES: u64 = 4096;
const RW: &str = "read";

/// Engines that wait for each request, whatever depth was asked for.
const SYNCHRONOUS: [&str; 6] = ["sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"];

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

    /// Sizes that reads may have, and writes, bytes, the one that fio's documentation gives first; empty where they vary or cannot be
    /// read.
    pub fn block_bytes(&self) -> (Vec<u64>, Vec<u64>) {
        let range = self.get(&["bsrange", "blocksize_range"]);
        let split = self.get(&["bssplit"]).map(|split| equal_parts(&split));
        if self.get(&["bs_unaligned"]).is_some()
            || split == Some(None)
            || range.as_deref().is_some_and(|range| equal_ends(range).is_none())
        {
            return (Vec::new(), Vec::new());
        }
        let default = || vec![BLOCK_BYTES];
        let equal = split.flatten().or_else(|| range.as_deref().and_then(equal_ends).map(str::to_owned));
        let sizes = equal.or_else(|| self.get(&["bs", "blocksize"]));
        let Some(sizes) = sizes else { return (default(), default()) };
        let base = if self.get(&["kb_base"]).as_deref() == Some("1000") { 1000 } else { 1024 };
        let mut each = sizes.split(',').map(|size| readings(size, base));
        let read = each.next().unwrap_or_default();
        // "8k" is all, "8k,16k" reads and what follows, "8k," is reads alone: writes keep the default.
        let write = match each.next() {
            None => read.clone(),
            Some(_) if sizes.split(',').nth(1) == Some("") => default(),
            Some(size) => size,
        };
        (read, write)
    }
}

/// The end of a range that is its beginning, too: `8k-8k`.
fn equal_ends(range: &str) -> Option<&str> {
    let (from, to) = range.split_once('-')?;
    (from.trim().eq_ignore_ascii_case(to.trim())).then(|| to.trim())
}

/// The size of reads and that of writes in a split that has one for each: `8k/100`, `8k/50:8k/50,16k/100`.
fn equal_parts(split: &str) -> Option<String> {
    let size = |part: &'_ str| part.split('/').next().unwrap_or_default().trim().to_ascii_lowercase();
    let side = |side: &str| {
        let mut sizes = side.split(':').map(size);
        let first = sizes.next()?;
        sizes.all(|size| size == first).then_some(first)
    };
    Some(split.split(',').map(side).collect::<Option<Vec<_>>>()?.join(","))
}

/// A size as fio reads it, and with the other meaning of its unit: who writes `8KiB` means 8,192, and some builds and scripts of
/// fio's do that.
fn readings(size: &str, base: u64) -> Vec<u64> {
    let mut readings: Vec<u64> = [base, 2_024 - base].into_iter().filter_map(|base| bytes(size, base)).collect();
    readings.dedup();
    readings
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// `8k`, `1m`, `8192`, `8KiB`. In fio's compatibility mode (kb_base 1024) k is 1,024 and Ki 1,000; with 1000 it is the
/// other way round.
fn bytes(size: &str, base: u64) -> Option<u64> {
    let size = size.trim().to_ascii_lowercase();
    if let Some(digits) = size.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).ok().filter(|bytes| *bytes > 0);
    }
    let digits = size.len() - size.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    let (number, unit) = size.split_at(digits);
    let unit = unit.trim_start();
    let unit = unit.strip_suffix('b').unwrap_or(unit);
    let (power, other) = match unit.strip_suffix('i').map_or((unit, false), |unit| (unit, true)) {
        ("", false) => (0, false),
        ("k", other) => (1, other),
        ("m", other) => (2, other),
        ("g", other) => (3, other),
        _ => return None,
    };
    let factor: u64 = if other { 2_024 - base } else { base };
    // fio reads decimals, too: 8.0k.
    let number =
        number.split_once('.').filter(|(_, decimals)| decimals.chars().all(|c| c == '0')).map_or(number, |(n, _)| n);
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
        for (size, expected) in [
            ("8k", 8192),
            ("8K", 8192),
            ("1m", 1 << 20),
            ("8192", 8192),
            ("8kb", 8192),
            ("8KiB", 8000),
            ("1b", 1),
            ("0x2000", 8192),
            ("8.0k", 8192),
        ] {
            assert_eq!(bytes(size, 1024), Some(expected), "{size}");
        }
        assert_eq!((bytes("8k", 1000), bytes("8ki", 1000)), (Some(8000), Some(8192)));
        assert_eq!((readings("8KiB", 1024), readings("8192", 1024)), (vec![8000, 8192], vec![8192]));
        for none in ["", "k", "8x", "-1", "0", "8.5", ".0k", "99999999999999999999", "18446744073709551615k", "8ik"] {
            assert_eq!(bytes(none, 1024), None, "{none}");
        }
    }

    #[test]
    fn a_jobs_own_options_go_before_global_ones() {
        with_options(&[("bs", "8k,128k"), ("rw", "randrw:8")], |options| {
            assert_eq!(options.block_bytes(), (vec![8192, 8000], vec![131_072, 128_000]));
            assert_eq!((options.rw(), options.engine().as_deref()), ("randrw".to_owned(), Some("libaio")));
        });
        with_options(&[], |options| {
            assert_eq!((options.block_bytes().0, options.rw()), (vec![4096, 4000], "read".to_owned()))
        });
        with_options(&[("bs", "8k,")], |options| assert_eq!(options.block_bytes(), (vec![8192, 8000], vec![4096])));
        for varied in [("bssplit", "8k/50:16k/50"), ("bsrange", "4k-8k"), ("blocksize_range", "4k")] {
            with_options(&[varied], |options| assert_eq!(options.block_bytes(), (vec![], vec![])));
        }
        for equal in [("bsrange", "8k-8K"), ("bssplit", "8k/100"), ("bssplit", "8k/50:8K/50,16k/100")] {
            with_options(&[equal], |options| assert_eq!(options.block_bytes().0, [8192, 8000], "{equal:?}"));
        }
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
