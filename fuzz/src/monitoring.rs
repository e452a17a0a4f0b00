//! Samples of other programs. Accepted input gives evidence that the codec can store, and every series is in time order.

use std::sync::LazyLock;

use arbitrary::{Arbitrary, Unstructured};
use ebs_advice::{AuroraDemand, AuroraRates, aurora_advice};
use ebs_base::units::Usd;
use ebs_imports::format::DemandReader;
use ebs_imports::monitoring::{
    self, AuroraUsage, Calendar, ImportError, ImportOptions, MonitoringData, Series, awr, block, rds_os, rds_waits,
    samples,
};
use ebs_samples::evidence::{Block, DeviceChecks, Sample, codec};

/// Facts that made documents lack, with a time zone that has daylight saving time.
pub static OPTIONS: LazyLock<ImportOptions> = LazyLock::new(|| ImportOptions {
    since_boot: false,
    untimed: Some((0, 1_000_000)),
    ..ImportOptions::new(Calendar::new("Europe/Paris", false).expect("a known zone"))
});

/// Demand, with the facts that a report may lack and without them.
pub fn demand(reader: DemandReader, text: &str) {
    let own = ImportOptions { period_s: Some(60), ..ImportOptions::new(OPTIONS.calendar.clone()) };
    for options in [&OPTIONS, &own] {
        all(reader.read(text, options, &|| ()));
    }
}

/// Events of Enhanced Monitoring: of all of one instance, and of a named device.
pub fn rds_os(data: &[u8]) {
    for device in [None, Some("rdsdev".to_owned())] {
        let selection = rds_os::Selection { device, ..rds_os::Selection::default() };
        let mut collector = rds_os::Collector::new(selection);
        let read = collector.read(data, &|| ()).map_err(|error| error.to_string());
        match read.and_then(|()| collector.finish(&|| ()).map_err(|error| format!("{error} {:?}", error.hint()))) {
            Ok(metrics) => os_metrics(&metrics),
            // The texts of the error must not panic either.
            Err(error) => drop(error),
        }
    }
}

/// CloudWatch's response of Aurora clusters, with its own period and with a given one.
pub fn aurora(data: &[u8]) {
    let Ok(answer) = serde_json::from_slice(data) else { return };
    for period_s in [None, Some(60)] {
        for usage in monitoring::aurora(&answer, period_s, &|| ()).unwrap_or_default() {
            advise_aurora(&usage, &|| ());
        }
    }
}

fn os_metrics(metrics: &rds_os::OsMetrics) {
    let mut last_us = i64::MIN;
    for block in &metrics.blocks {
        for sample in &block.samples {
            assert!(sample.at_us - sample.dt_us as i64 >= last_us, "{metrics:?}");
            last_us = sample.at_us;
        }
        let bytes = codec::encode(block.clone()).expect("an import can be stored");
        assert_eq!(codec::decode(codec::FORMAT, &bytes).expect("what is stored can be read"), block.clone());
    }
}

/// Pages of Performance Insights, beside a minute of seconds.
pub fn rds_waits(text: &str) {
    const BEGIN_US: i64 = 1_795_165_190_000_000;
    for period_s in [None, Some(1)] {
        match rds_waits::read(text, period_s, &|| ()) {
            Ok(load) => {
                let sample = |second: i64| Sample {
                    at_us: BEGIN_US + second * 1_000_000,
                    dt_us: 1_000_000,
                    devices: vec![].into(),
                    reset: false,
                };
                let mut block = Block { samples: (1..=60).map(sample).collect(), ..Block::default() };
                let covered = load.add_to(&mut block);
                assert!(covered.known_us <= covered.sampled_us, "{covered:?}");
                assert_eq!(block.totals.waits.swept_us, covered.known_us);
                load.outside((BEGIN_US, BEGIN_US + 60_000_000));
            }
            Err(error) => drop((error.to_string(), error.hint())),
        }
    }
}

