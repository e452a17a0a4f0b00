//! `seeds DIRECTORY`: writes DIRECTORY/TARGET/N for each seed of each target and DIRECTORY/TARGET.len, the maximum length of an input.

use std::path::Path;
use std::{env, fs, io};

use ebs_advisor_fuzz::targets;

fn main() -> io::Result<()> {
    let directory = env::args().nth(1).unwrap_or_else(|| "corpus".to_owned());
    for target in targets() {
        let own = Path::new(&directory).join(target.name);
        fs::create_dir_all(&own)?;
        fs::write(own.with_extension("len"), target.max_bytes.to_string())?;
        for (number, seed) in target.seeds().into_iter().enumerate() {
            fs::write(own.join(number.to_string()), seed)?;
        }
    }
    Ok(())
}
