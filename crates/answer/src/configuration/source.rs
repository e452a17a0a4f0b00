//! Sources of configuration: the table of the extension, or documents of the AWS CLI.

use ebs_imports::configuration::{Database, ObjectKind};

/// Object of a configuration.
#[derive(Clone, Debug)]
pub struct Configured<T> {
    /// Its name: an ID, or the identifier of an RDS instance.
    pub name: String,
    /// Its region.
    pub region: Option<String>,
    /// Its account.
    pub account: Option<String>,
    /// Start of a modification, microseconds since 1970; 0 of other kinds.
    pub happened_us: i64,
    /// Facts that AWS printed.
    pub facts: T,
    /// Time of the first import of these facts, microseconds since 1970.
    pub imported_us: i64,
    /// Time of the latest import of them.
    pub confirmed_us: i64,
}

/// Source of configuration. Objects are as they were at a time, microseconds since 1970: by the latest import not later than that, or else the
/// earliest later one.
pub trait ConfigurationSource {
    /// Error of a source that cannot be read.
    type Error;

    /// Finds the objects of these names.
    fn find<T: ObjectKind>(&self, names: &[String], at_us: i64) -> Result<Vec<Configured<T>>, Self::Error>;

    /// Finds the RDS instances with this DbiResourceId.
    fn databases_by_resource(&self, resource_id: &str, at_us: i64) -> Result<Vec<Configured<Database>>, Self::Error>;

    /// Finds the RDS instances that are members of this cluster.
    fn databases_of_cluster(&self, cluster: &str, at_us: i64) -> Result<Vec<Configured<Database>>, Self::Error>;

    /// All facts of the objects of these names: of each object one after the other, in the order of their imports.
    fn history<T: ObjectKind>(&self, names: &[String]) -> Result<Vec<Configured<T>>, Self::Error>;

    /// Identifiers of RDS instances in alphabetical order, five at most.
    fn database_names(&self) -> Result<Vec<String>, Self::Error>;
}
