//! Choice of a transport by small requests that no series meets.

use std::sync::Arc;

use ebs_prometheus::{Matcher, Operator, Selector};

use super::fallback::Fallback;
use super::http::{Client, Export, InstantQuery, RemoteRead};
use super::interface::{TimeRange, Transport};
use super::retry::Retry;
use crate::fetch_error::FetchError;

/// Time of the probes, of which no server has samples.
const RANGE: TimeRange = TimeRange { from_ms: 1_000_000, to_ms: 1_000_001 };

/// Returns the fastest transport that the server has. Where it fails and instant queries do not, those take its place.
pub fn probe(client: &Arc<Client>, retry: &Retry) -> Result<Box<dyn Transport>, FetchError> {
    let query = || InstantQuery(client.clone());
    let transports: [Box<dyn Transport>; 3] = [
        Box::new(Fallback::new(Export(client.clone()), query()).where_unavailable()),
        Box::new(Fallback::new(RemoteRead(client.clone()), query()).where_unavailable()),
        Box::new(query()),
    ];
    let selector = Selector { matchers: vec![Matcher::new("__name__", Operator::Equal, "ebsctl_probe")] };
    let mut errors = Vec::new();
    let mut unauthorized = None;
    for transport in transports {
        match retry.attempt(&|| transport.fetch(std::slice::from_ref(&selector), RANGE)) {
            Ok(_) => return Ok(transport),
            // A gateway may refuse one path and allow another.
            Err(error @ FetchError::Unauthorized { .. }) => unauthorized = Some(error),
            Err(error @ (FetchError::Refused { .. } | FetchError::Invalid(_) | FetchError::TooLarge(_))) => {
                errors.push((transport.name(), error));
            }
            // What cannot be reached now must not decide on the transport.
            Err(error) => return Err(error),
        }
    }
    let reasons: Vec<String> = errors.iter().map(|(name, error)| format!("{name}: {error}")).collect();
    let last = errors.pop().map_or(FetchError::Interrupted, |(_, error)| error);
    Err(unauthorized.unwrap_or_else(|| FetchError::NoTransport { reasons: reasons.join("; "), last: Box::new(last) }))
}

/// Remote read, with instant queries for chunks of an encoding that is not known here.
pub fn remote_read(client: &Arc<Client>) -> Box<dyn Transport> {
    Box::new(Fallback::new(RemoteRead(client.clone()), InstantQuery(client.clone())))
}
