//! Signals that end the program: a query is cancelled at the server before.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::ending_signals::ending_signals;
use crate::error::Error;

/// Flag that the next signal to end sets.
pub fn flag() -> Result<Arc<AtomicBool>, Error> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in ending_signals() {
        signal_hook::flag::register(signal, Arc::clone(&flag)).map_err(Error::HandleSignals)?;
    }
    Ok(flag)
}
