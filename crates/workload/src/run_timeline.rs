//! Timeline of a run: the counts between one flush and the next. A [`Window`](ebs_samples::evidence::Window) holds only the
//! totals; the steady state of a run, and the standard error of a mean, need the parts.

use std::collections::BTreeMap;

use crate::waits::Kind;
use ebs_samples::evidence::{Block, ProcessorCounts, Sample, Timed, TransactionCounts, WaitTotals, WalCounts};

/// Counts of one block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Segment {
    /// Its end, microseconds since 1970.
    pub ended_us: i64,
    /// Its length, microseconds.
    pub length_us: u64,
    /// Transactions.
    pub transactions: Timed<TransactionCounts>,
    /// WAL generated.
    pub wal: Timed<WalCounts>,
    /// CPU time.
    pub processor: Timed<ProcessorCounts>,
    /// Time of client backends and parallel workers at work, microseconds, by class of wait event.
    pub at_work: BTreeMap<String, u64>,
    /// Time of client backends that were connected, microseconds.
    pub connected_us: u64,
    /// Time that the sweeps stand for, microseconds. Zero: nothing is known of waits.
    pub swept_us: u64,
    /// True if a checkpoint ended in it; `None` where pg_stat_io was not known.
    pub checkpoint_ended: Option<bool>,
}

/// The segments of a run, in time order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunTimeline {
    /// Its beginning, microseconds since 1970.
    pub from_us: i64,
    /// Its end.
    pub to_us: i64,
    /// Counts of each block of which more than half lies between the two times.
    pub segments: Vec<Segment>,
}

impl RunTimeline {
    /// Returns an empty timeline between two points in time.
    pub fn new(from_us: i64, to_us: i64) -> RunTimeline {
        RunTimeline { from_us, to_us, segments: Vec::new() }
    }

    /// Adds the next block; like [`Window::append`](ebs_samples::evidence::Window::append) if more than half of it lies inside.
    pub fn add(&mut self, block: &Block) {
        let middle = |sample: &Sample| sample.at_us.saturating_sub(i64::try_from(sample.dt_us / 2).unwrap_or(i64::MAX));
        let inside = |sample: &&Sample| (self.from_us..=self.to_us).contains(&middle(sample));
        let time = |samples: &mut dyn Iterator<Item = &Sample>| {
            samples.map(|sample| sample.dt_us).fold(0, u64::saturating_add)
        };
        let all_us = time(&mut block.samples.iter());
        let inside_us = time(&mut block.samples.iter().filter(inside));
        let Some(ended_us) = block.ended_us().filter(|_| block.downsampled_us == 0 && inside_us > all_us / 2) else {
            return;
        };
        let totals = &block.totals;
        let mut segment = Segment {
            ended_us,
            length_us: all_us,
            transactions: totals.transactions,
            wal: totals.wal,
            processor: totals.processor,
            swept_us: totals.waits.swept_us,
            checkpoint_ended: checkpoint_ended(block),
            ..Segment::default()
        };
        segment.add_waits(&totals.waits);
        self.segments.push(segment);
    }

    /// Checkpoints that ended in it; `None` where that is not known. A checkpoint that had nothing to write is none, and two
    /// that ended between the same two flushes are one.
    pub fn checkpoints(&self) -> Option<usize> {
        let ended = self.segments.iter().map(|segment| segment.checkpoint_ended).collect::<Option<Vec<bool>>>()?;
        (!ended.is_empty()).then(|| ended.into_iter().filter(|ended| *ended).count())
    }

    /// Number of whole checkpoint cycles, from the end of a checkpoint to the end of the next.
    pub fn checkpoint_cycles(&self) -> Option<usize> {
        self.checkpoints().map(|ends| ends.saturating_sub(1))
    }
}

