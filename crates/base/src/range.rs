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

/// Direction of a change, by the interval of its ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The whole interval is below one.
    Decrease,
    /// The whole interval is above one.
    Increase,
    /// The interval contains one: no difference is shown.
    Unclear,
}

impl Range {
    /// Direction of the change that this ratio stands for.
    pub fn change(&self) -> Change {
        match self {
            ratio if ratio.high < 1.0 => Change::Decrease,
            ratio if ratio.low > 1.0 => Change::Increase,
            _ => Change::Unclear,
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_needs_an_interval_beside_one() {
        let change = |low, high| Range { low, middle: 1.0, high }.change();
        assert_eq!([change(0.8, 0.999), change(0.8, 1.0)], [Change::Decrease, Change::Unclear]);
        assert_eq!([change(1.0, 1.2), change(1.001, 1.2)], [Change::Unclear, Change::Increase]);
    }
}
