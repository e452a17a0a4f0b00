//! Files for Grafana (`grafana/`): held to schemas of the part of its models that they use, and to what no schema says, such as panels
//! that lie on each other and variables that are not defined.

// Files are what is tested.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ebs_schema::problems;
use serde_json::{Value, json};

const DASHBOARDS: [&str; 3] = ["ebs_advisor", "ebs_fleet", "ebs_fleet_prometheus"];
/// Variables and macros of Grafana itself and of its data sources, by the names behind their dollar.
const BUILT_IN: [&str; 7] =
    ["__timeFilter", "__timeGroup", "__timeFrom", "__timeTo", "__interval", "__rate_interval", "__range"];

fn read(path: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn dashboard(name: &str) -> Value {
    read(&format!("../../grafana/{name}.json"))
}

fn list<'a>(value: &'a Value, pointer: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// All panels: those of a row are in the row.
fn panels(dashboard: &Value) -> Vec<&Value> {
    list(dashboard, "/panels").flat_map(|panel| std::iter::once(panel).chain(list(panel, "/panels"))).collect()
}

/// Everything that is wrong with a dashboard, with its place.
fn dashboard_problems(dashboard: &Value) -> Vec<String> {
    let schema = read("tests/grafana/dashboard.json");
    let mut found = problems(&schema, dashboard);
    for panel in panels(dashboard) {
        let place = |problem: String| format!("panel {:?}: {problem}", text(panel, "/title"));
        found.extend(definition_problems(&schema, text(panel, "/type"), panel).into_iter().map(place));
        for target in list(panel, "/targets") {
            let source = text(target, "/datasource/type");
            found.extend(definition_problems(&schema, source, target).into_iter().map(place));
        }
    }
    found.extend(overlaps(dashboard));
    found.extend(repeated("id of a panel", panels(dashboard).iter().map(|panel| panel["id"].to_string())));
    found.extend(undefined_variables(dashboard));
    found.extend(foreign_sources(dashboard));
    found
}

/// Problems of a part with the definition of this name.
fn definition_problems(schema: &Value, name: &str, part: &Value) -> Vec<String> {
    match schema["$defs"].get(name) {
        Some(_) => problems(&json!({ "$defs": schema["$defs"], "$ref": format!("#/$defs/{name}") }), part),
        None => vec![format!("{name:?} is no type that the schema knows")],
    }
}

/// Panels that lie on each other or beyond the 24 columns; each row has a grid of its own.
fn overlaps(dashboard: &Value) -> Vec<String> {
    let rows =
        list(dashboard, "/panels").filter(|panel| panel["type"] == "row").map(|row| list(row, "/panels").collect());
    let grids = std::iter::once(list(dashboard, "/panels").collect::<Vec<_>>()).chain(rows);
    grids.flat_map(|grid| overlaps_within(&grid)).collect()
}

fn overlaps_within(panels: &[&Value]) -> Vec<String> {
    let edge = |panel: &Value, side: &str| panel["gridPos"][side].as_u64().unwrap_or_default();
    let apart = |a: &Value, b: &Value, from: &str, length: &str| {
        edge(a, from) + edge(a, length) <= edge(b, from) || edge(b, from) + edge(b, length) <= edge(a, from)
    };
    let mut found = Vec::new();
    for (number, panel) in panels.iter().enumerate() {
        let title = text(panel, "/title");
        if edge(panel, "x") + edge(panel, "w") > 24 {
            found.push(format!("panel {title:?} ends beyond the 24 columns"));
        }
        let others =
            panels[..number].iter().filter(|other| !apart(panel, other, "x", "w") && !apart(panel, other, "y", "h"));
        found.extend(others.map(|other| format!("panel {title:?} lies on {:?}", text(other, "/title"))));
    }
    found
}

fn repeated(what: &str, values: impl Iterator<Item = String>) -> Vec<String> {
    let mut known = BTreeSet::new();
    values.filter(|value| !known.insert(value.clone())).map(|value| format!("{what} {value} is there twice")).collect()
}

/// Names behind a dollar, in all texts, that are neither a variable of the dashboard nor built in.
fn undefined_variables(dashboard: &Value) -> Vec<String> {
    let defined: BTreeSet<&str> = list(dashboard, "/templating/list").map(|variable| text(variable, "/name")).collect();
    let mut names = BTreeSet::new();
    collect_names(dashboard, &mut names);
    let unknown = names.iter().filter(|name| !defined.contains(name.as_str()) && !BUILT_IN.contains(&name.as_str()));
    unknown.map(|name| format!("variable {name} is not defined")).collect()
}

fn collect_names(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect_names(value, names)),
        // The value of All.
        Value::String(text) if text != "$__all" => names.extend(text.split('$').skip(1).filter_map(leading_name)),
        Value::Object(values) => values.values().for_each(|value| collect_names(value, names)),
        _ => {}
    }
}

/// Name at the beginning of a text that stood behind a dollar; `None` where none does, as in `$1` and at the end of a pattern.
fn leading_name(rest: &str) -> Option<String> {
    let rest = rest.strip_prefix('{').unwrap_or(rest);
    let name: String = rest.chars().take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect();
    (!name.is_empty() && !name.starts_with(|letter: char| letter.is_ascii_digit())).then_some(name)
}

