//! Messages of curl on its standard error.

use std::io::Read;
use std::process::ChildStderr;

/// Maximum length of the messages that are kept, bytes.
const MAX_BYTES: u64 = 64 << 10;

/// The beginning of curl's messages; the rest is read too, so that curl never waits.
pub fn read_messages(mut stderr: ChildStderr) -> String {
    let mut messages = Vec::new();
    let _ = stderr.by_ref().take(MAX_BYTES).read_to_end(&mut messages);
    let _ = std::io::copy(&mut stderr, &mut std::io::sink());
    String::from_utf8_lossy(&messages).into_owned()
}
