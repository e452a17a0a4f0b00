//! RDS instances: those of one identifier in several regions or accounts, told apart by what series and documents show.

use std::collections::{BTreeMap, BTreeSet};

use ebs_imports::configuration::{Configuration, DatabaseKey};

use crate::discovery::location::Location;

/// An RDS instance, as far as series and documents tell it from others of its identifier.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RdsInstance {
    /// Location, by all that show the instance.
    pub location: Location,
    /// Document that describes it.
    pub document: Option<DatabaseKey>,
    /// True where another instance has its identifier.
    pub has_namesake: bool,
    /// Locations of the instances that it may be; empty where it is a certain one.
    pub candidates: Vec<Location>,
}

/// RDS instances of series and documents, by their identifiers and the locations that these show.
#[derive(Default)]
pub(crate) struct RdsInstances(BTreeMap<String, BTreeMap<Location, RdsInstance>>);

impl RdsInstance {
    /// Name that no other instance has: the identifier, with the location where another has it.
    pub fn key(&self, identifier: &str) -> String {
        if self.has_namesake { format!("{identifier} ({})", self.location) } else { identifier.to_owned() }
    }
}

impl RdsInstances {
    /// Instances that series show, by identifier and location, and those that documents describe.
    pub fn new<'a>(
        shown: impl Iterator<Item = (&'a str, &'a Location)>,
        configuration: &Configuration,
    ) -> RdsInstances {
        let mut locations: BTreeMap<String, BTreeSet<Location>> = BTreeMap::new();
        let mut documents: BTreeMap<&str, Vec<&DatabaseKey>> = BTreeMap::new();
        for (identifier, location) in shown {
            locations.entry(identifier.to_owned()).or_default().insert(location.clone());
        }
        for key in configuration.databases.keys() {
            locations.entry(key.identifier.clone()).or_default().insert(Location::from_document(key));
            documents.entry(&key.identifier).or_default().push(key);
        }
        let instances = locations.into_iter().map(|(identifier, locations)| {
            let documents = documents.get(identifier.as_str()).map_or(&[][..], Vec::as_slice);
            let instances = distinguish(&locations, documents);
            (identifier, instances)
        });
        RdsInstances(instances.collect())
    }

    /// The instance that this identifier and location are of.
    pub fn find(&self, identifier: &str, location: &Location) -> Option<&RdsInstance> {
        self.0.get(identifier)?.get(location)
    }
}

/// The instance of each location. Locations that agree are of one instance; a location that agrees with some that contradict each other may
/// be each of these, and is an instance of its own without a document.
fn distinguish(locations: &BTreeSet<Location>, documents: &[&DatabaseKey]) -> BTreeMap<Location, RdsInstance> {
    let near = |one: &Location| locations.iter().filter(|other| other.agrees_with(one)).collect::<Vec<_>>();
    let is_certain = |one: &&Location| {
        let near = near(one);
        near.iter().all(|one| near.iter().all(|other| one.agrees_with(other)))
    };
    let certain: BTreeSet<&Location> = locations.iter().filter(is_certain).collect();
    // Certain locations that agree are the same instance: what one of them knows is known of all.
    let whole = |one: &Location| {
        let same = near(one).into_iter().filter(|other| certain.contains(other));
        same.fold(one.clone(), Location::union)
    };
    let names: BTreeMap<&Location, Location> =
        locations.iter().map(|one| (one, if certain.contains(one) { whole(one) } else { one.clone() })).collect();
    let has_namesake = names.values().collect::<BTreeSet<_>>().len() > 1;
    let instance = |one: &Location, location: &Location| {
        let is_same = |key: &&&DatabaseKey| names.get(&Location::from_document(key)) == Some(location);
        let document = documents.iter().filter(is_same).max_by_key(|key| (key.region.is_some(), key.account.is_some()));
        let others = || near(one).into_iter().filter(|other| certain.contains(other)).map(whole);
        let is_certain = certain.contains(one);
        RdsInstance {
            location: location.clone(),
            document: document.filter(|_| is_certain).map(|key| (*key).clone()),
            has_namesake,
            candidates: if is_certain { Vec::new() } else { others().collect::<BTreeSet<_>>().into_iter().collect() },
        }
    };
    let by_whole = names
        .iter()
        .filter(|(one, _)| certain.contains(*one))
        .map(|(one, location)| (location, instance(one, location)));
    let by_part = names.iter().map(|(one, location)| (*one, instance(one, location)));
    by_whole.chain(by_part).map(|(location, instance)| (location.clone(), instance)).collect()
}

#[cfg(test)]
#[path = "rds_instance_tests.rs"]
mod tests;
