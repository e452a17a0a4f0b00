//! A plan as EXPLAIN (VERBOSE, FORMAT JSON) prints it, as far as advice on indexes reads it.

use serde::Deserialize;

/// A node of a plan, with what is below it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Node {
    /// `Seq Scan`, `Hash Join`.
    #[serde(rename = "Node Type")]
    pub kind: String,
    /// `Delete`, `Update`: of a node that modifies a table.
    #[serde(rename = "Operation")]
    pub operation: Option<String>,
    /// Schema of the relation it reads or modifies.
    #[serde(rename = "Schema")]
    pub schema: Option<String>,
    /// That relation.
    #[serde(rename = "Relation Name")]
    pub relation: Option<String>,
    /// What it is called in this plan; unique in it.
    #[serde(rename = "Alias")]
    pub alias: Option<String>,
    /// The index it reads.
    #[serde(rename = "Index Name")]
    pub index: Option<String>,
    /// Planner's cost of all of it.
    #[serde(rename = "Total Cost")]
    pub total_cost: f64,
    /// Rows the planner expects.
    #[serde(rename = "Plan Rows")]
    pub rows: f64,
    /// Columns and expressions it hands on.
    #[serde(rename = "Output")]
    pub output: Vec<String>,
    /// How an aggregate works: `Hashed`, `Sorted`, `Plain`.
    #[serde(rename = "Strategy")]
    pub strategy: Option<String>,
    /// What it sorts by.
    #[serde(rename = "Sort Key")]
    pub sort_key: Vec<String>,
    #[serde(rename = "Filter")]
    filter: Option<String>,
    #[serde(rename = "Index Cond")]
    index_cond: Option<String>,
    #[serde(rename = "Recheck Cond")]
    recheck_cond: Option<String>,
    #[serde(rename = "Hash Cond")]
    hash_cond: Option<String>,
    #[serde(rename = "Merge Cond")]
    merge_cond: Option<String>,
    #[serde(rename = "Join Filter")]
    join_filter: Option<String>,
    /// What is below it.
    #[serde(rename = "Plans")]
    pub children: Vec<Node>,
}

#[derive(Deserialize)]
struct Document {
    #[serde(rename = "Plan")]
    plan: Node,
}

impl Node {
    /// The plan in a document of EXPLAIN.
    pub fn parse(document: &str) -> Result<Node, String> {
        let plans: Vec<Document> =
            serde_json::from_str(document).map_err(|error| format!("its plan is not read: {error}"))?;
        plans.into_iter().next().map(|document| document.plan).ok_or_else(|| "it has no plan".to_owned())
    }

    /// This node and all below it, from above.
    pub fn all(&self) -> Vec<&Node> {
        std::iter::once(self).chain(self.children.iter().flat_map(Node::all)).collect()
    }

    /// What it tests, as written.
    pub fn conditions(&self) -> impl Iterator<Item = &str> {
        // What a bitmap is rechecked by is what its index was asked for.
        let all =
            [&self.filter, &self.index_cond, &self.hash_cond, &self.merge_cond, &self.join_filter, &self.recheck_cond];
        all.into_iter().filter_map(|condition| condition.as_deref())
    }

    /// Whether it reads a table, by itself or by an index.
    pub fn is_scan(&self) -> bool {
        matches!(self.kind.as_str(), "Seq Scan" | "Index Scan" | "Index Only Scan" | "Bitmap Heap Scan")
    }

    /// Whether two plans do the same.
    pub fn same_shape(&self, other: &Node) -> bool {
        self.kind == other.kind
            && self.alias == other.alias
            && self.index == other.index
            && self.children.len() == other.children.len()
            && self.children.iter().zip(&other.children).all(|(one, two)| one.same_shape(two))
    }

    /// The names of the indexes it reads.
    pub fn indexes(&self) -> impl Iterator<Item = &str> {
        self.all().into_iter().filter_map(|node| node.index.as_deref())
    }
}
