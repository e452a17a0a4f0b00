//! Kubernetes: the claim of a volume, and the kubelet's series of it.

use std::collections::BTreeMap;

use ebs_prometheus::Labels;

use crate::discovery::metric;

/// Claims by EBS volume ID.
pub struct Claims(BTreeMap<String, Claim>);

/// A claim.
#[derive(Clone, Debug, Default)]
pub struct Claim {
    namespace: String,
    claim: String,
    /// Labels that select the kubelet's series of its space.
    pub used: Vec<Labels>,
}

impl Claim {
    /// Its name with its namespace: `db/data-pg-0`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.namespace, self.claim)
    }

    /// True where a kubelet had it mounted.
    pub fn is_mounted(&self) -> bool {
        !self.used.is_empty()
    }
}

/// Label of the cluster, where several report to one engine.
const CLUSTER: &str = "cluster";

impl Claims {
    /// Joins kube-state-metrics' series, by the names of persistent volumes within a cluster, with the kubelet's.
    pub fn new(labels: &[Labels]) -> Claims {
        let cluster = |labels: &Labels| labels.get(CLUSTER).unwrap_or_default().to_owned();
        let named = |name: &'static str| labels.iter().filter(move |labels| labels.name() == name);
        let references: BTreeMap<(String, &str), &Labels> = named(metric::KUBE_CLAIM_REF)
            .filter_map(|labels| Some(((cluster(labels), labels.get("persistentvolume")?), labels)))
            .collect();
        let mut used: BTreeMap<(String, String, String), Vec<Labels>> = BTreeMap::new();
        for labels in named(metric::KUBELET_USED) {
            let namespace = labels.get("exported_namespace").or(labels.get("namespace")).unwrap_or_default();
            let Some(claim) = labels.get("persistentvolumeclaim") else { continue };
            let kept = ["namespace", "exported_namespace", "persistentvolumeclaim", CLUSTER];
            let target: Labels = labels.iter().filter(|(label, _)| kept.contains(label)).collect();
            let all = used.entry((cluster(labels), namespace.to_owned(), claim.to_owned())).or_default();
            if !all.contains(&target) {
                all.push(target);
            }
        }
        let claim = |labels: &Labels| {
            // Volumes from before the CSI driver: `vol-…`, or `aws://eu-west-1a/vol-…`.
            let id = labels.get("csi_volume_handle").or(labels.get("ebs_volume_id"))?;
            let id = id.rsplit('/').next()?;
            let reference = references.get(&(cluster(labels), labels.get("persistentvolume")?))?;
            let namespace = reference.get("claim_namespace")?.to_owned();
            let claim = reference.get("name")?.to_owned();
            let used = used.get(&(cluster(labels), namespace.clone(), claim.clone())).cloned().unwrap_or_default();
            Some((id.to_owned(), Claim { namespace, claim, used }))
        };
        Claims(named(metric::KUBE_VOLUME_INFO).filter_map(claim).collect())
    }

    /// Claim of a volume.
    pub fn find(&self, volume: &str) -> Option<&Claim> {
        self.0.get(volume)
    }
}
