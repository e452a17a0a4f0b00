//! One series of counts of a volume: of replicas, of jobs that scrape one machine, and of the instances that it was on.

use crate::discovery::device::is_instance_id;
use crate::discovery::source::Source;
use crate::series::track::{Piece, Track};

/// Counts of a volume, in time order, none over the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merged {
    /// Place of each piece: the index of its track, and its index there.
    pub places: Vec<(usize, usize)>,
    /// Seconds in which tracks of different instances counted at once.
    pub shared_s: f64,
}

/// Seconds of known counts.
pub fn covered_s<'a>(pieces: impl IntoIterator<Item = &'a Piece>) -> f64 {
    pieces.into_iter().filter(|piece| piece.known().is_some()).map(Piece::seconds).sum()
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
        if merged.places.is_empty() {
            merged.places.extend((0..tracks[index].pieces.len()).map(|place| (index, place)));
            continue;
        }
        let (mut free, mut shared_s) = (Vec::with_capacity(tracks[index].pieces.len()), 0.0);
        let mut known = merged.places.iter().map(|(track, place)| (&tracks[*track].pieces[*place], *track)).peekable();
        for (place, piece) in tracks[index].pieces.iter().enumerate() {
            while known.next_if(|(other, _)| other.ended_us <= piece.began_us).is_some() {}
            match known.peek() {
                Some((other, owner)) if other.began_us < piece.ended_us => {
                    let overlap_us = other.ended_us.min(piece.ended_us) - other.began_us.max(piece.began_us);
                    if is_other_instance(&tracks[index], &tracks[*owner]) {
                        shared_s += overlap_us as f64 / 1e6;
                    }
                }
                _ => free.push((index, place)),
            }
        }
        merged.shared_s += shared_s;
        merged.places.extend(free);
        merged.places.sort_by_key(|(track, place)| tracks[*track].pieces[*place].began_us);
    }
    merged
}

/// True of tracks of different instances, where the IDs of both are known.
fn is_other_instance(a: &Track, b: &Track) -> bool {
    let id = |track: &Track| track.host.as_ref().filter(|host| is_instance_id(host)).cloned();
    matches!((id(a), id(b)), (Some(a), Some(b)) if a != b)
}
