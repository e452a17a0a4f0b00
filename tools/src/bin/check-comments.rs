//! check-comments: prints the doc comments that begin with a bare interrogative and the functions called `of`, of all sources below
//! the current folder; fails where there are many of the first, or any of the second.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use ebs_tools::comments::{collect_doc_comments, find_functions_called_of};

/// The share of interrogative comments that is allowed lies below.
const MAX_SHARE: f64 = 0.02;

fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}

fn run() -> Result<ExitCode, Box<dyn Error>> {
    let mut files = Vec::new();
    add_sources(Path::new(""), &mut files)?;
    files.sort();
    let (mut interrogative, mut blocks, mut called_of) = (0, 0, 0);
    for file in &files {
        let source = fs::read_to_string(file)?;
        let comments = collect_doc_comments(&source);
        blocks += comments.blocks;
        interrogative += comments.interrogative.len();
        // Files of tests alone are so called.
        let is_test = file.to_string_lossy().ends_with("_tests.rs") || file.iter().any(|folder| folder == "tests");
        let functions = if is_test { Vec::new() } else { find_functions_called_of(&source)? };
        called_of += functions.len();
        for line in comments.interrogative.iter().chain(&functions) {
            println!("{}:{}: {}", file.display(), line.number, line.text);
        }
    }
    let share = f64::from(interrogative as u32) / f64::from(blocks.max(1) as u32);
    println!(
        "{interrogative} of {blocks} doc comments begin with a bare interrogative ({:.1} %); {called_of} functions called of",
        100.0 * share
    );
    Ok(if share >= MAX_SHARE || called_of > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Adds the Rust sources below a folder, but for what is built.
fn add_sources(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(Path::new(".").join(folder))? {
        let entry = entry?;
        let (name, path) = (entry.file_name(), folder.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            if name != "target" && !name.to_string_lossy().starts_with('.') {
                add_sources(&path, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}
