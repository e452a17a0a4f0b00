//! The made-up fleet, each kind as a run: the row of a volume and the document of ebs_advise_json have the same decision.

use ebs_advice::{Request, advise, insufficient};
use ebs_aws::catalogue::{instance, prices};
use ebs_fixtures::fleet::{FleetKind, MadeFleet};
use ebs_fleet::{Fleet, Selection, Settings, VolumeSamples, evaluate, volume_samples};
use ebs_imports::configuration::{Configuration, read};
use ebs_prometheus::{Labels, Series};
use ebs_report::{Arguments, Report, UtcOffset};
use ebs_samples::evidence::{Coverage, Window};
use ebs_workload::io_sources::sources;
use ebs_workload::run_timeline::RunTimeline;
use ebs_workload::steady_state::Steadiness;
use serde_json::{Value, json};

use crate::row_from_answer;

struct Made {
    fleet: MadeFleet,
    configuration: Configuration,
    settings: Settings,
}

impl Made {
    fn new() -> Made {
        let fleet = MadeFleet::new(20, 4, 60);
        let text = format!("{}\n{}", fleet.describe_volumes(), fleet.describe_instances());
        let (from_us, to_us) = (fleet.from_s * 1_000_000, fleet.to_s() * 1_000_000);
        let settings = Settings { from_us, to_us, ..Settings::default() };
        Made { fleet, configuration: read(&text, &|| ()).unwrap(), settings }
    }

    /// The row of a volume, as JSON, and its samples.
    fn row(&self, number: usize) -> (Value, VolumeSamples) {
        let volume = self.fleet.volume(number);
        let series: Vec<Series> = self.fleet.series(&volume);
        let labels: Vec<Labels> = series.iter().map(|one| one.labels.clone()).collect();
        let found = Fleet::discover(labels, &self.configuration, &Selection::default());
        let batch = &found.batches[0];
        let samples = volume_samples(batch, &volume.id, &series, (&self.configuration, None), &|| ()).unwrap();
        let answers = evaluate(batch, series, &self.configuration, &self.settings, &|| ());
        let answer = answers.iter().find(|answer| answer.identity.id == volume.id).unwrap();
        (serde_json::to_value(row_from_answer(answer)).unwrap(), samples)
    }

    /// The document of a run of samples.
    fn document(&self, samples: VolumeSamples) -> Value {
        let request = ebs_advice::Settings::default().check(prices("us-east-1").unwrap().clone()).unwrap();
        let declared = samples.declared;
        let instance = declared.instance.as_deref().map(|name| instance(name).unwrap());
        let request = Request { instance, ..request };
        let mut window = Window::assemble(samples.blocks, self.settings.from_us, self.settings.to_us);
        window.layout.instance.clone_from(&declared.instance);
        window.checks = samples.checks;
        let coverage = Coverage::from_window(&window);
        let timeline = RunTimeline::new(window.from_us, window.to_us);
        let is_enough = insufficient(&window, &coverage).is_none();
        ebs_report::json::render(&Report {
            subject: "run".into(),
            server: String::new(),
            when: String::new(),
            utc_offset: UtcOffset::default(),
            request: &request,
            window: &window,
            coverage,
            steadiness: Some(Steadiness::from_window(&window, &timeline, false)),
            checkpoint_timeout_s: None,
            advice: is_enough.then(|| advise(&window, &request, &declared, &|| ())),
            sources: sources(&window),
            waits: Vec::new(),
            declared: &declared,
            arguments: Arguments::default(),
            findings: Vec::new(),
        })
    }
}

/// Volumes of a document or a row, without the price, which a row has beside them.
fn volumes(value: &Value) -> Value {
    let keys = ["volume_type", "volumes", "size_gib", "iops", "throughput_mibps"];
    json!(keys.map(|key| value.get(key).cloned()))
}

/// Findings that a run can have: those of discovery are not of its samples.
fn findings(value: &Value) -> Vec<&Value> {
    let is_of_discovery = |finding: &&Value| ["moved", "unattached"].contains(&finding["code"].as_str().unwrap());
    value["findings"].as_array().unwrap().iter().filter(|finding| !is_of_discovery(finding)).collect()
}

#[test]
fn a_row_has_the_decision_of_its_run() {
    let made = Made::new();
    for (number, kind) in FleetKind::ALL.into_iter().enumerate() {
        let (row, samples) = made.row(number);
        let document = made.document(samples);
        let recommendation = match kind {
            FleetKind::Idle => &document["idle"],
            _ => &document["roles"][0]["recommendation"],
        };
        let is_same = |key: &str, of_row: &str| assert_eq!(recommendation[key], row[of_row], "{kind:?} {key}");
        is_same("action", "action");
        is_same("risk", "risk");
        is_same("usd_month_saved", "usd_month_saved");
        assert_eq!(recommendation["reason"]["code"], row["reason"]["code"], "{kind:?}");
        assert_eq!(volumes(&recommendation["volumes"]), volumes(&row["recommended"]), "{kind:?}");
        assert_eq!(findings(recommendation), findings(&row), "{kind:?}");
        assert_eq!(document["confidence"]["level"], row["confidence"], "{kind:?}");
        if kind != FleetKind::Idle {
            // The first row of ebs_options.
            let first = &document["roles"][0]["options"][0];
            assert_eq!(volumes(first), volumes(&row["recommended"]), "{kind:?}");
        }
    }
}
