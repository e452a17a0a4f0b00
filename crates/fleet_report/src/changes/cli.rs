//! A script of the AWS CLI, of which one wave is run at a time.

use ebs_advice::{AwsCommand, quote};
use ebs_base::format::plain;

use super::change::Change;
use super::commands;
use super::describe::{NO_WAY_BACK, above, comment, head, left_out, wave};
use super::plan::Plan;
use super::waves::Wave;

/// Usage, and a function that compares a value of AWS.
const HEAD: &str = r##"#   bash FILE wave-1    modifies the volumes of wave 1 that still have the configuration they are changed from
#   bash FILE check-1   succeeds once each has its new configuration and nothing is being modified: run it until then,
#                       and look at the latencies of its databases, before wave 2
#   bash FILE back-1    the way back of wave 1
set -eu

# has QUERY VALUE COMMAND…: succeeds where the answer to the command has this value; says so where it has another.
has() {
  local query=$1 expected=$2 found
  shift 2
  found=$("$@" --query "$query" --output text | tr '\t' ' ')
  if [ "$found" != "$expected" ]; then
    echo "$*: $query is \"$found\", not \"$expected\"" >&2
    return 1
  fi
}

case ${1:-} in"##;

pub(super) fn render(plan: &Plan) -> Vec<String> {
    let mut lines = vec!["#!/usr/bin/env bash".to_owned()];
    lines.extend(head(plan, &[]));
    lines.extend(HEAD.lines().map(str::to_owned));
    let mut before: Option<&Wave> = None;
    for (number, wave) in (1..).zip(&plan.waves) {
        // Volumes of the wave before may be replicas of those of this one.
        let related = before.filter(|before| (before.account, before.region) == (wave.account, wave.region));
        lines.push(String::new());
        lines.extend(render_wave(number, wave, related));
        before = Some(wave);
    }
    let usage = match plan.waves.len() {
        0 => "$0: there is nothing to change".to_owned(),
        1 => "usage: bash $0 wave-1|check-1|back-1".to_owned(),
        waves => format!("usage: bash $0 wave-N|check-N|back-N, N from 1 to {waves}"),
    };
    lines.extend([
        "*)".to_owned(),
        format!("  echo \"{usage}\" >&2"),
        "  exit 2".to_owned(),
        "  ;;".to_owned(),
        "esac".to_owned(),
    ]);
    lines.extend(left_out(plan));
    lines
}

fn render_wave(number: usize, waves: &Wave, before: Option<&Wave>) -> Vec<String> {
    let changes: Vec<&Change> = waves.changes.iter().collect();
    let ready = ready(waves, &changes);
    let mut lines = comment("", &wave(number, waves));
    lines.push(format!("wave-{number})"));
    lines.extend(ready.iter().cloned());
    if let Some(before) = before {
        lines.push("  # the wave before is completed".to_owned());
        lines.extend(conditions(&before.changes.iter().collect::<Vec<_>>()));
    }
    for change in &changes {
        lines.extend(render_change(change));
    }
    lines.extend(["  ;;".to_owned(), format!("check-{number})")]);
    lines.extend(ready.iter().cloned());
    lines.extend(changes.iter().map(|change| format!("  has {}", commands::has(change, &change.after))));
    lines.push(format!("  echo \"wave {number} is completed\""));
    lines.extend(["  ;;".to_owned(), format!("back-{number})")]);
    lines.extend(ready);
    for change in &changes {
        lines.extend(render_back(change));
    }
    lines.push("  ;;".to_owned());
    lines
}

/// Conditions of each step: the account, and that nothing is being modified.
fn ready(wave: &Wave, changes: &[&Change]) -> Vec<String> {
    let identity = AwsCommand::new("sts get-caller-identity");
    let account = wave.account.map(|account| format!("  has Account {} {identity}", quote(&plain(account))));
    account.into_iter().chain(conditions(changes)).collect()
}

/// Conditions that no modification of some volumes is under way.
fn conditions(changes: &[&Change]) -> Vec<String> {
    let available = changes.iter().filter_map(|change| commands::is_available(change));
    commands::are_completed(changes)
        .into_iter()
        .chain(available)
        .map(|condition| format!("  has {condition}"))
        .collect()
}

fn render_change(change: &Change) -> Vec<String> {
    let mut lines = above("  ", change);
    lines.push(format!("  if has {}; then", commands::has(change, &change.before)));
    lines.push(format!("    {}", commands::modify(change, &change.after, change.grows())));
    lines.push("  fi".to_owned());
    let back = if change.has_way_back() { way_back(change).to_string() } else { NO_WAY_BACK.to_owned() };
    lines.push(format!("  # way back: {back}"));
    lines
}

fn way_back(change: &Change) -> AwsCommand {
    commands::modify(change, &change.back, false)
}

/// The way back of a volume that has its new configuration.
fn render_back(change: &Change) -> Vec<String> {
    if !change.has_way_back() {
        return comment("  ", &format!("{}: {NO_WAY_BACK}", change.row.volume));
    }
    let mut lines = vec![format!("  if has {}; then", commands::has(change, &change.after))];
    lines.push(format!("    {}", way_back(change)));
    lines.push("  fi".to_owned());
    lines.extend(change.grows().then(|| format!("  # the size stays at {} GiB", change.after.size_gib)));
    lines
}
