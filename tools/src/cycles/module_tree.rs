//! The modules of a crate, each with the file that contains it, found from the root by `mod` declarations.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use syn::{Expr, ExprLit, Item, ItemMod, Lit, Meta};

use super::names::Names;
use crate::program_source::parse_without_tests;

/// The place of a module in its [`ModuleTree`].
pub type ModuleId = usize;

/// Returns the text of a file; `None` if it does not exist.
pub type Sources<'a> = &'a dyn Fn(&Path) -> Option<String>;

/// Error of reading the modules of a crate.
#[derive(Debug, thiserror::Error)]
pub enum CrateError {
    /// The file of a module or of the root is missing.
    #[error("{0}: no such file")]
    NoFile(PathBuf),
    /// A file is not valid Rust.
    #[error("{0}:{line}: {1}", line = .1.span().start().line)]
    Syntax(PathBuf, syn::Error),
}

/// A module, in its own file or inline in that of its parent.
pub struct Module {
    /// The file that contains it.
    pub file: PathBuf,
    /// The module around it; `None` for the root.
    pub parent: Option<ModuleId>,
    /// Its child modules by name.
    pub children: BTreeMap<String, ModuleId>,
    /// Its items, without modules and test code.
    pub items: Vec<Item>,
    /// Names that its items define and import.
    pub names: Names,
}

/// All modules of a crate.
#[derive(Default)]
pub struct ModuleTree {
    modules: Vec<Module>,
}

/// The root's place.
pub const ROOT: ModuleId = 0;

/// Folders that contain the files of child modules.
struct Folders {
    /// The folder of the file, which `#[path]` is relative to outside of inline modules.
    of_file: PathBuf,
    /// The folder of children.
    of_children: PathBuf,
    is_inline: bool,
}

impl ModuleTree {
    /// Reads a crate from its root.
    pub fn load(root: &Path, sources: Sources<'_>) -> Result<ModuleTree, CrateError> {
        let mut tree = ModuleTree::default();
        let text = sources(root).ok_or_else(|| CrateError::NoFile(root.to_owned()))?;
        let folder = root.parent().unwrap_or(Path::new("")).to_owned();
        let folders = Folders { of_file: folder.clone(), of_children: folder, is_inline: false };
        tree.add_file(root, &text, None, &folders, sources)?;
        Ok(tree)
    }

    /// A module by its place.
    pub fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id]
    }

    /// All places of modules.
    pub fn ids(&self) -> impl Iterator<Item = ModuleId> + use<> {
        0..self.modules.len()
    }

    /// True where `outer` is `inner` or around it.
    pub fn is_around(&self, outer: ModuleId, inner: ModuleId) -> bool {
        std::iter::successors(Some(inner), |&id| self.module(id).parent).any(|id| id == outer)
    }

    fn add_file(
        &mut self,
        file: &Path,
        text: &str,
        parent: Option<ModuleId>,
        folders: &Folders,
        sources: Sources<'_>,
    ) -> Result<ModuleId, CrateError> {
        let parsed = parse_without_tests(text).map_err(|error| CrateError::Syntax(file.to_owned(), error))?;
        self.add_module(file, parsed.items, parent, folders, sources)
    }

    fn add_module(
        &mut self,
        file: &Path,
        items: Vec<Item>,
        parent: Option<ModuleId>,
        folders: &Folders,
        sources: Sources<'_>,
    ) -> Result<ModuleId, CrateError> {
        let id = self.modules.len();
        let (mut own, mut declared) = (Vec::new(), Vec::new());
        for item in items {
            match item {
                Item::Mod(item) => declared.push(item),
                item => own.push(item),
            }
        }
        let names = Names::collect(&own);
        let module = Module { file: file.to_owned(), parent, children: BTreeMap::new(), items: own, names };
        self.modules.push(module);
        for item in declared {
            let name = item.ident.to_string();
            let child = self.add_child(file, item, id, folders, sources)?;
            self.modules[id].children.insert(name, child);
        }
        Ok(id)
    }

    fn add_child(
        &mut self,
        file: &Path,
        item: ItemMod,
        parent: ModuleId,
        folders: &Folders,
        sources: Sources<'_>,
    ) -> Result<ModuleId, CrateError> {
        let name = item.ident.to_string();
        let name = name.trim_start_matches("r#");
        let at = path_attribute(&item);
        if let Some((_, items)) = item.content {
            let of_children = match at {
                Some(path) if folders.is_inline => folders.of_children.join(path),
                Some(path) => folders.of_file.join(path),
                None => folders.of_children.join(name),
            };
            let inner = Folders { of_file: folders.of_file.clone(), of_children, is_inline: true };
            return self.add_module(file, items, Some(parent), &inner, sources);
        }
        // A file that is named, or called mod.rs, has its children beside it; others in a folder of their name.
        let beside = |file: PathBuf| (file.parent().unwrap_or(Path::new("")).to_owned(), file);
        let candidates = match at {
            Some(path) if folders.is_inline => vec![beside(folders.of_children.join(path))],
            Some(path) => vec![beside(folders.of_file.join(path))],
            None => vec![
                (folders.of_children.join(name), folders.of_children.join(format!("{name}.rs"))),
                beside(folders.of_children.join(name).join("mod.rs")),
            ],
        };
        for (of_children, file) in &candidates {
            if let Some(text) = sources(file) {
                let of_file = file.parent().unwrap_or(Path::new("")).to_owned();
                let inner = Folders { of_file, of_children: of_children.clone(), is_inline: false };
                return self.add_file(file, &text, Some(parent), &inner, sources);
            }
        }
        Err(CrateError::NoFile(candidates.into_iter().map(|(_, file)| file).next().unwrap_or_default()))
    }
}

/// The value of `#[path = "…"]`.
fn path_attribute(item: &ItemMod) -> Option<String> {
    item.attrs.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    })
}
