//! Loads of instances: the demand on all volumes of an instance, which its limits bind.

use std::collections::BTreeMap;

use ebs_advice::InstanceLoad;
use ebs_aws::catalogue::VolumeConfig;
use ebs_workload::declarations::Declarations;

use crate::discovery::described::Described;
use crate::request::request;
use crate::series::collect::{Counts, Scraper};
use crate::series::track::Piece;
use crate::settings::Settings;
use crate::window::frame::{WindowVolume, window};

/// Loads of the instances of a batch, each computed once.
pub struct Loads<'a> {
    counts: &'a [Counts],
    described: &'a [Described],
    known: BTreeMap<(String, String), InstanceLoad>,
}

impl<'a> Loads<'a> {
    /// Loads by these counts of the volumes of a batch, each with its documents.
    pub fn new(counts: &'a [Counts], described: &'a [Described]) -> Loads<'a> {
        Loads { counts, described, known: BTreeMap::new() }
    }

    /// Load of the instance that a volume was on last; `None` where it is alone there, or the type of the instance is not known.
    pub fn find(&mut self, volume: usize, settings: &Settings, pause: &dyn Fn()) -> Option<InstanceLoad> {
        let (host, described) = (last_host(&self.counts[volume])?, &self.described[volume]);
        let instance_type = described.identity.instance_type.clone()?;
        let key = (host.to_owned(), instance_type);
        if let Some(load) = self.known.get(&key) {
            return Some(*load);
        }
        let pieces = self.sum(host)?;
        let request = request(described, settings)?;
        let all = WindowVolume { id: host, is_ebs: false, is_timed: self.is_timed(host) };
        let window = window(&all, pieces.iter(), (settings.from_us, settings.to_us)).finish();
        let declared = Declarations { instance: described.identity.instance_type.clone(), ..Declarations::default() };
        let load = InstanceLoad::from_window(&window, &request, (&declared, &self.volumes(host)), pause);
        self.known.insert(key, load);
        Some(load)
    }

    /// Configurations of the volumes that are on an instance now; empty where one of them is not known.
    fn volumes(&self, host: &str) -> Vec<VolumeConfig> {
        let all = self.counts.iter().zip(self.described).filter(|(counts, _)| last_host(counts) == Some(host));
        all.map(|(_, described)| described.config).collect::<Option<_>>().unwrap_or_default()
    }

    fn is_timed(&self, host: &str) -> bool {
        let tracks = self.counts.iter().flat_map(|counts| &counts.tracks);
        tracks.filter(|track| track.host.as_deref() == Some(host)).all(|track| track.is_timed)
    }

    /// Counts of all volumes on an instance together, by the scraper that saw most of them; `None` where it is one.
    fn sum(&self, host: &str) -> Option<Vec<Piece>> {
        let mut scrapers: BTreeMap<&Scraper, usize> = BTreeMap::new();
        let on_host = |counts: &'a Counts| {
            let tracks = counts.tracks.iter().zip(&counts.scrapers);
            tracks.filter(|(track, _)| track.host.as_deref() == Some(host))
        };
        self.counts.iter().flat_map(on_host).for_each(|(track, scraper)| {
            *scrapers.entry(scraper).or_default() += track.pieces.len();
        });
        let (scraper, _) = scrapers.into_iter().max_by_key(|(_, pieces)| *pieces)?;
        let tracks: Vec<_> =
            self.counts.iter().flat_map(|counts| on_host(counts).filter(|(_, other)| *other == scraper)).collect();
        let volumes = self.counts.iter().filter(|counts| on_host(counts).any(|(_, other)| other == scraper)).count();
        if volumes < 2 {
            return None;
        }
        let mut all: Vec<&Piece> = tracks.iter().flat_map(|(track, _)| &track.pieces).collect();
        // Stable, and fast for tracks in time order one after the other.
        all.sort_by_key(|piece| (piece.ended_us, piece.began_us));
        let mut pieces: Vec<Piece> = Vec::with_capacity(all.len());
        for same in all.chunk_by(|a, b| (a.ended_us, a.began_us) == (b.ended_us, b.began_us)) {
            let sum = same
                .iter()
                .map(|piece| **piece)
                .reduce(|sum, one| Piece { counts: sum.counts.plus(one.counts), ..sum });
            // A reading that one disk lacks makes its interval longer than that of the others: their sum is not known there.
            let is_free = |sum: &Piece| pieces.last().is_none_or(|last| last.ended_us <= sum.began_us);
            pieces.extend(sum.filter(is_free));
        }
        Some(pieces)
    }
}

/// Instance that a volume was on last.
pub fn last_host(counts: &Counts) -> Option<&str> {
    counts.pieces().next_back()?.1.host.as_deref()
}
