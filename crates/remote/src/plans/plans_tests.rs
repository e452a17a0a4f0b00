use super::*;

#[test]
fn dump() {
    use ebs_tuning::indexes::usage::{Use, uses};
    let Ok(dir) = std::env::var("XA_DOCS") else { return };
    let line = |used: &Use| {
        let keys = |list: &[ebs_tuning::indexes::condition::SortKey]| {
            list.iter()
                .map(|k| format!("{}{}{:?}", k.column.name, if k.descending { " DESC" } else { "" }, k.nulls_first))
                .collect::<Vec<_>>()
        };
        let fixed: Vec<String> =
            used.fixed.iter().map(|f| format!("{}|{}|{}", f.column, f.predicate, f.equality)).collect();
        format!(
            "{}.{} equal={:?} one_of={:?} joins={:?} ranges={:?} fixed={:?} order={:?} extremes={:?} needed={:?} other={:?}",
            used.relation.schema,
            used.relation.name,
            used.equal,
            used.one_of,
            used.joins,
            used.ranges,
            fixed,
            keys(&used.order),
            keys(&used.extremes),
            used.needed,
            used.unsupported_tests
        )
    };
    for entry in std::fs::read_dir(&dir).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "json") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let out = match PlanReader::new().read(&text) {
            Ok(plan) => {
                let mut lines: Vec<String> = uses(&plan).iter().map(line).collect();
                lines.sort();
                let mut kinds: Vec<String> = plan
                    .nodes
                    .iter()
                    .map(|n| format!("{:?}/{:?}/{}", n.kind, n.parent.is_some(), n.clauses.len()))
                    .collect();
                kinds.sort();
                lines.push(format!("nodes {} {:?}", plan.nodes.len(), kinds));
                lines.join("\n")
            }
            Err(e) => format!("error {e}"),
        };
        std::fs::write(path.with_extension("out"), out).unwrap();
    }
}