impl Segment {
    fn add_waits(&mut self, waits: &WaitTotals) {
        for (key, us) in &waits.rows {
            let client = key.backend_type == "client backend";
            if client {
                self.connected_us = self.connected_us.saturating_add(*us);
            }
            if (client || key.backend_type == "parallel worker") && Kind::from_key(key) == Kind::Active {
                match self.at_work.get_mut(&key.class) {
                    Some(sum) => *sum = sum.saturating_add(*us),
                    None => drop(self.at_work.insert(key.class.clone(), *us)),
                }
            }
        }
    }
}

/// The checkpointer fsyncs relations only at the end of a checkpoint, and reports what it counted when that is over
/// (ProcessSyncRequests, <https://github.com/postgres/postgres/blob/REL_18_STABLE/src/backend/storage/sync/sync.c>).
fn checkpoint_ended(block: &Block) -> Option<bool> {
    let io = &block.totals.io;
    let synced = io
        .rows
        .iter()
        .any(|(key, counts)| key.backend_type == "checkpointer" && key.object == "relation" && counts.fsyncs > 0);
    (io.known_us > 0).then_some(synced)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::{IoCounts, IoKey, Session, WaitKey};

    fn block(from_s: i64, seconds: i64, fsyncs: u64) -> Block {
        let sample = |s: i64| Sample { at_us: s * 1_000_000, dt_us: 1_000_000, devices: vec![].into(), reset: false };
        let mut block = Block { samples: (from_s + 1..=from_s + seconds).map(sample).collect(), ..Block::default() };
        let key = |of: &str| IoKey { backend_type: of.into(), object: "relation".into(), context: "normal".into() };
        let counts = IoCounts { fsyncs, ..IoCounts::default() };
        block.totals.io.rows =
            vec![(key("checkpointer"), counts), (key("client backend"), IoCounts { fsyncs: 1, ..counts })];
        block.totals.io.known_us = 1;
        block
    }

    fn timeline(blocks: &[Block]) -> RunTimeline {
        let mut timeline = RunTimeline::new(0, 100_000_000);
        blocks.iter().for_each(|block| timeline.add(block));
        timeline
    }

    #[test]
    fn cycles_lie_between_the_ends_of_checkpoints() {
        let fsyncs = [0, 9, 0, 3, 0, 0, 7];
        let blocks: Vec<Block> = (0..).zip(fsyncs).map(|(n, fsyncs)| block(15 * n, 15, fsyncs)).collect();
        let found = timeline(&blocks);
        // The last one ends at 105 s, and more than half of it lies before 100 s.
        assert_eq!((found.segments.len(), found.checkpoints(), found.checkpoint_cycles()), (7, Some(3), Some(2)));
        assert_eq!(timeline(&blocks[..1]).checkpoint_cycles(), Some(0));
        assert_eq!(timeline(&[]).checkpoints(), None);
        let mut unknown = blocks.clone();
        unknown[2].totals.io.known_us = 0;
        assert_eq!(timeline(&unknown).checkpoints(), None);
    }

    #[test]
    fn what_lies_outside_or_was_downsampled_is_no_segment() {
        assert!(timeline(&[block(93, 15, 0)]).segments.is_empty());
        assert!(timeline(&[Block { downsampled_us: 60_000_000, ..block(0, 15, 0) }]).segments.is_empty());
    }

    #[test]
    fn work_is_told_apart_by_class() {
        let key = |of: &str, class: &str, event: &str| WaitKey {
            backend_type: of.into(),
            class: class.into(),
            event: event.into(),
            session: Session::default(),
        };
        let mut first = block(0, 15, 0);
        first.totals.waits.rows = [
            (key("client backend", "IO", "DataFileRead"), 5),
            (key("parallel worker", "IO", "WalSync"), 2),
            (key("client backend", "Client", "ClientRead"), 40),
            (key("checkpointer", "IO", "DataFileWrite"), 9),
        ]
        .into_iter()
        .collect();
        let found = timeline(&[first]);
        assert_eq!(found.segments[0].at_work.iter().collect::<Vec<_>>(), [(&"IO".to_owned(), &7)]);
        assert_eq!(found.segments[0].connected_us, 45);
    }
}
