//! Totals of reports that cover half an hour or an hour, as Oracle's AWR gives them: "physical read IO requests",
//! "physical write IO requests", "redo writes", "physical read bytes", "physical write bytes" and "redo size" of the
//! section Instance Activity Stats, as totals or per second. The sum of the three requests is the customary measure of
//! a database's IOPS.

use super::members::Layout;
use super::{Calendar, ImportError, MonitoringData, Series, SeriesPoint};
use crate::format::arguments::{LABEL, PER_SECOND, REDO_APART, REPORTS};
use crate::format::{Format, Reader, Sign, SqlFunction};
#[cfg(any(test, feature = "made"))]
use crate::made::{self, Inputs, Made, Sample};
use ebs_base::input::WorkMeter;
use ebs_base::units::SECOND_US;
use ebs_samples::evidence::DeviceCounts;

/// Format of its files.
pub const FORMAT: Format = Format {
    name: "awr",
    kind: "totals of hours, such as Oracle's AWR",
    command: "",
    page: "docs/importing.md",
    shape: "Reports are a JSON array of objects {\"begin\", \"end\", \"read_requests\", \"write_requests\", \"read_bytes\", \
            \"write_bytes\", \"redo_writes\", \"redo_bytes\"}; the two of redo may be left out.",
    signs: &[Sign::Keys(&["read_requests", "write_requests"])],
    reader: Reader::Totals,
    sql: Some(SqlFunction {
        name: "ebs_import_awr",
        arguments: &[&LABEL, &REPORTS, &PER_SECOND, &REDO_APART],
        document: &REPORTS,
        comment: "Creates a run from totals of half hours or hours, such as Oracle's AWR, and returns their number (docs/importing.md).",
        example: "SELECT ebs_import_awr('ora', pg_read_file('/tmp/awr.json')::jsonb)",
    }),
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[Sample::text(
            r#"[{"begin": "2026-11-20 10:00", "end": "2026-11-20 10:30", "read_requests": 3610.28, "write_requests": 757.11, "read_bytes": 29575413, "write_bytes": 6202245}]"#,
        )],
        made: &[Made { what: "hours", make: |bytes| made::awr(bytes / 170) }],
    },
};

/// One report.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Beginning, microseconds since 1970; `None` where it is missing.
    pub began_us: Option<i64>,
    /// End.
    pub ended_us: Option<i64>,
    /// Figures in the order of [`FIELDS`]; `None` where missing.
    pub figures: [Option<f64>; 6],
}

/// Names of the figures, in the order of [`Totals::figures`].
pub const FIELDS: [&str; 6] =
    ["read_requests", "write_requests", "read_bytes", "write_bytes", "redo_writes", "redo_bytes"];
/// Members of a report.
pub const LAYOUT: Layout<2, { FIELDS.len() }> = Layout { object: "report", times: ["begin", "end"], counts: FIELDS };
/// Number of the figures that every report must have.
const REQUIRED: usize = 4;

/// Name of the device of data, and of redo where it is kept apart.
pub const DEVICES: (&str, &str) = ("data", "redo");

/// Limitation of such reports.
const ORACLE: &str = "what PostgreSQL would ask for: these are the requests of another database, with another cache and \
                      other log writes";
const NO_DATA: &str = "requests of data: the reports have none, and WAL alone is sized";
const NO_REDO: &str = "redo: the reports do not have it";

/// Reads an array of reports. `pause` is called between pieces of the work.
pub fn read(text: &str, calendar: &Calendar, pause: &dyn Fn()) -> Result<Vec<Totals>, ImportError> {
    let mut totals = Vec::new();
    let keep = |[began_us, ended_us]: [Option<i64>; 2], figures| totals.push(Totals { began_us, ended_us, figures });
    LAYOUT.read_text(text, ("array of reports", calendar), pause, keep)?;
    Ok(totals)
}

