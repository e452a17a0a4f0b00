//! One volume in depth: its samples as an ordinary run, for every function of the extension.

use ebs_base::format::plain;
use ebs_base::labels::{LABEL_LIMIT, printable_label};
use ebs_comparison::export::{EnvironmentDocument, Run, Samples};
use ebs_fleet::{Batch, Fleet, FleetVolume, VolumeSamples, volume_samples};
use ebs_imports::configuration::Configuration;

use super::arguments::OutputArguments;
use super::transport::{TimeRange, Transport};
use crate::error::Error;
use crate::run_samples::pack;
use crate::watch::keep;

/// Place that the samples come from.
pub struct SampleSource<'a> {
    /// The volume that was selected, with its instance.
    pub fleet: &'a Fleet,
    /// Way to the samples.
    pub transport: &'a dyn Transport,
    /// Time.
    pub range: TimeRange,
    /// Configuration of volumes and instances.
    pub configuration: &'a Configuration,
    /// Time of its documents, microseconds since 1970.
    pub documented_us: Option<i64>,
}

/// Fetches the samples of the one volume that was selected, keeps them as a run of this label, and returns the exit status.
pub fn keep(label: &str, source: &SampleSource, output: &OutputArguments) -> Result<u8, Error> {
    let label = printable_label(label).ok_or_else(|| Error::InvalidArgument {
        message: format!("a run needs a label of 1 to {LABEL_LIMIT} printable characters"),
        hint: "For example: --run prod-volume",
    })?;
    output.connection.refuse_password()?;
    match &output.output {
        Some(file) => keep::check_file(file)?,
        None => keep::check_database(&output.connection, label)?,
    }
    let (batch, id) = only_volume(source.fleet)?;
    let series = source.transport.fetch(&batch.selectors(), source.range)?;
    let samples = volume_samples(batch, id, &series, (source.configuration, source.documented_us), &|| ());
    let samples = samples.ok_or_else(|| Error::InvalidArgument {
        message: format!("volume \"{}\" has no samples in this time", plain(id)),
        hint: "Give another time: --since, --until.",
    })?;
    keep::keep(run(label, samples)?, output.output.as_deref(), &output.connection)?;
    Ok(0)
}

/// The volume that is selected, with its batch; refused where it is none, or where there are several.
fn only_volume(fleet: &Fleet) -> Result<(&Batch, &str), Error> {
    let selected = fleet.batches.iter().flat_map(|batch| batch.selected().map(move |volume| (batch, volume)));
    let volumes: Vec<(&Batch, &FleetVolume)> = selected.collect();
    match volumes.as_slice() {
        [(batch, volume)] => Ok((*batch, volume.id.as_str())),
        [(_, first), ..] if first.is_rds() && volumes.iter().all(|(_, volume)| volume.id == first.id) => {
            let locations = volumes.iter().filter_map(|(_, volume)| Some(volume.rds.as_ref()?.location.to_string()));
            let locations = locations.collect::<Vec<_>>().join("; ");
            let message = format!(
                "--run keeps the samples of one volume, and {} RDS instances have the identifier \"{}\": {}",
                volumes.len(),
                plain(&first.id),
                plain(&locations)
            );
            let hint = "Name one by a label of its series too, such as --match 'aws_region=\"eu-west-1\"'.";
            Err(Error::InvalidArgument { message, hint })
        }
        [] => Err(Error::NoVolumes { excluded: fleet.excluded }),
        several => Err(Error::InvalidArgument {
            message: format!("--run keeps the samples of one volume, and {} are selected", several.len()),
            hint: "Name one with --volume.",
        }),
    }
}

/// The run.
fn run(label: &str, samples: VolumeSamples) -> Result<Run, Error> {
    let packed = samples.blocks.into_iter().map(pack).collect::<Result<Vec<Samples>, Error>>()?;
    let environment = EnvironmentDocument {
        db_instance: samples.database.as_deref(),
        ..EnvironmentDocument::imported(samples.source.name(), &[]).with_checks(&samples.checks)
    };
    Ok(Run {
        label: label.to_owned(),
        started_us: packed.iter().map(|samples| samples.started_us).min().unwrap_or_default(),
        ended_us: packed.iter().map(|samples| samples.ended_us).max().unwrap_or_default(),
        environment: Some(environment.to_json()),
        declared: samples.declared,
        samples: packed,
        ..Run::default()
    })
}

#[cfg(test)]
mod tests {
    use ebs_fleet::{Location, RdsInstance};

    use super::*;

    fn database(region: &str) -> Batch {
        let location = Location { region: Some(region.to_owned()), account: Some("123456789012".to_owned()) };
        let mut volume = FleetVolume::default();
        (volume.id, volume.is_selected) = ("mydb".to_owned(), true);
        volume.rds = Some(RdsInstance { location, has_namesake: true, ..RdsInstance::default() });
        let mut batch = Batch::default();
        batch.volumes = vec![volume];
        batch
    }

    #[test]
    fn instances_of_one_identifier_are_named_by_their_locations() {
        let fleet = |regions: &[&str]| Fleet {
            batches: regions.iter().map(|region| database(region)).collect(),
            ..Fleet::default()
        };
        assert_eq!(only_volume(&fleet(&["us-east-1"])).unwrap().1, "mydb");
        let several = fleet(&["eu-west-1", "us-east-1"]);
        let Err(Error::InvalidArgument { message, .. }) = only_volume(&several) else { panic!("it is refused") };
        let expected = "--run keeps the samples of one volume, and 2 RDS instances have the identifier \"mydb\": \
                        eu-west-1, account 123456789012; us-east-1, account 123456789012";
        assert_eq!(message, expected);
    }
}
