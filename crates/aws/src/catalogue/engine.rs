//! Engines of RDS, whose storage differs.

/// Engines whose storage has the limits of PostgreSQL's: RDS's page on storage gives one row for all of them
/// (<https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/CHAP_Storage.html>).
const LIKE_POSTGRESQL: [&str; 3] = ["postgres", "mysql", "mariadb"];

/// True for an engine of RDS whose storage the catalogue has.
pub fn has_known_storage(engine: &str) -> bool {
    LIKE_POSTGRESQL.contains(&engine)
}

/// Reason why the storage of another engine is not known.
fn describe_unknown_storage(engine: &str) -> String {
    let engine = engine.strip_prefix("custom-").unwrap_or(engine);
    let known = [
        ("oracle", "RDS stripes Oracle's storage from 200 GiB on, PostgreSQL's from 400 GiB on."),
        ("sqlserver", "RDS does not stripe SQL Server's storage, and bills it by another price list."),
        ("db2", "RDS sells Db2 no gp2, and its prices are not in the catalogue."),
        ("docdb", "DocumentDB has a cluster volume, as Aurora."),
        ("neptune", "Neptune has a cluster volume, as Aurora."),
    ];
    let found = known.iter().find(|(name, _)| engine.starts_with(name)).map(|(_, text)| *text);
    found.unwrap_or("Its limits and prices are not in the catalogue.").to_owned()
}

/// Storage of RDS that the catalogue does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnknownStorage {
    /// That of another engine, by its name.
    Engine(String),
    /// That of an Outpost.
    Outpost,
}

impl UnknownStorage {
    /// Reason why it is not known.
    pub fn describe(&self) -> String {
        match self {
            UnknownStorage::Engine(engine) => describe_unknown_storage(engine),
            UnknownStorage::Outpost => {
                "RDS on Outposts has storage of the Outpost, which is bought with the rack; its limits and prices are not in the catalogue."
                    .to_owned()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_engines_have_other_storage() {
        assert!(["postgres", "mysql", "mariadb"].into_iter().all(has_known_storage));
        for engine in [
            "oracle-ee",
            "oracle-se2-cdb",
            "custom-oracle-ee",
            "sqlserver-se",
            "custom-sqlserver-ee",
            "db2-ae",
            "docdb",
        ] {
            assert!(!has_known_storage(engine), "{engine}");
            assert!(!describe_unknown_storage(engine).starts_with("Its limits"), "{engine}");
        }
        assert!(UnknownStorage::Outpost.describe().starts_with("RDS on Outposts has storage of the Outpost"));
        assert!(!has_known_storage("foxpro") && describe_unknown_storage("foxpro").starts_with("Its limits"));
    }
}
