//! Series by exporter and device, each replica of a scraper apart.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use ebs_prometheus::{Labels, Sample, Series};

use crate::discovery::target::target;

/// Series of a batch by the labels of their exporter and by their device.
pub struct Index<'a>(HashMap<(Labels, String), BTreeMap<Labels, Copy<'a>>>);

/// Series of one exporter's device as one replica scraped them, by the names of their metrics.
#[derive(Default)]
pub struct Copy<'a>(BTreeMap<&'a str, Vec<&'a Series>>);

impl<'a> Index<'a> {
    /// Sorts the series of an answer; replicas are distinguished by these labels.
    pub fn new(series: &'a [Series], replica_labels: &[String]) -> Index<'a> {
        let mut index: HashMap<(Labels, String), BTreeMap<Labels, Copy<'a>>> = HashMap::new();
        for one in series {
            let labels = &one.labels;
            let replica: Labels =
                labels.iter().filter(|(label, _)| replica_labels.iter().any(|known| known == label)).collect();
            let target = target(&labels.clone().without(replica_labels));
            let own =
                ["volume", "volume_id", "dimension_VolumeId", "device"].iter().find_map(|label| labels.get(label));
            let copies = index.entry((target, own.unwrap_or_default().to_owned())).or_default();
            copies.entry(replica).or_default().0.entry(labels.name()).or_default().push(one);
        }
        Index(index)
    }

    /// Copies of the series of an exporter's device, each with the labels of its replica; the device is empty for the exporter's own series.
    pub fn copies(&self, target: &Labels, device: &str) -> impl Iterator<Item = (&Labels, &Copy<'a>)> {
        self.0.get(&(target.clone(), device.to_owned())).into_iter().flatten()
    }

    /// Copy of a replica.
    pub fn copy(&self, target: &Labels, device: &str, replica: &Labels) -> Option<&Copy<'a>> {
        self.copies(target, device).find(|(labels, _)| *labels == replica).map(|(_, copy)| copy)
    }
}

impl<'a> Copy<'a> {
    /// Time of the last sample of any of its series that is a number, milliseconds since 1970.
    pub fn last_ms(&self) -> Option<i64> {
        let samples = self.0.values().flatten().flat_map(|series| &series.samples);
        samples.filter(|sample| sample.value.is_finite()).map(|sample| sample.at_ms).max()
    }

    /// Series of a metric.
    pub fn series(&self, name: &str) -> &[&'a Series] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// Samples of a metric in time order: of all its series, which differ in labels of the metric alone.
    pub fn samples(&self, name: &str) -> Option<Cow<'a, [Sample]>> {
        match self.series(name) {
            [] => None,
            [one] => Some(Cow::Borrowed(one.samples.as_slice())),
            several => {
                let mut samples: Vec<Sample> = several.iter().flat_map(|one| one.samples.iter().copied()).collect();
                samples.sort_by_key(|sample| sample.at_ms);
                Some(Cow::Owned(samples))
            }
        }
    }
}
