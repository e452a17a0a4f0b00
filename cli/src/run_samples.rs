//! Samples of a run document, packed from a block.

use ebs_comparison::export::{RunDocumentError, Samples};
use ebs_samples::evidence::Block;

use crate::error::Error;

/// Packs a block that has intervals.
pub fn pack(block: Block) -> Result<Samples, Error> {
    let samples = Samples::from_block(block, &|| ());
    let damaged =
        |problem: String| Error::RunDocument(RunDocumentError::Damaged { place: "a block".to_owned(), problem });
    samples.map_err(|error| damaged(error.to_string()))?.ok_or_else(|| damaged("it has no intervals".to_owned()))
}