/// Data sources that are not the one that the dashboard's variable chooses.
fn foreign_sources(dashboard: &Value) -> Vec<String> {
    let chosen = list(dashboard, "/templating/list").find(|variable| variable["type"] == "datasource");
    let expected = json!({ "type": chosen.map(|variable| text(variable, "/query")), "uid": "${datasource}" });
    let mut found = Vec::new();
    collect_sources(dashboard, &mut found);
    found.retain(|source| *source != expected);
    found.iter().map(|source| format!("data source {source} is not the chosen one")).collect()
}

fn collect_sources(value: &Value, sources: &mut Vec<Value>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect_sources(value, sources)),
        Value::Object(values) => {
            sources.extend(values.get("datasource").cloned());
            values.values().for_each(|value| collect_sources(value, sources));
        }
        _ => {}
    }
}

#[test]
fn dashboards_are_what_grafana_takes() {
    for name in DASHBOARDS {
        assert_eq!(dashboard_problems(&dashboard(name)), [""; 0], "{name}");
    }
    assert_eq!(repeated("uid", DASHBOARDS.iter().map(|name| dashboard(name)["uid"].to_string())), [""; 0]);
}

#[test]
fn a_wrong_dashboard_is_found() {
    let sound = dashboard("ebs_fleet_prometheus");
    for (pointer, value, problem) in [
        ("/panels/1/type", json!("graph"), "panel \"Requests a second\": \"graph\" is no type that the schema knows"),
        ("/panels/1/gridPos", json!({ "x": 0, "y": 10, "w": 12 }), "panel \"Requests a second\": /gridPos lacks h"),
        ("/panels/1/gridPos/w", json!(13), "panel \"Throughput\" lies on \"Requests a second\""),
        ("/panels/2/gridPos/x", json!(13), "panel \"Throughput\" ends beyond the 24 columns"),
        ("/panels/2/id", json!(2), "id of a panel 2 is there twice"),
        ("/panels/1/targets/1/expr", json!("vector($iops)"), "variable iops is not defined"),
        ("/panels/1/targets/1/expr", json!("${device:regex} ${volume:regex}"), "variable volume is not defined"),
        (
            "/panels/1/targets/0/datasource/uid",
            json!("mine"),
            "data source {\"type\":\"prometheus\",\"uid\":\"mine\"} is not the chosen one",
        ),
        (
            "/panels/1/targets/0/expression",
            json!("up"),
            "panel \"Requests a second\": /expression is not in the schema",
        ),
        ("/schemaVersion", json!(16), "/schemaVersion is not as const 39 says"),
    ] {
        let mut wrong = sound.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        wrong.pointer_mut(parent).unwrap()[key] = value;
        assert!(dashboard_problems(&wrong).iter().any(|found| found == problem), "{:?}", dashboard_problems(&wrong));
    }
    let mut wrong = sound;
    wrong["panels"][1]["fieldConfig"]["defaults"]["unit"] = json!("requests");
    let found = dashboard_problems(&wrong);
    assert!(found.iter().any(|found| found.contains("/fieldConfig/defaults/unit is not as enum")), "{found:?}");
}

/// Everything that is wrong with provisioned alert rules: a rule may link to a panel of a dashboard that is there.
fn alert_problems(alerts: &Value) -> Vec<String> {
    let rules: Vec<&Value> = list(alerts, "/groups").flat_map(|group| list(group, "/rules")).collect();
    let mut found = problems(&read("tests/grafana/alerts.json"), alerts);
    found.extend(repeated("uid", rules.iter().map(|rule| rule["uid"].to_string())));
    let dashboards = DASHBOARDS.map(dashboard);
    for rule in rules {
        let linked = dashboards.iter().find(|dashboard| dashboard["uid"] == rule["dashboardUid"]);
        if !linked.is_some_and(|dashboard| panels(dashboard).iter().any(|panel| panel["id"] == rule["panelId"])) {
            found.push(format!("{} links to no panel", rule["uid"]));
        }
    }
    found
}

#[test]
fn alerts_are_what_grafana_takes() {
    let sound = dashboard("ebs_alerts");
    assert_eq!(alert_problems(&sound), [""; 0]);
    for (pointer, value, problem) in [
        ("/groups/0/rules/0/panelId", json!(99), "\"ebs-advisor-at-limit\" links to no panel"),
        ("/groups/1/rules/0/uid", json!("ebs-advisor-at-limit"), "uid \"ebs-advisor-at-limit\" is there twice"),
        ("/groups/0/rules/0/condition", json!("C"), "/groups/0/rules/0/condition is not as const \"B\" says"),
        ("/groups/0/rules/0/summary", json!(""), "/groups/0/rules/0/summary is not in the schema"),
    ] {
        let mut wrong = sound.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        wrong.pointer_mut(parent).unwrap()[key] = value;
        assert!(alert_problems(&wrong).iter().any(|found| found == problem), "{:?}", alert_problems(&wrong));
    }
}
