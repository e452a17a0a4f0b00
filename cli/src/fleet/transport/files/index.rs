//! Index of files: the series with the places of their lines.

use std::collections::HashMap;

use ebs_prometheus::{CompiledSelector, Labels, Limits, ReadError, parse_labels};

/// Maximum number of places. Neighbouring lines of one series are one place.
const MAX_EXTENTS: usize = 8_000_000;
/// Maximum length of a place, bytes.
const MAX_LENGTH: u32 = 8 << 20;

/// Place of one line, or of several neighbouring ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Number of the source.
    pub source: u32,
    /// Beginning, bytes.
    pub offset: u64,
    /// Length with the end of the last line, bytes.
    pub length: u32,
    /// Number of the first line in the source.
    pub line: u64,
    /// True if it is compressed, and one line.
    pub is_packed: bool,
}

/// A series in the files.
#[derive(Debug)]
pub struct IndexedSeries {
    /// Its labels.
    pub labels: Labels,
    /// Its places, in the order of the files.
    pub extents: Vec<Extent>,
}

/// Series by their labels.
#[derive(Debug, Default)]
pub struct Index {
    /// Number of a series by its labels as a line writes them: other lines seldom write them otherwise.
    by_text: HashMap<Box<str>, usize>,
    series: Vec<IndexedSeries>,
    extents: usize,
    last: Option<usize>,
}

impl Index {
    /// Adds a place of a series whose labels are written so.
    pub fn add(&mut self, labels: &str, extent: Extent, limits: &Limits) -> Result<(), ReadError> {
        let at = match self.by_text.get(labels) {
            Some(&at) => at,
            None => self.add_series(labels, limits)?,
        };
        let extents = &mut self.series[at].extents;
        let is_neighbour = self.last == Some(at);
        self.last = Some(at);
        if is_neighbour && extents.last_mut().is_some_and(|last| last.join(&extent)) {
            return Ok(());
        }
        if self.extents >= MAX_EXTENTS {
            return Err(ReadError::TooLarge { bound: MAX_EXTENTS, what: "pieces of series; sort the lines by series" });
        }
        self.extents += 1;
        extents.push(extent);
        Ok(())
    }

    fn add_series(&mut self, labels: &str, limits: &Limits) -> Result<usize, ReadError> {
        if self.series.len() >= limits.series {
            return Err(ReadError::TooLarge { bound: limits.series, what: "series" });
        }
        let at = self.series.len();
        self.series.push(IndexedSeries { labels: parse_labels(labels, limits)?, extents: Vec::new() });
        self.by_text.insert(labels.into(), at);
        Ok(at)
    }

    /// Series that meet one of the selectors.
    pub fn matching(&self, selectors: &[CompiledSelector]) -> impl Iterator<Item = &IndexedSeries> {
        self.series.iter().filter(|series| selectors.iter().any(|selector| selector.matches(&series.labels)))
    }
}

impl Extent {
    /// Extends the place by the next one of the same series, if they are neighbours.
    fn join(&mut self, next: &Extent) -> bool {
        let is_next = self.source == next.source && self.offset + u64::from(self.length) == next.offset;
        let can_join = is_next && !self.is_packed && !next.is_packed && self.length + next.length <= MAX_LENGTH;
        if can_join {
            self.length += next.length;
        }
        can_join
    }
}
