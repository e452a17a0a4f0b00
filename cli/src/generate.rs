//! ebsctl completions and ebsctl manual: both are generated from the definition of the arguments, so that neither can be out of
//! date.

use std::path::PathBuf;

use clap_complete::Shell;

use crate::error::Error;
use crate::output::print;

/// Arguments of ebsctl completions.
#[derive(clap::Args)]
#[command(after_help = "For example: ebsctl completions bash > /etc/bash_completion.d/ebsctl")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Arguments of ebsctl manual.
#[derive(clap::Args)]
#[command(after_help = "For example: ebsctl manual /usr/local/share/man/man1")]
pub struct Manual {
    /// A directory that exists: ebsctl.1 and a page for each subcommand are written there
    directory: PathBuf,
}

/// Prints the completions of a command for a shell.
pub fn print_completions(arguments: &Completions, mut command: clap::Command) -> Result<(), Error> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "ebsctl", &mut script);
    print(script)
}

/// Writes a command's manual pages, replacing existing ones.
pub fn write_manual(arguments: &Manual, command: clap::Command) -> Result<(), Error> {
    let directory = &arguments.directory;
    clap_mangen::generate_to(command, directory)
        .map_err(|error| Error::WriteFile { path: directory.display().to_string(), error })
}
