//! Inputs of ten times every bound, on a small stack: each parser refuses them with an error that names the bound.

use ebs_advisor_fuzz::conninfo::Texts;
use ebs_advisor_fuzz::monitoring::OPTIONS;
use ebs_advisor_fuzz::prometheus::{LIMITS, chunk, field, frame, label, packed};
use ebs_advisor_fuzz::{answers, fleet, made, stack};
use ebs_aws::catalogue::{Part, Platform, VolumeType, instance, prices};
use ebs_aws::offer::{MAX_PRICES, read_document};
use ebs_base::input;
use ebs_base::units::Usd;
use ebs_comparison::export::{self, MAX_DECLARED, MAX_NOTE, MAX_ROWS, MAX_RUNS};
use ebs_fleet_row::answers::{MAX_ANSWER_BYTES, MAX_ANSWERS, read as read_answers};
use ebs_imports::configuration::{self, MAX_OBJECTS};
use ebs_imports::drivers::fio::{self, MAX_BINS, MAX_JOBS, MAX_PERCENTILES};
use ebs_imports::format::{DemandReader, Reader};
use ebs_imports::formats::{find, formats, read_demand};
use ebs_imports::monitoring::{
    self, Calendar, ErrorClass, MAX_COLUMNS, MAX_DEVICE_NAME, MAX_DEVICES, MAX_LINE, MAX_TABLES, rds_os, rds_waits,
};
use ebs_prometheus::{
    Collector, ReadError, Selector, read_label_sets, read_lines, read_matrix, read_samples, read_streamed,
};
use ebs_remote::conninfo::{MAX_FILE_BYTES, MAX_HOSTS, MAX_STRING_BYTES, resolve};
use ebs_remote::plans::document::{MAX_BYTES, MAX_NODES};
use ebs_remote::plans::{MAX_TEXT, MAX_TOKENS, PlanReader};
use ebs_remote::sample::Reading;
use ebs_remote::sessions::{MAX_EVENTS, MAX_PROCESSES, SessionWaits};
use ebs_report::terminal::Metric;
use serde_json::{Value, json};

/// Factor by which each input exceeds its bound.
const FACTOR: usize = 10;

/// Error of the reader of demand in this format.
fn report_error(name: &str, text: &str) -> String {
    let format = find(name).expect("a format");
    let error = stack::small(|| read_demand(format, text, &OPTIONS, &|| ()).expect_err("it is beyond a bound"));
    assert_eq!(error.class(), ErrorClass::Limit, "{error}");
    assert!(error.hint().is_some());
    error.to_string()
}

#[test]
fn devices_of_a_report() {
    let devices = FACTOR * MAX_DEVICES;
    let beyond = format!("more than {MAX_DEVICES} devices in a report");
    for (name, text) in [
        ("iostat", made::iostat(1, devices)),
        ("iostat", made::iostat_json(1, devices)),
        ("sar", made::sar(1, devices)),
        ("sar", made::sadf(1, devices)),
    ] {
        let message = report_error(name, &text);
        assert!(message.ends_with(&beyond), "{message}");
    }
    // Another device in each report.
    let changing: String = (0..devices).map(|i| format!("Device r/s w/s rkB/s wkB/s\nsd{i} 1 1 1 1\n\n")).collect();
    assert!(report_error("iostat", &changing).ends_with(&format!("more than {MAX_DEVICES} devices in all reports")));
    assert!(monitoring::iostat(&made::iostat(3, MAX_DEVICES), &OPTIONS, &|| ()).is_ok());
}

