//! Documents of the AWS CLI as a source of configuration.

use std::collections::BTreeSet;
use std::convert::Infallible;

use ebs_imports::configuration::{Configuration, Database, Object, ObjectKind};

use super::{ConfigurationSource, Configured};

/// Most identifiers of RDS instances that are named.
const MAX_NAMED: usize = 5;

/// Configuration of one time.
#[derive(Clone, Debug, Default)]
pub struct DescribedConfiguration {
    /// The objects.
    pub configuration: Configuration,
    /// Time at which AWS printed them, microseconds since 1970.
    pub described_us: i64,
}

impl DescribedConfiguration {
    fn select<T: ObjectKind>(&self, is_selected: impl Fn(&Object<T>) -> bool) -> Vec<Configured<T>> {
        let selected = T::objects(&self.configuration).filter(is_selected);
        let configured = |object: Object<T>| Configured {
            name: object.name.to_owned(),
            region: object.region.map(str::to_owned),
            account: object.account.map(str::to_owned),
            happened_us: object.happened_us.unwrap_or(0),
            facts: object.facts.clone(),
            imported_us: self.described_us,
            confirmed_us: self.described_us,
        };
        selected.map(configured).collect()
    }
}

impl ConfigurationSource for DescribedConfiguration {
    type Error = Infallible;

    fn find<T: ObjectKind>(&self, names: &[String], _: i64) -> Result<Vec<Configured<T>>, Infallible> {
        Ok(self.select(|object| names.iter().any(|name| name == object.name)))
    }

    fn databases_by_resource(&self, resource_id: &str, _: i64) -> Result<Vec<Configured<Database>>, Infallible> {
        Ok(self.select(|object: &Object<Database>| object.facts.resource_id.as_deref() == Some(resource_id)))
    }

    fn databases_of_cluster(&self, cluster: &str, _: i64) -> Result<Vec<Configured<Database>>, Infallible> {
        Ok(self.select(|object: &Object<Database>| object.facts.cluster.as_deref() == Some(cluster)))
    }

    fn history<T: ObjectKind>(&self, names: &[String]) -> Result<Vec<Configured<T>>, Infallible> {
        self.find(names, self.described_us)
    }

    fn database_names(&self) -> Result<Vec<String>, Infallible> {
        let names: BTreeSet<&str> = Database::objects(&self.configuration).map(|object| object.name).collect();
        Ok(names.into_iter().take(MAX_NAMED).map(str::to_owned).collect())
    }
}

#[cfg(test)]
#[path = "described_tests.rs"]
mod tests;
