//! One series of counts of a volume: of replicas, of jobs that scrape one machine, and of the instances that it was on.

use crate::discovery::device::is_instance_id;
use crate::discovery::source::Source;
use crate::series::track::{Piece, Track};

/// Counts of a volume, in time order, none over the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merged {
    /// Counts, each with the index of its track.
    pub pieces: Vec<(Piece, usize)>,
    /// Seconds in which tracks of different instances counted at once.
    pub shared_s: f64,
}

impl Merged {
    /// Seconds of known counts.
    pub fn covered_s(&self) -> f64 {
        self.pieces.iter().filter(|(piece, _)| piece.known().is_some()).map(|(piece, _)| piece.seconds()).sum()
    }
}

/// Seconds of known counts.
pub fn covered_s(pieces: &[Piece]) -> f64 {
    pieces.iter().filter(|piece| piece.known().is_some()).map(Piece::seconds).sum()
}

/// Share of the time of the longest track that Enhanced Monitoring must cover to come before CloudWatch's averages of a minute. A choice.
const MIN_ENHANCED_SHARE: f64 = 0.9;

/// Merges tracks: the one that covers most is taken whole, and the others where it has nothing. Two copies of a counter are never added:
/// they are the same counter, scraped twice. Where they are of different instances, by their EC2 IDs, the time that both counted is given.
pub fn merge(tracks: &[Track]) -> Merged {
    let mut order: Vec<(usize, f64)> = tracks.iter().map(|track| covered_s(&track.pieces)).enumerate().collect();
    let longest_s = order.iter().map(|(_, covered_s)| *covered_s).fold(0.0, f64::max);
    let is_finer = |(index, covered_s): &(usize, f64)| {
        tracks[*index].source == Source::RdsEnhanced && *covered_s >= MIN_ENHANCED_SHARE * longest_s
    };
    order.sort_by(|a, b| is_finer(b).cmp(&is_finer(a)).then(b.1.total_cmp(&a.1)).then(a.0.cmp(&b.0)));
    let mut merged = Merged::default();
    for (index, _) in order {
        let (mut free, mut shared_s) = (Vec::with_capacity(tracks[index].pieces.len()), 0.0);
        let mut known = merged.pieces.iter().peekable();
        for piece in &tracks[index].pieces {
            while known.next_if(|(other, _)| other.ended_us <= piece.began_us).is_some() {}
            match known.peek() {
                Some((other, owner)) if other.began_us < piece.ended_us => {
                    let overlap_us = other.ended_us.min(piece.ended_us) - other.began_us.max(piece.began_us);
                    if is_other_instance(&tracks[index], &tracks[*owner]) {
                        shared_s += overlap_us as f64 / 1e6;
                    }
                }
                _ => free.push((*piece, index)),
            }
        }
        merged.shared_s += shared_s;
        if merged.pieces.is_empty() {
            merged.pieces = free;
        } else {
            merged.pieces.extend(free);
            merged.pieces.sort_by_key(|(piece, _)| piece.began_us);
        }
    }
    merged
}

/// True of tracks of different instances, where the IDs of both are known.
fn is_other_instance(a: &Track, b: &Track) -> bool {
    let id = |track: &Track| track.host.as_ref().filter(|host| is_instance_id(host)).cloned();
    matches!((id(a), id(b)), (Some(a), Some(b)) if a != b)
}
