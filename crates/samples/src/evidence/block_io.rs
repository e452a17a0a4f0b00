//! Bytes of one block: those of the device, and those of PostgreSQL, whose counters are kept by block.

use super::{Block, CounterDelta, IoCounts, Role, StorageCounts, Volume};
use ebs_base::counter::Counters;

/// Bytes of one block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlockIo {
    /// End of the block, microseconds since 1970.
    pub ended_us: i64,
    /// Sampled time, microseconds.
    pub sampled_us: u64,
    /// Bytes read and written of all devices but those that hold nothing but WAL.
    pub data: (u64, u64),
    /// Bytes read and written of the devices that hold nothing but WAL.
    pub wal: (u64, u64),
    /// Bytes that the server's processes moved, as the kernel counts them; `None` where that is not known for the whole block.
    pub processes: Option<StorageCounts>,
    /// Bytes read and written that PostgreSQL counts, temporary files included; `None` where they are not known for the whole block.
    pub postgresql: Option<(u64, u64)>,
}

/// Share of a block's time for which counts are known that are known for all of it. A choice.
const WHOLE: f64 = 0.95;

impl BlockIo {
    /// Sums the bytes of a block.
    pub(super) fn from_block(block: &Block) -> BlockIo {
        let sampled_us = block.samples.iter().map(|sample| sample.dt_us).fold(0, u64::saturating_add);
        let is_wal: Vec<bool> = block.layout.volumes.iter().map(is_wal_alone).collect();
        let (mut data, mut wal) = ((0u64, 0u64), (0u64, 0u64));
        for (index, delta) in block.samples.iter().flat_map(|sample| &sample.devices) {
            if let (Some(is_wal), CounterDelta::Known(counts)) = (is_wal.get(usize::from(*index)), delta) {
                let sum = if *is_wal { &mut wal } else { &mut data };
                *sum = (sum.0.saturating_add(counts.read_bytes), sum.1.saturating_add(counts.write_bytes));
            }
        }
        let (io, storage, temp) = (&block.totals.io, &block.totals.storage, &block.totals.temp);
        let is_whole = |known_us: u64| known_us > 0 && known_us as f64 >= WHOLE * sampled_us as f64;
        let counted = io.rows.iter().fold(IoCounts::default(), |sum, (_, counts)| sum.plus(*counts));
        let written = counted.write_bytes.saturating_add(counted.extend_bytes).saturating_add(temp.counts.bytes);
        BlockIo {
            ended_us: block.ended_us().unwrap_or_default(),
            sampled_us,
            data,
            wal,
            processes: is_whole(storage.known_us).then_some(storage.counts),
            postgresql: is_whole(io.known_us).then_some((counted.read_bytes, written)),
        }
    }
}

/// True for a volume that holds WAL and nothing else of the cluster.
pub fn is_wal_alone(volume: &Volume) -> bool {
    volume.roles == [Role::Wal]
}
