//! Words of comments.

use std::borrow::Cow;

use ebs_advice::{AwsResource, StorageAttributes};
use ebs_aws::catalogue::VolumeType;
use ebs_base::format::{count, plain, usd};
use ebs_fleet_row::Row;

use super::change::Change;
use super::plan::{LeftOut, MODIFICATION_RUNS, Plan};
use super::rationale::rationale;
use super::stage::Stage;
use super::waves::Wave;
use crate::money::saving;

/// Most columns of a comment.
const WIDTH: usize = 120;

/// Breaks a sentence into comments. Control characters of names become question marks, so that no name ends a comment.
pub(super) fn comment(indent: &str, text: &str) -> Vec<String> {
    let begin = format!("{indent}# ");
    let options = textwrap::Options::new(WIDTH).initial_indent(&begin).subsequent_indent(&begin);
    let options = options.word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(&plain(text), options).into_iter().map(Cow::into_owned).collect()
}

/// Describes the whole: the number of volumes and waves, and the rules for all formats.
fn title(plan: &Plan) -> String {
    let volumes = plan.volumes();
    let number = |number: usize, noun: &str| match number {
        1 => format!("1 {noun}"),
        _ => format!("{} {noun}s", count(number as f64)),
    };
    format!(
        "Changes of {} in {}, by ebsctl fleet {}. Nothing of it has been run.",
        number(volumes, "volume"),
        number(plan.waves.len(), "wave"),
        env!("CARGO_PKG_VERSION")
    )
}

/// Comments at the head of a file: the whole, what is left out, its use, and the rules.
pub(super) fn head(plan: &Plan, usage: &[&str]) -> Vec<String> {
    let texts = std::iter::once(title(plan)).chain(short(plan));
    let rules = usage.iter().chain(&RULES).map(|text| (*text).to_owned());
    texts.chain(rules).flat_map(|text| comment("", &text)).collect()
}

/// Comments above a change: both configurations, its growth, its reason.
pub(super) fn above(indent: &str, change: &Change) -> Vec<String> {
    let texts = std::iter::once(self::change(change)).chain(growth(change)).chain(rationale(change));
    texts.flat_map(|text| comment(indent, &text)).collect()
}

/// Text for the way back of a size alone.
pub(super) const NO_WAY_BACK: &str = "none: a volume cannot shrink";

/// Describes the volumes that are left out because their evidence is short; `None` without any.
fn short(plan: &Plan) -> Option<String> {
    let names: Vec<&str> = plan.short.iter().map(|row| row.volume.as_str()).collect();
    let volumes =
        if names.len() == 1 { "1 volume".to_owned() } else { format!("{} volumes", count(names.len() as f64)) };
    (!names.is_empty()).then(|| format!("Left out: {volumes} with less than a day of evidence: {}.", names.join(", ")))
}

/// AWS's rules, and those by which waves are made.
const RULES: [&str; 3] = [
    "A volume can be modified four times in any 24 hours, and again only after the last modification has completed; that holds for \
     the way back, too. While it optimizes, hours for a large volume, performance is between that of before and after.",
    "A wave has volumes of one account and region: at most one of each instance, and of the instances of one owner or the pods of \
     one set at most half. Waves of low risk come first, within a risk the cheapest volumes; then changes after which sessions would wait, \
     and at the end those that cost more without a demand that needs them.",
    "A volume can grow and never shrink: a larger size is not undone by the way back.",
];

/// Describes a wave: `Wave 2: 3 volumes, account 123456789012, region eu-west-1, risk low`.
pub(super) fn wave(number: usize, wave: &Wave) -> String {
    let volumes = wave.changes.len();
    let volumes = if volumes == 1 { "1 volume".to_owned() } else { format!("{volumes} volumes") };
    let place = |name: &str, value: Option<&str>| format!(", {name} {}", value.unwrap_or("unknown"));
    let risk = wave.changes.first().and_then(|change| change.row.risk.as_deref());
    let (account, region) = (place("account", wave.account), place("region", wave.region));
    let stage = wave.changes.first().map_or("", |change| Stage::new(change.row).note());
    format!("Wave {number}: {volumes}{account}{region}{}{stage}", place("risk", risk))
}

