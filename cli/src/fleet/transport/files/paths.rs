//! Files of the arguments: directories stand for the files in them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fetch_error::FetchError;

/// Endings of files that are read in directories.
const ENDINGS: [&str; 4] = [".jsonl", ".ndjson", ".json", ".jsonlines"];

/// The files, those of a directory in the order of their names.
pub fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, FetchError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let found = list(path).map_err(|error| FetchError::File { file: path.display().to_string(), error })?;
        if found.is_empty() {
            let message = format!("\"{}\" has no file of JSON lines", path.display());
            return Err(FetchError::Argument {
                message,
                hint: "Their names end with .jsonl, .ndjson, .json, or that and .gz.",
            });
        }
        files.extend(found);
    }
    Ok(files)
}

fn list(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        if path.is_file() && ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