/// The series of the reports, redo added to the writes or, with `redo_apart`, as a device of its own, beside which that of data is empty where
/// the reports have no requests of it. `pause` is called between pieces of the work.
pub fn awr(
    reports: &[Totals],
    per_second: bool,
    redo_apart: bool,
    pause: &dyn Fn(),
) -> Result<MonitoringData, ImportError> {
    if reports.is_empty() {
        return Err(ImportError::Foreign("reports"));
    }
    let meter = WorkMeter::new(pause);
    let mut data = Vec::with_capacity(reports.len());
    let mut redo = Vec::with_capacity(reports.len());
    let mut without_redo = false;
    for (number, report) in (1..).zip(reports) {
        meter.step();
        let (began_us, ended_us) = times(number, report)?;
        let scale = if per_second { (ended_us - began_us) as f64 / SECOND_US as f64 } else { 1.0 };
        let counts = counts(number, report, scale)?;
        without_redo |= report.figures[REQUIRED].is_none();
        data.push(SeriesPoint { began_us, ended_us, counts: counts.0 });
        redo.push(SeriesPoint { began_us, ended_us, counts: counts.1 });
    }
    if redo_apart && without_redo {
        return Err(ImportError::Argument("redo cannot be kept apart: not every report has it".to_owned()));
    }
    if !redo_apart {
        for (data, redo) in data.iter_mut().zip(&redo) {
            data.counts.writes += redo.counts.writes;
            data.counts.write_bytes += redo.counts.write_bytes;
        }
        redo.clear();
    }
    let series = [(DEVICES.0, data), (DEVICES.1, redo)].map(|(device, mut points)| {
        points.sort_by_key(|point| point.began_us);
        Series { device: device.to_owned(), points, ..Series::default() }
    });
    overlap(&series[0])?;
    let [mut data, redo] = series;
    let is_idle = |series: &Series| series.points.iter().all(|point| point.counts.reads + point.counts.writes == 0);
    let redo_alone = redo_apart && is_idle(&data) && !is_idle(&redo);
    if redo_alone {
        data.points.clear();
    }
    let limitations = [Some(ORACLE), without_redo.then_some(NO_REDO), redo_alone.then_some(NO_DATA)];
    let limitations = limitations.into_iter().flatten().map(str::to_owned).collect();
    let series = std::iter::once(data).chain(Some(redo).filter(|redo| !redo.points.is_empty())).collect();
    Ok(MonitoringData { source: "AWR", series, limitations })
}

fn refuse(number: usize, problem: &str) -> ImportError {
    ImportError::Malformed { at: format!("report {number}"), problem: problem.to_owned() }
}

fn times(number: usize, report: &Totals) -> Result<(i64, i64), ImportError> {
    match (report.began_us, report.ended_us) {
        (Some(began_us), Some(ended_us)) if ended_us > began_us => Ok((began_us, ended_us)),
        (Some(_), Some(_)) => Err(refuse(number, "\"end\" is not later than \"begin\"")),
        (None, _) => Err(refuse(number, "no \"begin\" between the years 1970 and 9999")),
        (_, None) => Err(refuse(number, "no \"end\" between the years 1970 and 9999")),
    }
}

/// Counts of data and of redo.
fn counts(number: usize, report: &Totals, scale: f64) -> Result<(DeviceCounts, DeviceCounts), ImportError> {
    let mut whole = [0u64; FIELDS.len()];
    for (index, (value, field)) in report.figures.iter().zip(FIELDS).enumerate() {
        whole[index] = match value.map(|value| value * scale) {
            Some(count) if (0.0..super::MAX_COUNT).contains(&count) => count.round() as u64,
            None if index >= REQUIRED => 0,
            _ => return Err(refuse(number, &format!("no \"{field}\" that is a number from 0 to 1e15"))),
        };
    }
    if report.figures[REQUIRED].is_some() != report.figures[REQUIRED + 1].is_some() {
        return Err(refuse(number, "redo_writes and redo_bytes belong together"));
    }
    let [reads, writes, read_bytes, write_bytes, redo_writes, redo_bytes] = whole;
    let data = DeviceCounts { reads, writes, read_bytes, write_bytes, ..DeviceCounts::default() };
    Ok((data, DeviceCounts { writes: redo_writes, write_bytes: redo_bytes, ..DeviceCounts::default() }))
}

