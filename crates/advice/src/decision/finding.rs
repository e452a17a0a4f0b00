//! Findings beside a decision.

use super::grounds::Grounds;
use super::present::Present;
use crate::current::current_volume::ExceededDeclaration;
use crate::current::refuted_limit::RefutedLimit;
use crate::current::size::UsedSpace;
use crate::evaluate::candidate::Candidate;
use crate::evaluate::reason::{Provisioning, QueueLimit};
use ebs_aws::catalogue::VolumeType;
use ebs_prediction::{BindingLimit, LimitOwner};
use ebs_samples::evidence::{ChangeTime, CheckedTime, ConfigurationChange, PendingCause, PendingChange, Window};

/// A finding beside the action.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// Hardly a request.
    Idle {
        /// Requests.
        requests: u64,
        /// Seconds in which they were counted.
        seconds: f64,
    },
    /// Not attached.
    Unattached {
        /// Time of its last I/O within the time, microseconds since 1970; `None` where its series show none.
        last_io_us: Option<i64>,
        /// Time of its last sample, microseconds since 1970; `None` where it had I/O or no samples.
        last_seen_us: Option<i64>,
    },
    /// The present type is unsuitable for a database; of volumes that stay, on which none is known, if there is one.
    UnsuitableType {
        /// Name of the type.
        volume_type: &'static str,
    },
    /// The recommended volumes deliver less than the demand at the observed queue depth: sessions would wait, in a closed loop.
    Slower(QueueLimit),
    /// The recommended volumes are less durable.
    LowerDurability {
        /// Yearly durability of the present type, per cent.
        now_pct: f64,
        /// That of the recommended volumes.
        then_pct: f64,
    },
    /// A type that AWS has replaced, or advises against.
    PreviousGeneration {
        /// Name of the type.
        volume_type: &'static str,
    },
    /// The instance's limit binds the demand on all its volumes.
    InstanceBinds {
        /// Its type.
        instance_type: &'static str,
        /// The limit.
        bound: BindingLimit,
        /// Share of the time in which it throttles, 0 to 1.
        throttled: f64,
        /// The smallest type of its family that suffices; `None` where none does.
        sufficient: Option<&'static str>,
    },
    /// It fills up within the horizon of the forecast.
    FillsUp {
        /// Days.
        days: f64,
        /// Growth, bytes a day.
        per_day: f64,
    },
    /// Hardly any space is left.
    NearlyFull {
        /// Used share, 0 to 1.
        used: f64,
    },
    /// Burst credits end under the demand, or were spent.
    CreditsExhausted {
        /// Seconds after which they end; `None` where the counts show that they were spent.
        after_s: Option<f64>,
        /// True where they do not come back.
        for_good: bool,
    },
    /// The demand was at a limit.
    Saturated {
        /// The limit.
        bound: BindingLimit,
        /// Share of the time, 0 to 1.
        share: f64,
    },
    /// The demand exceeds what the described configuration can serve.
    DescriptionExceeded(ExceededDeclaration),
    /// The counts show a limit below the described one.
    DescriptionRefuted(RefutedLimit),
    /// It was on several instances, one after another.
    Moved {
        /// The instances.
        instances: Vec<String>,
    },
    /// It was modified within the time.
    Modified {
        /// Start, microseconds since 1970.
        started_us: i64,
        /// Configuration before and after it, in words.
        change: String,
    },
    /// A modification has not ended: none can be started.
    ModificationRuns(PendingChange),
    /// It has Multi-Attach: its type stays, and of io1 everything does.
    MultiAttach,
}

/// Share of the time from which on EBS's own time above a limit is named. A choice.
const EXCEEDED: f64 = 0.01;

/// Facts of a configuration, as documents or declarations tell them.
pub struct ConfigurationFacts<'a> {
    /// Type of the volumes; `None` where it is not known.
    pub volume_type: Option<VolumeType>,
    /// Changes within the time.
    pub changes: &'a [ConfigurationChange],
    /// States that may forbid the next change.
    pub pending: &'a [PendingChange],
    /// End of the time, microseconds since 1970.
    pub to_us: i64,
    /// True where it has Multi-Attach.
    pub is_multi_attach: bool,
}

impl ConfigurationFacts<'_> {
    /// Findings by the configuration alone.
    pub fn findings(&self) -> Vec<Finding> {
        let previous = self.volume_type.filter(|known| known.is_previous_generation());
        let previous = previous.map(|known| Finding::PreviousGeneration { volume_type: known.name() });
        let modified = self.changes.iter().filter_map(|change| match change.time {
            ChangeTime::Modification { started_us, .. } => {
                Some(Finding::Modified { started_us, change: format!("{} to {}", change.before, change.after) })
            }
            _ => None,
        });
        let runs = self.pending.iter().find(|pending| forbids(pending, self.to_us)).cloned();
        let multi_attach = self.is_multi_attach.then_some(Finding::MultiAttach);
        previous.into_iter().chain(modified).chain(runs.map(Finding::ModificationRuns)).chain(multi_attach).collect()
    }
}

