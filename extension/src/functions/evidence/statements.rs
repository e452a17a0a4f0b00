//! What statements did in a run: from the readings kept with it to what reached the device.

use ebs_workload::queries::{Device, Missing, Observed, attribute, standing};
use ebs_workload::reading::Span;

use crate::errors::Error;
use crate::functions::subject::Subject;
use crate::{probes, storage};

/// What statements did, and what of it reached the device.
pub struct Done {
    /// Statement by statement.
    pub observed: Observed,
    /// All together at the device; `None` where that is not known.
    pub device: Option<Device>,
}

/// The readings at both ends of the measured part of a run, the present one where it is open; `None` where nothing was read.
pub fn span(subject: &Subject) -> Result<Option<Span>, Error> {
    let Some(run) = &subject.run else { return Ok(None) };
    let Some(before) = storage::reading_before(run)? else { return Ok(None) };
    let after = match run.to_us {
        Some(_) => storage::reading_after(run)?,
        None => Some(probes::take_run_reading()?),
    };
    Ok(after.map(|after| Span { before, after }))
}

/// What statements did in a run. Of a look-back what pg_stat_statements holds now, since its last reset, which is another
/// time: what reached the device is not said of it.
pub fn done(subject: &Subject) -> Result<Result<Done, Missing>, Error> {
    if subject.run.is_none() {
        let now = probes::read_statements()?;
        let at_us = probes::wall_us();
        return Ok(now.map(|now| Done { observed: standing(at_us, &now, probes::block_size()), device: None }));
    }
    let Some(span) = span(subject)? else { return Ok(Err(Missing::NotRead)) };
    Ok(span.statements().map(|mut observed| {
        let device = attribute(&mut observed, &subject.window);
        Done { observed, device }
    }))
}
