//! Documents one after another: arrays are read element by element, so that a whole account need not be in memory.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Read};

use ebs_base::input::Pieces;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::element::Element;
use super::kind::{Kind, MAX_OBJECTS};
use super::meter::{Meter, Metered};
use super::service::{is_kept, read_service};
use super::{Configuration, ConfigurationError, database, insert, instance, modification, volume};

/// Reads documents: one, several in succession, or an array of them. `pause` is called between pieces of the text, and may unwind.
pub fn read(text: &str, pause: &dyn Fn()) -> Result<Configuration, ConfigurationError> {
    let mut reader = Reader::default();
    reader.read_documents(Pieces::new(text, pause)).map_err(|error| match error {
        ReadError::Documents(error) => error,
        ReadError::Source(error) => ConfigurationError::Malformed(error.to_string()),
    })?;
    Ok(reader.configuration)
}

/// Error of a source of documents.
#[derive(Debug)]
pub enum ReadError {
    /// The source failed.
    Source(io::Error),
    /// The documents are refused.
    Documents(ConfigurationError),
}

/// Documents of several sources as one configuration. No source is in memory as a whole.
#[derive(Default)]
pub struct Sources(Reader);

impl Sources {
    /// Reads the documents of one more source, and returns the kinds of which later pages are missing in it.
    pub fn read(&mut self, source: impl Read) -> Result<BTreeSet<Kind>, ReadError> {
        let reader = &mut self.0;
        (reader.documents, reader.has_kind) = (0, false);
        let mut before = std::mem::take(&mut reader.configuration.unfinished);
        reader.complete.clear();
        reader.read_documents(source)?;
        let unfinished = reader.configuration.unfinished.clone();
        before.retain(|kind| !reader.complete.contains(kind));
        reader.configuration.unfinished.extend(before);
        Ok(unfinished)
    }

    /// The configuration of all of them.
    pub fn finish(self) -> Configuration {
        self.0.configuration
    }
}

/// State of reading.
#[derive(Default)]
struct Reader {
    configuration: Configuration,
    /// Number of the present document, from 1.
    documents: usize,
    /// Kind whose value is being read.
    kind: Option<Kind>,
    /// Kinds whose last page was read.
    complete: BTreeSet<Kind>,
    /// True once a document had a known key.
    has_kind: bool,
    meter: Meter,
    error: Option<ConfigurationError>,
}

impl Reader {
    fn read_documents(&mut self, source: impl Read) -> Result<(), ReadError> {
        let source = Metered { source, meter: self.meter.clone() };
        let mut json = serde_json::Deserializer::from_reader(source);
        loop {
            match json.end() {
                Ok(()) => break,
                Err(error) if error.is_io() => return Err(ReadError::Source(error.into())),
                Err(_) => {}
            }
            self.documents += 1;
            let read = Documents { reader: self, in_array: false }.deserialize(&mut json);
            read.map_err(|error| self.error_of(error))?;
        }
        if self.has_kind {
            return Ok(());
        }
        Err(ReadError::Documents(ConfigurationError::Foreign("an empty text".to_owned())))
    }

    fn error_of(&mut self, error: serde_json::Error) -> ReadError {
        ReadError::Documents(match self.error.take() {
            Some(error) => error,
            None if self.meter.is_exceeded() => ConfigurationError::TooLarge(self.document()),
            None if error.is_io() => return ReadError::Source(error.into()),
            None if error.is_data() => self.type_error(),
            None => ConfigurationError::Malformed(error.to_string()),
        })
    }

    fn document(&self) -> String {
        format!("document {}", self.documents)
    }

    /// Error of a value that is neither an object nor an array where one is expected.
    fn type_error(&self) -> ConfigurationError {
        match self.kind {
            Some(kind) => ConfigurationError::Value {
                at: self.document(),
                key: kind.name().to_owned(),
                problem: "is not an array".to_owned(),
            },
            None => ConfigurationError::Foreign(self.document()),
        }
    }

