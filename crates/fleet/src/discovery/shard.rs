//! Shards: parts of a fleet that are answered apart, stable by instance.

/// Offset and prime of FNV-1a with 64 bits (<https://datatracker.ietf.org/doc/html/draft-eastlake-fnv>).
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// True where the batch with this key is in part `number` (from 1) of `parts`. The part rests on the key alone: FNV-1a with 64 bits of its
/// bytes, whose upper half is added to the lower one, modulo the number of parts.
pub fn shard(key: &str, number: u64, parts: u64) -> bool {
    let hash = key.bytes().fold(FNV_OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME));
    // The lowest bits of FNV-1a spread least.
    let folded = (hash >> 32) ^ (hash & 0xffff_ffff);
    folded % parts.max(1) == number.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_in_one_part_and_parts_are_even() {
        let keys: Vec<String> = (0..16_000).map(|number| format!("i-{number:017x}")).collect();
        let parts: Vec<usize> =
            (1..=16).map(|number| keys.iter().filter(|key| shard(key, number, 16)).count()).collect();
        assert_eq!(parts.iter().sum::<usize>(), keys.len());
        assert!(parts.iter().all(|count| (850..1_150).contains(count)), "{parts:?}");
    }

    /// The parts of job arrays of another version, and the known hash of "a".
    #[test]
    fn the_part_of_a_key_never_changes() {
        let hash = 0xaf63_dc4c_8601_ec8cu64;
        let folded = (hash >> 32) ^ (hash & 0xffff_ffff);
        assert!(shard("a", folded % 7 + 1, 7));
        assert!(shard("anything", 1, 1) && !shard("anything", 2, 1));
    }
}
