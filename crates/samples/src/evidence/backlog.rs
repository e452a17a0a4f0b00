//! Blocks on their way to the table, which are kept while they cannot be written.

use std::collections::VecDeque;

use super::Block;

/// Maximum number of blocks that are kept: half an hour at the default flush interval.
const MAX_BLOCKS: usize = 120;

/// Blocks that are not written yet, in time order.
#[derive(Debug, Default)]
pub struct Backlog(VecDeque<Block>);

impl Backlog {
    /// Adds the next block.
    pub fn push(&mut self, block: Block) {
        self.0.push_back(block);
    }

    /// The blocks.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.0.iter()
    }

    /// Removes all blocks, which have been written or have nowhere to be written to.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Removes the oldest blocks beyond those that are kept, and returns the number of samples in them.
    pub fn drop_oldest(&mut self) -> u64 {
        let beyond = self.0.len().saturating_sub(MAX_BLOCKS);
        self.0.drain(..beyond).map(|block| block.samples.len() as u64).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Sample;

    #[test]
    fn the_oldest_samples_are_lost_first_and_counted() {
        let mut backlog = Backlog::default();
        for number in 0..122 {
            let sample = Sample { at_us: number, dt_us: 1, devices: vec![].into(), reset: false };
            backlog.push(Block { samples: vec![sample; 15], ..Block::default() });
        }
        assert_eq!((backlog.drop_oldest(), backlog.drop_oldest()), (30, 0));
        let first = backlog.blocks().next().and_then(|block| block.samples.first());
        assert_eq!((backlog.blocks().count(), first.map(|sample| sample.at_us)), (120, Some(2)));
        backlog.clear();
        assert_eq!(backlog.blocks().count(), 0);
    }
}
