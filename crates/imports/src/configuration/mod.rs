//! Present configuration of an AWS account, as the AWS CLI prints it: `aws ec2 describe-volumes`, `describe-instances`,
//! `describe-volumes-modifications` and `aws rds describe-db-instances`, any of them, in one or several documents.
//!
//! Sources: <https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_Volume.html>,
//! <https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_Instance.html>,
//! <https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_VolumeModification.html>,
//! <https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_DBInstance.html>.

mod database;
mod document;
mod element;
mod error;
mod history;
mod instance;
mod kind;
mod meter;
mod modification;
mod object;
mod pending;
mod region;
mod service;
mod volume;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

pub use database::{Database, DatabaseKey, DatabaseState};
pub use document::{ReadError, Sources, read};
pub use error::ConfigurationError;
pub use instance::Instance;
pub use kind::{Kind, MAX_OBJECTS};
pub use modification::{Modification, ModificationKey, VolumeState};
pub use object::{Object, ObjectKind};
pub use pending::{pending_modification, pending_storage};
pub use volume::Volume;

use crate::format::{Format, Reader, Sign};
#[cfg(any(test, feature = "made"))]
use crate::made::{self, Inputs, Made, recorded};

/// Documents of the AWS CLI.
pub(crate) const FORMAT: Format = Format {
    name: "configuration",
    kind: "configuration that the AWS CLI printed",
    command: "ebsctl import",
    page: "docs/configuration.md",
    shape: "",
    signs: &[
        Sign::Keys(&["Volumes"]),
        Sign::Keys(&["VolumesModifications"]),
        Sign::Keys(&["Reservations"]),
        Sign::Keys(&["DBInstances"]),
        Sign::Keys(&["DBClusters"]),
    ],
    reader: Reader::Configuration,
    sql: None,
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[recorded!("configuration-ec2.json"), recorded!("configuration-rds.json")],
        made: &[Made { what: "volumes", make: |bytes| made::configuration(bytes / 150) }],
    },
};

/// Everything that the documents of one import describe.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Configuration {
    /// EBS volumes by their IDs.
    pub volumes: BTreeMap<String, Volume>,
    /// EC2 instances by their IDs.
    pub instances: BTreeMap<String, Instance>,
    /// RDS instances.
    pub databases: BTreeMap<DatabaseKey, Database>,
    /// Modifications of volumes.
    pub modifications: BTreeMap<ModificationKey, Modification>,
    /// Kinds whose last document has a `NextToken`: further pages exist.
    pub unfinished: BTreeSet<Kind>,
}

impl Configuration {
    /// Number of objects.
    pub fn len(&self) -> usize {
        self.volumes.len() + self.instances.len() + self.databases.len() + self.modifications.len()
    }

    /// True without objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Adds an object; one that is described twice has to be described alike.
fn insert<K: Ord, T: PartialEq>(
    objects: &mut BTreeMap<K, T>,
    key: K,
    object: T,
    name: impl FnOnce() -> String,
) -> Result<(), ConfigurationError> {
    match objects.entry(key) {
        Entry::Vacant(place) => {
            place.insert(object);
            Ok(())
        }
        Entry::Occupied(known) if *known.get() == object => Ok(()),
        Entry::Occupied(_) => Err(ConfigurationError::Contradiction(name())),
    }
}

#[cfg(test)]
#[path = "configuration_tests.rs"]
mod tests;