/// Describes a change: name, instance, both configurations, saving, confidence.
fn change(change: &Change) -> String {
    let row = change.row;
    let names = [row.name.as_deref(), row.claim.as_deref(), Some(row.volume.as_str())];
    let names: Vec<&str> = names.into_iter().flatten().filter(|name| !name.is_empty()).collect();
    let on = [row.instance.as_deref(), row.instance_type.as_deref()];
    let on: Vec<&str> = on.into_iter().flatten().collect();
    let on = if on.is_empty() { String::new() } else { format!(" on {}", on.join(", ")) };
    let confidence = row.confidence.as_deref().map_or(String::new(), |grade| format!(", confidence {grade}"));
    format!(
        "{}{on}: {} to {}; {}{confidence}",
        names.join(", "),
        attributes(&change.before),
        attributes(&change.after),
        money(row)
    )
}

/// Describes attributes: `gp3 500 GiB 3,000 IOPS 125 MiB/s`.
pub(super) fn attributes(attributes: &StorageAttributes) -> String {
    let figure = |value: Option<u64>, unit: &str| value.map(|value| format!(" {} {unit}", count(value as f64)));
    let figures = [
        figure(Some(attributes.size_gib), "GiB"),
        figure(attributes.iops, "IOPS"),
        figure(attributes.throughput_mibps, "MiB/s"),
    ];
    std::iter::once(attributes.volume_type.name().to_owned()).chain(figures.into_iter().flatten()).collect()
}

fn money(row: &Row) -> String {
    match saving(row) {
        None => "its saving is not known".to_owned(),
        Some(saving) if saving.cents() < 0 => {
            format!("costs {} more a month", usd(ebs_base::units::Usd::default() - saving))
        }
        Some(saving) => format!("saves {} a month", usd(saving)),
    }
}

/// Describes the growth of a change, which the way back leaves; `None` where the size stays.
fn growth(change: &Change) -> Option<String> {
    let gib = |gib: u64| count(gib as f64);
    change.grows().then(|| {
        let extend =
            if change.resource == AwsResource::Volume { "; then extend the partition and the filesystem" } else { "" };
        let (before, after) = (gib(change.before.size_gib), gib(change.after.size_gib));
        format!("The size grows from {before} to {after} GiB, which cannot be undone{extend}.")
    })
}

/// Comments on the rows that are left out.
pub(super) fn left_out(plan: &Plan) -> Vec<String> {
    if plan.left_out.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::new(), "# By hand, and not part of any wave:".to_owned()];
    lines.extend(plan.left_out.iter().flat_map(|(row, reason)| {
        let name = row.name.as_deref().map_or(String::new(), |name| format!(" ({name})"));
        comment("", &format!("- {}{name}: {}", row.volume, describe(row, *reason)))
    }));
    lines
}

fn describe(row: &Row, reason: LeftOut) -> Cow<'static, str> {
    let size =
        |volumes: &Option<ebs_fleet_row::Volumes>| volumes.as_ref().map_or(0.0, |volumes| volumes.size_gib as f64);
    match reason {
        LeftOut::LargerInstance => format!("its instance binds: a larger instance comes first ({}).", row.reason.text.trim_end_matches('.')).into(),
        LeftOut::Delete => Cow::from(
            "not attached. Create a snapshot, wait until it is completed, then delete the volume if its data are not needed; the way \
             back is a volume made of the snapshot.",
        ),
        LeftOut::Identifier => "it has no identifier that AWS could have given.".into(),
        LeftOut::PresentUnknown => "its present configuration is not known, so that there is no way back.".into(),
        LeftOut::NotSold => "no configuration that AWS sells is recommended.".into(),
        LeftOut::Number => "another number of volumes takes new volumes and a copy of the data.".into(),
        LeftOut::Shrinks => format!(
            "{} GiB are recommended and a volume of {} GiB cannot shrink: it takes a new volume and a copy of the data.",
            count(size(&row.recommended)),
            count(size(&row.present))
        )
        .into(),
        LeftOut::ShortEvidence => "it has less than a day of evidence.".into(),
        LeftOut::MultiAttach => format!(
            "it has Multi-Attach: AWS modifies size and IOPS of {} alone; another change takes a new volume, and a copy by its cluster filesystem.",
            VolumeType::list(VolumeType::is_modifiable_with_multi_attach, "and")
        )
        .into(),
        LeftOut::Modifying => {
            let finding = row.findings.iter().find(|finding| finding.code == MODIFICATION_RUNS);
            let text = finding.map_or("", |finding| finding.text.as_str()).trim_end_matches('.');
            if text.is_empty() { "its last modification is not completed.".into() } else { format!("{text}.").into() }
        }
        LeftOut::NotAVolume => "storage of RDS: see --changes cli.".into(),
        LeftOut::ZoneUnknown => "its availability zone is not known, which its resource requires.".into(),
        LeftOut::NoClaim => "it has no Kubernetes claim: see --changes cli.".into(),
    }
}
