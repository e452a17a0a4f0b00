//! Names of files, as far as they tell of a server.

use ebs_samples::evidence::is_ebs_volume_id;

/// Length of an EBS volume ID: `vol-` and 17 hexadecimal digits.
const VOLUME_ID: usize = 21;

fn name(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.strip_suffix(".gz").filter(|name| !name.is_empty()).unwrap_or(name)
}

/// The EBS volume ID with which the name of a file begins.
pub fn volume_id(file: &str) -> Option<&str> {
    name(file).get(..VOLUME_ID).filter(|id| is_ebs_volume_id(id))
}

/// Name of a file without directories and ending; the EBS volume ID with which it begins.
pub fn stem(file: &str) -> &str {
    let name = name(file);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if matches!(stem, "" | "-") { "stdin" } else { volume_id(file).unwrap_or(stem) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_begin_with_a_volume() {
        let file = "x/vol-0a1b2c3d4e5f60718-VolumeReadOps.json";
        assert_eq!((stem(file), volume_id(file)), ("vol-0a1b2c3d4e5f60718", Some("vol-0a1b2c3d4e5f60718")));
        assert_eq!(["a/b.c.txt.gz", "-", "plain"].map(stem), ["b.c", "stdin", "plain"]);
    }
}
