//! Rows of `ebsctl fleet`, as JSON lines. Accepted rows come back unchanged, and every output of them keeps its form.

use ebs_fleet_report::{
    ChangeFormat, ChangeOptions, PageOptions, Row, TableOptions, changes, merge, read_rows, render_page, render_table,
    write_csv, write_json,
};

/// Lines of rows.
pub fn fleet_rows(data: &[u8]) {
    let rows: Vec<Row> = match read_rows(data).collect() {
        Ok(rows) => rows,
        Err(error) => return drop(error.to_string()),
    };
    let mut lines = Vec::new();
    write_json(&rows, &mut lines).expect("rows can be written");
    let again: Vec<Row> = read_rows(lines.as_slice()).collect::<Result<_, _>>().expect("written rows can be read");
    assert_eq!(again, rows);
    let merged = merge(rows);
    check_outputs(&merged.rows);
}

fn check_outputs(rows: &[Row]) {
    let table = render_table(rows, &TableOptions::default());
    assert!(table.chars().all(|letter| letter == '\n' || !letter.is_control()), "a name moves the cursor");
    let page = render_page(rows, &PageOptions::new(Default::default()));
    assert_eq!(page.matches("</script").count(), 2, "a name ends a script");
    let mut csv = Vec::new();
    write_csv(rows, &mut csv).expect("rows can be written");
    for format in [ChangeFormat::Cli, ChangeFormat::Terraform, ChangeFormat::Vac] {
        let text = changes(rows, format, &ChangeOptions::default());
        assert!(text.chars().all(|letter| letter == '\n' || !letter.is_control()), "a name ends a comment");
    }
}

/// Lines of two rows, and one of a newer version.
pub fn seeds() -> Vec<Vec<u8>> {
    let full = r#"{"volume":"vol-0a","platform":"ec2","name":"data","claim":"db/data-0","owner":"dba","account":"1","region":"eu-west-1",
        "zone":"eu-west-1b","instance":"i-0a","tags":{"team":"a"},"evidence":{"source":"node_exporter","to":"2026-11-26T00:00:00Z",
        "coverage_pct":99.5,"interval_s":60.0,"grade":"scrapes","resets":0,"gaps":1},"demand":{"iops_p50":9.0,"iops_p99":31.5,
        "iops_max":47.0,"iops_over_time":[8.0,null]},"present":{"volume_type":"io1","volumes":1,"size_gib":500,"iops":10000,
        "throughput_mibps":500,"usd_month":719.0},"recommended":{"volume_type":"gp3","volumes":1,"size_gib":600,"iops":5000,
        "throughput_mibps":250,"usd_month":55.0},"action":"modify","usd_month_saved":664.0,"risk":"low","confidence":"high",
        "limit_pct":0.5,"space":{"used_gib":300.0,"size_gib":491.0},"reason":{"code":"cheaper","text":"it suffices"},
        "findings":[{"code":"idle","text":"no requests"}],"unknown":[]}"#;
    let full: String = full.lines().map(str::trim).collect();
    let rds = full.replace("vol-0a", "billing").replace("\"ec2\"", "\"rds\"");
    let texts = [
        format!("{full}\n{rds}\n"),
        "{\"volume\":\"vol-1\",\"of_a_newer_version\":1}\n\n{\"volume\":\"vol-1\"}".to_owned(),
    ];
    texts.map(String::into_bytes).into()
}
