//! What EBS counts of its volumes, from the pages that ebs-nvme-stats publishes: reading them from the device takes rights
//! that PostgreSQL must not have.

use std::fs::{self, File};
use std::io::{self, Error, ErrorKind, Read};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ebs_linux::EBS_PAGE_LEN;
use ebs_samples::evidence::{EbsReading, Medium, Place};

use crate::settings;

/// A page is renewed every second by default, so one of 30 s was left behind by a program that was killed, and must not
/// stand for now.
const OLDEST: Duration = Duration::from_secs(30);

/// A page that can be used, none (the program is optional), or why it cannot be used.
pub type Page = Result<Option<EbsReading>, String>;

/// The page of each EBS volume of this place, by volume id. `None` where looking for them is switched off.
pub fn nvme_pages(place: &Place) -> Option<Vec<(String, Page)>> {
    let directory = settings::nvme_directory()?;
    let page = |volume: String| {
        // Hexadecimal digits after the dash, so that no id leads out of the directory.
        let path = directory.join(format!("{}.page", volume.replacen('-', "", 1)));
        let read = reading(&path).map_err(|reason| format!("page \"{}\" {reason}", path.display()));
        (volume, read)
    };
    Some(ebs_volumes(place).into_iter().map(page).collect())
}

fn ebs_volumes(place: &Place) -> Vec<String> {
    let members = place.volumes.iter().flat_map(|volume| &volume.members);
    let mut ids: Vec<String> = members
        .filter_map(|member| match &member.medium {
            Medium::Ebs(id) => Some(id.clone()),
            _ => None,
        })
        .collect();
    ids.sort();
    ids.dedup();
    ids
}

fn reading(path: &Path) -> Page {
    let (bytes, written) = match read(path) {
        Ok(read) => read,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("could not be read: {error}")),
    };
    // A page of the future is of now: two clocks, or one that was set.
    let age = SystemTime::now().duration_since(written).unwrap_or_default();
    if age > OLDEST {
        return Err(format!("was written more than {} s ago: ebs-nvme-stats has stopped", OLDEST.as_secs()));
    }
    let page = ebs_linux::ebs_page(&bytes).map_err(|error| format!("is malformed: {error}"))?;
    let since = written.duration_since(UNIX_EPOCH).unwrap_or_default();
    let micros = |duration: Duration| u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    Ok(Some(EbsReading { page, written_us: micros(since).cast_signed(), age_us: micros(age) }))
}

/// What the file holds and when it was written, of one and the same file: a page is replaced, never rewritten.
fn read(path: &Path) -> io::Result<(Vec<u8>, SystemTime)> {
    // Looked at before it is opened, because opening a pipe would wait for somebody to write to it.
    if !fs::metadata(path)?.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    let file = File::open(path)?;
    let written = file.metadata()?.modified()?;
    let mut bytes = Vec::with_capacity(EBS_PAGE_LEN + 1);
    // One byte more than a page shows what is none.
    file.take(EBS_PAGE_LEN as u64 + 1).read_to_end(&mut bytes)?;
    Ok((bytes, written))
}
