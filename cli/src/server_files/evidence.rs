//! Evidence of a server, made of its files.

use ebs_answer::{
    ConfiguredStorage, Driver, JoinDoubt, RunHeader, add_waits, assemble_run, complete_window, load_driver,
};
use ebs_aws::offer::ImportedPrice;
use ebs_base::format::plain;
use ebs_base::labels::printable_label;
use ebs_comparison::export::Run as RunDocument;
use ebs_imports::configuration::Configuration;
use ebs_imports::drivers::fio::Fio;
use ebs_samples::evidence::{StorageLayout, Window};
use ebs_workload::run_timeline::RunTimeline;
use ebs_workload::steady_state::Steadiness;

use super::demand::{Content, Demand, FoundRun};
use super::file_name::stem;
use super::{FileFlags, ServerFiles};
use crate::error::Error;
use crate::evidence_error::EvidenceError;
use crate::file_error::FileError;
use crate::message::print_message;
use crate::shell::word;

/// Evidence of a server.
pub struct Evidence {
    /// The run that it is.
    pub header: RunHeader,
    /// The run as it was exported, without its samples.
    pub document: RunDocument,
    /// The samples.
    pub window: Window,
    /// The run from flush to flush.
    pub timeline: RunTimeline,
    /// Steadiness of the run.
    pub steadiness: Steadiness,
    /// Volumes and instance.
    pub configured: ConfiguredStorage,
    /// The load driver.
    pub driver: Driver,
    /// Reports of fio.
    pub fio: Vec<Fio>,
    /// Prices that were given.
    pub prices: Vec<ImportedPrice>,
}

impl Evidence {
    /// Puts files together. `label` chooses a run and names the server; `now_us` is the present time, microseconds since 1970.
    pub fn new(mut files: ServerFiles, flags: &FileFlags, label: Option<&str>, now_us: i64) -> Result<Evidence, Error> {
        let label = label.map(|label| printable_label(label).ok_or(EvidenceError::Label)).transpose()?;
        let waits = files.take_waits()?;
        let described = files.take_configuration();
        let demand = choose(&mut files, label)?;
        let (name, shape) = (demand.name(), demand.format.shape);
        let stem = stem(&demand.file).to_owned();
        let refused = |error| FileError::Monitoring { file: name.clone(), error, shape };
        let FoundRun { mut imported, mut document } = demand.into_run(flags).map_err(refused)?;
        let is_rds = RunHeader::from_document(&document).is_of_rds();
        if document.label.is_empty() {
            let only = only_name(&described.configuration, is_rds).filter(|_| label.is_none());
            document.label = label.map(str::to_owned).or(only).unwrap_or(stem);
        }
        if let Some((file, load)) = waits {
            let file = plain(&file);
            if !is_rds {
                return Err(EvidenceError::OtherServer { file, demand: name.clone() }.into());
            }
            add_waits(&mut imported, &document.label, &load).map_err(|error| EvidenceError::Waits { file, error })?;
        }
        document.environment = imported.environment;
        let header = RunHeader::from_document(&document);
        let (mut window, timeline) = assemble_run(&header, imported.blocks);
        let steadiness = Steadiness::from_window(&window, &timeline, header.marked);
        let times = (header.to_us.unwrap_or(now_us), now_us);
        let Ok(configured) = complete_window(&described, &mut window, document.declared.clone(), Some(&header), times);
        warn_of_unjoined(&header, &window.layout, &configured, &described.configuration);
        let driver = Driver::from_document(&document);
        window.driver = load_driver(&driver);
        let stored = document.fio.iter().map(|import| import.fio.clone());
        let fio = stored.chain(std::mem::take(&mut files.fio)).collect();
        let prices = std::mem::take(&mut files.prices);
        Ok(Evidence { header, document, window, timeline, steadiness, configured, driver, fio, prices })
    }
}

