//! The crates of a workspace, as `cargo metadata --no-deps` lists them.

use std::path::PathBuf;

use serde_json::Value;

/// Returns the root files of all targets (libraries, programs, examples, build scripts) except tests; `None` if the document is
/// not from cargo.
pub fn find_targets(metadata: &str) -> Option<Vec<PathBuf>> {
    let document: Value = serde_json::from_str(metadata).ok()?;
    let mut roots = Vec::new();
    for package in document["packages"].as_array()? {
        for target in package["targets"].as_array()? {
            if target["kind"].as_array()?.iter().all(|kind| kind != "test") {
                roots.push(target["src_path"].as_str()?.into());
            }
        }
    }
    Some(roots)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_except_tests() {
        let metadata = r#"{"packages": [{"targets": [
            {"kind": ["bin"], "src_path": "/x/cli/src/main.rs"}, {"kind": ["test"], "src_path": "/x/cli/tests/a.rs"}]}]}"#;
        assert_eq!(find_targets(metadata), Some(vec!["/x/cli/src/main.rs".into()]));
        assert_eq!(find_targets("{}"), None);
    }
}
