//! Selection: which series and volumes of a fleet are PostgreSQL's, as the user names them.

use std::collections::BTreeMap;

use ebs_prometheus::{Matcher, Operator, Selector};

use crate::discovery::metric;

/// Conditions on the volumes that are answered. Those that are left empty select everything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// Selectors of which exporters' series meet one: `{job="postgres"}`. Series of Kubernetes, which another job has, need not meet them.
    pub matches: Vec<Selector>,
    /// Mount points: each stands for itself and everything below it; `*` for any characters.
    pub mountpoints: Vec<String>,
    /// Tags of volumes, key and value, as describe-volumes prints them; all of them.
    pub tags: Vec<(String, String)>,
    /// Kubernetes claims, as `namespace/name`; `*` for any characters.
    pub claims: Vec<String>,
    /// EBS volume IDs, or identifiers of RDS instances.
    pub volumes: Vec<String>,
    /// Labels that distinguish replicas of the engine's scrapers, such as `prometheus_replica`.
    pub replica_labels: Vec<String>,
    /// True where volumes that hold the operating system alone are answered, too.
    pub root_volumes: bool,
}

/// Metrics by which volumes are found, each with the job's conditions or without.
const DISCOVERY: [(&str, bool); 15] = [
    (metric::NODE_DISK_INFO, true),
    (metric::NODE_DMI_INFO, true),
    (metric::NODE_FILESYSTEM_SIZE, true),
    (metric::CSI_READ_OPS, true),
    (metric::DEMAND_COUNT, true),
    (metric::RDS_READ_IOPS, true),
    (metric::AWS_RDS_READ_IOPS, true),
    (metric::RDS_INSTANCE_INFO, true),
    (metric::RDS_OS_READ_IOPS, true),
    (metric::YACE_READ_OPS_SUM, true),
    (metric::YACE_READ_OPS_AVERAGE, true),
    (metric::NODE_UNAME_INFO, true),
    (metric::KUBE_VOLUME_INFO, false),
    (metric::KUBE_CLAIM_REF, false),
    (metric::KUBELET_USED, false),
];

/// Selectors of the series whose label sets show the volumes of a fleet.
pub fn discovery_selectors(selection: &Selection) -> Vec<Selector> {
    let any = [Selector::default()];
    let matches = if selection.matches.is_empty() { any.as_slice() } else { &selection.matches };
    let selectors_of = |(name, is_of_job): &(&str, bool)| {
        let named = Matcher::new("__name__", Operator::Equal, name);
        let matches = if *is_of_job { matches } else { any.as_slice() };
        let with_name = |selector: &Selector| Selector {
            matchers: [named.clone()].into_iter().chain(selector.matchers.iter().cloned()).collect(),
        };
        matches.iter().map(with_name).collect::<Vec<_>>()
    };
    let mut selectors: Vec<Selector> = DISCOVERY.iter().flat_map(&selectors_of).collect();
    // Amounts of an interval under the name of a counter, which are refused by name.
    let devices = Matcher::new("device", Operator::Matches, &metric::NOT_CUMULATIVE_DEVICES.join("|"));
    let refused = [metric::NODE_READS, metric::NODE_READ_BYTES].map(|name| selectors_of(&(name, true)));
    selectors.extend(refused.into_iter().flatten().map(|mut selector| {
        selector.matchers.push(devices.clone());
        selector
    }));
    selectors
}

impl Selection {
    /// True where volumes are selected by properties that only their series show.
    pub fn is_by_series(&self) -> bool {
        !(self.matches.is_empty() && self.mountpoints.is_empty() && self.claims.is_empty())
    }

    /// True where a volume with these tags may be selected.
    pub fn has_tags(&self, tags: Option<&BTreeMap<String, String>>) -> bool {
        self.tags.iter().all(|(key, value)| tags.and_then(|tags| tags.get(key)).is_some_and(|known| known == value))
    }

    /// True where a volume of this ID may be selected.
    pub fn has_volume(&self, id: &str) -> bool {
        self.volumes.is_empty() || self.volumes.iter().any(|known| known == id)
    }

    /// True where a volume with one of these mount points may be selected.
    pub fn has_mountpoint<'a>(&self, mut mountpoints: impl Iterator<Item = &'a str>) -> bool {
        self.mountpoints.is_empty()
            || mountpoints.any(|path| self.mountpoints.iter().any(|pattern| is_at_or_below(path, pattern)))
    }

    /// True where claims are selected, and this one is among them.
    pub fn is_by_claim(&self, claim: Option<&str>) -> bool {
        !self.claims.is_empty() && self.has_claim(claim)
    }

    /// True where a volume of this claim may be selected.
    pub fn has_claim(&self, claim: Option<&str>) -> bool {
        self.claims.is_empty()
            || claim.is_some_and(|claim| self.claims.iter().any(|pattern| matches_pattern(claim, pattern)))
    }
}

/// True where a path is what the pattern names, or lies below it.
fn is_at_or_below(path: &str, pattern: &str) -> bool {
    let pattern = if pattern == "/" { pattern } else { pattern.trim_end_matches('/') };
    let below = format!("{}/*", pattern.trim_end_matches('/'));
    // Everything is below the root: it stands for itself alone.
    matches_pattern(path, pattern) || pattern != "/" && matches_pattern(path, &below)
}

/// True where a text is that of the pattern, in which `*` stands for any characters.
pub(crate) fn matches_pattern(text: &str, pattern: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        match rest.find(piece) {
            Some(start) => rest = &rest[start + piece.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_stands_for_whole_texts() {
        for (text, pattern, expected) in [
            ("/pgdata", "/pgdata", true),
            ("/pgdata2", "/pgdata", false),
            ("/pgdata2", "/pgdata*", true),
            ("db/data-pg-0", "db/data-*", true),
            ("db/data-pg-0", "*/data-*-0", true),
            ("db/data-pg-1", "*/data-*-0", false),
            ("aa", "a*aa", false),
            ("", "*", true),
        ] {
            assert_eq!(matches_pattern(text, pattern), expected, "{text} {pattern}");
        }
    }

    #[test]
    fn a_mount_point_is_selected_with_everything_below() {
        let selection = |pattern: &str| Selection { mountpoints: vec![pattern.to_owned()], ..Selection::default() };
        let selected = |pattern, path: &str| selection(pattern).has_mountpoint([path].into_iter());
        assert!(selected("/var/lib/postgresql/", "/var/lib/postgresql/18/main"));
        assert!(selected("/var/lib/postgresql", "/var/lib/postgresql"));
        assert!(!selected("/var/lib/postgresql", "/var/lib/postgresql-old"));
        assert!(selected("/", "/") && !selected("/", "/pgdata"));
        assert!(!selection("/x").has_mountpoint([].into_iter()) && Selection::default().has_mountpoint([].into_iter()));
    }

    #[test]
    fn series_of_kubernetes_need_not_meet_the_conditions_on_a_job() {
        let matches = vec![Selector { matchers: vec![Matcher::new("job", Operator::Equal, "postgres")] }];
        let texts: Vec<String> = discovery_selectors(&Selection { matches, ..Selection::default() })
            .iter()
            .map(Selector::to_string)
            .collect();
        assert!(texts.contains(&"{__name__=\"node_disk_info\",job=\"postgres\"}".to_owned()));
        assert!(texts.contains(&"{__name__=\"kube_persistentvolume_info\"}".to_owned()));
    }
}
