//! Names that a module defines and imports.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use syn::visit::{self, Visit};
use syn::{ForeignItem, Item};

use super::flatten::{Import, flatten};

/// The names of a module, including those that its functions define and import.
#[derive(Default)]
pub struct Names {
    /// The functions, constants and statics that it defines.
    pub values: BTreeSet<String>,
    /// The types and traits that it defines; of an `enum` with its variants.
    pub types: BTreeMap<String, BTreeSet<String>>,
    /// The imports of its `use` declarations.
    pub imports: Vec<Import>,
    /// Its `macro_rules!`.
    pub macros: BTreeSet<String>,
    /// Its macros that `#[macro_export]` puts at the root of the crate.
    pub exported_macros: BTreeSet<String>,
}

impl Names {
    /// Collects the names of these items.
    pub fn collect(items: &[Item]) -> Names {
        let mut names = Names::default();
        for item in items {
            names.visit_item(item);
        }
        names
    }

    /// True for the name of an item or a macro.
    pub fn defines(&self, name: &str) -> bool {
        self.types.contains_key(name) || self.values.contains(name) || self.macros.contains(name)
    }

    /// True for a name that only a function, a constant or a static has.
    pub fn is_value_only(&self, name: &str) -> bool {
        self.values.contains(name) && !self.types.contains_key(name)
    }

    fn add_type(&mut self, name: &syn::Ident) {
        self.types.entry(name.to_string()).or_default();
    }

    fn add_value(&mut self, name: &syn::Ident) {
        self.values.insert(name.to_string());
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Const(item) => self.add_value(&item.ident),
            Item::Enum(item) => {
                let variants = item.variants.iter().map(|variant| variant.ident.to_string());
                self.types.entry(item.ident.to_string()).or_default().extend(variants);
            }
            Item::Fn(item) => self.add_value(&item.sig.ident),
            Item::ForeignMod(item) => item.items.iter().for_each(|item| match item {
                ForeignItem::Fn(item) => self.add_value(&item.sig.ident),
                ForeignItem::Static(item) => self.add_value(&item.ident),
                ForeignItem::Type(item) => self.add_type(&item.ident),
                _ => {}
            }),
            Item::Macro(item) => {
                if let Some(name) = &item.ident {
                    self.macros.insert(name.to_string());
                    if item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export")) {
                        self.exported_macros.insert(name.to_string());
                    }
                }
            }
            Item::Static(item) => self.add_value(&item.ident),
            Item::Struct(item) => self.add_type(&item.ident),
            Item::Trait(item) => self.add_type(&item.ident),
            Item::TraitAlias(item) => self.add_type(&item.ident),
            Item::Type(item) => self.add_type(&item.ident),
            Item::Union(item) => self.add_type(&item.ident),
            Item::Use(item) => self.imports.extend(flatten(item)),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_token_stream(&mut self, _: &'ast TokenStream) {}
}
