//! A series at a load: the recorded one, or the same scaled.

use std::ops::Deref;
use std::rc::Rc;

use super::series::Series;

/// A series at a load.
#[derive(Clone, Debug)]
pub(crate) enum Loaded<'a> {
    /// As it was recorded.
    Recorded(&'a Series),
    /// At another load.
    Scaled(Rc<Series>),
}

impl Deref for Loaded<'_> {
    type Target = Series;

    fn deref(&self) -> &Series {
        match self {
            Loaded::Recorded(series) => series,
            Loaded::Scaled(series) => series,
        }
    }
}
