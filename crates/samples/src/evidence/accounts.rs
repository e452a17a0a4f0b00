//! Slow probes: readings taken once a block, and the counts between two of them.

use std::collections::BTreeMap;

use super::ebs::{EbsReading, EbsTotals};
use super::totals::{Totals, row_of};
use super::{
    Block, CostCounts, CounterDelta, CpuCount, ProcessorCounts, RunDelayCounts, StorageCounts, TempCounts,
    TransactionCounts,
};
use ebs_base::counter::{Counters, Delta};

/// Reading of the slow probes, taken once a block because it is expensive or changes slowly. `None` is a probe that failed.
#[derive(Clone, Debug, Default)]
pub struct Accounts {
    /// Monotonic clock, microseconds.
    pub mono_us: u64,
    /// Cumulative counts of each database, by its number.
    pub databases: Option<BTreeMap<u32, DatabaseCounts>>,
    /// Transactions of the sampler itself, as far as they are among those of its database.
    pub own_transactions: TransactionCounts,
    /// Cumulative storage counts of the server's processes.
    pub storage: Option<StorageCounts>,
    /// Cumulative CPU time.
    pub processor: Option<ProcessorCounts>,
    /// CPUs that the server may use.
    pub cpus: Option<CpuCount>,
    /// Cumulative waits of sessions for a CPU.
    pub run_delay: Option<RunDelayCounts>,
    /// Pages of EBS volumes, by volume id; those that cannot be read are not there.
    pub ebs: BTreeMap<String, EbsReading>,
    /// Cumulative resource usage of the sampler itself.
    pub cost: CostCounts,
}

/// Cumulative counts of one database, a row of pg_stat_database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DatabaseCounts {
    /// Changes when its counters are reset.
    pub epoch: i64,
    /// Temporary files.
    pub temp: TempCounts,
    /// Transactions, including those of the sampler.
    pub transactions: TransactionCounts,
}

impl Accounts {
    /// Adds the counts since `before` to a block.
    pub(super) fn count_since(&self, before: &Accounts, block: &mut Block) {
        let totals = &mut block.totals;
        let dt_us = self.mono_us.saturating_sub(before.mono_us);
        let (temp, transactions) = self.databases_since(before);
        totals.temp.add_delta(temp, dt_us);
        totals.transactions.add_delta(transactions, dt_us);
        totals.storage.add_delta(CounterDelta::between(before.storage, self.storage), dt_us);
        totals.processor.add_delta(CounterDelta::between(before.processor, self.processor), dt_us);
        totals.run_delay.add_delta(CounterDelta::between(before.run_delay, self.run_delay), dt_us);
        self.count_ebs(before, totals);
        if let Delta::Advanced(cost) = self.cost.since(before.cost) {
            block.sampling.cost = block.sampling.cost.plus(cost);
        }
    }

    /// Sum over all databases. The last counts of a dropped database are lost.
    fn databases_since(&self, before: &Accounts) -> (CounterDelta<TempCounts>, CounterDelta<TransactionCounts>) {
        let (Some(old), Some(new)) = (&before.databases, &self.databases) else {
            return (CounterDelta::Failed, CounterDelta::Failed);
        };
        let same = |(number, old): (&u32, &DatabaseCounts)| new.get(number).is_some_and(|new| new.epoch == old.epoch);
        if !old.iter().all(same) {
            return (CounterDelta::Reset, CounterDelta::Reset);
        }
        let nothing = (CounterDelta::Known(TempCounts::default()), CounterDelta::Known(TransactionCounts::default()));
        let (temp, transactions) = new.iter().fold(nothing, |(temp, transactions), (number, now)| {
            let before = old.get(number).copied().unwrap_or_default();
            let counted = CounterDelta::from(now.transactions.since(before.transactions));
            (temp.plus(CounterDelta::from(now.temp.since(before.temp))), transactions.plus(counted))
        });
        (temp, self.but_own(transactions, before))
    }

    fn but_own(&self, all: CounterDelta<TransactionCounts>, before: &Accounts) -> CounterDelta<TransactionCounts> {
        match (all, CounterDelta::from(self.own_transactions.since(before.own_transactions))) {
            (CounterDelta::Known(all), CounterDelta::Known(own)) => CounterDelta::from(all.since(own)),
            (CounterDelta::Known(_), own) => own,
            (unknown, _) => unknown,
        }
    }

    /// Pages count from the moment each was written, which may be a second before it was read: a rate over the time
    /// between two readings would be wrong by as much.
    fn count_ebs(&self, before: &Accounts, totals: &mut Totals) {
        for (volume, now) in &self.ebs {
            let Some(earlier) = before.ebs.get(volume) else { continue };
            let written = |accounts: &Accounts, page: &EbsReading| accounts.mono_us.saturating_sub(page.age_us);
            let dt_us = written(self, now).saturating_sub(written(before, earlier));
            if let Some(counted) = EbsTotals::between(earlier, now, dt_us) {
                row_of(&mut totals.ebs, volume.clone()).add(counted);
            }
        }
    }
}

#[cfg(test)]
#[path = "accounts_tests.rs"]
mod tests;
