//! Terraform: a resource of each volume, with the block that imports it.

use ebs_advice::StorageAttributes;
use ebs_base::format::plain;

use super::change::Change;
use super::describe::{NO_WAY_BACK, above, comment, head, left_out, wave};
use super::plan::Plan;
use super::waves::Wave;

/// Use of the file.
const USE: [&str; 2] = [
    "A volume that a configuration has already: copy its attributes there, and leave out its import block. A volume of another \
     configuration or of none: the import block takes it over (Terraform 1.5 or later); its tags stay as they are.",
    "Apply one wave at a time with the command above it, with a provider of its account and region. Before the next one the modifications must be completed: \
     aws ec2 describe-volumes-modifications --filters Name=modification-state,Values=modifying,optimizing lists none of its volumes.",
];

pub(super) fn render(plan: &Plan) -> Vec<String> {
    let mut lines = head(plan, &USE);
    for (number, wave) in (1..).zip(&plan.waves) {
        lines.push(String::new());
        lines.extend(render_wave(number, wave));
    }
    lines.extend(left_out(plan));
    lines
}

fn render_wave(number: usize, waves: &Wave) -> Vec<String> {
    let mut lines = comment("", &wave(number, waves));
    let targets = waves.changes.iter().map(|change| format!(" -target={}", address(change)));
    lines.push(format!("# terraform apply{}", targets.collect::<String>()));
    for change in &waves.changes {
        lines.push(String::new());
        lines.extend(render_change(change));
    }
    lines
}

fn render_change(change: &Change) -> Vec<String> {
    let mut lines = above("", change);
    lines.push(way_back(change));
    let zone = change.row.zone.as_deref().map(literal).unwrap_or_default();
    let all = std::iter::once(("availability_zone", zone)).chain(arguments(&change.after));
    let id = change.row.volume.as_str();
    lines.extend([
        "import {".to_owned(),
        format!("  to = {}", address(change)),
        format!("  id = {}", literal(id)),
        "}".to_owned(),
        String::new(),
        format!("resource \"aws_ebs_volume\" \"{}\" {{", name(change)),
    ]);
    let width = "availability_zone".len();
    lines.extend(all.map(|(name, value)| format!("  {name:<width$} = {value}")));
    lines.extend(
        ["", "  lifecycle {", "    prevent_destroy = true", "    ignore_changes  = [tags, tags_all]", "  }", "}"]
            .map(str::to_owned),
    );
    lines
}

fn way_back(change: &Change) -> String {
    if !change.has_way_back() {
        return format!("# way back: {NO_WAY_BACK}");
    }
    let back: Vec<String> = arguments(&change.back).iter().map(|(name, value)| format!("{name} = {value}")).collect();
    format!("# way back, with no other of these attributes: {}", back.join(", "))
}

fn arguments(attributes: &StorageAttributes) -> Vec<(&'static str, String)> {
    let figure = |value: Option<u64>| value.map(|value| value.to_string());
    let all = [
        ("type", Some(literal(attributes.volume_type.name()))),
        ("size", figure(Some(attributes.size_gib))),
        ("iops", figure(attributes.iops)),
        ("throughput", figure(attributes.throughput_mibps)),
    ];
    all.into_iter().filter_map(|(name, value)| value.map(|value| (name, value))).collect()
}

fn address(change: &Change) -> String {
    format!("aws_ebs_volume.{}", name(change))
}

/// Name of the resource: the ID, whose letters an identifier may have (`AwsResource::accepts`).
fn name(change: &Change) -> String {
    change.row.volume.replace('-', "_")
}

/// A text as a string of HCL, in which `${` and `%{` begin templates.
fn literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for letter in plain(text).replace("${", "$${").replace("%{", "%%{").chars() {
        if matches!(letter, '"' | '\\') {
            literal.push('\\');
        }
        literal.push(letter);
    }
    literal + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_no_template() {
        assert_eq!(literal("a\"b\\${c}%{d}$e\n"), r#""a\"b\\$${c}%%{d}$e?""#);
    }
}
