//! Idle volumes: the included performance of their type is more than they were asked for.

use ebs_advice::Request;
use ebs_aws::catalogue::{Purpose, VolumeConfig, VolumeType, classes_of};
use ebs_aws::price::order_bill;
use ebs_base::units::Usd;

use super::answer::{Action, Finding, Priced, Reason, VolumeAnswer};
use super::confidence::MIN_CHANGE_S;
use super::durability::is_durable;
use super::negligible::is_negligible;

/// Completes the answer for an idle volume: gp3 of its size without more IOPS or throughput, where that is cheaper by more than a change is
/// worth, and as durable as requested; so nothing is lost if it is needed again. That it could be deleted is a finding alone: nothing shows that its data are not needed.
pub fn conclude(
    mut answer: VolumeAnswer,
    (requests, seconds): (u64, f64),
    request: &Request,
    has_prices: bool,
) -> VolumeAnswer {
    if seconds < MIN_CHANGE_S {
        return VolumeAnswer { reason: Reason::TooFewCounts { seconds }, ..answer };
    }
    answer.findings.push(Finding::Idle { requests, seconds });
    answer.reason = Reason::Idle { requests, seconds };
    let Some(present) = answer.present.clone() else { return answer };
    answer.action = Action::Keep;
    answer.binding = Some(ebs_prediction::BindingLimit::None);
    answer.limit_share = Some(0.0);
    answer.recommended = Some(present.clone());
    let has_multi_attach = answer.findings.contains(&Finding::MultiAttach);
    // A zone has the type of its present volume.
    let is_gp3 = present.config.volume_type == VolumeType::Gp3;
    let may_be_gp3 = (is_gp3 || request.surely_has(VolumeType::Gp3)) && !has_multi_attach;
    let least = least(present.config).filter(|_| may_be_gp3).filter(|least| is_durable(least.volume_type, request));
    let price = |config: &VolumeConfig| order_bill(config, 1, &request.prices).map(|bill| bill.total().rounded());
    let Some(now) = price(&present.config) else { return answer };
    let is_worth_it = |then: &Usd| *then < now && !is_negligible(now - *then, now);
    let changed = least.and_then(|least| Some((least, price(&least).filter(is_worth_it)?)));
    let Some((least, then)) = changed else {
        answer.saved = has_prices.then(Usd::default);
        return answer;
    };
    answer.action = Action::Modify;
    let [now_pct, then_pct] = [present.config, least].map(|config| config.volume_type.durability_pct());
    answer.findings.extend((then_pct < now_pct).then_some(Finding::LowerDurability { now_pct, then_pct }));
    answer.saved = has_prices.then(|| now - then);
    answer.recommended = Some(Priced { config: least, volumes: 1, usd_month: has_prices.then_some(then) });
    answer
}

/// gp3 of this size with what its price includes.
fn least(present: VolumeConfig) -> Option<VolumeConfig> {
    let classes = classes_of(present.platform, VolumeType::Gp3, Purpose::Any);
    classes.filter_map(|class| class.least(present.size_gib, 0, 0)).find(|config| config.size_gib == present.size_gib)
}

#[cfg(test)]
#[path = "idle_tests.rs"]
mod tests;
