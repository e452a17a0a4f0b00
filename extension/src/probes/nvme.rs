//! EBS's own counters of its volumes, from the pages that ebs-nvme-stats publishes: reading them from the device takes rights
//! that PostgreSQL must not have.

use std::fs::{self, File};
use std::io::{self, Error, ErrorKind, Read};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ebs_linux::EBS_PAGE_LEN;
use ebs_samples::evidence::{EbsReading, StorageLayout};

use crate::settings;

/// Greatest age of a page that is used. It is renewed every second by default: one of 30 s was left behind by a program that was
/// killed.
const MAX_AGE: Duration = Duration::from_secs(30);

/// A page that can be used, none (the program is optional), or the reason that it cannot be used.
pub type EbsPageResult = Result<Option<EbsReading>, String>;

/// Reads the page of each EBS volume of the cluster, by volume id. `None` where reading them is switched off.
pub fn ebs_pages(layout: &StorageLayout) -> Option<Vec<(String, EbsPageResult)>> {
    let directory = settings::nvme_directory()?;
    let page = |volume: &str| {
        // Hexadecimal digits after the dash, so that no id leads out of the directory.
        let path = directory.join(format!("{}.page", volume.replacen('-', "", 1)));
        let read = read_page(&path).map_err(|reason| format!("page \"{}\" {reason}", path.display()));
        (volume.to_owned(), read)
    };
    Some(layout.ebs_volume_ids().into_iter().map(page).collect())
}

fn read_page(path: &Path) -> EbsPageResult {
    let (bytes, written) = match read_file(path) {
        Ok(read) => read,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("could not be read: {error}")),
    };
    // A page of the future counts as new: two clocks differ, or one was set.
    let age = SystemTime::now().duration_since(written).unwrap_or_default();
    if age > MAX_AGE {
        return Err(format!("was written more than {} s ago: ebs-nvme-stats has stopped", MAX_AGE.as_secs()));
    }
    let page = ebs_linux::ebs_page(&bytes).map_err(|error| format!("is malformed: {error}"))?;
    let since = written.duration_since(UNIX_EPOCH).unwrap_or_default();
    let micros = |duration: Duration| u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    Ok(Some(EbsReading { page, written_us: micros(since).cast_signed(), age_us: micros(age) }))
}

/// Contents and time of one and the same file: a page is replaced, never rewritten.
fn read_file(path: &Path) -> io::Result<(Vec<u8>, SystemTime)> {
    // Checked before it is opened, because opening a pipe would wait for a writer.
    if !fs::metadata(path)?.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    let file = File::open(path)?;
    let written = file.metadata()?.modified()?;
    let mut bytes = Vec::with_capacity(EBS_PAGE_LEN + 1);
    // A file with one byte more than a page is not a page.
    file.take(EBS_PAGE_LEN as u64 + 1).read_to_end(&mut bytes)?;
    Ok((bytes, written))
}
