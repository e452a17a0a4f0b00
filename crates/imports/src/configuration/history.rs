//! Configuration of a volume at a time, by its description and its modifications.

use super::{Modification, Volume, VolumeState};

impl Volume {
    /// Type, size, IOPS and throughput at `at_us`, microseconds since 1970. The volume was described at `described_us`; its modifications
    /// since then, or between `at_us` and then, give what it was: until the start of each. They come with their starts, in any order; a failed
    /// one changed nothing.
    pub fn state_at<'a>(
        &self,
        described_us: i64,
        modifications: impl IntoIterator<Item = (i64, &'a Modification)>,
        at_us: i64,
    ) -> VolumeState {
        let changed = |(_, one): &(i64, &Modification)| one.state.as_deref() != Some("failed");
        let mut modifications: Vec<(i64, &Modification)> = modifications.into_iter().filter(changed).collect();
        modifications.sort_by_key(|(started_us, _)| *started_us);
        let later = modifications.iter().find(|(started_us, _)| *started_us >= at_us && *started_us <= described_us);
        let since = modifications.iter().rfind(|(started_us, _)| *started_us < at_us && *started_us > described_us);
        match (later, since) {
            (Some((_, one)), _) => one.original.clone(),
            (None, Some((_, one))) => one.target.clone(),
            (None, None) => self.configured.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(volume_type: &str) -> VolumeState {
        VolumeState { volume_type: Some(volume_type.to_owned()), ..VolumeState::default() }
    }

    fn modification(original: &str, target: &str) -> Modification {
        Modification { original: state(original), target: state(target), ..Modification::default() }
    }

    /// Modified from gp2 to gp3 at 100, and to io2 at 200.
    #[test]
    fn modifications_tell_what_a_volume_was_and_became() {
        let (first, second) = (modification("gp2", "gp3"), modification("gp3", "io2"));
        let both = || [(200, &second), (100, &first)];
        let volume = |name: &str| Volume { configured: state(name), ..Volume::default() };
        let find = |described: &str, described_us, at_us| {
            volume(described).state_at(described_us, both(), at_us).volume_type.unwrap()
        };
        // Described after both: what it was before each, and since.
        assert_eq!([50, 100, 150, 200, 999].map(|at_us| find("io2", 300, at_us)), ["gp2", "gp2", "gp3", "gp3", "io2"]);
        // Described before both, and between them.
        assert_eq!([10, 150, 250].map(|at_us| find("gp2", 50, at_us)), ["gp2", "gp3", "io2"]);
        assert_eq!([50, 150, 250].map(|at_us| find("gp3", 150, at_us)), ["gp2", "gp3", "io2"]);
    }

    #[test]
    fn a_failed_modification_changed_nothing() {
        let failed = Modification { state: Some("failed".to_owned()), ..modification("gp2", "gp3") };
        let volume =
            Volume { configured: VolumeState { size_gib: Some(7), ..VolumeState::default() }, ..Volume::default() };
        assert_eq!(volume.state_at(50, [(100, &failed)], 150).size_gib, Some(7));
    }
}
