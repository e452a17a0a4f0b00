//! Smaller storage of RDS by a Blue/Green deployment.

use serde::Serialize;

use super::candidate::Candidate;
use super::procedure::Script;
use crate::reasons::smaller_storage;
use ebs_advice::{self as advice, RoleAdvice};
use ebs_base::object;
use ebs_base::units::Usd;

/// Smaller storage of RDS by a Blue/Green deployment.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct SmallerStorage<'a> {
    /// The storage; null where none is offered.
    option: Option<Candidate>,
    /// Reason why none is offered, in words; null where one is.
    missing: Option<String>,
    /// Size by use, growth and 25 %, or min_size_gib, GiB; null where no storage is offered.
    required_gib: Option<u64>,
    /// Size of the storage today, GiB; null where no storage is offered.
    current_gib: Option<u64>,
    /// US dollars a month of the storage today; null where that is not known.
    usd_month_today: Option<f64>,
    /// US dollars a month saved against today; null where that is not known.
    usd_month_saved: Option<f64>,
    /// True where the storage leaves the stripe of four volumes.
    leaves_stripe: Option<bool>,
    /// Costs, conditions and risks of it, a sentence each.
    facts: Vec<&'static str>,
    /// The page that documents it.
    source: &'static str,
    /// Commands; null where no storage is offered, or a change of the storage is pending, or AWS refuses it with the instance's settings.
    commands: Option<Commands<'a>>,
}

object! {
    /// Commands of a Blue/Green deployment, a script for each decision.
    struct Commands<'a>(commands: &'a advice::BlueGreenCommands) {
        /// Creates the copy.
        create: Script<'a> = Script::from(&commands.create),
        /// Switches over to it.
        switch_over: Script<'a> = Script::from(&commands.switch_over),
        /// Deletes the old instance with a last snapshot.
        clean_up: Script<'a> = Script::from(&commands.clean_up),
        /// The way back before the switchover.
        rollback: Script<'a> = Script::from(&commands.rollback),
    }
}

impl<'a> SmallerStorage<'a> {
    /// The smaller storage of a role; `None` where there is no storage of RDS today.
    pub(super) fn from_role(role: &'a RoleAdvice) -> Option<SmallerStorage<'a>> {
        let found = role.smaller_storage.as_ref()?;
        let smaller = found.as_ref().ok();
        Some(SmallerStorage {
            option: smaller.map(|smaller| Candidate::from(&smaller.storage)),
            missing: found.as_ref().err().map(|missing| smaller_storage::describe_missing(*missing)),
            required_gib: smaller.map(|smaller| smaller.required_gib),
            current_gib: smaller.map(|smaller| smaller.current_gib),
            usd_month_today: smaller.and_then(|smaller| smaller.current_usd).map(Usd::dollars),
            usd_month_saved: smaller.and_then(smaller_storage::saving).map(Usd::dollars),
            leaves_stripe: smaller.map(|smaller| smaller.leaves_stripe),
            facts: smaller.map_or(Vec::new(), smaller_storage::facts),
            source: smaller_storage::SOURCE,
            commands: smaller.and_then(|smaller| smaller.commands.as_ref()).map(Commands::from),
        })
    }
}
