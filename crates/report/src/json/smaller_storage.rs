//! Smaller storage of RDS by a Blue/Green deployment.

use super::candidate::Candidate;
use super::procedure::Script;
use crate::reasons::smaller_storage;
use ebs_advice as advice;
use ebs_base::object;
use ebs_base::units::Usd;

object! {
    /// Smaller storage of RDS by a Blue/Green deployment.
    pub(super) struct SmallerStorage<'a>(found: &'a Result<advice::SmallerStorage, advice::NoSmallerStorage>)
    where {
        let smaller = found.as_ref().ok();
    } {
        /// The storage; null where none is offered.
        option: Option<Candidate> = smaller.map(|smaller| Candidate::from(&smaller.storage)),
        /// Reason why none is offered, in words; null where one is.
        missing: Option<String> = found.as_ref().err().map(|missing| smaller_storage::describe_missing(*missing)),
        /// Size by use, growth and 25 %, or min_size_gib, GiB; null where no storage is offered.
        required_gib: Option<u64> = smaller.map(|smaller| smaller.required_gib),
        /// Size of the storage today, GiB; null where no storage is offered.
        current_gib: Option<u64> = smaller.map(|smaller| smaller.current_gib),
        /// US dollars a month of the storage today; null where that is not known.
        usd_month_today: Option<f64> = smaller.and_then(|smaller| smaller.current_usd).map(Usd::dollars),
        /// US dollars a month saved against today; null where that is not known.
        usd_month_saved: Option<f64> = smaller.and_then(smaller_storage::saving).map(Usd::dollars),
        /// True where the storage leaves the stripe of four volumes.
        leaves_stripe: Option<bool> = smaller.map(|smaller| smaller.leaves_stripe),
        /// Costs, conditions and risks of it, a sentence each.
        facts: Vec<&'static str> = smaller.map_or(Vec::new(), smaller_storage::facts),
        /// The page that documents it.
        source: &'static str = smaller_storage::SOURCE,
        /// Commands; null where no storage is offered, or a change of the storage is pending, or AWS refuses it with the instance's settings.
        commands: Option<Commands<'a>> = smaller.and_then(|smaller| smaller.commands.as_ref()).map(Commands::from),
    }
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
