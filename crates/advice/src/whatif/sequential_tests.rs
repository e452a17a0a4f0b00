use super::whatif_tests::{asked, reading, request, window};
use super::*;
use crate::WhatIfArguments;
use ebs_aws::catalogue::Platform;
use ebs_samples::evidence::{Block, CounterDelta, DeviceCounts, Tier};

/// 400 requests a second of 256 KiB, 100 MiB/s, imported: on st1 of 3,000 GiB, with 117 MiB/s, they are sequential as in advice; those of a
/// database that was sampled cost 1 MiB each.
#[test]
fn sequential_requests_cost_their_bytes_on_hard_disks() {
    let mut block = reading();
    for sample in &mut block.samples {
        let counts = DeviceCounts { reads: 400, read_bytes: 400 * 262_144, read_ms: 4_000, ..DeviceCounts::default() };
        sample.devices = [(0, CounterDelta::Known(counts))].into();
    }
    let st1 = WhatIfArguments { size_gib: Some(3_000), ..asked("st1") };
    let mut imported = block.clone();
    imported.totals.waits = Default::default();
    let throttled = |block: Block, tier: Tier| {
        let mut seen = window(block);
        seen.sampling.tier = tier;
        let question = st1.check(request(Platform::Ec2)).unwrap();
        whatif(&seen, &question, &Declarations::default()).unwrap().remove(0).throttled_pct.unwrap()
    };
    assert_eq!((throttled(imported, Tier::Imported), throttled(block, Tier::Sampler) > 50.0), (0.0, true));
}
