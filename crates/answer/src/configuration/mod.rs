//! Configuration of the volumes of a run or a look-back: what was declared of them, joined with what AWS printed, its changes and those that
//! are pending.

mod changes;
mod database;
mod described;
mod pending;
mod source;
mod storage;
mod volume_names;

use ebs_samples::evidence::Window;
use ebs_workload::declarations::Declarations;

pub use described::DescribedConfiguration;
pub use source::{ConfigurationSource, Configured};
pub use storage::{ConfiguredStorage, JoinDoubt, is_instance_class};
pub use volume_names::ebs_volume_ids;

use crate::RunHeader;

/// Finds the configuration of evidence up to `to_us`, microseconds since 1970, and completes the evidence with it, its changes and those
/// that are pending at `now_us`. `run` is `None` of a look-back.
pub fn complete_window<S: ConfigurationSource>(
    source: &S,
    window: &mut Window,
    declared: Declarations,
    run: Option<&RunHeader>,
    (to_us, now_us): (i64, i64),
) -> Result<ConfiguredStorage, S::Error> {
    let configured = ConfiguredStorage::new(source, declared, run, &window.layout, to_us)?;
    window.changes = changes::find_changes(source, run, &window.layout, &configured, (window.from_us, to_us))?;
    window.pending = pending::find_pending(source, run, &window.layout, &configured, now_us)?;
    configured.complete(&mut window.layout);
    Ok(configured)
}
