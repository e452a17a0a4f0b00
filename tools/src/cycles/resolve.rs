//! Resolves a path, as written in a module, to its meanings.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use syn::{ImplItem, Item, Type};

use super::flatten::Import;
use super::module_tree::{Module, ModuleId, ModuleTree, ROOT};

/// A meaning of a path: a name can be a module and a function at once.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Meaning {
    /// A module of this crate.
    Module(ModuleId),
    /// An item of this crate.
    Item(ItemName),
    /// Something of another crate, or a local name.
    External,
}

/// An item, by the module that defines it.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct ItemName {
    /// The module that defines it.
    pub module: ModuleId,
    /// Its name there.
    pub name: String,
    /// A variant or an associated function, if the path goes on to one.
    pub member: Option<String>,
}

/// Resolves the paths of one crate.
pub struct Resolver<'a> {
    tree: &'a ModuleTree,
    /// Associated functions and constants outside of traits by their type, with the modules that define them.
    members: BTreeMap<(ModuleId, String), BTreeMap<String, BTreeSet<ModuleId>>>,
    /// Imports that are being followed for a name, so that an import does not lead to itself.
    followed: RefCell<Vec<(ModuleId, usize, String)>>,
}

impl<'a> Resolver<'a> {
    /// A resolver of this crate's paths.
    pub fn new(tree: &'a ModuleTree) -> Resolver<'a> {
        let mut resolver = Resolver { tree, members: BTreeMap::new(), followed: RefCell::default() };
        resolver.members = resolver.collect_members();
        resolver
    }

    /// All modules with their ids.
    pub fn modules(&self) -> impl Iterator<Item = (ModuleId, &'a Module)> + use<'a> {
        let tree = self.tree;
        tree.ids().map(|id| (id, tree.module(id)))
    }

    /// The module with this id.
    pub fn module(&self, id: ModuleId) -> &'a Module {
        self.tree.module(id)
    }

    /// The modules that define this member of an item in an `impl` without a trait; none where it is unknown.
    pub fn modules_of_member(&self, item: &ItemName, member: &str) -> BTreeSet<ModuleId> {
        let members = self.members.get(&(item.module, item.name.clone()));
        members.and_then(|members| members.get(member)).cloned().unwrap_or_default()
    }

    /// The modules with a `macro_rules!` of this name, which is found by its place in the text, not by a path.
    pub fn modules_of_macro(&self, name: &str) -> Vec<ModuleId> {
        self.tree.ids().filter(|&id| self.module(id).names.macros.contains(name)).collect()
    }

    /// Resolves a path that is written in module `from`.
    pub fn resolve(&self, from: ModuleId, path: &[String]) -> BTreeSet<Meaning> {
        let mut meanings = BTreeSet::new();
        let mut segments = path.iter();
        while let Some(segment) = segments.as_slice().first() {
            let start = match (segment.as_str(), meanings.first()) {
                ("crate" | "$crate", None) => Some(ROOT),
                ("self", None) => Some(from),
                ("super", None) => self.module(from).parent,
                ("super", Some(Meaning::Module(id))) => self.module(*id).parent,
                _ => break,
            };
            let Some(start) = start else { return BTreeSet::from([Meaning::External]) };
            meanings = BTreeSet::from([Meaning::Module(start)]);
            segments.next();
        }
        if meanings.is_empty()
            && let Some(first) = segments.next()
        {
            meanings = self.look_up(from, first, from);
        }
        for segment in segments {
            meanings = meanings.into_iter().flat_map(|meaning| self.step(meaning, segment, from)).collect();
        }
        if meanings.is_empty() { BTreeSet::from([Meaning::External]) } else { meanings }
    }

    /// Meanings of `segment` in a meaning.
    fn step(&self, meaning: Meaning, segment: &str, from: ModuleId) -> BTreeSet<Meaning> {
        match meaning {
            Meaning::Module(id) => {
                let found = self.look_up(id, segment, from);
                if !found.is_empty() {
                    return found;
                }
                // Not in the sources: a macro generates it, here or in another crate.
                let foreign = |import: &Import| import.name.is_none() && self.is_external(id, import);
                if self.module(id).names.imports.iter().any(foreign) {
                    return BTreeSet::from([Meaning::External]);
                }
                BTreeSet::from([Meaning::Item(ItemName { module: id, name: segment.to_owned(), member: None })])
            }
            // A function may have the name of a module, but nothing is within a function.
            Meaning::Item(item) if self.module(item.module).names.is_value_only(&item.name) => BTreeSet::new(),
            Meaning::Item(item) => {
                let member = item.member.or_else(|| Some(segment.to_owned()));
                BTreeSet::from([Meaning::Item(ItemName { member, ..item })])
            }
            Meaning::External => BTreeSet::from([Meaning::External]),
        }
    }

    fn is_external(&self, module: ModuleId, import: &Import) -> bool {
        self.resolve(module, &import.path).contains(&Meaning::External)
    }

    /// Meanings of a name in a module, for code in module `from`; empty for a name that is not there.
    fn look_up(&self, module: ModuleId, name: &str, from: ModuleId) -> BTreeSet<Meaning> {
        let here = self.module(module);
        let item = || Meaning::Item(ItemName { module, name: name.to_owned(), member: None });
        let mut found: BTreeSet<Meaning> =
            here.children.get(name).map(|&child| Meaning::Module(child)).into_iter().collect();
        if here.names.defines(name) {
            found.insert(item());
        }
        if module == ROOT {
            let exporting = self.modules().filter(|(_, other)| other.names.exported_macros.contains(name));
            found.extend(
                exporting.map(|(id, _)| Meaning::Item(ItemName { module: id, name: name.to_owned(), member: None })),
            );
        }
        found.extend(self.follow(module, from, name, |import| import.name.as_deref() == Some(name)));
        if found.is_empty() {
            found = self.follow(module, from, name, |import| import.name.is_none());
        }
        found
    }

    /// Meanings of a name by those imports of a module that code in module `from` can see.
    fn follow(
        &self,
        module: ModuleId,
        from: ModuleId,
        name: &str,
        wanted: impl Fn(&Import) -> bool,
    ) -> BTreeSet<Meaning> {
        let mut found = BTreeSet::new();
        let is_within = self.tree.is_around(module, from);
        for (number, import) in self.module(module).names.imports.iter().enumerate() {
            let key = (module, number, name.to_owned());
            if !wanted(import) || !(import.is_reexport || is_within) || self.followed.borrow().contains(&key) {
                continue;
            }
            self.followed.borrow_mut().push(key);
            let meanings = self.resolve(module, &import.path);
            if import.name.is_some() {
                found.extend(meanings);
            } else {
                found.extend(meanings.into_iter().flat_map(|meaning| self.look_up_through_glob(meaning, name, from)));
            }
            self.followed.borrow_mut().pop();
        }
        found
    }

    /// Meanings of a name in the meaning of a glob, which is a module or an `enum`.
    fn look_up_through_glob(&self, meaning: Meaning, name: &str, from: ModuleId) -> BTreeSet<Meaning> {
        match meaning {
            Meaning::Module(id) => {
                let mut found = self.look_up(id, name, from);
                found.remove(&Meaning::External);
                found
            }
            Meaning::Item(item) if item.member.is_none() => {
                let variants = self.module(item.module).names.types.get(&item.name);
                let is_variant = variants.is_some_and(|variants| variants.contains(name));
                let variant = || Meaning::Item(ItemName { member: Some(name.to_owned()), ..item });
                is_variant.then(variant).into_iter().collect()
            }
            _ => BTreeSet::new(),
        }
    }

    fn collect_members(&self) -> BTreeMap<(ModuleId, String), BTreeMap<String, BTreeSet<ModuleId>>> {
        let mut members: BTreeMap<_, BTreeMap<_, BTreeSet<_>>> = BTreeMap::new();
        for (id, module) in self.modules() {
            for item in &module.items {
                let Item::Impl(block) = item else { continue };
                let Some(owner) = self.item_of_type(id, &block.self_ty).filter(|_| block.trait_.is_none()) else {
                    continue;
                };
                let own = members.entry((owner.module, owner.name)).or_default();
                for item in &block.items {
                    let name = match item {
                        ImplItem::Const(item) => &item.ident,
                        ImplItem::Fn(item) => &item.sig.ident,
                        _ => continue,
                    };
                    own.entry(name.to_string()).or_default().insert(id);
                }
            }
        }
        members
    }

    /// The item of this crate that a type is, as it is written in module `from`.
    pub fn item_of_type(&self, from: ModuleId, written: &Type) -> Option<ItemName> {
        let Type::Path(written) = written else { return None };
        let path: Vec<String> = written.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.resolve(from, &path).into_iter().find_map(|meaning| match meaning {
            Meaning::Item(item) => Some(item),
            _ => None,
        })
    }
}
