use ebs_schema::{assert_published, problems};

use super::*;

fn report() -> Report {
    let counts = EbsCounts {
        read_ops: 1_000,
        read_bytes: 4_096_000,
        read_us: 1_500_000,
        volume_iops_exceeded_us: 250_000,
        ..EbsCounts::default()
    };
    let fidelity = Fidelity {
        replies: 1_000,
        late_pct: 0.25,
        late_mean_us: 7.24,
        late_p99_us: 31.2,
        late_max_us: 891.0,
        allowed_mean_us: 50.0,
        allowed_p99_us: 500.0,
        busy_pct: 5.4,
    };
    Report {
        volume: "gp2 20 GiB, 100 IOPS".to_owned(),
        seconds: 2.5,
        counts,
        queue: 3,
        credits_pct: Credits::new([Some(0.3), None, None, None]),
        fidelity,
        overhead_us: 44.0,
        path_us: Some(80.4),
        kept_up: true,
        fault: None,
    }
}

#[test]
fn the_text_has_requests_limits_and_fidelity() {
    let expected = "\
gp2 20 GiB, 100 IOPS
2.5 s since the last reset, 3 requests waiting now
         operations       1/s       MiB     MiB/s   mean ms
reads          1000     400.0       3.9      1.56     1.500
writes            0       0.0       0.0      0.00         -
over volume IOPS                250000 µs,  10.0 % of the time, credits 30.00 %
over volume throughput               0 µs,   0.0 % of the time
over instance IOPS                   0 µs,   0.0 % of the time
over instance throughput             0 µs,   0.0 % of the time
answers late by 7.2 µs on average, 31 µs at p99, 891 µs at most; 0.25 % by more than 50 µs; busy 5 %
the way there and back took 80 µs, and 44 µs are allowed for
kept up: yes";
    assert_eq!(report().to_string(), expected);
    let fault = Report { fault: Some("mean lateness 60 µs is above 50 µs".to_owned()), path_us: None, ..report() };
    let text = fault.to_string();
    assert!(text.ends_with("busy 5 %\nkept up: no, mean lateness 60 µs is above 50 µs"), "{text}");
}

#[test]
fn json_has_the_names_and_the_order_that_scripts_read() {
    let expected = r#"{"volume":"gp2 20 GiB, 100 IOPS","seconds":2.5,"read_ops":1000,"write_ops":0,"read_bytes":4096000,\
"write_bytes":0,"read_us":1500000,"write_us":0,"volume_iops_exceeded_us":250000,"volume_throughput_exceeded_us":0,\
"instance_iops_exceeded_us":0,"instance_throughput_exceeded_us":0,"queue":3,"credits_pct":{"volume_iops":30.0,\
"volume_throughput":null,"instance_iops":null,"instance_throughput":null},"answers":1000,"late_pct":0.25,\
"late_mean_us":7.24,"late_p99_us":31.2,"late_max_us":891.0,"allowed_mean_us":50.0,"allowed_p99_us":500.0,"busy_pct":5.4,\
"overhead_us":44.0,"path_us":80.4,"kept_up":true,"fault":null}"#;
    assert_eq!(serde_json::to_string(&report()).unwrap(), expected.replace("\\\n", ""));
}

#[test]
fn documents_are_as_their_schema_says() {
    let schema = assert_published::<Report>("emulator", "Statistics of ebs-emulator stats --json");
    let fault = Report { kept_up: false, fault: Some("late".to_owned()), path_us: None, ..report() };
    for report in [report(), fault] {
        assert_eq!(problems(&schema, &serde_json::to_value(report).unwrap()), [""; 0]);
    }
}
