//! `use` trees as a list of imports.

use syn::{UseTree, Visibility};

/// One name, or one glob, that a `use` brings in.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Import {
    /// The segments of the path, from the first as written.
    pub path: Vec<String>,
    /// The name that it has here; `None` for a glob, which brings in all names of `path`.
    pub name: Option<String>,
    /// True for `pub use` of any scope: other modules may find the name here.
    pub is_reexport: bool,
}

/// Returns the imports of a `use`; none if a leading `::` makes its path one of another crate.
pub fn flatten(item: &syn::ItemUse) -> Vec<Import> {
    let mut imports = Vec::new();
    if item.leading_colon.is_none() {
        let is_reexport = !matches!(item.vis, Visibility::Inherited);
        add_imports(&item.tree, &mut Vec::new(), is_reexport, &mut imports);
    }
    imports
}

fn add_imports(tree: &UseTree, prefix: &mut Vec<String>, is_reexport: bool, imports: &mut Vec<Import>) {
    let mut add = |last: Option<String>, name: Option<String>| {
        // `a::{self}` is `a`; a path of `self` alone stays.
        let last = last.filter(|last| last != "self" || prefix.is_empty());
        let path: Vec<String> = prefix.iter().cloned().chain(last).collect();
        let name = name.map(|name| if name == "self" { path.last().cloned().unwrap_or(name) } else { name });
        imports.push(Import { path, name, is_reexport });
    };
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            add_imports(&path.tree, prefix, is_reexport, imports);
            prefix.pop();
        }
        UseTree::Name(name) => add(Some(name.ident.to_string()), Some(name.ident.to_string())),
        UseTree::Rename(rename) => add(Some(rename.ident.to_string()), Some(rename.rename.to_string())),
        UseTree::Glob(_) => add(None, None),
        UseTree::Group(group) => {
            for tree in &group.items {
                add_imports(tree, prefix, is_reexport, imports);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_trees_become_a_list() {
        let item = syn::parse_str("pub use a::{self, b::{C, D as E, f::*}, super::g as _};").unwrap();
        let shown: Vec<_> = flatten(&item).into_iter().map(|i| (i.path.join("::"), i.name, i.is_reexport)).collect();
        let import = |path: &str, name: Option<&str>| (path.to_owned(), name.map(str::to_owned), true);
        let wanted = [
            import("a", Some("a")),
            import("a::b::C", Some("C")),
            import("a::b::D", Some("E")),
            import("a::b::f", None),
            import("a::super::g", Some("_")),
        ];
        assert_eq!(shown, wanted);
        assert_eq!(flatten(&syn::parse_str("use ::a::b;").unwrap()), []);
    }
}
