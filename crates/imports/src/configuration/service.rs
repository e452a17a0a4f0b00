//! Services whose databases have no volumes, by the keys of their documents: `aws rds describe-db-shard-groups`, `describe-db-clusters` of
//! Aurora Limitless Database, `aws dsql list-clusters` and `get-cluster`.

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess};
use serde_json::Value;

const LIMITLESS: &str = "Aurora Limitless Database";
const DSQL: &str = "Aurora DSQL";

/// A cluster of `describe-db-clusters`.
#[derive(Deserialize)]
struct Cluster {
    #[serde(default, rename = "ClusterScalabilityType")]
    scalability: Option<String>,
}

/// True of a key whose value is kept while it is read.
pub(super) fn is_kept(key: &str) -> bool {
    matches!(key, "DBClusters" | "arn")
}

/// Reads the value of a key of a document, and returns the service that it tells.
pub(super) fn read_service<'de, A: MapAccess<'de>>(key: &str, keys: &mut A) -> Result<Option<&'static str>, A::Error> {
    match key {
        "DBClusters" => {
            let clusters = keys.next_value::<Option<Vec<Cluster>>>()?.unwrap_or_default();
            let is_limitless = |cluster: &Cluster| cluster.scalability.as_deref() == Some("limitless");
            return Ok(clusters.iter().any(is_limitless).then_some(LIMITLESS));
        }
        "arn" => {
            let arn = keys.next_value::<Value>()?;
            return Ok(arn.as_str().is_some_and(is_dsql).then_some(DSQL));
        }
        _ => {}
    }
    let IgnoredAny = keys.next_value()?;
    Ok(match key {
        "DBShardGroups" => Some(LIMITLESS),
        "clusters" | "deletionProtectionEnabled" => Some(DSQL),
        _ => None,
    })
}

/// True of `arn:aws:dsql:us-east-1:123456789012:cluster/abc`.
fn is_dsql(arn: &str) -> bool {
    arn.starts_with("arn:") && arn.split(':').nth(2) == Some("dsql")
}

#[cfg(test)]
mod tests {
    use super::super::{ConfigurationError, read};

    #[test]
    fn databases_without_volumes_are_refused_by_name() {
        for (text, name) in [
            (r#"{"DBShardGroups": []}"#, Some(super::LIMITLESS)),
            (
                r#"{"DBClusters": [{"Engine": "aurora-postgresql", "ClusterScalabilityType": "limitless"}]}"#,
                Some(super::LIMITLESS),
            ),
            (r#"{"DBClusters": [{"Engine": "postgres", "ClusterScalabilityType": "standard"}, {}]}"#, None),
            (r#"{"clusters": []}"#, Some(super::DSQL)),
            (
                r#"{"identifier": "abc", "arn": "arn:aws:dsql:us-east-1:123456789012:cluster/abc", "status": "ACTIVE"}"#,
                Some(super::DSQL),
            ),
            (r#"{"arn": "arn:aws:s3:::dsql"}"#, None),
        ] {
            let service = match read(text, &|| ()).unwrap_err() {
                ConfigurationError::NoVolumes { service, .. } => Some(service),
                _ => None,
            };
            assert_eq!(service, name, "{text}");
        }
    }
}
