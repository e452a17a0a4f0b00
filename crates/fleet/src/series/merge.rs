//! One series of counts of a volume: of replicas, of jobs that scrape one machine, and of the instances that it was on.

use std::ops::Range;

use crate::discovery::device::is_instance_id;
use crate::discovery::source::Source;
use crate::series::track::{Piece, Track};

/// Counts of a volume, in time order, none over the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merged {
    /// The pieces, section by section.
    pub sections: Vec<Section>,
    /// Seconds in which tracks of different instances counted at once.
    pub shared_s: f64,
}

/// Consecutive pieces of one track.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Index of the track.
    pub track: usize,
    /// Indexes of its pieces.
    pub pieces: Range<usize>,
}

impl Merged {
    /// The pieces of these tracks, each with its track.
    pub fn pieces<'a>(
        &'a self,
        tracks: &'a [Track],
    ) -> impl DoubleEndedIterator<Item = (&'a Piece, &'a Track)> + Clone {
        self.sections.iter().flat_map(|section| {
            let track = &tracks[section.track];
            track.pieces[section.pieces.clone()].iter().map(move |piece| (piece, track))
        })
    }

    /// Adds pieces, each with its track, over none of those that are there.
    fn add(&mut self, free: Vec<(usize, usize)>, tracks: &[Track]) {
        let known = self.sections.iter().flat_map(|section| section.pieces.clone().map(|place| (section.track, place)));
        let mut places: Vec<(usize, usize)> = known.chain(free).collect();
        places.sort_by_key(|(track, place)| tracks[*track].pieces[*place].began_us);
        let sections = places.chunk_by(|a, b| (a.0, a.1 + 1) == *b);
        self.sections = sections
            .map(|places| Section { track: places[0].0, pieces: places[0].1..places[0].1 + places.len() })
            .collect();
    }
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
    let whole = |track: usize| Section { track, pieces: 0..tracks[track].pieces.len() };
    if let [_] = tracks {
        return Merged { sections: vec![whole(0)], shared_s: 0.0 };
    }
    let mut order: Vec<(usize, f64)> = tracks.iter().map(|track| covered_s(&track.pieces)).enumerate().collect();
    let longest_s = order.iter().map(|(_, covered_s)| *covered_s).fold(0.0, f64::max);
    let is_finer = |(index, covered_s): &(usize, f64)| {
        tracks[*index].source == Source::RdsEnhanced && *covered_s >= MIN_ENHANCED_SHARE * longest_s
    };
    order.sort_by(|a, b| is_finer(b).cmp(&is_finer(a)).then(b.1.total_cmp(&a.1)).then(a.0.cmp(&b.0)));
    let mut order = order.into_iter().map(|(index, _)| index);
    let mut merged = Merged { sections: order.next().map(whole).into_iter().collect(), shared_s: 0.0 };
    for index in order {
        let (mut free, mut shared_s) = (Vec::with_capacity(tracks[index].pieces.len()), 0.0);
        let mut known = merged.pieces(tracks).peekable();
        for (place, piece) in tracks[index].pieces.iter().enumerate() {
            while known.next_if(|(other, _)| other.ended_us <= piece.began_us).is_some() {}
            match known.peek() {
                Some((other, owner)) if other.began_us < piece.ended_us => {
                    let overlap_us = other.ended_us.min(piece.ended_us) - other.began_us.max(piece.began_us);
                    if is_other_instance(&tracks[index], owner) {
                        shared_s += overlap_us as f64 / 1e6;
                    }
                }
                _ => free.push((index, place)),
            }
        }
        drop(known);
        merged.shared_s += shared_s;
        if !free.is_empty() {
            merged.add(free, tracks);
        }
    }
    merged
}

/// True of tracks of different instances, where the IDs of both are known.
fn is_other_instance(a: &Track, b: &Track) -> bool {
    let id = |track: &Track| track.host.as_ref().filter(|host| is_instance_id(host)).cloned();
    matches!((id(a), id(b)), (Some(a), Some(b)) if a != b)
}
