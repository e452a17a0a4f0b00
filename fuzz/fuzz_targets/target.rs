//! The target that FUZZ_TARGET names.
#![no_main]

use std::sync::LazyLock;

use ebs_advisor_fuzz::{Target, stack, targets};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").expect("FUZZ_TARGET has the name of a target");
    targets().find(|target| target.name == name).unwrap_or_else(|| panic!("no target {name}"))
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| stack::small(|| TARGET.run(data)));