/// Chooses the demand that decides: the run of the label, or else that of the shortest intervals, of which a warning tells.
fn choose(files: &mut ServerFiles, label: Option<&str>) -> Result<Demand, Error> {
    let mut demand = std::mem::take(&mut files.demand);
    let label_of = |demand: &Demand| match &demand.content {
        Content::Run(run) => Some(run.0.label.clone()),
        _ => None,
    };
    let runs: Vec<String> = demand.iter().filter_map(label_of).collect();
    match (runs.as_slice(), label) {
        ([], _) | ([_], None) => {}
        (_, Some(label)) if runs.iter().any(|run| run == label) => {
            demand.retain(|one| label_of(one).is_none_or(|run| run == label));
        }
        (_, Some(label)) => {
            return Err(EvidenceError::UnknownRun(plain(label), runs.iter().map(|run| plain(run)).collect()).into());
        }
        (_, None) => return Err(EvidenceError::SeveralRuns(runs.iter().map(|run| plain(run)).collect()).into()),
    }
    let shortest =
        demand.iter().enumerate().min_by(|(_, one), (_, other)| one.interval_s().total_cmp(&other.interval_s()));
    let Some(index) = shortest.map(|(index, _)| index) else {
        return Err(EvidenceError::NoDemand(describe_beside(files)).into());
    };
    let chosen = demand.swap_remove(index);
    for other in demand {
        print_message!(
            "warning: \"{}\" is not used: \"{}\" has the shorter intervals ({} s, not {} s)",
            other.name(),
            chosen.name(),
            rounded(chosen.interval_s()),
            rounded(other.interval_s())
        );
    }
    Ok(chosen)
}

fn rounded(seconds: f64) -> f64 {
    (seconds * 10.0).round() / 10.0
}

/// Phrases on the content of files beside demand.
fn describe_beside(files: &ServerFiles) -> Vec<String> {
    let beside = files
        .beside
        .iter()
        .map(|one| format!("\"{}\", {}: {}", plain(&one.file), one.format.kind, one.format.use_beside_demand()));
    beside.collect()
}

/// Name of the only RDS instance of a configuration, or of the only volume, which is the server then.
fn only_name(configuration: &Configuration, is_rds: bool) -> Option<String> {
    let mut names: Vec<String> = match is_rds {
        true => configuration.databases.keys().map(|key| key.identifier.clone()).collect(),
        false => configuration.volumes.keys().cloned().collect(),
    };
    if names.len() == 1 { names.pop() } else { None }
}

/// Most volumes that a warning names.
const MAX_NAMED: usize = 5;

/// Warns where AWS describes volumes or instances, and none of them is known to be the one of the samples.
fn warn_of_unjoined(
    header: &RunHeader,
    layout: &StorageLayout,
    configured: &ConfiguredStorage,
    configuration: &Configuration,
) {
    if let Some(JoinDoubt::Several { name, places }) = &configured.join_doubt {
        print_message!(
            "warning: several RDS instances are called \"{}\", and none is used: {}",
            plain(name),
            plain(&places.join(", "))
        );
        return;
    }
    let is_joined = !configured.declared.volumes.is_empty() || configured.joined.is_some() || configured.is_aurora;
    if is_joined || configured.unknown_storage.is_some() || configuration.is_empty() {
        return;
    }
    let volume = |(id, volume): (&String, &ebs_imports::configuration::Volume)| format!("{id} ({})", volume.configured);
    let volumes = configuration.volumes.iter().map(volume);
    let databases = configuration.databases.keys().map(|key| key.identifier.clone());
    let names: Vec<String> = volumes.chain(databases).take(MAX_NAMED).collect();
    let device = layout.volumes.first().map_or("", |volume| volume.device.as_str());
    if let Some(first) = names.first().and_then(|name| name.split(' ').next()) {
        print_message!(
            "warning: which of these the samples of {} are of is not known, and none is used: {}",
            plain(if device.is_empty() { &header.label } else { device }),
            plain(&names.join(", "))
        );
        print_message!("hint:  Name it, for example: --label {}", plain(&word(first)));
    }
}
