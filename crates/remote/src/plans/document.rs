//! Nodes of a document that EXPLAIN wrote. Each is parsed by itself, so that no depth of a plan is a depth of the stack.

use std::borrow::Cow;

use ebs_tuning::indexes::plan::Operation;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::error::PlanError;

/// Most nodes of a plan, as of one that the extension reads.
pub const MAX_NODES: usize = 10_000;
/// Most bytes of a document: 1.6 KiB for each of that many nodes.
pub const MAX_BYTES: usize = 16 << 20;

/// Keys of a node, by their names in EXPLAIN.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
pub(super) struct Fields<'a> {
    #[serde(rename = "Node Type", borrow)]
    pub node_type: Cow<'a, str>,
    #[serde(rename = "Parent Relationship", borrow)]
    pub parent_relationship: Option<Cow<'a, str>>,
    #[serde(rename = "Subplan Name", borrow)]
    pub subplan_name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub strategy: Option<Cow<'a, str>>,
    #[serde(rename = "Partial Mode", borrow)]
    pub partial_mode: Option<Cow<'a, str>>,
    #[serde(rename = "Join Type", borrow)]
    pub join_type: Option<Cow<'a, str>>,
    #[serde(rename = "Scan Direction", borrow)]
    pub scan_direction: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub operation: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub schema: Option<Cow<'a, str>>,
    #[serde(rename = "Relation Name", borrow)]
    pub relation_name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub alias: Option<Cow<'a, str>>,
    #[serde(rename = "CTE Name", borrow)]
    pub cte_name: Option<Cow<'a, str>>,
    #[serde(rename = "Index Name", borrow)]
    pub index_name: Option<Cow<'a, str>>,
    #[serde(rename = "Total Cost")]
    pub total_cost: Option<f64>,
    pub output: Option<Vec<String>>,
    #[serde(rename = "Sort Key")]
    pub sort_key: Vec<String>,
    pub filter: Option<String>,
    #[serde(rename = "Index Cond")]
    pub index_cond: Option<String>,
    #[serde(rename = "Recheck Cond")]
    pub recheck_cond: Option<String>,
    #[serde(rename = "Join Filter")]
    pub join_filter: Option<String>,
    #[serde(rename = "Hash Cond")]
    pub hash_cond: Option<String>,
    #[serde(rename = "Merge Cond")]
    pub merge_cond: Option<String>,
    #[serde(rename = "One-Time Filter")]
    pub one_time_filter: Option<String>,
    #[serde(rename = "TID Cond")]
    pub tid_cond: Option<String>,
    #[serde(rename = "Order By")]
    pub order_by: Option<String>,
    #[serde(rename = "Cache Key")]
    pub cache_key: Option<String>,
    #[serde(rename = "Function Call")]
    pub function_call: Option<String>,
    #[serde(rename = "Table Function Call")]
    pub table_function_call: Option<String>,
}

impl Fields<'_> {
    /// The operation of a node that changes rows.
    pub(super) fn changes(&self) -> Option<Operation> {
        (self.node_type == "ModifyTable").then_some(match self.operation.as_deref() {
            Some("Insert") => Operation::Insert,
            Some("Update") => Operation::Update,
            Some("Delete") => Operation::Delete,
            _ => Operation::Merge,
        })
    }

    /// True of the top of a subquery that is planned apart.
    pub(super) fn is_planned_apart(&self) -> bool {
        matches!(self.parent_relationship.as_deref(), Some("InitPlan" | "SubPlan"))
    }
}

/// A node in the order of the document: behind the node above it.
pub(super) struct Entry<'a> {
    pub fields: Fields<'a>,
    pub parent: Option<usize>,
    /// Position of the top of its statement or of its subquery that is planned apart.
    pub root: usize,
    pub children: Vec<usize>,
}

/// Text of a node without the nodes below it.
struct NodeText {
    text: String,
    parent: Option<usize>,
}

/// An object or an array that is not closed yet.
struct Open {
    is_node: bool,
    /// True of the list of the nodes below one.
    is_list: bool,
}

/// Nodes of the first statement in a valid document; a rule makes several of one.
fn split(document: &str) -> Result<Vec<NodeText>, PlanError> {
    let mut nodes: Vec<NodeText> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let (mut node, mut key, mut last, mut statements) = (None::<usize>, "", 0..0, 0);
    // Begin of what is not copied into the text of the present node.
    let (mut begin, mut at) = (0, 0);
    let bytes = document.as_bytes();
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                last = at + 1..end_of_string(bytes, at + 1);
                at = last.end;
            }
            b':' => key = document.get(last.clone()).unwrap_or_default(),
            b'{' | b'[' => {
                let is_object = *byte == b'{';
                let above = open.last();
                statements += usize::from(is_object && open.len() == 1);
                let is_top = open.len() == 2 && key == "Plan" && statements == 1 && nodes.is_empty();
                let is_node = is_object && (is_top || above.is_some_and(|above| above.is_list));
                let is_list = !is_object && key == "Plans" && above.is_some_and(|above| above.is_node);
                if is_node {
                    if nodes.len() == MAX_NODES {
                        return Err(PlanError::TooWide(format!("its plan has more than {MAX_NODES} nodes")));
                    }
                    nodes.push(NodeText { text: String::new(), parent: node });
                    (node, begin) = (Some(nodes.len() - 1), at);
                } else if is_list {
                    copy(&mut nodes, node, &document[begin..=at]);
                }
                open.push(Open { is_node, is_list });
            }
            b'}' | b']' => match open.pop() {
                Some(Open { is_node: true, .. }) => {
                    copy(&mut nodes, node, &document[begin..=at]);
                    node = node.and_then(|node| nodes[node].parent);
                }
                Some(Open { is_list: true, .. }) => begin = at,
                _ => {}
            },
            _ => {}
        }
        at += 1;
    }
    Ok(nodes)
}

