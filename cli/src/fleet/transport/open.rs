//! Opening of the transport that the arguments name.

use std::sync::Arc;

use indicatif::MultiProgress;

use super::arguments::{ConnectionArguments, TransportChoice, check_address};
use super::credentials::Credentials;
use super::curl::check_user_file;
use super::files::Files;
use super::http::{Client, Export, InstantQuery};
use super::interface::Transport;
use super::interrupt::Interrupt;
use super::probe::{probe, remote_read};
use super::retry::{Resilient, Retry, RetryPolicy};
use super::waiting::Waiting;
use crate::fetch_error::FetchError;

/// A transport that is ready.
pub struct Opened {
    /// The transport.
    pub transport: Box<dyn Transport>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
    /// Bars of the terminal, among which the waits for the server are.
    pub bars: MultiProgress,
}

impl Opened {
    /// Names the transport of a server, and the reason for which a faster one is not used; nothing of files.
    pub fn describe(&self, arguments: &ConnectionArguments) -> Option<String> {
        arguments.prometheus.as_ref()?;
        let reason = self.transport.replaced().map(|reason| format!(", instead of {reason}")).unwrap_or_default();
        Some(format!("transport: {}{reason}", self.transport.name()))
    }
}

/// Opens the transport of the arguments: reads the labels of files, or asks a server for its ways.
pub fn open(arguments: &ConnectionArguments, interrupt: &Arc<Interrupt>) -> Result<Opened, FetchError> {
    let bars = MultiProgress::new();
    let Some(address) = &arguments.prometheus else {
        let files = Files::open(&arguments.files, interrupt.clone())?;
        return Ok(Opened { transport: Box::new(files), warnings: Vec::new(), bars });
    };
    let credentials = Credentials::new(arguments, &|name| std::env::var(name).ok())?;
    credentials.curl_config.as_deref().map_or(Ok(()), check_user_file)?;
    let warnings = credentials.warnings();
    let address = check_address(address)?;
    let waiting = Waiting::start(&address, bars.clone());
    let client = Client::new(address, credentials, interrupt.clone()).with_waiting(waiting.clone());
    let client = Arc::new(client);
    let retry = || Retry::new(RetryPolicy::default(), interrupt.clone()).with_waiting(waiting.clone());
    let transport: Box<dyn Transport> = match arguments.transport {
        TransportChoice::Auto => probe(&client, &retry())?,
        TransportChoice::RemoteRead => remote_read(&client),
        TransportChoice::Export => Box::new(Export(client)),
        TransportChoice::Query => Box::new(InstantQuery(client)),
    };
    Ok(Opened { transport: Box::new(Resilient::new(transport, retry())), warnings, bars })
}
