//! Used space in blocks of samples, and in windows: as the sampler writes them, a block has that of its beginning, a downsampled one that of its
//! end.

use ebs_samples::evidence::{Block, Sample, Window};

use crate::series::space::Space;
use crate::window::frame::punctuality;

/// Splits a block wherever used space is known, so that each part has the space of its time.
pub fn split_by_space(block: Block, space: Option<&Space>) -> Vec<Block> {
    let Some(space) = space.filter(|space| !space.points.is_empty()) else { return vec![block] };
    let mut header = block;
    let samples = std::mem::take(&mut header.samples);
    let parts = match header.downsampled_us {
        0 => begun_at(space, samples),
        _ => ended_at(space, samples),
    };
    parts.into_iter().map(|(used, samples)| part(&header, space.size, used, samples)).collect()
}

/// Bytes in use, where they are known, and the samples that they belong to.
type Part = (Option<u64>, Vec<Sample>);

/// Parts that begin where used space is known.
fn begun_at(space: &Space, samples: Vec<Sample>) -> Vec<Part> {
    let known = used_from(space, samples.iter().map(|sample| (sample.at_us, sample.dt_us)));
    let unknown =
        known.first().is_none_or(|(first, _)| *first > 0).then_some((0, None)).filter(|_| !samples.is_empty());
    let begins: Vec<(usize, Option<u64>)> =
        unknown.into_iter().chain(known.into_iter().map(|(index, used)| (index, Some(used)))).collect();
    let ends = begins.iter().skip(1).map(|(next, _)| *next).chain([samples.len()]);
    let mut samples = samples.into_iter();
    let part =
        |((begin, used), end): (&(usize, Option<u64>), usize)| (*used, samples.by_ref().take(end - begin).collect());
    begins.iter().zip(ends).map(part).collect()
}

/// Adds used space to the window of a volume's intervals, as its blocks would have it.
pub fn add_space(window: &mut Window, space: &Space) {
    let (Some(volume), Some(used)) = (window.layout.volumes.first_mut(), window.space.first_mut()) else { return };
    let ends = window.intervals.iter().map(|interval| (interval.at_us, interval.dt_us));
    volume.filesystem_bytes = Some(space.size).filter(|_| !space.points.is_empty());
    for (index, bytes) in used_from(space, ends) {
        let interval = &window.intervals[index];
        used.push(began_us(interval.at_us, interval.dt_us), bytes);
        volume.used_bytes = Some(bytes);
    }
}

/// Bytes in use, each with the index of the first interval that begins when they are known; what became known within the last one is its own:
/// it is the latest. Intervals by their ends and their lengths.
fn used_from(space: &Space, intervals: impl ExactSizeIterator<Item = (i64, u64)>) -> Vec<(usize, u64)> {
    let last = intervals.len().saturating_sub(1);
    let mut points = space.points.iter().peekable();
    let known = |(index, (at_us, dt_us))| {
        let until_us = if index == last { i64::MAX } else { began_us(at_us, dt_us) };
        let passed = std::iter::from_fn(|| points.next_if(|(at_us, _)| *at_us <= until_us));
        Some((index, passed.last()?.1))
    };
    intervals.enumerate().filter_map(known).collect()
}

/// Beginning of an interval of this end and length.
fn began_us(at_us: i64, dt_us: u64) -> i64 {
    at_us.saturating_sub(i64::try_from(dt_us).unwrap_or(i64::MAX))
}

/// Parts that end where used space is known; after the last of these times it is not, unless it was never before.
fn ended_at(space: &Space, samples: Vec<Sample>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut points = space.points.iter().peekable();
    let mut until_us = None;
    for sample in samples {
        while points.next_if(|(at_us, _)| *at_us < sample.at_us).is_some() {}
        let next = points.peek();
        let next_us = next.map(|(at_us, _)| *at_us);
        match parts.last_mut().filter(|_| next_us == until_us) {
            Some((_, samples)) => samples.push(sample),
            None => parts.push((next.map(|(_, bytes)| *bytes), vec![sample])),
        }
        until_us = next_us;
    }
    if parts.iter().all(|(used, _)| used.is_none())
        && let Some((used, _)) = parts.last_mut()
    {
        *used = space.points.last().map(|(_, bytes)| *bytes);
    }
    parts
}