/// Reports of several instances of a cluster have the same hours: what they did together is their sum.
fn overlap(series: &Series) -> Result<(), ImportError> {
    let overlapping = series.points.windows(2).find(|pair| pair[1].began_us < pair[0].ended_us);
    match overlapping {
        Some(_) => Err(ImportError::Malformed {
            at: "reports".to_owned(),
            problem: "two of them overlap (those of several instances must be added up first)".to_owned(),
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_samples::evidence::{CounterDelta, Role, Volume};

    fn report(hour: i64, reads: f64, redo: Option<f64>) -> Totals {
        let figures =
            [Some(reads), Some(100.0), Some(reads * 8_192.0), Some(819_200.0), redo, redo.map(|writes| writes * 512.0)];
        let at = |hour: i64| Some(hour * 3_600_000_000);
        Totals { began_us: at(hour), ended_us: at(hour + 1), figures }
    }

    #[test]
    fn redo_is_added_to_writes_or_kept_apart() {
        let reports = [report(1, 3_600.0, Some(50.0)), report(0, 7_200.0, Some(50.0))];
        let together = awr(&reports, false, false, &|| ()).unwrap();
        assert_eq!((together.series.len(), together.limitations.len()), (1, 1));
        let first = together.series[0].points[0];
        assert_eq!((first.began_us, first.counts.reads, first.counts.writes), (0, 7_200, 150));
        assert_eq!(first.counts.write_bytes, 819_200 + 25_600);
        let apart = awr(&reports, false, true, &|| ()).unwrap();
        assert_eq!(apart.series.iter().map(|s| s.device.as_str()).collect::<Vec<_>>(), ["data", "redo"]);
        assert_eq!((apart.series[0].points[0].counts.writes, apart.series[1].points[0].counts.writes), (100, 50));
    }

    /// Reports of redo alone have no requests of data: WAL is the only volume, and no other one is made up beside it.
    #[test]
    fn redo_alone_is_the_only_volume() {
        let redo_alone = |hour, writes| Totals {
            figures: [Some(0.0), Some(0.0), Some(0.0), Some(0.0), Some(writes), Some(writes * 512.0)],
            ..report(hour, 0.0, None)
        };
        let volumes = |reports: &[Totals], apart| {
            let imported = awr(reports, false, apart, &|| ()).unwrap();
            let limitations = imported.limitations.len();
            let (data, wal) = imported.select(Some("data"), apart.then_some("redo")).unwrap();
            let block = super::super::block(&data, wal.as_ref(), &|| ()).unwrap();
            let roles = |volume: &Volume| (volume.device.clone(), volume.roles.clone());
            (block.layout.volumes.iter().map(roles).collect::<Vec<_>>(), block.samples, limitations)
        };
        let (alone, samples, limitations) = volumes(&[redo_alone(0, 36_000.0), redo_alone(1, 7_200.0)], true);
        assert_eq!((alone, samples.len(), limitations), (vec![("redo".to_owned(), vec![Role::Wal])], 2, 2));
        let CounterDelta::Known(counts) = samples[0].devices[0].1 else { panic!("{samples:?}") };
        assert_eq!((samples[0].devices.len(), counts.reads, counts.writes), (1, 0, 36_000));
        // Together they are on the volume of data, too, which one report with its requests makes known.
        let together = vec![("data".to_owned(), vec![Role::Data, Role::Wal])];
        assert_eq!(volumes(&[redo_alone(0, 36_000.0)], false).0, together);
        assert_eq!(volumes(&[redo_alone(0, 36_000.0), report(1, 10.0, Some(1.0))], true).0.len(), 2);
        // Reports without any request are no WAL.
        assert_eq!(volumes(&[redo_alone(0, 0.0)], true).0.len(), 2);
        let overlapping = awr(&[redo_alone(0, 1.0), redo_alone(0, 1.0)], false, true, &|| ()).unwrap_err().to_string();
        assert!(overlapping.starts_with("reports: two of them overlap"), "{overlapping}");
    }

    #[test]
    fn rates_are_of_the_length_of_the_report() {
        let made = awr(&[report(0, 10.0, None)], true, false, &|| ()).unwrap();
        assert_eq!((made.series[0].points[0].counts.reads, made.limitations.len()), (36_000, 2));
        assert!(!made.series[0].timed);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_report() {
        let refused = |reports: &[Totals], apart| awr(reports, false, apart, &|| ()).unwrap_err().to_string();
        let good = report(0, 1.0, None);
        assert_eq!(refused(&[], false), "no reports found");
        assert!(refused(&[good], true).starts_with("redo cannot be kept apart"));
        assert!(refused(&[good, good], false).starts_with("reports: two of them overlap"));
        assert_eq!(
            refused(&[good, Totals::default()], false),
            "report 2: no \"begin\" between the years 1970 and 9999"
        );
        let backwards = Totals { ended_us: Some(0), ..good };
        assert_eq!(refused(&[backwards], false), "report 1: \"end\" is not later than \"begin\"");
        let none = Totals { figures: [None; 6], ..good };
        assert_eq!(refused(&[none], false), "report 1: no \"read_requests\" that is a number from 0 to 1e15");
        let half = report(0, 1.0, Some(1.0));
        let half = Totals {
            figures: [half.figures[0], half.figures[1], half.figures[2], half.figures[3], Some(1.0), None],
            ..half
        };
        assert_eq!(refused(&[half], false), "report 1: redo_writes and redo_bytes belong together");
    }
}
