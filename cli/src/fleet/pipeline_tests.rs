//! Batches against a transport of our own.

use std::sync::Mutex;

use ebs_fleet::FleetVolume;
use ebs_prometheus::{Labels, Selector, Series};

use super::*;

const RANGE: TimeRange = TimeRange { from_ms: 0, to_ms: 3_600_000 };

/// A transport that fails as a plan says, by the number of the request.
struct Planned<'a> {
    plan: &'a (dyn Fn(usize) -> Option<FetchError> + Sync),
    requests: Mutex<usize>,
}

impl Transport for Planned<'_> {
    fn name(&self) -> &'static str {
        "planned"
    }

    fn label_sets(&self, _selectors: &[Selector], _range: TimeRange) -> Result<Vec<Labels>, FetchError> {
        Ok(Vec::new())
    }

    fn fetch(&self, _selectors: &[Selector], _range: TimeRange) -> Result<Vec<Series>, FetchError> {
        let request = {
            let mut requests = self.requests.lock().unwrap();
            *requests += 1;
            *requests
        };
        (self.plan)(request).map_or(Ok(Vec::new()), Err)
    }
}

fn unavailable() -> FetchError {
    FetchError::Unavailable { status: 503, message: String::new(), retry_after: None }
}

/// A batch of one volume.
fn batch(key: &str) -> Batch {
    let mut volume = FleetVolume::default();
    (volume.id, volume.is_selected) = (format!("vol-{key}"), true);
    let mut batch = Batch::default();
    (batch.key, batch.volumes) = (key.to_owned(), vec![volume]);
    batch
}

/// Answers this many batches of a volume each, and returns the keys of those that were answered, and of those that failed.
fn run(count: usize, stop: &Interrupt, plan: &(dyn Fn(usize) -> Option<FetchError> + Sync)) -> [Vec<String>; 2] {
    let batches: Vec<Batch> = (0..count).map(|number| batch(&format!("i-{number:02}"))).collect();
    let batches: Vec<&Batch> = batches.iter().collect();
    let transport = Planned { plan, requests: Mutex::new(0) };
    let (configuration, settings) = (Configuration::default(), Settings::default());
    let work =
        Work { transport: &transport, range: RANGE, configuration: &configuration, settings: &settings, jobs: 1 };
    let mut keys = [Vec::new(), Vec::new()];
    answer(&batches, &work, stop, &mut |batch, outcome| {
        if let Ok(rows) = &outcome {
            assert_eq!(rows.len(), 1);
        }
        keys[usize::from(outcome.is_err())].push(batch.key.clone());
        Ok(())
    })
    .unwrap();
    keys
}

#[test]
fn a_batch_that_fails_does_not_keep_the_others_from_their_answers() {
    let plan = |request| (request == 2).then(unavailable);
    let [answered, failed] = run(4, &Interrupt::default(), &plan);
    assert_eq!((answered, failed), (vec!["i-00".into(), "i-02".into(), "i-03".into()], vec!["i-01".to_owned()]));
}

#[test]
fn an_engine_that_is_gone_is_not_asked_for_everything() {
    let [answered, failed] = run(100, &Interrupt::default(), &|_| Some(unavailable()));
    assert!(answered.is_empty() && (MAX_FAILURES..=MAX_FAILURES + 1).contains(&failed.len()), "{failed:?}");
    // One that answers now and then is.
    let plan = |request| (request % MAX_FAILURES != 0).then(unavailable);
    let [answered, failed] = run(100, &Interrupt::default(), &plan);
    assert_eq!((answered.len(), failed.len()), (100 / MAX_FAILURES, 100 - 100 / MAX_FAILURES));
}

/// A defect that some samples meet is that of their batch alone, however many batches have such samples.
#[test]
fn a_batch_that_panics_does_not_keep_the_others_from_their_answers() {
    let plan = |request| {
        assert!(request == 1 || request > MAX_FAILURES + 2, "attempt to add with overflow");
        None
    };
    let [answered, failed] = run(MAX_FAILURES + 4, &Interrupt::default(), &plan);
    assert_eq!((answered.len(), failed.len()), (3, MAX_FAILURES + 1));
    let text: Box<dyn Any + Send> = Box::new("attempt to add".to_owned());
    assert_eq!((message(text.as_ref()), message(&"with overflow")), ("attempt to add".into(), "with overflow".into()));
}

#[test]
fn refused_credentials_end_everything() {
    let plan = |_| Some(FetchError::Unauthorized { status: 401, message: String::new() });
    let [answered, failed] = run(100, &Interrupt::default(), &plan);
    assert!(answered.is_empty() && (1..=2).contains(&failed.len()), "{failed:?}");
}

#[test]
fn an_interruption_leaves_batches_without_outcome() {
    let stop = Interrupt::default();
    let plan = |request| {
        if request == 3 {
            stop.set();
        }
        None
    };
    assert_eq!(run(10, &stop, &plan), [vec!["i-00".to_owned(), "i-01".into(), "i-02".into()], Vec::new()]);
}

#[test]
fn a_row_that_cannot_be_kept_ends_everything() {
    let batches: Vec<Batch> = (0..10).map(|number| batch(&format!("i-{number}"))).collect();
    let batches: Vec<&Batch> = batches.iter().collect();
    let transport = Planned { plan: &|_| None, requests: Mutex::new(0) };
    let (configuration, settings) = (Configuration::default(), Settings::default());
    let work =
        Work { transport: &transport, range: RANGE, configuration: &configuration, settings: &settings, jobs: 2 };
    let refuse = |_: &Batch, _| Err(Error::ExtensionMissing);
    assert!(answer(&batches, &work, &Interrupt::default(), &mut { refuse }).is_err());
}