fn part(header: &Block, size: u64, used: Option<u64>, samples: Vec<Sample>) -> Block {
    let mut block = Block { samples, ..header.clone() };
    if block.downsampled_us == 0 {
        block.sampling.punctuality = punctuality(block.samples.iter().map(|sample| sample.dt_us), block.interval_us);
    }
    if let Some(volume) = block.layout.volumes.first_mut() {
        (volume.filesystem_bytes, volume.used_bytes) = (Some(size), used);
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::{StorageLayout, Volume};

    const SECOND: i64 = 1_000_000;

    /// Minutes that end at these seconds.
    fn block(ends: &[i64], downsampled_us: u64) -> Block {
        let sample =
            |end: &i64| Sample { at_us: end * SECOND, dt_us: 60_000_000, devices: vec![].into(), reset: false };
        Block {
            interval_us: 60_000_000,
            downsampled_us,
            layout: StorageLayout { volumes: vec![Volume::default()], ..StorageLayout::default() },
            samples: ends.iter().map(sample).collect(),
            ..Block::default()
        }
    }

    fn space(points: &[(i64, u64)]) -> Space {
        Space { points: points.iter().map(|(second, used)| (second * SECOND, *used)).collect(), size: 99 }
    }

    /// Ends of each part in seconds, with the bytes in use.
    fn parts(block: Block, space: &Space) -> Vec<(Vec<i64>, Option<u64>)> {
        let part = |block: &Block| {
            let ends = block.samples.iter().map(|sample| sample.at_us / SECOND).collect();
            (ends, block.layout.volumes[0].used_bytes)
        };
        split_by_space(block, Some(space)).iter().map(part).collect()
    }

    fn points(block: Block, space: &Space) -> Vec<(i64, u64)> {
        let window = Window::assemble(split_by_space(block, Some(space)), 0, i64::MAX);
        assert_eq!(window.layout.volumes[0].filesystem_bytes, Some(99));
        window.space[0].points().map(|(at_us, bytes)| (at_us / SECOND, bytes)).collect()
    }

    const ENDS: [i64; 5] = [60, 120, 180, 240, 300];

    #[test]
    fn a_part_begins_where_used_space_is_known() {
        let space = space(&[(60, 5), (180, 6)]);
        let expected = vec![(vec![60], None), (vec![120, 180], Some(5)), (vec![240, 300], Some(6))];
        assert_eq!(parts(block(&ENDS, 0), &space), expected);
        assert_eq!(points(block(&ENDS, 0), &space), [(60, 5), (180, 6)]);
    }

    #[test]
    fn the_last_part_has_what_was_known_last() {
        let space = space(&[(0, 4), (70, 5), (300, 6)]);
        let expected = vec![(vec![60, 120], Some(4)), (vec![180, 240], Some(5)), (vec![300], Some(6))];
        assert_eq!(parts(block(&ENDS, 0), &space), expected);
    }

    #[test]
    fn a_downsampled_part_ends_where_used_space_is_known() {
        let one_minute = 60_000_000;
        let all = [60, 60, 120, 180, 180, 240];
        let expected = vec![(vec![60, 60, 120], Some(5)), (vec![180, 180], Some(6)), (vec![240], None)];
        assert_eq!(parts(block(&all, one_minute), &space(&[(120, 5), (185, 6)])), expected);
        assert_eq!(points(block(&all, one_minute), &space(&[(120, 5), (185, 6)])), [(120, 5), (180, 6)]);
        // What was known before the first scrape interval ended alone.
        assert_eq!(parts(block(&all, one_minute), &space(&[(30, 5)])), [(all.to_vec(), Some(5))]);
    }

    #[test]
    fn samples_and_their_number_stay() {
        let whole = Block { interval_us: 60_000_000, ..block(&[60, 120, 300, 360], 0) };
        assert_eq!(split_by_space(whole.clone(), None), vec![whole.clone()]);
        let parts = split_by_space(whole.clone(), Some(&space(&[(0, 1), (240, 2)])));
        let counted: u64 = parts.iter().map(|part| part.sampling.punctuality.samples).sum();
        assert_eq!((parts.len(), counted), (2, 4));
        assert_eq!(parts.into_iter().flat_map(|part| part.samples).collect::<Vec<_>>(), whole.samples);
    }
}
