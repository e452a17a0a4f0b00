//! check-cycles: prints the cycles between files of each crate, and fails where there is one.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser;
use ebs_tools::cycles::{Arrows, Cycle, draw_arrows, find_cycles};
use ebs_tools::targets::find_targets;

/// Prints the cycles between files of each crate, with the names that tie them; exit status 1 where there is one
#[derive(Parser)]
struct Arguments {
    /// Also cycles between the folders at the top of each crate
    #[arg(long)]
    layers: bool,
    /// Manifests of workspaces
    #[arg(default_value = "Cargo.toml")]
    manifests: Vec<PathBuf>,
}

fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}

fn run() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = Arguments::parse();
    let here = std::env::current_dir()?;
    let mut cycles: BTreeSet<Cycle> = BTreeSet::new();
    for manifest in &arguments.manifests {
        for target in targets_of(manifest)? {
            let root = target.strip_prefix(&here).unwrap_or(&target);
            let arrows = draw_arrows(root, &|path| fs::read_to_string(path).ok())?;
            cycles.extend(find_cycles(&arrows));
            if arguments.layers {
                cycles.extend(find_cycles(&between_layers(&arrows, root)));
            }
        }
    }
    for cycle in &cycles {
        print!("{cycle}");
    }
    Ok(if cycles.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn targets_of(manifest: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    let output =
        cargo.args(["metadata", "--no-deps", "--format-version=1", "--manifest-path"]).arg(manifest).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let metadata = String::from_utf8(output.stdout)?;
    find_targets(&metadata).ok_or_else(|| "cargo metadata: not the document that was expected".into())
}

/// A file belongs to the module at the top of its crate that it is, or is below; the root to none.
fn between_layers(arrows: &Arrows, root: &Path) -> Arrows {
    let folder = root.parent().unwrap_or(Path::new(""));
    arrows.between_groups(|file| {
        let top = Path::new(file.strip_prefix(folder).ok()?.iter().next()?);
        (file != root).then(|| folder.join(top.with_extension("")))
    })
}
