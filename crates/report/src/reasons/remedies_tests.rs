use super::*;
use ebs_stats::QuantileEvidence;

const RUN: Evidence = Evidence {
    sampled_s: 600.0,
    interval_s: 1.0,
    checkpoint_timeout_s: None,
    instance: None,
    comparison: None,
    is_instance_bound: false,
    is_imported: false,
};

fn few(effective: f64) -> ConfidenceCause {
    ConfidenceCause::FewSamples(QuantileEvidence { samples: 600.0, effective, required: 299, bounded: Some(0.95) })
}

fn remedies(evidence: &Evidence, causes: Vec<ConfidenceCause>) -> Vec<String> {
    evidence.describe(&Confidence { causes })
}

/// 600 s × 299 / 71 = 2,527 s, in minutes 43; × 299 / 2 = 89,700 s, in hours 25. 600 s × 299 / 150 = 1,196 s are 20 minutes.
#[test]
fn too_few_samples_take_as_much_more_time() {
    assert_eq!(remedies(&RUN, vec![few(71.0)]), ["sample 43 min or more"]);
    assert_eq!(remedies(&RUN, vec![few(2.0)]), ["sample 25 h or more"]);
    assert_eq!(remedies(&RUN, vec![few(150.0)]), ["sample 20 min or more"]);
}

/// Two cycles of the default are ten minutes, of half an hour one hour; of a minute, the ten minutes of short evidence stay.
#[test]
fn the_cause_that_takes_longest_decides() {
    let short = || vec![ConfidenceCause::ShortEvidence { sampled_s: 60.0 }, ConfidenceCause::NoCheckpointCycle];
    let with = |timeout_s| Evidence { sampled_s: 60.0, checkpoint_timeout_s: timeout_s, ..RUN };
    assert_eq!(remedies(&with(None), short()), ["sample 10 min or more (2 checkpoints)"]);
    assert_eq!(remedies(&with(Some(1_800.0)), short()), ["sample 60 min or more (2 checkpoints)"]);
    assert_eq!(remedies(&with(Some(60.0)), short()), ["sample 10 min or more (2 checkpoints)"]);
    // 60 s × 299 / 10 = 1,794 s.
    assert_eq!(remedies(&with(None), [short(), vec![few(10.0)]].concat()), ["sample 30 min or more (2 checkpoints)"]);
}

#[test]
fn coarse_samples_need_finer_ones_not_more() {
    let hours = Evidence { interval_s: 3_600.0, ..RUN };
    let coarse = ConfidenceCause::CoarseSamples { interval_s: 3_600.0 };
    assert_eq!(remedies(&hours, vec![few(2.0), coarse]), ["samples of 1 s (ebs_advisor.sample_interval)"]);
    let imported = Evidence { is_imported: true, ..hours };
    let with_ebs_advisor = ["sample with ebs_advisor, 1 s"];
    assert_eq!(remedies(&imported, vec![few(2.0), coarse]), with_ebs_advisor);
    assert_eq!(remedies(&imported, vec![few(2.0), coarse, ConfidenceCause::Imported]), with_ebs_advisor);
}

#[test]
fn each_missing_input_has_its_remedy() {
    let of = |missing| remedies(&RUN, vec![ConfidenceCause::NoPrediction(missing)]).remove(0);
    assert_eq!(of(MissingInput::Waits), "sample wait events (ebs_status())");
    assert_eq!(of(MissingInput::Sessions), "sample under client load");
    assert_eq!(of(MissingInput::Times), "samples with latencies");
}

/// ebs_status() shows this server's sampler, which took none of what was imported.
#[test]
fn imported_samples_do_not_point_to_this_servers_sampler() {
    let imported = Evidence { is_imported: true, ..RUN };
    for cause in [
        ConfidenceCause::Gaps { missing_share: 0.05 },
        ConfidenceCause::NoPrediction(MissingInput::Waits),
        ConfidenceCause::PredictionWithoutWaits {
            ratio: ebs_base::range::Range { low: 0.5, middle: 1.0, high: 2.0 },
            sizes: false,
        },
    ] {
        let remedy = remedies(&imported, vec![cause]).remove(0);
        assert!(!remedy.contains("ebs_status"), "{remedy}");
    }
}

/// The statement to paste never names another instance than the sampled one.
#[test]
fn an_instance_is_named_where_it_is_known() {
    assert_eq!(describe_instance(None), "instance => '…'");
    assert_eq!(describe_instance(Some("my machine")), "instance => '…'");
    assert_eq!(describe_instance(Some("r6i.4xlarge")), "instance => 'r6i.4xlarge'");
}

#[test]
fn a_size_that_is_too_small_is_mended_by_the_one_that_is_needed() {
    let small = ConfidenceCause::SizeBelowForecast { requested_gib: 50, used_gib: 80, required_gib: 100 };
    assert_eq!(remedies(&RUN, vec![small]), ["min_size_gib => 100"]);
}
