//! Objects of a configuration by their kind, with what identifies each.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Configuration, Database, Instance, Modification, Volume};

/// Object of a configuration, with what identifies it.
#[derive(Clone, Debug, Serialize)]
pub struct Object<'a, T> {
    /// Its name: an ID, or the identifier of an RDS instance.
    pub name: &'a str,
    /// Its region, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<&'a str>,
    /// Its account, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<&'a str>,
    /// Start of a modification, microseconds since 1970; `None` of other kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub happened_us: Option<i64>,
    /// Facts that AWS printed.
    pub facts: &'a T,
}

/// Kind of objects.
pub trait ObjectKind: Clone + Serialize + DeserializeOwned + 'static {
    /// Name of the kind, as ebs.configuration has it.
    const KIND: &'static str;

    /// Objects of this kind, in the order of their names.
    fn objects(configuration: &Configuration) -> impl Iterator<Item = Object<'_, Self>>;
}

impl ObjectKind for Volume {
    const KIND: &'static str = "volume";

    fn objects(configuration: &Configuration) -> impl Iterator<Item = Object<'_, Volume>> {
        configuration.volumes.iter().map(|(name, facts)| Object {
            name,
            region: facts.region.as_deref(),
            account: None,
            happened_us: None,
            facts,
        })
    }
}

impl ObjectKind for Instance {
    const KIND: &'static str = "instance";

    fn objects(configuration: &Configuration) -> impl Iterator<Item = Object<'_, Instance>> {
        configuration.instances.iter().map(|(name, facts)| {
            let (region, account) = (facts.region.as_deref(), facts.account.as_deref());
            Object { name, region, account, happened_us: None, facts }
        })
    }
}

impl ObjectKind for Database {
    const KIND: &'static str = "db instance";

    fn objects(configuration: &Configuration) -> impl Iterator<Item = Object<'_, Database>> {
        configuration.databases.iter().map(|(key, facts)| {
            let (region, account) = (key.region.as_deref(), key.account.as_deref());
            Object { name: &key.identifier, region, account, happened_us: None, facts }
        })
    }
}

impl ObjectKind for Modification {
    const KIND: &'static str = "modification";

    fn objects(configuration: &Configuration) -> impl Iterator<Item = Object<'_, Modification>> {
        configuration.modifications.iter().map(|(key, facts)| Object {
            name: &key.volume,
            region: None,
            account: None,
            happened_us: Some(key.started_us),
            facts,
        })
    }
}
