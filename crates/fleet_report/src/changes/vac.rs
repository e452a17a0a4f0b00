//! Kubernetes: a VolumeAttributesClass of each configuration, and the patches that give it to claims.

use std::collections::BTreeSet;

use ebs_advice::{StorageAttributes, quote};

use super::change::Change;
use super::describe::{NO_WAY_BACK, above, attributes, comment, head, left_out, wave};
use super::plan::Plan;
use super::waves::Wave;

/// Use of the file.
const USE: [&str; 3] = [
    "kubectl apply -f FILE creates the classes alone and changes no volume. Then run the commands of one wave at a time, and its \
     check before the next wave.",
    "VolumeAttributesClass is stable from Kubernetes 1.34 on; before, its API is storage.k8s.io/v1beta1 and its feature gate is off. \
     The cluster needs the EBS CSI driver, with its support of VolumeAttributesClass.",
    "The classes of present configurations are for the way back.",
];

pub(super) fn render(plan: &Plan) -> Vec<String> {
    let mut lines = head(plan, &USE);
    let changes = || plan.waves.iter().flat_map(|wave| &wave.changes);
    let classes: BTreeSet<StorageAttributes> =
        changes().flat_map(|change| [class(&change.after), class(&change.before)]).collect();
    for (number, class) in classes.iter().enumerate() {
        lines.extend((number > 0).then(|| "---".to_owned()));
        lines.extend(render_class(class));
    }
    for (number, wave) in (1..).zip(&plan.waves) {
        lines.extend([String::new(), "#".to_owned()]);
        lines.extend(render_wave(number, wave));
    }
    lines.extend(left_out(plan));
    lines
}

/// The attributes that a class has: the size is the claim's.
fn class(attributes: &StorageAttributes) -> StorageAttributes {
    StorageAttributes { size_gib: 0, ..*attributes }
}

fn render_class(class: &StorageAttributes) -> Vec<String> {
    let mut lines: Vec<String> =
        ["apiVersion: storage.k8s.io/v1", "kind: VolumeAttributesClass", "metadata:"].map(str::to_owned).into();
    lines.push(format!("  name: {}", name(class)));
    lines.push("driverName: ebs.csi.aws.com".to_owned());
    lines.push("parameters:".to_owned());
    lines.push(format!("  type: \"{}\"", class.volume_type.name()));
    lines.extend(class.iops.map(|iops| format!("  iops: \"{iops}\"")));
    lines.extend(class.throughput_mibps.map(|mibps| format!("  throughput: \"{mibps}\"")));
    lines
}

fn name(class: &StorageAttributes) -> String {
    let figures = [class.iops, class.throughput_mibps].into_iter().flatten().map(|figure| format!("-{figure}"));
    std::iter::once(format!("ebs-{}", class.volume_type.name())).chain(figures).collect()
}

fn render_wave(number: usize, waves: &Wave) -> Vec<String> {
    let mut lines = comment("", &wave(number, waves));
    for change in &waves.changes {
        lines.extend(above("", change));
        let size_gib = change.grows().then_some(change.after.size_gib);
        lines.push(format!("#   {}", patch(change, &change.after, size_gib)));
        let back = if change.has_way_back() { patch(change, &change.before, None) } else { NO_WAY_BACK.to_owned() };
        lines.push(format!("#   way back: {back}"));
    }
    lines.push(format!("# Check of wave {number}:"));
    lines.extend(waves.changes.iter().filter_map(check));
    lines
}

fn patch(change: &Change, attributes: &StorageAttributes, size_gib: Option<u64>) -> String {
    let Some((namespace, claim)) = change.claim() else {
        return self::attributes(attributes);
    };
    let storage =
        size_gib.map(|gib| format!(r#","resources":{{"requests":{{"storage":"{gib}Gi"}}}}"#)).unwrap_or_default();
    let patch = format!(r#"{{"spec":{{"volumeAttributesClassName":"{}"{storage}}}}}"#, name(attributes));
    format!(
        "kubectl patch pvc {} --namespace {} --type merge --patch {}",
        quote(claim),
        quote(namespace),
        quote(&patch)
    )
}

/// The command that waits until a claim has its class.
fn check(change: &Change) -> Option<String> {
    let (namespace, claim) = change.claim()?;
    Some(format!(
        "#   kubectl wait pvc/{} --namespace {} --for=jsonpath='{{.status.currentVolumeAttributesClassName}}'={} --timeout=24h",
        quote(claim),
        quote(namespace),
        name(&change.after)
    ))
}
