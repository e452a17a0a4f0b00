//! Arguments of a comparison.

use ebs_base::error::{InputError, within};

/// Default margin of equivalence, per cent.
pub const MARGIN_PCT: f64 = 5.0;
/// Default noise between runs, per cent: the standard deviation of one run's throughput among runs of the same workload. docs/compare.md has what was measured.
pub const NOISE_PCT: f64 = 3.5;

/// Arguments of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    margin_pct: f64,
    noise_pct: f64,
}

impl Options {
    /// Checks the margin of equivalence and the noise between runs, per cent.
    pub fn new(margin_pct: Option<f64>, noise_pct: Option<f64>) -> Result<Options, InputError> {
        let meaning = "Per cent: two runs that differ by less are equivalent.";
        let margin_pct = within("margin_pct", margin_pct.unwrap_or(MARGIN_PCT), (0.1, 100.0), meaning)?;
        let meaning = "Per cent: the standard deviation of throughput between runs of the same workload, where one run a side \
                       does not tell; 0 trusts the spread within the run alone.";
        let noise_pct = within("noise_pct", noise_pct.unwrap_or(NOISE_PCT), (0.0, 100.0), meaning)?;
        Ok(Options { margin_pct, noise_pct })
    }

    /// The margin, as a logarithm: as far up as down.
    pub fn margin(&self) -> f64 {
        (self.margin_pct / 100.0).ln_1p()
    }

    /// The noise of one run, as a logarithm.
    pub fn noise(&self) -> f64 {
        (self.noise_pct / 100.0).ln_1p()
    }

    /// The margin, per cent.
    pub fn margin_pct(&self) -> f64 {
        self.margin_pct
    }

    /// The noise, per cent.
    pub fn noise_pct(&self) -> f64 {
        self.noise_pct
    }
}

impl Default for Options {
    fn default() -> Options {
        Options { margin_pct: MARGIN_PCT, noise_pct: NOISE_PCT }
    }
}
