//! The made-up fleet, each kind as a run: the row of a volume and the document of ebs_advise_json have the same decision.

use ebs_advice::{Request, advise, insufficient};
use ebs_aws::catalogue::{instance, prices};
use ebs_fixtures::fleet::{FleetKind, MadeFleet};
use ebs_fleet::{Fleet, Selection, Settings, VolumeSamples, evaluate, volume_samples};
use ebs_imports::configuration::{Configuration, read};
use ebs_prometheus::{Labels, Series};
use ebs_report::text::Show;
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
    /// Four days of scrapes of this interval; `iops` are those that gp3 is described with, in place of its own.
    fn new(interval_s: i64, iops: Option<u64>) -> Made {
        let fleet = MadeFleet::new(20, 4, interval_s);
        let mut volumes = fleet.describe_volumes();
        let described = volumes["Volumes"].as_array_mut().unwrap().iter_mut();
        described.filter(|volume| iops.is_some() && volume["VolumeType"] == "gp3").for_each(|volume| {
            volume["Iops"] = json!(iops);
        });
        let text = format!("{volumes}\n{}", fleet.describe_instances());
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

    /// The document of a run of samples, its screen, and its commands.
    fn answers(&self, samples: VolumeSamples) -> (Value, String, String) {
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
        let report = Report {
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
        };
        let text = |show| ebs_report::text::render(&report, show).join("\n");
        (ebs_report::json::render(&report), text(Show::Screen), text(Show::Commands))
    }
}

/// Volumes of a document or a row, without the price, which a row has beside them.
fn volumes(value: &Value) -> Value {
    let keys = ["volume_type", "volumes", "size_gib", "iops", "throughput_mibps"];
    json!(keys.map(|key| value.get(key).cloned()))
}

/// A sentence on a run as one on a volume.
fn of_volume(text: &Value) -> String {
    text.as_str().unwrap().replace("the run was at a limit of", "the volume was at its limit of")
}

/// Findings that a run can have: those of discovery are not of its samples.
fn findings(value: &Value) -> Vec<&Value> {
    let is_of_discovery = |finding: &&Value| ["moved", "unattached"].contains(&finding["code"].as_str().unwrap());
    value["findings"].as_array().unwrap().iter().filter(|finding| !is_of_discovery(finding)).collect()
}

/// Compares a row with its run for each kind; returns the codes of the reasons.
fn compared(made: &Made) -> Vec<String> {
    let mut codes = Vec::new();
    for (number, kind) in FleetKind::ALL.into_iter().enumerate() {
        let (row, samples) = made.row(number);
        let (document, screen, commands) = made.answers(samples);
        let recommendation = match kind {
            FleetKind::Idle => &document["idle"],
            _ => &document["roles"][0]["recommendation"],
        };
        let is_same = |key: &str, of_row: &str| assert_eq!(recommendation[key], row[of_row], "{kind:?} {key}");
        is_same("action", "action");
        is_same("risk", "risk");
        is_same("usd_month_saved", "usd_month_saved");
        assert_eq!(recommendation["reason"]["code"], row["reason"]["code"], "{kind:?}");
        assert_eq!(of_volume(&recommendation["reason"]["text"]), of_volume(&row["reason"]["text"]), "{kind:?}");
        assert_eq!(volumes(&recommendation["volumes"]), volumes(&row["recommended"]), "{kind:?}");
        assert_eq!(findings(recommendation), findings(&row), "{kind:?}");
        assert_eq!(document["confidence"]["level"], row["confidence"], "{kind:?}");
        if kind != FleetKind::Idle {
            // The first row of ebs_options.
            let first = &document["roles"][0]["options"][0];
            assert_eq!(volumes(first), volumes(&row["recommended"]), "{kind:?}");
            assert_eq!((&first["risk"], &first["feasible"]), (&row["risk"], &json!(true)), "{kind:?}");
        }
        let is_kept = row["action"] == "keep";
        assert_eq!(screen.contains("RECOMMENDED  keep "), is_kept, "{kind:?}\n{screen}");
        let changes = commands.contains("modify-volume") || commands.contains("modify-db-instance");
        assert_eq!(
            (changes, commands.contains("# No change")),
            (row["action"] == "modify", is_kept),
            "{kind:?}\n{commands}"
        );
        codes.extend(row["reason"]["code"].as_str().map(str::to_owned));
    }
    codes
}

#[test]
fn a_row_has_the_decision_of_its_run() {
    let codes = compared(&Made::new(60, None));
    assert_eq!(codes[..5], ["idle", "cheaper_suffices", "cheaper_suffices", "present_too_small", "as_present"]);
    assert_eq!(codes[5..], ["present_too_small", "present_too_small", "cheaper_suffices", "as_present", "as_present"]);
}

/// All gp3 are described with 50 IOPS more than the price includes, and with 6,000; and the samples are averages of 5 min.
#[test]
fn a_row_has_the_decision_of_its_run_under_other_descriptions() {
    let codes = |interval_s, iops| compared(&Made::new(interval_s, iops));
    let of = |codes: &[String], code: &str| codes.iter().filter(|other| *other == code).count();
    assert_eq!(of(&codes(60, Some(3_050)), "negligible_saving"), 3);
    assert_eq!(of(&codes(60, Some(6_000)), "description_refuted"), 1);
    assert_eq!(of(&codes(300, Some(3_050)), "negligible_saving"), 3);
}
