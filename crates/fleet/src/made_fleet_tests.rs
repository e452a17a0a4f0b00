use ebs_fixtures::fleet::{FleetKind, MadeFleet, MadeVolume};
use ebs_imports::configuration::{Configuration, read};
use ebs_prometheus::{Labels, Series};

use crate::{Fleet, Selection, Settings, VolumeAnswer, evaluate};

fn configuration(fleet: &MadeFleet) -> Configuration {
    let text = format!("{}\n{}", fleet.describe_volumes(), fleet.describe_instances());
    read(&text, &|| ()).unwrap()
}

fn settings(fleet: &MadeFleet) -> Settings {
    Settings { from_us: fleet.from_s * 1_000_000, to_us: fleet.to_s() * 1_000_000, ..Settings::default() }
}

#[test]
fn print() {
    let fleet = MadeFleet::new(20, 14, 60);
    let series: Vec<Series> = fleet.all().flat_map(|volume| fleet.series(&volume)).collect();
    let labels: Vec<Labels> = series.iter().map(|one| one.labels.clone()).collect();
    let configuration = configuration(&fleet);
    let found = Fleet::discover(labels, &configuration, &Selection::default());
    println!("{} batches, {:?}", found.batches.len(), found.unobserved);
    for batch in &found.batches {
        println!(
            "{} {:?}",
            batch.key,
            batch.volumes.iter().map(|volume| (&volume.id, volume.is_selected)).collect::<Vec<_>>()
        );
        let started = std::time::Instant::now();
        for answer in evaluate(batch, series.clone(), &configuration, &settings(&fleet), &|| ()) {
            println!(
                "{} {:?} {:?} saved {:?} rec {:?} risk {:?} conf {:?} bind {:?} share {:?} find {:?} unknown {:?} iops {:?} cov {} {:?}",
                answer.identity.id,
                answer.action,
                std::mem::discriminant(&answer.reason),
                answer.saved.map(|usd| usd.dollars()),
                answer.recommended.as_ref().map(|one| (
                    one.config.volume_type.name(),
                    one.config.size_gib,
                    one.config.iops,
                    one.config.throughput_mibps
                )),
                answer.risk,
                answer.confidence,
                answer.binding,
                answer.limit_share,
                answer.findings,
                answer.unknown,
                answer.demand.map(|demand| demand.iops),
                answer.evidence.coverage,
                answer.evidence.grade
            );
        }
        println!("{:?}", started.elapsed());
    }
}