/// True where a pending change still forbids the next one at this time: four in a day do so for a day.
fn forbids(pending: &PendingChange, at_us: i64) -> bool {
    let is_current =
        pending.cause != PendingCause::FourInADay || pending.earliest_us.is_none_or(|earliest_us| earliest_us > at_us);
    pending.forbids_change() && is_current
}

impl UsedSpace {
    /// The finding on the space; `None` where there is enough.
    pub fn finding(&self) -> Option<Finding> {
        let fills = self.fills_up().map(|(days, per_day)| Finding::FillsUp { days, per_day });
        fills.or_else(|| self.nearly_full().map(|used| Finding::NearlyFull { used }))
    }
}

/// Lists the findings beside a decision, that changes to these volumes, or keeps present ones in place of others, if there are some.
pub(super) fn list_findings(grounds: &Grounds, changed: Option<&Candidate>, kept: Option<&Candidate>) -> Vec<Finding> {
    let scenario = grounds.sizings.scenario;
    let (present, window) = (scenario.present(), scenario.part.inputs.window);
    let first = present.current.and_then(|current| current.volumes.first());
    let volume_type = first.map(|(config, _)| config.volume_type);
    let configuration = ConfigurationFacts {
        volume_type,
        changes: &window.changes,
        pending: &window.pending,
        to_us: window.to_us,
        is_multi_attach: present.current.is_some_and(|current| current.is_multi_attach),
    };
    let findings =
        configuration.findings().into_iter().chain(present.state.size.used_space().and_then(|space| space.finding()));
    let findings = findings.chain(of_present(grounds, &present, window));
    let is_sequential = |kept: &&Candidate| matches!(kept.provisioning(), Some(Provisioning::Sequential { .. }));
    let kept =
        kept.filter(is_sequential).map(|kept| Finding::UnsuitableType { volume_type: kept.config.volume_type.name() });
    findings.chain(changed.into_iter().flat_map(|best| of_change(best, volume_type))).chain(kept).collect()
}

/// Findings on the present volumes and their instance.
fn of_present(grounds: &Grounds, present: &Present, window: &Window) -> Vec<Finding> {
    let instance = present.instance_saturation.map(|saturation| Finding::InstanceBinds {
        instance_type: &saturation.instance.instance_type,
        bound: saturation.bound,
        throttled: saturation.limit_share(),
        sufficient: grounds.need.and_then(|need| need.sufficient).map(|found| found.instance_type.as_str()),
    });
    // Credits of volumes that the counts refute end nowhere.
    let credits = present.outcome().and_then(|outcome| outcome.credits);
    let credits =
        credits.map(|credits| Finding::CreditsExhausted { after_s: Some(credits.after_s), for_good: credits.for_good });
    let spent = present.has_spent_credits().then_some(Finding::CreditsExhausted { after_s: None, for_good: false });
    let saturated = present.own_saturation().map(|saturation| Finding::Saturated {
        bound: BindingLimit::Rate(saturation.limit.owner, saturation.limit.limited),
        share: saturation.limit.seconds_share,
    });
    let refuted = present.refuted_limit();
    let below_described = refuted.map(|refuted| Finding::Saturated {
        bound: BindingLimit::Rate(LimitOwner::Volume, refuted.limited),
        share: refuted.seconds_share,
    });
    let saturated = saturated.or(below_described).or_else(|| exceeded(window));
    let exceeded = present.current.and_then(|current| current.exceeded).map(Finding::DescriptionExceeded);
    let refuted = refuted.map(Finding::DescriptionRefuted);
    [instance, credits.or(spent), saturated, exceeded, refuted].into_iter().flatten().collect()
}

/// Time above a limit of the volume by EBS's own counters; `None` of little.
fn exceeded(window: &Window) -> Option<Finding> {
    let checks = window.checks.first()?;
    let share = |check: Option<CheckedTime>, bound| Some((check?.share()?, bound));
    let each = [
        share(checks.volume_iops, BindingLimit::VOLUME_IOPS),
        share(checks.volume_throughput, BindingLimit::VOLUME_THROUGHPUT),
    ];
    let (share, bound) = each.into_iter().flatten().max_by(|a, b| a.0.total_cmp(&b.0))?;
    (share >= EXCEEDED).then_some(Finding::Saturated { bound, share })
}

/// Findings on a change: what is worse, or right, about the recommended volumes beside their price.
fn of_change(best: &Candidate, present: Option<VolumeType>) -> Vec<Finding> {
    let Some(present) = present else { return Vec::new() };
    let unsuitable = present.characteristics().unfit.is_some();
    let unsuitable = unsuitable.then(|| Finding::UnsuitableType { volume_type: present.name() });
    let slower = best.queue_limit.map(Finding::Slower);
    let (now, then) = (present.durability_pct(), best.durability_pct());
    let durability = (then < now).then_some(Finding::LowerDurability { now_pct: now, then_pct: then });
    [unsuitable, slower, durability].into_iter().flatten().collect()
}
