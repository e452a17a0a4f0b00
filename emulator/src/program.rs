//! Programs of util-linux and e2fsprogs that do what would take code of our own.

use std::process::Command;

use crate::error::Error;

/// Runs a program and gives what it printed.
pub fn run(program: &str, arguments: &[&str]) -> Result<String, Error> {
    let output = Command::new(program).args(arguments).output();
    let output = output.map_err(|error| Error::failed(format!("could not run {program}: {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Error::failed(format!("{program} failed")).detail(said));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
