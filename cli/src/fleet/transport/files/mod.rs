//! Files of JSON lines, in place of a server. Opening reads them once, for the labels and the places of their lines; the samples are
//! read when they are requested.

mod index;
mod paths;
mod source;
mod spool;
#[cfg(test)]
mod tests;

use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;

use ebs_prometheus::{Collector, CompiledSelector, Labels, Limits, Lines, Selector, Series, raw_labels, read_line};

use self::index::{Extent, Index};
use self::source::{Source, line_error};
use self::spool::{Spool, SpoolBudget};
use super::interface::{TimeRange, Transport};
use super::interrupt::Interrupt;
use crate::fetch_error::FetchError;

/// Files of JSON lines.
pub struct Files {
    sources: Vec<Source>,
    index: Index,
    limits: Limits,
    interrupt: Arc<Interrupt>,
}

impl Files {
    /// Opens files, and the files of directories.
    pub fn open(paths: &[PathBuf], interrupt: Arc<Interrupt>) -> Result<Files, FetchError> {
        let mut files = Files { sources: Vec::new(), index: Index::default(), limits: Limits::default(), interrupt };
        let mut budget = SpoolBudget::new();
        for path in paths::expand(paths)? {
            let name = path.display().to_string();
            let error = |error| FetchError::File { file: name.clone(), error };
            let source = if let Some(plain) = source::open_plain(&path).map_err(error)? {
                files.add_lines(&name, source::lines(&plain).map_err(error)?, None)?;
                plain
            } else {
                let mut spool = Spool::new(&mut budget)?;
                files.add_lines(&name, source::decompress(&name).map_err(error)?, Some(&mut spool))?;
                spool.finish()?
            };
            files.sources.push(Source { name, file: source });
        }
        Ok(files)
    }

    /// Adds the lines of the next source to the index. With a spool they are copied into it.
    fn add_lines(
        &mut self,
        name: &str,
        input: impl BufRead,
        mut spool: Option<&mut Spool<'_>>,
    ) -> Result<(), FetchError> {
        let mut lines = Lines::new(input, self.limits.piece_bytes);
        let mut is_empty = true;
        while lines.advance().map_err(|error| line_error(name, lines.number(), error))? {
            self.interrupt.check()?;
            is_empty = false;
            let labels = raw_labels(lines.line());
            let labels = labels.map_err(|error| line_error(name, lines.number(), lines.explain(error)))?;
            let mut extent = Extent {
                source: self.sources.len() as u32,
                offset: lines.start(),
                // With the end of the line, so that neighbours can be read at once.
                length: lines.line().len() as u32 + 1,
                line: lines.number(),
                is_packed: false,
            };
            if let Some(spool) = &mut spool {
                (extent.offset, extent.length, extent.is_packed) = spool.add(lines.line())?;
            }
            let added = self.index.add(labels, extent, &self.limits);
            added.map_err(|error| line_error(name, lines.number(), error))?;
        }
        if is_empty { Err(FetchError::EmptyFile { file: name.to_owned() }) } else { Ok(()) }
    }

    fn read_extent(&self, extent: &Extent, collector: &mut Collector) -> Result<(), FetchError> {
        let source = &self.sources[extent.source as usize];
        let bytes = source.read(extent)?;
        let mut lines = Lines::new(bytes.as_slice(), self.limits.piece_bytes);
        let error = |error, number: u64| match error {
            // The bound of samples: a shorter time may succeed.
            too_large @ ebs_prometheus::ReadError::TooLarge { .. } => FetchError::from(too_large),
            error => line_error(&source.name, extent.line + number - 1, error),
        };
        while lines.advance().map_err(|problem| error(problem, lines.number()))? {
            read_line(lines.line(), collector).map_err(|problem| error(problem, lines.number()))?;
        }
        Ok(())
    }
}

fn compile(selectors: &[Selector]) -> Result<Vec<CompiledSelector>, FetchError> {
    Ok(selectors.iter().map(CompiledSelector::new).collect::<Result<_, _>>()?)
}

impl Transport for Files {
    fn name(&self) -> &'static str {
        "files"
    }

    fn label_sets(&self, selectors: &[Selector], _: TimeRange) -> Result<Vec<Labels>, FetchError> {
        let selectors = compile(selectors)?;
        Ok(self.index.matching(&selectors).map(|series| series.labels.clone()).collect())
    }

    fn fetch(&self, selectors: &[Selector], range: TimeRange) -> Result<Vec<Series>, FetchError> {
        let selectors = compile(selectors)?;
        let limits = Limits { samples: MAX_SAMPLES, ..self.limits };
        let mut collector = Collector::new(range.from_ms, range.to_ms, limits);
        for series in self.index.matching(&selectors) {
            self.interrupt.check()?;
            series.extents.iter().try_for_each(|extent| self.read_extent(extent, &mut collector))?;
        }
        Ok(collector.finish())
    }
}

/// Samples of one call, as over HTTP: 16 bytes each.
const MAX_SAMPLES: usize = super::retry::MAX_SAMPLES;
