use super::*;
use crate::drivers::samples;

#[test]
fn the_result_of_a_job() {
    let figures = jobs(samples::JOB, None).unwrap().figures;
    assert_eq!((figures.nopm, figures.tpm, figures.clients), (Some(20_753.0), Some(48_102.0), Some(3)));
}

/// 6.1 puts fields of the system beside the result, and in an object of their own.
#[test]
fn fields_of_the_system_change_no_figure() {
    let fields = r#""tpm": "48102", "hostname": "db1", "cpumodel": "Graviton4", "cpucount": "8", "storage": "gp3 1 TB",
        "system": {"os_name": "Debian 13", "nic": "ena", "extra": {"tpm": "1"}}"#;
    let text = samples::JOB.replace(r#""tpm": "48102""#, fields);
    assert_eq!(jobs(&text, None).unwrap(), jobs(samples::JOB, None).unwrap());
}

#[test]
fn the_result_as_lines_and_of_tproc_h() {
    let lines = r#"["674F", "2026-11-21 08:53:48", "3 Active Virtual Users configured",
        "TEST RESULT : System achieved 20753 NOPM from 48102 PostgreSQL TPM"]"#;
    assert_eq!(jobs(lines, None).unwrap().figures, jobs(samples::JOB, None).unwrap().figures);
    let id = |text| jobs(text, None).unwrap().job.map(|job| job.id);
    assert_eq!((id(lines).as_deref(), id(samples::JOB).as_deref()), (Some("674F"), Some("674F1B0C5B1603E203130303")));
    let queries = r#"{"674F": {"db": "PostgreSQL", "bm": "TPC-H", "output": ["Vuser 1:query 14 completed in 0.818 seconds",
        "Vuser 1:Completed 1 query set(s) in 19 seconds",
        "Vuser 1:Geometric mean of query times returning rows (22) is 0.58761"]}}"#;
    let report = jobs(queries, None).unwrap();
    assert_eq!((report.queries.len(), report.query_sets[0].geometric_mean_s), (1, Some(0.58761)));
}

#[test]
fn a_timing_belongs_to_the_result_beside_it() {
    let timing = r#"{"NEWORD": {"elapsed_ms": "120001.5", "calls": "41511", "min_ms": "0.8", "avg_ms": "2.1", "max_ms": "90.2",
        "p99_ms": "7.5", "p95_ms": "4.4", "p50_ms": "1.9", "sd": "1.1", "ratio_pct": "48.2"}}"#;
    let report = jobs(&format!("{}{timing}", samples::JOB), None).unwrap();
    assert_eq!(report.figures.nopm, Some(20_753.0));
    let [procedure] = &report.procedures[..] else { panic!("{:?}", report.procedures) };
    assert_eq!((procedure.name.as_str(), procedure.calls, procedure.mean_ms), ("NEWORD", None, Some(2.1)));
    assert_eq!(procedure.percentiles[2], Percentile { percent: 99.0, ms: 7.5 });
}

#[test]
fn timings_of_two_jobs_are_not_told_apart() {
    let timing = r#"{"NEWORD": {"avg_ms": "2.1"}}"#;
    let with = |others: &str| jobs(&format!("{}{timing}{others}", samples::JOB), Some("674F1B0C5B1603E203130303"));
    assert_eq!(with(&timing.replace("2.1", "9.1")), Err(DriverError::SeveralTimings));
    assert_eq!(with(timing), with(""));
}

#[test]
fn prompts_stand_between_documents() {
    let timing = r#"{"NEWORD": {"avg_ms": "2.1"}}"#;
    let expected = jobs(&format!("{}{timing}", samples::JOB), None).unwrap();
    assert_eq!(expected.procedures.len(), 1);
    let job = samples::JOB.trim_start_matches("hammerdb>");
    for (before, between) in
        [("hammerdb>jobs 674F result\n", "\nhammerdb>jobs 674F timing\n"), ("hammerdb>", "\nhammerdb>")]
    {
        let session = format!("{before}{job}{between}{timing}\n\nhammerdb>");
        assert_eq!(jobs(&session, None).unwrap(), expected, "{session}");
    }
    let broken = jobs(&format!("{job}\nhammerdb>\n{{\"a\" 1}}"), None);
    assert!(matches!(broken, Err(DriverError::Json { line, .. }) if line == job.lines().count() + 3), "{broken:?}");
}

#[test]
fn of_several_jobs_one_is_named() {
    let two = samples::JOB.replace("  }\n}", "  },\n  \"B\": {\"nopm\": \"1\", \"tpm\": \"2\"}\n}");
    let several = jobs(&two, None).unwrap_err();
    assert_eq!(several.hint(), "Name one with --job: 674F1B0C5B1603E203130303, B.");
    let second = jobs(&two, Some("B")).unwrap();
    assert_eq!((second.figures.nopm, second.job.unwrap().id.as_str()), (Some(1.0), "B"));
    assert_eq!(jobs(&two, Some("C")).unwrap_err(), DriverError::NoSuchJob("C".to_owned()));
}

#[test]
fn what_is_refused() {
    let cut = &samples::JOB[..samples::JOB.len() - 6];
    assert_eq!(jobs(cut, None), Err(DriverError::Truncated { line: 8, expected: "the end of its document" }));
    let broken = samples::JOB.replace("\"bm\":", "\"bm\"");
    assert!(matches!(jobs(&broken, None), Err(DriverError::Json { line: 4, .. })), "{:?}", jobs(&broken, None));
    for foreign in ["", "hello", "{}", "[]", r#"{"fio version": "fio-3.33", "jobs": []}"#, r#"{"A": {"b": 1}}"#] {
        assert_eq!(jobs(foreign, None), Err(DriverError::Foreign(WHAT)), "{foreign}");
    }
}
