//! Programs of util-linux and e2fsprogs.

use std::process::Command;

use crate::error::Error;

/// Runs a program and returns its trimmed output; its standard error is the detail of a failure.
pub fn run(program: &str, arguments: &[&str]) -> Result<String, Error> {
    // Their output is parsed, and the detail of errors is English.
    let output = Command::new(program).args(arguments).env("LC_ALL", "C").output();
    let output = output.map_err(|error| Error::failed(format!("could not run {program}: {error}")))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Error::failed(format!("{program} failed")).detail(stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