fn copy(nodes: &mut [NodeText], node: Option<usize>, text: &str) {
    if let Some(node) = node {
        nodes[node].text.push_str(text);
    }
}

/// The position of the quote that ends a string.
fn end_of_string(bytes: &[u8], begin: usize) -> usize {
    let mut at = begin;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => break,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at
}

/// A document of which each node is a text.
pub(super) struct Document {
    nodes: Vec<NodeText>,
}

impl Document {
    /// Splits a document; the first statement counts.
    pub(super) fn read(document: &str) -> Result<Document, PlanError> {
        if document.len() > MAX_BYTES {
            return Err(PlanError::TooWide(format!("the document has more than {} MiB", MAX_BYTES >> 20)));
        }
        // serde_json ignores a value of any depth without recursion.
        serde_json::from_str::<IgnoredAny>(document)?;
        let nodes = split(document)?;
        if nodes.is_empty() { Err(PlanError::NoPlan) } else { Ok(Document { nodes }) }
    }

    /// Its nodes, in its order.
    pub(super) fn entries(&self) -> Result<Vec<Entry<'_>>, PlanError> {
        let mut entries: Vec<Entry<'_>> = Vec::with_capacity(self.nodes.len());
        for (position, NodeText { text, parent }) in self.nodes.iter().enumerate() {
            let fields: Fields<'_> = serde_json::from_str(text)?;
            let root = match parent {
                Some(parent) if !fields.is_planned_apart() => entries[*parent].root,
                _ => position,
            };
            if let Some(parent) = *parent {
                entries[parent].children.push(position);
            }
            entries.push(Entry { fields, parent: *parent, root, children: Vec::new() });
        }
        Ok(entries)
    }
}

/// Positions, each behind all below it and those before it in the document, which are all that its expressions name.
pub(super) fn bottom_up(entries: &[Entry<'_>]) -> Vec<usize> {
    // The reverse of an order in which each node stands before its children, the last child first.
    let mut order = Vec::with_capacity(entries.len());
    let mut rest = vec![0];
    while let Some(position) = rest.pop() {
        let Some(entry) = entries.get(position) else { continue };
        order.push(position);
        rest.extend(&entry.children);
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(levels: usize) -> String {
        let open = r#"{"Node Type":"Limit","Plans":["#;
        format!("[{{\"Plan\":{}{{\"Node Type\":\"Result\"}}{}}}]", open.repeat(levels), "]}".repeat(levels))
    }

    fn error(document: &str) -> String {
        let read = Document::read(document).and_then(|document| document.entries().map(|entries| entries.len()));
        read.expect_err("no plan").to_string()
    }

    #[test]
    fn a_plan_deeper_than_any_stack_is_read_or_refused() {
        let document = Document::read(&nested(9_999)).expect("a plan");
        assert_eq!(document.entries().expect("nodes").len(), 10_000);
        assert_eq!(error(&nested(1_000_000 / 3)), "too wide to be analysed: its plan has more than 10000 nodes");
        let other =
            format!(r#"[{{"Plan":{{"Node Type":"Result","Other":{}{}}}}}]"#, "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(Document::read(&other).expect("a plan").entries().expect("nodes").len(), 1);
    }

    #[test]
    fn what_is_no_plan_is_refused() {
        assert_eq!(error("[]"), "a rule leaves nothing of it");
        assert_eq!(error("[\"Utility Statement\"]"), "a rule leaves nothing of it");
        assert_eq!(error(r#"[{"Other":{"Plan":{}}},{"Plan":{}}]"#), "a rule leaves nothing of it");
        assert_eq!(error("Seq Scan on orders"), "the plan is malformed: expected value at line 1 column 1");
        assert!(error(r#"[{"Plan":{"Filter":["a"]}}]"#).starts_with("the plan is malformed: invalid type: sequence"));
        assert!(error(&nested(3)[..80]).starts_with("the plan is malformed: EOF"));
    }

    #[test]
    fn children_come_before_their_parents_in_the_order_of_the_document() {
        let document = r#"[{"Plan": {"Node Type": "a", "Plans": [ {"Node Type":"b\"}]","Plans":[{"Node Type":"c"}]} , {"Plans":[],"Node Type":"d"}
            ], "Filter": "x"}, "JIT": {"Plan": {}}}, {"Plan": {"Node Type": "e"}}]"#;
        let document = Document::read(document).expect("a plan");
        let entries = document.entries().expect("nodes");
        let names: Vec<&str> = bottom_up(&entries).into_iter().map(|at| &*entries[at].fields.node_type).collect();
        assert_eq!(names, ["c", "b\"}]", "d", "a"]);
        assert_eq!(entries[0].fields.filter.as_deref(), Some("x"));
    }
}
