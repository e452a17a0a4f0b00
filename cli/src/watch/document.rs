//! File of a run's document: its name, its replacement, and the command that imports it.

use std::env;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use ebs_base::format::plain;

use crate::postgres::Connection;
use crate::{ownership, shell, temporary};

/// End of each name.
const SUFFIX: &str = ".ebs-run.json";

/// Most bytes of a label in a name: a name has at most 255 bytes, 143 where names are encrypted.
const MAX_STEM: usize = 100;

/// Name of the file of a run with this label. No two labels share one: a label that cannot be a name as it is has its checksum there,
/// after a point, which no other name has.
pub fn file_name(label: &str) -> String {
    format!("{}{SUFFIX}", stem(label))
}

fn stem(label: &str) -> String {
    // psql's `cat` would take a first hyphen for an option.
    let is_safe = |at: usize, c: char| c.is_alphanumeric() || c == '_' || (c == '-' && at > 0);
    let safe: String = label.char_indices().map(|(at, c)| if is_safe(at, c) { c } else { '_' }).collect();
    if safe == label && safe.len() <= MAX_STEM {
        return safe;
    }
    format!("{}.{:08x}", &safe[..safe.floor_char_boundary(MAX_STEM)], crc32fast::hash(label.as_bytes()))
}

/// Lines for a shell: psql's variable, because an argument of a program holds no more than 128 KiB.
pub fn import_command(connection: &Connection, file: &str) -> String {
    // The end of a line would end the text for psql, and psql's backquotes have no escape.
    if file.contains(|c: char| c.is_control() || matches!(c, '`' | '\\')) {
        return format!("ebs_run_import takes the text of \"{}\"", plain(file));
    }
    let psql = connection.shell_command();
    format!(
        "{psql} <<'SQL'\n\\set run `cat {}`\nSELECT ebs_run_import(:'run');  -- or under another label: ebs_run_import(:'run', 'LABEL')\nSQL",
        shell::quote(file)
    )
}

/// Replaces the file in one step: after a crash it is the old document or the new one. No link of another account's in a shared directory
/// is followed.
pub fn replace(file: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let file = &ownership::resolve(file)?;
    let directory = temporary::directory(file);
    let mut temporary = temporary::new_in(directory, 0o600)?;
    write(temporary.as_file_mut())?;
    temporary.as_file().sync_all()?;
    temporary.persist(file).map_err(|error| error.error)?;
    File::open(directory)?.sync_all()
}

/// Writes the document to the file of its label in this directory, or else to a new one in that of temporary files, and returns its name.
pub fn rescue(label: &str, document: &[u8]) -> io::Result<String> {
    rescue_in(Path::new(""), label, document)
}

fn rescue_in(directory: &Path, label: &str, document: &[u8]) -> io::Result<String> {
    let file = directory.join(file_name(label));
    if replace(&file, |output| output.write_all(document)).is_ok() {
        return Ok(file.to_string_lossy().into_owned());
    }
    // A name that nobody has foreseen: a file there may be another run, or another account's.
    let prefix = format!("{}-", stem(label));
    let mut temporary = tempfile::Builder::new().prefix(&prefix).suffix(SUFFIX).tempfile_in(env::temp_dir())?;
    temporary.write_all(document)?;
    temporary.as_file().sync_all()?;
    let (_, path) = temporary.keep().map_err(|error| error.error)?;
    Ok(path.to_string_lossy().into_owned())
}

/// Tells whether both paths are of one file that exists.
pub fn is_same_file(one: &str, other: &str) -> bool {
    let places = [one, other].map(|path| ownership::resolve(Path::new(path)).ok().filter(|path| path.exists()));
    places[0].is_some() && places[0] == places[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_safe() {
        assert_eq!([file_name("prod-1"), file_name("größe_2")], ["prod-1.ebs-run.json", "größe_2.ebs-run.json"]);
        let name = file_name("../a b");
        assert!(name.starts_with("___a_b.") && name.ends_with(".ebs-run.json") && !name.contains('/'), "{name}");
        assert_eq!(file_name("k/9 x"), "k_9_x.30710d9a.ebs-run.json");
        assert!(file_name("-v").starts_with("_v."));
    }

    #[test]
    fn no_two_labels_share_a_name() {
        let labels = ["k/9 x", "k_9_x", "k 9 x", "k_9/x", &"y".repeat(150), &"y".repeat(151), &"y".repeat(100)];
        let names: std::collections::BTreeSet<String> = labels.iter().map(|label| file_name(label)).collect();
        assert_eq!(names.len(), labels.len(), "{names:?}");
    }

    #[test]
    fn the_longest_labels_are_written() {
        let directory = tempfile::tempdir().unwrap();
        for label in ["ü".repeat(200), "🦀".repeat(200), "x".repeat(200)] {
            assert!(file_name(&label).len() <= 130, "{label}");
            let file = rescue_in(directory.path(), &label, b"{}").unwrap();
            assert_eq!(Path::new(&file).parent(), Some(directory.path()));
        }
    }

    #[test]
    fn a_document_is_kept_in_another_directory_if_need_be() {
        let directory = tempfile::tempdir().unwrap();
        let label = "ü/".repeat(100);
        let kept = rescue_in(&directory.path().join("none"), &label, b"{\"runs\": []}").unwrap();
        assert!(Path::new(&kept).starts_with(env::temp_dir()), "{kept}");
        let document = std::fs::read(&kept).unwrap();
        std::fs::remove_file(&kept).unwrap();
        assert_eq!(document, b"{\"runs\": []}");
    }
}
