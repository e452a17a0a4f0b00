//! Bytes of one block: those of the device, and those of PostgreSQL, whose counters are kept by block.

use super::{Block, CounterDelta, DeviceCounts, IoCounts, Role, StorageCounts, Volume};
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
        let sum = |is_wal: bool| {
            let deltas = block.samples.iter().flat_map(|sample| &sample.devices);
            let of_kind = deltas.filter(|(index, _)| {
                block.layout.volumes.get(usize::from(*index)).is_some_and(|volume| is_wal_alone(volume) == is_wal)
            });
            let total = of_kind.fold(DeviceCounts::default(), |sum, (_, delta)| match delta {
                CounterDelta::Known(counts) => sum.plus(*counts),
                _ => sum,
            });
            (total.read_bytes, total.write_bytes)
        };
        let (io, storage, temp) = (&block.totals.io, &block.totals.storage, &block.totals.temp);
        let is_whole = |known_us: u64| known_us > 0 && known_us as f64 >= WHOLE * sampled_us as f64;
        let counted = io.rows.iter().fold(IoCounts::default(), |sum, (_, counts)| sum.plus(*counts));
        let written = counted.write_bytes.saturating_add(counted.extend_bytes).saturating_add(temp.counts.bytes);
        BlockIo {
            ended_us: block.ended_us().unwrap_or_default(),
            sampled_us,
            data: sum(false),
            wal: sum(true),
            processes: is_whole(storage.known_us).then_some(storage.counts),
            postgresql: is_whole(io.known_us).then_some((counted.read_bytes, written)),
        }
    }
}

/// True for a volume that holds WAL and nothing else of the cluster.
pub fn is_wal_alone(volume: &Volume) -> bool {
    volume.roles == [Role::Wal]
}
