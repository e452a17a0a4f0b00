//! `made DIRECTORY BYTES`: writes DIRECTORY/FORMAT/N with a document of about BYTES bytes for each generator of each format.

use std::path::Path;
use std::{env, fs, io};

use ebs_imports::formats::formats;

fn main() -> io::Result<()> {
    let usage = || io::Error::new(io::ErrorKind::InvalidInput, "made DIRECTORY BYTES");
    let mut arguments = env::args().skip(1);
    let directory = arguments.next().ok_or_else(usage)?;
    let bytes: usize = arguments.next().and_then(|bytes| bytes.parse().ok()).ok_or_else(usage)?;
    for format in formats().filter(|format| !format.inputs.made.is_empty()) {
        let own = Path::new(&directory).join(format.name);
        fs::create_dir_all(&own)?;
        for (number, made) in format.inputs.made.iter().enumerate() {
            fs::write(own.join(number.to_string()), (made.make)(bytes))?;
        }
    }
    Ok(())
}
