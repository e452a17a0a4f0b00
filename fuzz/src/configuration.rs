//! Documents of the AWS CLI. Accepted facts are stored as JSON and read again unchanged.

use ebs_imports::configuration::{Database, Instance, Modification, Volume, read};

/// Checks that facts of a type are read again as they were stored.
macro_rules! check_stored {
    ($facts:expr, $type:ty) => {
        for facts in $facts.values() {
            let stored = serde_json::to_string(facts).expect("facts can be stored");
            assert_eq!(&serde_json::from_str::<$type>(&stored).expect("stored facts can be read"), facts);
        }
    };
}

/// Documents of describe-volumes, describe-instances, describe-db-instances, describe-volumes-modifications.
pub fn configuration(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match read(text, &|| ()) {
        Ok(found) => {
            check_stored!(found.volumes, Volume);
            check_stored!(found.instances, Instance);
            check_stored!(found.databases, Database);
            check_stored!(found.modifications, Modification);
            // The same documents twice are the same configuration.
            assert_eq!(read(&text.repeat(2), &|| ()), Ok(found));
        }
        // The texts of the error must not panic either.
        Err(error) => drop((error.to_string(), error.hint())),
    }
}
