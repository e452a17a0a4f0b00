//! Numbers in place of names, the same for each plan of a server.

use std::collections::HashMap;

use super::document::Fields;

/// Numbers of types of nodes, and of real indexes.
#[derive(Debug, Default)]
pub(super) struct Names {
    tags: HashMap<String, u32>,
    indexes: HashMap<String, u32>,
}

impl Names {
    /// The number of a node's type: of its name, and of what else tells plans of different shape apart.
    pub(super) fn tag(&mut self, fields: &Fields<'_>) -> u32 {
        let rest = [&fields.join_type, &fields.strategy, &fields.partial_mode, &fields.scan_direction];
        let rest = rest.map(|part| part.as_deref().unwrap_or_default());
        let next = number(self.tags.len() + 1);
        *self.tags.entry(format!("{}\n{}", fields.node_type, rest.join("\n"))).or_insert(next)
    }

    /// The number of the index that a node reads: hypopg's own, which it writes into the name, and for other names one counted down
    /// from the highest, which no index of hypopg's has.
    pub(super) fn index(&mut self, fields: &Fields<'_>) -> Option<u32> {
        let name = fields
            .index_name
            .as_deref()
            .filter(|_| ["Index Scan", "Index Only Scan", "Bitmap Index Scan"].contains(&&*fields.node_type))?;
        let next = u32::MAX - number(self.indexes.len());
        Some(
            hypothetical(name)
                .filter(|oid| *oid < next)
                .unwrap_or_else(|| *self.indexes.entry(name.to_owned()).or_insert(next)),
        )
    }
}

/// `<13543>btree_orders_customer_id`
fn hypothetical(name: &str) -> Option<u32> {
    name.strip_prefix('<')?.split_once('>')?.0.parse().ok()
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
