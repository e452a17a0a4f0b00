//! Sources without the code that is compiled for tests only.

use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, File, ImplItem, Item, ItemImpl, ItemMod, ItemTrait, Meta, Stmt, Token, TraitItem};

/// Parses a source text, without the items that are compiled for tests only.
pub fn parse_without_tests(source: &str) -> syn::Result<File> {
    let mut file = syn::parse_file(source)?;
    WithoutTests.visit_file_mut(&mut file);
    Ok(file)
}

struct WithoutTests;

impl VisitMut for WithoutTests {
    fn visit_file_mut(&mut self, file: &mut File) {
        file.items.retain(|item| !is_test_only(item_attributes(item)));
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        if let Some((_, items)) = &mut module.content {
            items.retain(|item| !is_test_only(item_attributes(item)));
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_item_impl_mut(&mut self, block: &mut ItemImpl) {
        block.items.retain(|item| !is_test_only(impl_item_attributes(item)));
        visit_mut::visit_item_impl_mut(self, block);
    }

    fn visit_item_trait_mut(&mut self, definition: &mut ItemTrait) {
        definition.items.retain(|item| !is_test_only(trait_item_attributes(item)));
        visit_mut::visit_item_trait_mut(self, definition);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        block.stmts.retain(|statement| match statement {
            Stmt::Item(item) => !is_test_only(item_attributes(item)),
            Stmt::Local(local) => !is_test_only(&local.attrs),
            _ => true,
        });
        visit_mut::visit_block_mut(self, block);
    }
}

/// True for code that is compiled for tests only: `#[cfg(test)]`, `#[cfg(all(test, …))]`, `#[test]`.
fn is_test_only(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("cfg") => {
            list.parse_args::<Meta>().is_ok_and(|condition| without_tests(&condition) == Some(false))
        }
        _ => false,
    })
}

/// The value of a `cfg` condition in a build without tests; `None` where it depends on something else.
fn without_tests(condition: &Meta) -> Option<bool> {
    let Meta::List(list) = condition else {
        return condition.path().is_ident("test").then_some(false);
    };
    let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
    let mut values = parts.iter().map(without_tests);
    // A false part decides `all`, a true one `any`.
    let (decisive, otherwise) = match list.path.get_ident()?.to_string().as_str() {
        "not" => return values.next()?.map(|value| !value),
        "all" => (false, true),
        "any" => (true, false),
        _ => return None,
    };
    let values: Vec<Option<bool>> = values.collect();
    if values.contains(&Some(decisive)) {
        return Some(decisive);
    }
    (!values.contains(&None)).then_some(otherwise)
}

/// The attributes of an item.
fn item_attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The attributes of an item in an `impl`.
fn impl_item_attributes(item: &ImplItem) -> &[Attribute] {
    match item {
        ImplItem::Const(item) => &item.attrs,
        ImplItem::Fn(item) => &item.attrs,
        ImplItem::Type(item) => &item.attrs,
        ImplItem::Macro(item) => &item.attrs,
        _ => &[],
    }
}

/// The attributes of an item in a trait.
fn trait_item_attributes(item: &TraitItem) -> &[Attribute] {
    match item {
        TraitItem::Const(item) => &item.attrs,
        TraitItem::Fn(item) => &item.attrs,
        TraitItem::Type(item) => &item.attrs,
        TraitItem::Macro(item) => &item.attrs,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_told_from_programs() {
        let only = |source: &str| is_test_only(item_attributes(&syn::parse_str(source).unwrap()));
        for source in ["#[test] fn f() {}", "#[cfg(test)] mod tests;", "#[cfg(all(unix, test))] use a::b;"] {
            assert!(only(source), "{source}");
        }
        for source in [
            "fn test() {}",
            "#[cfg(not(test))] fn f() {}",
            "#[cfg(any(test, feature = \"made\"))] mod made;",
            "#[cfg(all(unix, feature = \"test\"))] mod test;",
            "#[inline] fn f() {}",
        ] {
            assert!(!only(source), "{source}");
        }
        assert!(only("#[cfg(not(any(not(test), unix)))] fn f() {}"));
    }
}
