//! Series of rates and sums for tests.

use ebs_imports::configuration::{Configuration, read};
use ebs_prometheus::{Labels, Sample, Series};

use crate::made_series::labels;
use crate::{Fleet, Selection, Settings, VolumeAnswer, evaluate};

/// Values each `step_s` seconds from zero on.
pub fn every(step_s: i64, own: &[(&str, &str)], values: impl Iterator<Item = f64>) -> Series {
    let sample = |(number, value): (i64, f64)| Sample { at_ms: number * step_s * 1_000, value };
    Series { labels: own.iter().copied().collect::<Labels>(), samples: (0i64..).zip(values).map(sample).collect() }
}

/// Answers of the first batch, over the first day.
pub fn answers(series: Vec<Series>, documents: Option<&str>) -> Vec<VolumeAnswer> {
    let configuration = documents.map_or_else(Configuration::default, |text| read(text, &|| ()).unwrap());
    let found = Fleet::discover(labels(&series), &configuration, &Selection::default());
    let settings = Settings { from_us: 0, to_us: 86_400_000_000, ..Settings::default() };
    evaluate(&found.batches[0], series, &configuration, &settings, &|| ())
}

/// The first of them.
pub fn answer(series: Vec<Series>, documents: Option<&str>) -> VolumeAnswer {
    answers(series, documents).remove(0)
}

/// A day of qonto's exporter at 60 s: 1,000 reads and 500 writes a second of 8 KiB, 200 GiB free.
pub fn qonto() -> Vec<Series> {
    [
        ("rds_read_iops_average", 1_000.0),
        ("rds_write_iops_average", 500.0),
        ("rds_read_throughput_bytes", 8_192_000.0),
        ("rds_write_throughput_bytes", 4_096_000.0),
        ("rds_free_storage_bytes", 200.0 * 1_073_741_824.0),
    ]
    .map(|(name, value)| qonto_series(name, &[], value))
    .into()
}

/// A series of qonto's exporter.
pub fn qonto_series(name: &str, others: &[(&str, &str)], value: f64) -> Series {
    let own =
        [("__name__", name), ("dbidentifier", "mydb"), ("aws_region", "us-east-1"), ("aws_account_id", "123456789012")];
    every(60, &[&own[..], others].concat(), std::iter::repeat_n(value, 1_441))
}
