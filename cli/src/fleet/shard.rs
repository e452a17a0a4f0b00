//! Shards: parts of a fleet for several machines.

/// One of several parts, from 1: `3/16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of this part, from 1.
    pub number: u32,
    /// Number of all parts.
    pub count: u32,
}

/// Most parts.
const MAX_SHARDS: u32 = 10_000;

impl Shard {
    /// Parses `3/16`.
    pub fn parse(text: &str) -> Result<Shard, String> {
        let parsed = text
            .split_once('/')
            .and_then(|(number, count)| Some(Shard { number: number.parse().ok()?, count: count.parse().ok()? }));
        let is_valid = |shard: &Shard| (1..=shard.count).contains(&shard.number) && shard.count <= MAX_SHARDS;
        parsed
            .filter(is_valid)
            .ok_or_else(|| "it must be a part, counted from 1, and the number of parts, such as 3/16".to_owned())
    }

    /// True of a batch of this part.
    pub fn has(self, key: &str) -> bool {
        ebs_fleet::shard(key, self.number.into(), self.count.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_part_is_refused() {
        assert_eq!(Shard::parse("3/16"), Ok(Shard { number: 3, count: 16 }));
        for text in ["0/16", "17/16", "3", "3/0", "a/b", "-1/2", "1/10001", ""] {
            assert!(Shard::parse(text).is_err(), "{text}");
        }
    }
}
