//! The crates of a workspace, as `cargo metadata --no-deps` lists them.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// A compilation target: a library, a program, an example or a build script.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Target {
    /// Its root file.
    pub root: PathBuf,
    /// The folder of its package.
    pub package: PathBuf,
}

/// Returns the targets except tests; `None` if the document is not from cargo.
pub fn find_targets(metadata: &str) -> Option<Vec<Target>> {
    let document: Value = serde_json::from_str(metadata).ok()?;
    let mut targets = Vec::new();
    for package in document["packages"].as_array()? {
        let folder = Path::new(package["manifest_path"].as_str()?).parent()?;
        for target in package["targets"].as_array()? {
            if target["kind"].as_array()?.iter().all(|kind| kind != "test") {
                targets.push(Target { root: target["src_path"].as_str()?.into(), package: folder.to_owned() });
            }
        }
    }
    Some(targets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_but_for_tests() {
        let metadata = r#"{"packages": [{"manifest_path": "/x/cli/Cargo.toml", "targets": [
            {"kind": ["bin"], "src_path": "/x/cli/src/main.rs"}, {"kind": ["test"], "src_path": "/x/cli/tests/a.rs"}]}]}"#;
        let wanted = Target { root: "/x/cli/src/main.rs".into(), package: "/x/cli".into() };
        assert_eq!(find_targets(metadata), Some(vec![wanted]));
        assert_eq!(find_targets("{}"), None);
    }
}
