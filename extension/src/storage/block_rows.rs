//! Rows of ebs.sample_block as blocks: format, samples, number, and where it is asked for the mark of a damaged one.

use ebs_samples::evidence::codec::{CodecError, decode_with, plain_length};
use ebs_samples::evidence::{Block, Tier, implausible};
use pgrx::spi::SpiHeapTupleData;

use crate::errors::Error;
use crate::interrupts::check_interrupts;
use crate::memory;

/// True if the row of a block has the mark of a damaged one.
pub(super) fn is_marked(row: &SpiHeapTupleData) -> Result<bool, Error> {
    Ok(row.get(4)?.unwrap_or(false))
}

/// Reads the block of a row: format, samples. Where it is to be checked, one that claims to be sampled, and that no sampler writes,
/// counts as damaged. Downsampling checks each once; answers would take several times as long, and check those with the mark.
pub(super) fn read_block(row: &SpiHeapTupleData, checked: bool) -> Result<Block, Error> {
    let samples: &[u8] = row.get(2)?.unwrap_or_default();
    memory::require(plain_length(samples), "A block of samples")?;
    let block = decode_with(row.get(1)?.unwrap_or(0), samples, &check_interrupts)?;
    if !checked {
        return Ok(block);
    }
    check_interrupts();
    // Imported averages may sum up to more than a sampler sees.
    match implausible(&block) {
        Some(problem) if block.sampling.tier != Tier::Imported => Err(CodecError::Damaged(problem.to_owned()).into()),
        _ => Ok(block),
    }
}
