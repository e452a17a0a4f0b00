//! Waits beside the samples of a block.

use super::load::WaitLoad;
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::{Block, Sample, WaitTotals};

/// Time of samples of which waits are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Covered {
    /// Time of all samples, microseconds.
    pub sampled_us: u64,
    /// Time of it in periods with points.
    pub known_us: u64,
}

impl Covered {
    /// Adds that of another block.
    pub fn add(&mut self, other: Covered) {
        self.sampled_us = self.sampled_us.saturating_add(other.sampled_us);
        self.known_us = self.known_us.saturating_add(other.known_us);
    }
}

impl WaitLoad {
    /// Replaces the waits of a block by those of the periods that its samples lie in. A period counts by the part of it that was
    /// sampled.
    pub fn add_to(&self, block: &mut Block) -> Covered {
        let mut sessions_us = vec![0.0; self.keys.len()];
        let mut covered = Covered::default();
        for sample in &block.samples {
            covered.sampled_us = covered.sampled_us.saturating_add(sample.dt_us);
            covered.known_us += self.add_sample(sample, &mut sessions_us);
        }
        let rows = self.keys.iter().zip(sessions_us).filter(|(_, us)| *us >= 0.5);
        block.totals.waits = WaitTotals {
            rows: rows.map(|(key, us)| (key.clone(), us.round() as u64)).collect(),
            // Each session is sampled once a second.
            sweeps: covered.known_us.div_ceil(SECOND_US),
            swept_us: covered.known_us,
        };
        covered
    }

    /// Adds the time of sessions in a sample by wait event, and returns the part of the sample that is known, microseconds.
    fn add_sample(&self, sample: &Sample, sessions_us: &mut [f64]) -> u64 {
        let length_us = i64::try_from(sample.dt_us).unwrap_or(i64::MAX);
        let began_us = sample.at_us.saturating_sub(length_us);
        let mut known_us = 0;
        for (&begin_us, period) in self.periods.range(began_us.saturating_sub(self.period_us - 1)..sample.at_us) {
            let overlap_us = sample.at_us.min(begin_us + self.period_us) - began_us.max(begin_us);
            known_us += overlap_us.unsigned_abs();
            for (number, sessions) in &period.waits {
                if let Some(sum) = sessions_us.get_mut(usize::from(*number)) {
                    *sum += sessions * overlap_us as f64;
                }
            }
        }
        known_us
    }

    /// Number of periods that no part of a time is in, of all.
    pub fn outside(&self, (from_us, to_us): (i64, i64)) -> (usize, usize) {
        let inside = self.periods.range(from_us.saturating_sub(self.period_us - 1)..to_us.max(from_us)).count();
        (self.periods.len() - inside, self.periods.len())
    }
}