    fn add(&mut self, kind: Kind, number: usize, value: &Value) -> Result<(), ConfigurationError> {
        let document = if self.documents > 1 { format!(" of {}", self.document()) } else { String::new() };
        let element = Element::new(format!("element {number} of \"{}\"{document}", kind.name()), value)?;
        let known = &mut self.configuration;
        match kind {
            Kind::Volumes => {
                let (id, volume) = volume::read(&element)?;
                insert(&mut known.volumes, id.clone(), volume, || format!("volume \"{id}\""))?;
            }
            Kind::Reservations => {
                for (id, one) in instance::read(&element)? {
                    insert(&mut known.instances, id.clone(), one, || format!("instance \"{id}\""))?;
                }
            }
            Kind::DbInstances => {
                let (key, database) = database::read(&element)?;
                let name = format!("DB instance \"{}\"", key.identifier);
                insert(&mut known.databases, key, database, || name)?;
            }
            Kind::VolumesModifications => {
                let (key, modification) = modification::read(&element)?;
                let name = format!("modification of \"{}\"", key.volume);
                insert(&mut known.modifications, key, modification, || name)?;
            }
        }
        if known.len() > MAX_OBJECTS { Err(ConfigurationError::TooMany) } else { Ok(()) }
    }

    /// Keeps an error, which serde's cannot hold.
    fn keep<T, E: Error>(&mut self, result: Result<T, ConfigurationError>) -> Result<T, E> {
        result.map_err(|error| {
            self.error = Some(error);
            E::custom("the configuration is refused")
        })
    }
}

/// A document, or an array of documents.
struct Documents<'a> {
    reader: &'a mut Reader,
    in_array: bool,
}

impl<'de> DeserializeSeed<'de> for Documents<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Documents<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a document of the AWS CLI")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut keys: A) -> Result<(), A::Error> {
        let (mut kinds, mut has_next, mut service) = (BTreeSet::new(), false, None);
        loop {
            self.reader.meter.begin();
            let key = keys.next_key::<String>()?;
            self.reader.meter.end();
            let Some(key) = key else { break };
            match Kind::ALL.into_iter().find(|kind| kind.name() == key) {
                Some(kind) => {
                    self.reader.kind = Some(kind);
                    keys.next_value_seed(Elements { reader: self.reader, kind })?;
                    self.reader.kind = None;
                    kinds.insert(kind);
                }
                None if key == "NextToken" || key == "Marker" => {
                    has_next |= keys.next_value::<Option<IgnoredAny>>()?.is_some();
                }
                None => {
                    if is_kept(&key) {
                        self.reader.meter.begin();
                    }
                    let found = read_service(&key, &mut keys)?;
                    self.reader.meter.end();
                    service = service.or(found);
                }
            }
        }
        if kinds.is_empty() {
            let document = self.reader.document();
            return self.reader.keep(Err(match service {
                Some(service) => ConfigurationError::NoVolumes { document, service },
                None => ConfigurationError::Foreign(document),
            }));
        }
        self.reader.has_kind = true;
        for kind in kinds {
            let unfinished = &mut self.reader.configuration.unfinished;
            if has_next {
                unfinished.insert(kind);
            } else {
                unfinished.remove(&kind);
                self.reader.complete.insert(kind);
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut documents: A) -> Result<(), A::Error> {
        let Documents { reader, in_array } = self;
        if in_array {
            let foreign = ConfigurationError::Foreign(reader.document());
            return reader.keep(Err(foreign));
        }
        let first = reader.documents;
        while documents.next_element_seed(Documents { reader, in_array: true })?.is_some() {
            reader.documents += 1;
        }
        // That of the last element, or of the empty array.
        reader.documents = first.max(reader.documents - 1);
        Ok(())
    }
}

/// The array of a kind.
struct Elements<'a> {
    reader: &'a mut Reader,
    kind: Kind,
}

impl<'de> DeserializeSeed<'de> for Elements<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Elements<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        let mut number = 0;
        loop {
            self.reader.meter.begin();
            let value = elements.next_element::<Value>()?;
            self.reader.meter.end();
            let Some(value) = value else { break };
            number += 1;
            let added = self.reader.add(self.kind, number, &value);
            self.reader.keep(added)?;
        }
        Ok(())
    }
}
