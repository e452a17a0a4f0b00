//! Present configuration of the volumes and instances, as the AWS CLI printed it.

use std::io::BufReader;

use ebs_base::format::plain;
use ebs_imports::configuration::{Configuration, ReadError, Sources};

use crate::error::Error;
use crate::input_file;
use crate::message::print_message;

/// Maximum size of all files together, bytes, uncompressed: describe-volumes prints some 700 bytes a volume, so that 100,000 are 70 MB, and
/// describe-instances some 7 kB an instance.
const MAX_BYTES: u64 = 512 << 20;
const BEYOND: &str = "the files have more than 512 MiB; run a part of the fleet at a time";

/// Reads all files, which hold any of the known documents, one after another: no file is in memory as a whole. They have to be of one time,
/// and may not contradict each other.
pub fn read_files(files: &[String]) -> Result<Configuration, Error> {
    let mut sources = Sources::default();
    let mut left = MAX_BYTES;
    for file in files {
        let mut source = input_file::open_bounded(file, left, BEYOND)?;
        let unfinished = sources.read(BufReader::new(&mut source)).map_err(|error| match error {
            ReadError::Source(error) => Error::ReadFile { file: plain(file), error },
            ReadError::Documents(error) => Error::ConfigurationFile { file: plain(file), error },
        })?;
        left = source.left();
        for kind in unfinished {
            print_message!("warning: \"{}\" has a NextToken: later pages of {} are missing", plain(file), kind.name());
        }
    }
    Ok(sources.finish())
}

/// Time at which the oldest of the files was written, microseconds since 1970: when AWS described its volumes so. `None` without files.
pub fn written_us(files: &[String]) -> Option<i64> {
    input_file::written_us(files.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    fn file(text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    }

    fn read_all(files: &[&tempfile::NamedTempFile]) -> Result<Configuration, Error> {
        let names: Vec<String> = files.iter().map(|file| file.path().to_string_lossy().into_owned()).collect();
        read_files(&names)
    }

    #[test]
    fn documents_of_several_files_are_one_configuration() {
        let volumes = file(r#"{"Volumes": [{"VolumeId": "vol-1"}, {"VolumeId": "vol-2"}]}"#);
        let databases = file(r#"{"DBInstances": [{"DBInstanceIdentifier": "db1"}]}"#);
        let found = read_all(&[&volumes, &databases]).unwrap();
        assert_eq!((found.volumes.len(), found.databases.len()), (2, 1));
        assert!(read_all(&[]).unwrap().is_empty());
    }

    #[test]
    fn a_file_that_is_no_document_is_named() {
        let text = file("Volumes:");
        let error = read_all(&[&text]).unwrap_err();
        assert!(error.to_string().contains(text.path().to_str().unwrap()), "{error}");
        assert_eq!(error.exit_status(), 1);
    }

    #[test]
    fn a_configuration_is_as_old_as_its_oldest_file() {
        let (old, new) = (file("{}"), file("{}"));
        let name = |file: &tempfile::NamedTempFile| file.path().to_string_lossy().into_owned();
        let time = Timestamp::from_second(1_767_225_600).unwrap();
        old.as_file().set_modified(time.into()).unwrap();
        assert_eq!(written_us(&[name(&new), name(&old)]), Some(1_767_225_600_000_000));
        assert_eq!(written_us(&[]), None);
    }
}
