//! Completions of shells and manual pages, made of the arguments themselves, so that neither can be out of date.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::error::Error;

/// Which completions.
#[derive(clap::Args)]
#[command(after_help = "For example: ebsctl completions bash > /etc/bash_completion.d/ebsctl")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Where the pages go.
#[derive(clap::Args)]
#[command(after_help = "For example: ebsctl manual /usr/local/share/man/man1")]
pub struct Manual {
    /// A directory that exists: ebsctl.1 and a page for each subcommand are written there
    directory: PathBuf,
}

/// Prints the completions.
pub fn complete(arguments: &Completions) -> Result<(), Error> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::Arguments::command(), "ebsctl", &mut script);
    io::stdout().write_all(&script).map_err(Error::Output)
}

/// Writes the pages, in the place of those that are there.
pub fn describe(arguments: &Manual) -> Result<(), Error> {
    let unwritten = |error| Error::Unwritten { directory: arguments.directory.display().to_string(), error };
    clap_mangen::generate_to(crate::Arguments::command(), &arguments.directory).map_err(unwritten)
}
