//! Volumes that documents attach to no instance, and that have series which the selection leaves out.

use std::collections::BTreeSet;

use ebs_prometheus::{Labels, Matcher, Operator, Selector};

use crate::discovery::device::volume_id;
use crate::discovery::fleet::{Fleet, Unseen};
use crate::discovery::metric;

/// IDs in one selector.
const MAX_IDS: usize = 200;

/// Metrics that name a volume, each with its label.
const NAMES: [(&str, &str); 5] = [
    (metric::NODE_DISK_INFO, "serial"),
    (metric::CSI_READ_OPS, "volume_id"),
    (metric::YACE_READ_OPS_SUM, "dimension_VolumeId"),
    (metric::YACE_READ_OPS_AVERAGE, "dimension_VolumeId"),
    (metric::DEMAND_COUNT, "volume"),
];

impl Fleet {
    /// Selectors of series, whatever the selection, of the volumes that are answered as attached to nothing.
    pub fn unattached_selectors(&self) -> Vec<Selector> {
        let ids: Vec<&str> = self.unattached().collect();
        let selectors = ids.chunks(MAX_IDS).flat_map(|ids| {
            let ids: Vec<String> = ids.iter().map(|id| id.replacen("vol-", "vol-?", 1)).collect();
            let ids = ids.join("|");
            NAMES.map(|(name, label)| Selector {
                matchers: vec![
                    Matcher::new("__name__", Operator::Equal, name),
                    Matcher::new(label, Operator::Matches, &ids),
                ],
            })
        });
        selectors.collect()
    }

    /// Leaves out the unattached volumes that these label sets name: their series do not meet the selection, so neither do they, and they
    /// were in use.
    pub fn exclude_unattached(&mut self, labels: &[Labels]) {
        let id = |labels: &Labels| NAMES.iter().find_map(|(_, label)| labels.get(label)).and_then(volume_id);
        let named: BTreeSet<String> = labels.iter().filter_map(id).collect();
        let before = self.unobserved.len();
        self.unobserved.retain(|one| one.reason != Unseen::Unattached || !named.contains(&one.id));
        self.excluded += before - self.unobserved.len();
    }

    fn unattached(&self) -> impl Iterator<Item = &str> {
        let all = self.unobserved.iter().filter(|one| one.reason == Unseen::Unattached);
        all.map(|one| one.id.as_str()).filter(|id| volume_id(id).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discovery::fleet::Unobserved;

    const A: &str = "vol-06c1835863d5d7360";
    const B: &str = "vol-06c1835863d5d7361";

    #[test]
    fn a_volume_that_another_job_scrapes_is_left_out() {
        let unobserved =
            [A, B].map(|id| Unobserved { id: id.to_owned(), rds: None, claim: None, reason: Unseen::Unattached });
        let mut fleet = Fleet { unobserved: unobserved.to_vec(), ..Fleet::default() };
        let selectors = fleet.unattached_selectors();
        assert_eq!(selectors.len(), 5);
        let expected = "{__name__=\"node_disk_info\",serial=~\"vol-?06c1835863d5d7360|vol-?06c1835863d5d7361\"}";
        assert_eq!(selectors[0].to_string(), expected);
        let info = [("__name__", "node_disk_info"), ("serial", "vol06c1835863d5d7360"), ("job", "other")];
        fleet.exclude_unattached(&[info.into_iter().collect()]);
        let left: Vec<&str> = fleet.unobserved.iter().map(|one| one.id.as_str()).collect();
        assert_eq!((left, fleet.excluded), (vec![B], 1));
    }
}
