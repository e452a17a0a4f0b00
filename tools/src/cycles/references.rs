//! References in the code of a crate, as arrows between its files.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprMethodCall, ImplItem, Item, Meta, PatIdent, Signature, TraitItem, Visibility};

use super::arrows::Arrows;
use super::flatten::flatten;
use super::module_tree::ModuleId;
use super::resolve::{ItemName, Meaning, Resolver};
use super::tokens::find_paths;

/// Collects the arrows of a whole crate.
pub fn collect_arrows(resolver: &Resolver<'_>) -> Arrows {
    let mut arrows = Arrows::default();
    for (id, module) in resolver.modules() {
        let mut references =
            References { resolver, module: id, own_type: None, variables: BTreeSet::new(), arrows: &mut arrows };
        for item in &module.items {
            references.visit_item(item);
        }
    }
    arrows
}

/// Visits the code of one module.
struct References<'a> {
    resolver: &'a Resolver<'a>,
    module: ModuleId,
    /// The type of the enclosing `impl`.
    own_type: Option<ItemName>,
    /// Variables of the enclosing function, which hide items of the same name.
    variables: BTreeSet<String>,
    arrows: &'a mut Arrows,
}

impl References<'_> {
    fn refer(&mut self, path: &[String]) {
        if let [first, member, ..] = path
            && first == "Self"
        {
            self.refer_to_own_member(member);
        } else if !matches!(path, [name] if self.variables.contains(name)) {
            for meaning in self.resolver.resolve(self.module, path) {
                if let Meaning::Item(item) = meaning {
                    self.add(item);
                }
            }
        }
    }

    fn add(&mut self, item: ItemName) {
        let members = item.member.as_deref().map(|member| self.resolver.modules_of_member(&item, member));
        for module in members.unwrap_or_default() {
            let label = format!("{}::{}", item.name, item.member.as_deref().unwrap_or_default());
            self.add_arrow(module, label);
        }
        self.add_arrow(item.module, item.name);
    }

    fn add_arrow(&mut self, to: ModuleId, label: String) {
        self.arrows.add(&self.resolver.module(self.module).file, &self.resolver.module(to).file, label);
    }

    /// Adds a member of the enclosing `impl`'s type, which an `impl` in another file may define.
    fn refer_to_own_member(&mut self, member: &str) {
        if let Some(own) = self.own_type.clone() {
            for module in self.resolver.modules_of_member(&own, member) {
                self.add_arrow(module, format!("{}::{member}", own.name));
            }
        }
    }

    /// Adds the paths among tokens. A single name may be anything; it counts as an item if it is called or begins with a capital.
    fn refer_to_tokens(&mut self, tokens: TokenStream) {
        for path in find_paths(tokens) {
            let starts_upper = path.segments[0].starts_with(char::is_uppercase);
            if path.segments.len() > 1 || path.is_called || starts_upper {
                self.refer(&path.segments);
            }
        }
    }

    /// Adds the paths of a macro's definition. Only the meaning of `$crate::…` does not depend on the place of the call.
    fn refer_to_definition(&mut self, tokens: TokenStream) {
        for path in find_paths(tokens).into_iter().filter(|path| path.segments[0] == "$crate") {
            self.refer(&path.segments);
        }
    }

    fn refer_to_macro(&mut self, path: &[String]) {
        self.refer(path);
        if let [name] = path
            && self.resolver.resolve(self.module, path).contains(&Meaning::External)
            && let [module] = self.resolver.modules_of_macro(name)[..]
        {
            self.add_arrow(module, format!("{name}!"));
        }
    }

    fn within_function(&mut self, variables: BTreeSet<String>, visit: impl FnOnce(&mut Self)) {
        let outer = self.variables.clone();
        self.variables.extend(variables);
        visit(self);
        self.variables = outer;
    }
}

impl<'ast> Visit<'ast> for References<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Fn(function) => {
                let variables = variables_of(&function.sig, Some(&function.block));
                self.within_function(variables, |within| visit::visit_item(within, item));
            }
            Item::Impl(block) => {
                let outer = self.own_type.take();
                self.own_type = self.resolver.item_of_type(self.module, &block.self_ty);
                visit::visit_item(self, item);
                self.own_type = outer;
            }
            Item::Macro(definition) if definition.ident.is_some() => {
                self.refer_to_definition(definition.mac.tokens.clone());
            }
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        match item {
            ImplItem::Fn(function) => {
                let variables = variables_of(&function.sig, Some(&function.block));
                self.within_function(variables, |within| visit::visit_impl_item(within, item));
            }
            _ => visit::visit_impl_item(self, item),
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        match item {
            TraitItem::Fn(function) => {
                let variables = variables_of(&function.sig, function.default.as_ref());
                self.within_function(variables, |within| visit::visit_trait_item(within, item));
            }
            _ => visit::visit_trait_item(self, item),
        }
    }

    /// Adds the imports for this file's own code. A re-export counts where its name is used.
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        for import in flatten(item).into_iter().filter(|import| !import.is_reexport) {
            self.refer(&import.path);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.refer(&segments);
        }
        visit::visit_path(self, path);
    }

    /// Adds a pattern of one name if it begins with a capital: it is a constant or a variant.
    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        let name = pattern.ident.to_string();
        if name.starts_with(char::is_uppercase) {
            self.refer(&[name]);
        }
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if matches!(&*call.receiver, Expr::Path(receiver) if receiver.path.is_ident("self")) {
            self.refer_to_own_member(&call.method.to_string());
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let segments: Vec<String> = call.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.refer_to_macro(&segments);
        self.refer_to_tokens(call.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => {}
            Meta::List(list) => {
                self.visit_path(&list.path);
                self.refer_to_tokens(list.tokens.clone());
                self.refer_to_quoted_paths(list.tokens.clone());
            }
            _ => visit::visit_attribute(self, attribute),
        }
    }

    /// Skips `pub(in a::b)`, which uses no item.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}

impl References<'_> {
    /// Adds paths in quotes, as in `#[serde(with = "a::b")]`.
    fn refer_to_quoted_paths(&mut self, tokens: TokenStream) {
        for token in tokens {
            if let proc_macro2::TokenTree::Literal(literal) = token
                && let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string())
                && let Ok(path) = text.parse::<syn::Path>()
            {
                self.visit_path(&path);
            }
        }
    }
}

/// Returns the names of a function's variables.
fn variables_of(signature: &Signature, block: Option<&syn::Block>) -> BTreeSet<String> {
    let mut variables = Variables(BTreeSet::new());
    variables.visit_signature(signature);
    if let Some(block) = block {
        variables.visit_block(block);
    }
    variables.0
}

struct Variables(BTreeSet<String>);

impl<'ast> Visit<'ast> for Variables {
    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        let name = pattern.ident.to_string();
        if name.starts_with(char::is_lowercase) {
            self.0.insert(name);
        }
        visit::visit_pat_ident(self, pattern);
    }
}