/// Advice on a cluster, whose figures are finite, and whose interval contains the mean.
pub fn advise_aurora(usage: &AuroraUsage, pause: &dyn Fn()) {
    let rates = AuroraRates {
        standard_storage: Usd::default(),
        requests_million: "0.20".parse().unwrap_or_default(),
        optimized_storage: "0.225".parse().unwrap_or_default(),
        instances_hour: Some("2".parse().unwrap_or_default()),
        optimized_instances_hour: None,
        optimized_instances_pct: Some(30),
    };
    let AuroraUsage { period_s, reads, writes, used_bytes, .. } = usage;
    let advice = aurora_advice(&AuroraDemand { period_s: *period_s, reads, writes, used_bytes }, &rates, pause);
    assert!(advice.size_gib.is_none_or(f64::is_finite));
    if let Some(requests) = advice.requests {
        let (low, high) = requests.interval.unwrap_or((requests.mean, requests.mean));
        assert!(0.0 <= low && low <= requests.mean && requests.mean <= high && high.is_finite());
    }
}

/// Totals of reports, such as AWR's.
pub fn awr(data: &[u8]) {
    let mut bytes = Unstructured::new(data);
    let Ok((per_second, redo_apart)) = Arbitrary::arbitrary(&mut bytes) else { return };
    let totals = |(began_us, length_us, figures): (Option<i64>, i64, [Option<f64>; 6])| {
        let began_us = began_us.and_then(moment);
        let ended_us = began_us.and_then(|us| moment(us.checked_add(length_us)?));
        awr::Totals { began_us, ended_us, figures }
    };
    let reports: Vec<awr::Totals> = bytes.arbitrary_iter().into_iter().flatten().flatten().map(totals).collect();
    all(awr::awr(&reports, per_second, redo_apart, &|| ()));
}

/// Rows of counts.
pub fn samples(data: &[u8]) {
    let row = |(at_us, counts): (Option<i64>, [Option<f64>; samples::FIELDS.len()])| samples::Row {
        at_us: at_us.and_then(moment),
        counts,
    };
    let rows: Vec<samples::Row> =
        Unstructured::new(data).arbitrary_iter().into_iter().flatten().flatten().map(row).collect();
    if let Ok(series) = samples::series("sdf", &rows, &|| ()) {
        one(&series);
    }
}

/// A time in the range of SQL's arguments, 1970 to 9999.
fn moment(us: i64) -> Option<i64> {
    (0..ebs_base::units::LATEST_US).contains(&us).then_some(us)
}

fn all(read: Result<MonitoringData, ImportError>) {
    match read {
        Ok(imported) => {
            imported.series.iter().for_each(one);
            let _ = imported.select(None, None);
        }
        // The texts of the error must not panic either.
        Err(error) => drop((error.to_string(), error.hint())),
    }
}

/// Checks cover no more than the samples, and balances are percentages.
fn checks(checks: &DeviceChecks) {
    let times = [checks.volume_iops, checks.volume_throughput, checks.instance_iops, checks.instance_throughput];
    for check in times.into_iter().flatten() {
        assert!(
            0.0 <= check.exceeded_s && check.exceeded_s <= check.known_s && check.known_s <= checks.seconds,
            "{checks:?}"
        );
    }
    for balance in [checks.io_balance, checks.byte_balance, checks.burst_balance].into_iter().flatten() {
        assert!((0.0..=100.0).contains(&balance.least_pct) && balance.spent_s <= balance.known_s, "{checks:?}");
        assert!(balance.known_s <= checks.seconds, "{checks:?}");
    }
}

fn one(series: &Series) {
    checks(&series.checks);
    // It is refused as soon as it is chosen (Sources::choose), by the line that is impossible.
    if series.problem.is_some() {
        return;
    }
    let block = match block(series, None, &|| ()) {
        Ok(block) => block,
        // Only the times can be wrong: each source checks its counts.
        Err(ImportError::TooShort(_)) => return,
        Err(error) => panic!("{error}: {series:?}"),
    };
    assert!(!block.samples.is_empty() && block.samples.is_sorted_by_key(|sample| sample.at_us), "{series:?}");
    let bytes = codec::encode(block.clone()).expect("an import can be stored");
    assert_eq!(codec::decode(codec::FORMAT, &bytes).expect("what is stored can be read"), block);
}