#[test]
fn lines_columns_tables_and_names_of_a_report() {
    let line = "1 ".repeat(FACTOR * MAX_LINE / 2);
    let texts = formats().filter(|format| matches!(format.reader, Reader::Demand(DemandReader::Text(_))));
    let lines = texts.map(|format| (format.name, line.clone()));
    for (name, text) in lines.chain([("sar", format!("# h;i;t;DEV;tps\nh;1;1;{line}"))]) {
        let message = report_error(name, &text);
        assert!(message.ends_with(&format!("more than {MAX_LINE} bytes")), "{message}");
    }
    let columns = "r/s ".repeat(FACTOR * MAX_COLUMNS);
    let message = report_error("iostat", &format!("Device {columns}\n"));
    assert_eq!(message, format!("line 1: more than {MAX_COLUMNS} columns"));
    let tables: String = (0..FACTOR * MAX_TABLES).map(|i| format!("Device r/s c{i}\nsda 1 1\n")).collect();
    assert!(report_error("iostat", &tables).ends_with(&format!("more than {MAX_TABLES} tables in a report")));
    let name = "d".repeat(FACTOR * MAX_DEVICE_NAME);
    let message = report_error("iostat", &format!("Device r/s w/s rkB/s wkB/s\n{name} 1 1 1 1\n"));
    assert_eq!(message, format!("line 2: more than {MAX_DEVICE_NAME} bytes in the name of a device"));
}

#[test]
fn clusters_and_labels_of_aurora() {
    let read_error = |answer: &Value| {
        let error = stack::small(|| monitoring::aurora(answer, None, &|| ()).expect_err("beyond a bound"));
        assert_eq!(error.class(), ErrorClass::Limit, "{error}");
        error.to_string()
    };
    let clusters = serde_json::from_str(&made::aurora(FACTOR * MAX_DEVICES, 2)).expect("JSON");
    assert!(read_error(&clusters).ends_with("more than 1000 clusters"));
    let id = json!({ "MetricDataResults": [{ "Id": "v".repeat(10 * 1_024), "Timestamps": [], "Values": [] }] });
    assert!(read_error(&id).ends_with("characters in a label or an id"));
}

