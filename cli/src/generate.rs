//! ebsctl completions and ebsctl manual: both are generated from the definition of the arguments, so that neither can be out of
//! date.

use std::path::{Path, PathBuf};

use clap_complete::Shell;
use clap_mangen::Man;

use crate::error::Error;
use crate::output::print;
use crate::output_file::replace;

/// Arguments of ebsctl completions.
#[derive(clap::Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Arguments of ebsctl manual.
#[derive(clap::Args)]
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
    let mut command = command.disable_help_subcommand(true);
    command.build();
    write_pages(&command, &arguments.directory)
}

/// Writes the pages of a command and its subcommands; not by clap_mangen itself, which follows any link in the directory.
fn write_pages(command: &clap::Command, directory: &Path) -> Result<(), Error> {
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        write_pages(subcommand, directory)?;
    }
    let manual = Man::new(command.clone());
    let path = directory.join(manual.get_filename()).display().to_string();
    let mut page = Vec::new();
    manual.render(&mut page).map_err(|error| Error::WriteFile { path: path.clone(), error })?;
    replace(&path, &page)
}
