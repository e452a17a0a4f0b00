//! Figures with an interval.

/// Figure with its 90 % interval, in the unit of the figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Lower end.
    pub low: f64,
    /// Expected value.
    pub middle: f64,
    /// Upper end.
    pub high: f64,
}

impl Range {
    /// Multiplies the figure and its interval by `factor`.
    pub fn times(self, factor: f64) -> Range {
        Range { low: self.low * factor, middle: self.middle * factor, high: self.high * factor }
    }

    /// Returns the reciprocal.
    pub fn inverse(self) -> Range {
        Range { low: 1.0 / self.high, middle: 1.0 / self.middle, high: 1.0 / self.low }
    }

    /// Interval around `middle` from `down` below to `up` above, both as logarithms of a factor.
    pub fn around(middle: f64, (down, up): (f64, f64)) -> Range {
        Range { low: middle * (-down).exp(), middle, high: middle * up.exp() }
    }
}