#[test]
fn objects_and_tags_of_a_configuration() {
    let refused =
        |text: &str| stack::small(|| configuration::read(text, &|| ()).expect_err("beyond a bound").to_string());
    let objects = made::configuration(FACTOR * MAX_OBJECTS);
    assert_eq!(refused(&objects), format!("the configuration has more than {MAX_OBJECTS} objects"));
    let tags = r#"{"Key":"a"},"#.repeat(FACTOR * 200);
    let tagged = format!(r#"{{"Volumes":[{{"VolumeId":"v","Tags":[{tags}{{}}]}}]}}"#);
    assert_eq!(refused(&tagged), "\"Tags\" of volume \"v\" has more than 200 tags");
    let long = format!(r#"{{"Volumes":[{{"VolumeId":"{}"}}]}}"#, "v".repeat(FACTOR * 1_024));
    assert_eq!(refused(&long), "\"VolumeId\" of element 1 of \"Volumes\" has more than 1024 characters");
}

#[test]
fn bytes_of_an_event_of_enhanced_monitoring() {
    let long = "x".repeat(FACTOR * rds_os::MAX_EVENT_BYTES);
    let message = format!(r#"{{"instanceID":"x","{long}":1}}"#);
    let escaped = format!(r#"{{"events":[{{"timestamp":1,"message":"{long}"}}]}}"#);
    let spaces = format!(r#"{{"events":[{}"#, " ".repeat(long.len()));
    for text in [message, escaped, spaces] {
        let error = stack::small(|| {
            let mut collector = rds_os::Collector::new(rds_os::Selection::default());
            collector.read(text.as_bytes(), &|| ()).expect_err("beyond a bound").to_string()
        });
        assert!(error.ends_with(&format!("more than {} bytes in an event", rds_os::MAX_EVENT_BYTES)), "{error}");
    }
}

#[test]
fn wait_events_of_performance_insights() {
    let refused = |text: &str| {
        let error = stack::small(|| rds_waits::read(text, Some(1), &|| ()).expect_err("beyond a bound"));
        (error.class(), error.to_string())
    };
    let (class, message) = refused(&made::rds_waits(FACTOR * rds_waits::MAX_WAIT_EVENTS, 2));
    assert_eq!(class, ErrorClass::Limit, "{message}");
    assert!(message.ends_with(&format!("more than {} wait events", rds_waits::MAX_WAIT_EVENTS)), "{message}");
    let long = made::rds_waits(1, 2).replace("IO:E0", &"E".repeat(FACTOR * 63));
    assert_eq!(refused(&long).1, "page 1: a wait event has no name of 1 to 63 printable characters");
}

/// Processes beyond the bound are left out, and events beyond theirs counted together: the rest of the answer counts.
#[test]
fn nodes_columns_and_bytes_of_a_plan() {
    let error = |text: &str| {
        let read = stack::small(|| PlanReader::new().read(text));
        read.expect_err("it is beyond a bound").to_string()
    };
    let nodes = format!("too wide to be analysed: its plan has more than {MAX_NODES} nodes");
    assert_eq!(error(&answers::plan(FACTOR * MAX_NODES, 0)), nodes);
    assert_eq!(error(&answers::nested_plan(FACTOR * MAX_NODES)), nodes);
    let bytes = format!("too wide to be analysed: the document has more than {} MiB", MAX_BYTES >> 20);
    assert_eq!(error(&" ".repeat(FACTOR * MAX_BYTES)), bytes);
    let text = format!("too wide to be analysed: an expression has more than {} KiB", MAX_TEXT >> 10);
    assert_eq!(error(&answers::plan(1, MAX_TEXT)), text);
    let tokens = format!("too wide to be analysed: its expressions have more than {MAX_TOKENS} words and signs");
    assert_eq!(error(&answers::plan(100, 3_000)), tokens);
    assert!(PlanReader::new().read(&answers::plan(MAX_NODES - 1, 4)).is_ok());
}

#[test]
fn processes_and_events_of_a_watched_server() {
    let totals = |text: &str| {
        stack::small(|| {
            let mut waits = SessionWaits::new();
            let reading = Reading::parse(text).expect("a reading");
            assert!(reading.sweeps.iter().all(|sweep| waits.add(sweep, 100_000)));
            waits.drain(1_000_000_000)
        })
    };
    let many = totals(&answers::sweeps(1, FACTOR * MAX_PROCESSES, (10, 0)));
    assert_eq!(many.rows.values().sum::<u64>(), MAX_PROCESSES as u64 * 100_000);
    let (sweeps, events) = (5, FACTOR * MAX_EVENTS as usize);
    let many = totals(&answers::sweeps(sweeps, MAX_PROCESSES, (events, MAX_PROCESSES)));
    assert!(many.rows.len() <= MAX_EVENTS as usize, "{}", many.rows.len());
    assert_eq!(many.rows.values().sum::<u64>(), (sweeps * MAX_PROCESSES) as u64 * 100_000);
}

#[test]
fn volumes_and_labels_of_cloudwatch() {
    let read_error = |answer: &Value| {
        let error = stack::small(|| monitoring::cloudwatch(answer, None, &|| ()).expect_err("beyond a bound"));
        assert_eq!(error.class(), ErrorClass::Limit, "{error}");
        error.to_string()
    };
    let volumes = serde_json::from_str(&made::cloudwatch(FACTOR * MAX_DEVICES, 2)).expect("JSON");
    assert!(read_error(&volumes).ends_with("more than 1000 volumes or instances"));
    let label = json!({ "MetricDataResults": [{ "Label": "v ".repeat(10 * 1_024), "Timestamps": [], "Values": [] }] });
    assert!(read_error(&label).ends_with("characters in a label or an id"));
}

#[test]
fn jobs_percentiles_and_bins_of_fio() {
    let read_error = |text: &str| stack::small(|| fio::read(text, &|| ()).expect_err("beyond a bound").to_string());
    assert_eq!(
        read_error(&made::fio(FACTOR * MAX_JOBS, false, 0, 0)),
        format!("fio's document has more than {MAX_JOBS} jobs")
    );
    for copies in [1, 2] {
        let percentiles = made::fio(copies, true, FACTOR * MAX_PERCENTILES, 10);
        assert_eq!(read_error(&percentiles), format!("job 1: there are more than {MAX_PERCENTILES} percentiles"));
        let bins = made::fio(copies, true, 3, FACTOR * MAX_BINS);
        assert_eq!(read_error(&bins), format!("job 1: there are more than {MAX_BINS} bins of latencies"));
    }
}

type ReadSeries = fn(&mut &[u8], &mut Collector) -> Result<(), ReadError>;

/// Error of a reader of series with [`LIMITS`].
fn series_error(answer: &[u8], read: ReadSeries) -> String {
    let error =
        stack::small(|| read(&mut &*answer, &mut Collector::new(0, i64::MAX, LIMITS)).expect_err("beyond a bound"));
    assert!(matches!(error, ReadError::TooLarge { .. }), "{error}");
    error.to_string()
}

/// Both forms of remote read, lines, instant queries.
const READERS: [ReadSeries; 4] = [
    |input, collector| read_streamed(input, collector),
    |input, collector| read_samples(input, collector),
    |input, collector| read_lines(input, collector),
    |input, collector| read_matrix(input, collector),
];

#[test]
fn samples_and_series_of_an_answer() {
    let [streamed, samples, lines, matrix] = READERS;
    // A chunk has three samples, and a line no more than its bytes.
    let many = FACTOR * LIMITS.samples;
    let chunks = [fleet::streamed(1, 1_000), fleet::streamed(1, 1_000)].concat().repeat(many / 6_000);
    for (answer, read) in [
        (chunks, streamed),
        (fleet::samples(10, many / 10), samples),
        ((fleet::export(1, 1_000) + "\n").repeat(many / 1_000).into_bytes(), lines),
        (fleet::matrix(1, many).into_bytes(), matrix),
    ] {
        let message = series_error(&answer, read);
        assert!(
            message.starts_with(&format!("more than {}", LIMITS.samples)) || message.contains("bytes in an answer"),
            "{message}"
        );
    }
    let many = FACTOR * LIMITS.series;
    for (answer, read) in [
        (fleet::streamed(many, 1), streamed),
        (fleet::samples(many, 1), samples),
        (fleet::export(many, 1).into_bytes(), lines),
        (fleet::matrix(many, 1).into_bytes(), matrix),
    ] {
        assert_eq!(series_error(&answer, read), format!("more than {} series", LIMITS.series));
    }
    let sets = fleet::label_sets(many);
    let error = stack::small(|| read_label_sets(&mut sets.as_bytes(), &LIMITS).expect_err("beyond a bound"));
    assert_eq!(error.to_string(), format!("more than {} series", LIMITS.series));
}

#[test]
fn labels_of_a_series() {
    let names = |count: usize| (0..count).map(|number| format!("l{number}")).collect::<Vec<_>>();
    let (many, long) = (names(FACTOR * LIMITS.labels), "x".repeat(FACTOR * LIMITS.label_bytes));
    let one = vec!["a".to_owned()];
    for (names, value, message) in [
        (many, "", format!("more than {} labels of a series", LIMITS.labels)),
        (one, &long, format!("more than {} bytes of labels of a series", LIMITS.label_bytes)),
    ] {
        let wire: Vec<u8> = names.iter().flat_map(|name| label(name, value)).collect();
        let json = names.iter().map(|name| format!(r#""{name}":"{value}""#)).collect::<Vec<_>>().join(",");
        let series = field(1, &[wire, chunk(1)].concat());
        let lines = format!(r#"{{"metric":{{{json}}},"values":[1],"timestamps":[1]}}"#);
        let matrix = format!(
            r#"{{"status":"success","data":{{"resultType":"matrix","result":[{{"metric":{{{json}}},"values":[[1,"1"]]}}]}}}}"#
        );
        let answers = [frame(&series), packed(&field(1, &series)), lines.into_bytes(), matrix.into_bytes()];
        for (answer, read) in answers.iter().zip(READERS) {
            assert_eq!(series_error(answer, read), message);
        }
    }
}

#[test]
fn bytes_of_an_answer_and_of_its_pieces() {
    let [streamed, samples, lines, matrix] = READERS;
    let (piece, answer) = (FACTOR * LIMITS.piece_bytes, FACTOR * LIMITS.answer_bytes);
    assert_eq!(
        series_error(&frame(&vec![0; piece]), streamed),
        format!("more than {} bytes in a frame", LIMITS.piece_bytes)
    );
    assert_eq!(series_error(&vec![b' '; piece], lines), format!("more than {} bytes in a line", LIMITS.piece_bytes));
    // Zeros are compressed to a fiftieth.
    let bound = format!("more than {} bytes in an answer", LIMITS.answer_bytes);
    assert_eq!(series_error(&packed(&vec![0; answer]), samples), bound);
    assert_eq!(series_error(&vec![0xFF; answer], samples), bound);
    // Warnings and texts of an answer that is read while it arrives.
    let texts = format!(r#"{{"status":"success","warnings":["{}"]}}"#, "w".repeat(answer));
    assert!(series_error(texts.as_bytes(), matrix).ends_with(" bytes in an answer"));
    // Fields without content take two bytes each, and as many labels, samples or series would take twenty times as much memory.
    let empty = field(2, &[]).repeat(LIMITS.piece_bytes / 4);
    let series = stack::small(|| {
        let mut collector = Collector::new(1, i64::MAX, LIMITS);
        read_samples(&mut &*packed(&field(1, &field(1, &empty))), &mut collector).map(|()| collector.finish())
    });
    assert_eq!(series.expect("samples outside the time"), []);
}

#[test]
fn bytes_of_a_selector() {
    let text = r#"a="b","#.repeat(FACTOR << 16);
    let error = stack::small(|| text.parse::<Selector>().expect_err("beyond a bound").to_string());
    assert_eq!(error, "more than 65536 bytes at character 1 of the selector");
}

#[test]
fn bytes_and_hosts_of_connection_parameters() {
    let error = |given: &str, file: Option<&str>| {
        stack::small(|| resolve(Some(given), &Texts(file)).expect_err("beyond a bound").to_string())
    };
    let long = "user=a ".repeat(FACTOR * MAX_STRING_BYTES / 7);
    assert_eq!(error(&long, None), format!("the connection string is longer than {MAX_STRING_BYTES} bytes"));
    let hosts = format!("host={}", ",".repeat(FACTOR * MAX_HOSTS));
    assert_eq!(error(&hosts, None), format!("more than {MAX_HOSTS} hosts in the connection parameters"));
    let file = "[a]\n".repeat(FACTOR * MAX_FILE_BYTES / 4);
    assert!(error("service=s", Some(&file)).ends_with(&format!("is longer than {MAX_FILE_BYTES} bytes")));
    // Passwords of such a file are not read.
    let settings = stack::small(|| resolve(Some("host=h"), &Texts(Some(&file))).expect("connection parameters"));
    assert!(settings.warnings[0].ends_with(&format!("is longer than {MAX_FILE_BYTES} bytes")));
}

#[test]
fn rows_of_a_fleet() {
    let error = |text: &str| stack::small(|| read_answers(text, &|| ()).expect_err("beyond a bound").to_string());
    let rows: String =
        (0..FACTOR * MAX_ANSWERS).map(|number| format!("{{\"volume\":\"v{number}\",\"action\":\"keep\"}}\n")).collect();
    assert_eq!(error(&rows), format!("there are more than {MAX_ANSWERS} answers"));
    let long = format!(r#"{{"volume":"v","action":"keep","more":"{}"}}"#, "x".repeat(FACTOR * MAX_ANSWER_BYTES));
    assert!(error(&long).ends_with(&format!("has more than {MAX_ANSWER_BYTES} bytes")), "{}", error(&long));
    let line = " ".repeat(FACTOR * (4 << 20));
    let row = stack::small(|| ebs_fleet_report::read_rows(line.as_bytes()).next().expect("a line"));
    assert_eq!(row.unwrap_err().to_string(), "line 1 is longer than 4 MiB, which no row of ebsctl fleet is");
}

#[test]
fn parts_of_a_run() {
    let read_error = |members: &str| {
        let text = made::run(members);
        stack::small(|| export::read_text(&text, &|| ()).expect_err("beyond a bound").to_string())
    };
    assert!(stack::small(|| export::read_text(&made::run(r#""note":{}"#), &|| ()).is_ok()));
    let long = "x".repeat(FACTOR * MAX_NOTE);
    for (members, key) in [
        (format!(r#""note":"{long}""#), "note"),
        (format!(r#""environment":{{"a":"{long}"}}"#), "environment"),
        (format!(r#""results":[{{"recorded_us":1,"details":"{long}"}}]"#), "details"),
    ] {
        assert_eq!(read_error(&members), format!("run 1: \"{key}\" has more than 1 MiB"));
    }
    let volume = r#"{"volume":"v","volume_type":"gp3","size_gib":1,"iops":3000,"throughput_mibps":125,"volumes":1,"declared_us":1}"#;
    let volumes = vec![volume; FACTOR * MAX_DECLARED].join(",");
    let message = read_error(&format!(r#""declared":{{"instance":null,"volumes":[{volumes}]}}"#));
    assert!(message.ends_with(&format!("more than {MAX_DECLARED} volumes are declared")), "{message}");
    let marks = vec![r#"{"phase":"a","marked_us":1}"#; FACTOR * MAX_ROWS].join(",");
    let message = read_error(&format!(r#""marks":[{marks}]"#));
    assert!(message.ends_with(&format!("\"marks\" has more than {} rows", MAX_ROWS + 2)), "{message}");
    assert!(read_error(&made::statements(2_000, 1)).ends_with("statements have more than 200 columns"));
    assert!(read_error(&made::statements(1, 2_000_000)).ends_with("more than 200000 statements"));
    let runs = vec!["{}"; FACTOR * MAX_RUNS].join(",");
    let text = format!(r#"{{"document":"ebs_advisor runs","schema_version":1,"runs":[{runs}]}}"#);
    assert!(stack::small(|| export::read_text(&text, &|| ()).unwrap_err().to_string()).contains("at most 1000 runs"));
}

#[test]
fn prices_of_a_document() {
    let document = serde_json::from_str(&made::prices(FACTOR * MAX_PRICES)).expect("JSON");
    let message = stack::small(|| read_document(&document).expect_err("beyond a bound").to_string());
    assert_eq!(message, format!("the document has more than {MAX_PRICES} prices"));
}

/// Names of 64 MiB. The work of searching a suggestion grows with their length times that of each known name.
#[test]
fn names_are_looked_up_and_repeated_up_to_a_length() {
    let name = "x".repeat(64 << 20);
    let messages = stack::small(|| {
        [
            instance(&name).unwrap_err().to_string(),
            prices(&name).unwrap_err().to_string(),
            name.parse::<Metric>().map(drop).unwrap_err().to_string(),
            name.parse::<VolumeType>().unwrap_err().to_string(),
            name.parse::<Platform>().unwrap_err().to_string(),
            name.parse::<Part>().unwrap_err().to_string(),
            name.parse::<Usd>().unwrap_err().to_string(),
            Calendar::new(&name, false).unwrap_err().to_string(),
        ]
    });
    assert!(messages.iter().all(|message| message.contains(&"x".repeat(60)) && message.len() < 200), "{messages:?}");
}

/// The bound of serde_json on nesting, 127 levels, which must hold with the hook too.
#[test]
fn levels_of_json() {
    let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    assert!(stack::small(|| input::json::<Value>(&nested(127), &|| ()).is_ok()));
    for levels in [128, 1_280, 1 << 20] {
        let message = stack::small(|| input::json::<Value>(&nested(levels), &|| ()).unwrap_err().to_string());
        assert!(message.starts_with("recursion limit exceeded"), "{message}");
    }
}
