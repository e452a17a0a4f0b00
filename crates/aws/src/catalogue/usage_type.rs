//! Usage types: AWS's names for what is billed of each volume type.

use std::sync::OnceLock;

use serde::Deserialize;

use super::{Item, VolumeType};

/// A usage type, and what it is the price of.
#[derive(Clone, Debug, PartialEq)]
pub struct UsageType {
    /// Name without the prefix of a region: `EBS:VolumeUsage.gp3`.
    pub name: String,
    /// The item.
    pub item: Item,
    /// Day on which its source was read.
    pub as_of: String,
}

impl Item {
    /// True if AWS bills it: it has a usage type.
    pub fn is_sold(&self) -> bool {
        usage_types().iter().any(|usage| usage.item == *self)
    }
}

/// A row of `crates/aws/data/usage_types.csv`.
#[derive(Deserialize)]
struct Row {
    usage_type: String,
    platform: String,
    volume_type: VolumeType,
    part: String,
    as_of: String,
}

impl Row {
    fn read(self) -> Option<UsageType> {
        let (platform, part) = (self.platform.parse().ok()?, self.part.parse().ok()?);
        let item = Item { platform, volume_type: self.volume_type, part };
        Some(UsageType { name: self.usage_type, item, as_of: self.as_of })
    }
}

/// All of them.
pub fn usage_types() -> &'static [UsageType] {
    static TABLE: OnceLock<Vec<UsageType>> = OnceLock::new();
    TABLE.get_or_init(|| {
        // A row that cannot be read is left out rather than taking a backend down; a test counts the rows.
        let text = include_str!("../../data/usage_types.csv");
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        reader.deserialize().flatten().filter_map(Row::read).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_read_and_has_an_item_of_its_own() {
        let text = include_str!("../../data/usage_types.csv");
        let lines = text.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(usage_types().len(), lines - 1);
        assert!(usage_types().iter().all(|usage| usage.as_of.starts_with("2026-")));
        let mut items: Vec<Item> = usage_types().iter().map(|usage| usage.item).collect();
        items.sort();
        items.dedup();
        assert_eq!(items.len(), usage_types().len());
    }
}
