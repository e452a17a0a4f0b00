//! Instance of events, and the choice of it and its devices.

use super::document::Event;
use ebs_base::names::quoted;

/// Choice of what to import.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Device that holds data: one of physicalDeviceIO or diskIO; `None`: the sum of the volumes.
    pub device: Option<String>,
    /// Device that holds WAL.
    pub wal_device: Option<String>,
    /// Instance, by its identifier or resource id; events of others are left out.
    pub instance: Option<String>,
}

/// The instance that all events come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Identity {
    pub instance: Option<String>,
    pub resource: Option<String>,
    pub stream: Option<String>,
}

impl Identity {
    pub fn from_event(event: &Event) -> Identity {
        let Event { stream, message, .. } = event;
        Identity { instance: message.instance.clone(), resource: message.resource.clone(), stream: stream.clone() }
    }

    pub fn is(&self, name: &str) -> bool {
        [&self.instance, &self.resource, &self.stream].into_iter().flatten().any(|own| own == name)
    }

    /// True of events of the same instance. An instance that was renamed keeps its resource id.
    pub fn matches(&self, other: &Identity) -> bool {
        let streams = self.stream.is_none() || other.stream.is_none() || self.stream == other.stream;
        match (&self.resource, &other.resource) {
            (Some(one), Some(two)) => one == two && streams,
            _ => self.instance == other.instance && streams,
        }
    }

    pub fn name(&self) -> String {
        let name = [&self.instance, &self.resource, &self.stream].into_iter().flatten().next();
        name.map_or_else(|| "without a name".to_owned(), |name| quoted(name))
    }
}

impl Identity {
    /// The name that tells it from another.
    pub fn name_beside(&self, other: &Identity) -> String {
        let pairs =
            [(&self.instance, &other.instance), (&self.resource, &other.resource), (&self.stream, &other.stream)];
        let different = pairs.into_iter().find(|(own, other)| own != other).and_then(|(own, _)| own.as_deref());
        different.map_or_else(|| self.name(), quoted)
    }
}
