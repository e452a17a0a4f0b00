//! check-comments: prints the doc comments that begin with a question word or a preposition, and the functions called `of`, of all
//! sources below the current folder, and sentences for users, help among them, with words that are none of the field's. Fails if there is
//! any.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use ebs_tools::comments::{Line, collect_doc_comments, find_functions_called_of};
use ebs_tools::sentences::collect_sentences;

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
    let (mut blocks, mut questions, mut fragments, mut called_of, mut unusual) = (0, 0, 0, 0, 0);
    for file in &files {
        let source = fs::read_to_string(file)?;
        let comments = collect_doc_comments(&source)?;
        blocks += comments.blocks;
        questions += comments.questions.len();
        fragments += comments.fragments.len();
        // Test code may call a function as it likes.
        let is_test = file.to_string_lossy().ends_with("_tests.rs") || file.iter().any(|folder| folder == "tests");
        let functions = if is_test { Vec::new() } else { find_functions_called_of(&source)? };
        called_of += functions.len();
        for line in comments.questions.iter().chain(&comments.fragments).chain(&functions) {
            println!("{}:{}: {}", file.display(), line.number, line.text);
        }
        let sentences = if is_test || !is_of_program(file) { Vec::new() } else { collect_sentences(&source)? };
        unusual += sentences.len();
        for sentence in sentences {
            let Line { number, text } = &sentence.line;
            println!("{}:{number}: \"{}\" ({}): {text}", file.display(), sentence.word, sentence.better);
        }
    }
    println!(
        "of {blocks} doc comments {questions} begin with a question word and {fragments} with a preposition; \
        {called_of} functions called of; {unusual} sentences for users have a word that is none of the field's"
    );
    Ok(if questions + fragments + called_of + unusual > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Sources whose literals users read: the crates, the extension and the programs.
fn is_of_program(file: &Path) -> bool {
    ["crates", "extension", "cli", "nvme", "emulator"].iter().any(|folder| file.starts_with(folder))
        && !["crates/fixtures", "crates/schema"].iter().any(|tests| file.starts_with(tests))
}

/// Adds the Rust sources below a folder, except build products.
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
