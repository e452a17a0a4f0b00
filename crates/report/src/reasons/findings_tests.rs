use super::*;
use ebs_tuning::findings::Saving;

fn finding(cause: Cause) -> Finding {
    Finding { cause, share: Some(0.6), saving: Some(Saving::default()), usd_month_saved: None }
}

fn reads(text: &str) -> Finding {
    let statement =
        StatementName { query_id: 11, role: Some("App".to_owned()), text: (!text.is_empty()).then(|| text.to_owned()) };
    finding(Cause::Statement(StatementReads {
        statement,
        reads_s: 1_500.0,
        calls_s: 10.0,
        blocks_per_call: 240.0,
        read_ms_per_call: Some(120.0),
        blocks_read: 288_000,
        rows: 1_200,
    }))
}

#[test]
fn a_statement_is_named_by_the_beginning_of_its_text() {
    let named = |text: &str| describe_subject(&reads(text));
    let text = "SELECT *\n  FROM orders WHERE customer = $1";
    assert_eq!(named(text), "statement 11 of App: SELECT * FROM orders WHERE customer = $1");
    assert_eq!(named(""), "statement 11 of App");
    assert_eq!(named(&"é".repeat(70)), format!("statement 11 of App: {}", "é".repeat(70)));
    assert_eq!(named(&"é".repeat(71)), format!("statement 11 of App: {}…", "é".repeat(70)));
}

#[test]
fn text_of_others_moves_no_cursor() {
    assert_eq!(plain("SELECT \u{1b}[31m\u{202e}a\u{9b}\n\"é\""), "SELECT ?[31m?a??\"é\"");
    assert_eq!(describe_subject(&reads("SELECT \u{1b}[31m\u{202e}a")), "statement 11 of App: SELECT ?[31m?a");
}

#[test]
fn a_statement_has_its_reads_and_a_question_to_ask() {
    let of = reads("");
    let named = vec![("platform", "'rds'".to_owned()), ("headroom", "0.3".to_owned())];
    let arguments = Arguments { run: Some("'tpcc-100'".into()), named, commands: None };
    assert_eq!(
        describe_measurement(&of),
        "1,500 reads/s at the device: 10 executions/s that read 240 blocks, 120 ms each"
    );
    assert_eq!(describe_reason(&of), "it reads 288,000 blocks for 1,200 rows; how few would do depends on its plan");
    assert_eq!(
        describe_remedy(&of, &arguments),
        "SELECT * FROM ebs_index_advice('tpcc-100', platform => 'rds'); says whether an index would help"
    );
}

#[test]
fn temporary_files_have_a_remedy_for_each_size() {
    let files = |statements, read_s, remedy| {
        let written_s = 2.0 * MIB as f64;
        finding(Cause::TemporaryFiles(TemporaryFiles { heaviest: None, statements, written_s, read_s, remedy }))
    };
    let role = |role: Option<&str>| SpillRemedy::WorkMem { role: role.map(str::to_owned), mib: 8 };
    let unknown = files(0, None, SpillRemedy::FindStatement);
    assert_eq!(describe_subject(&unknown), "all statements");
    assert_eq!(describe_measurement(&unknown), "2.00 MiB/s of temporary files written");
    assert!(describe_reason(&unknown).starts_with("sorts and hashes larger than work_mem"));
    assert_eq!(
        describe_remedy(&unknown, &Arguments::default()),
        "log_temp_files = 0 logs who writes them; pg_stat_statements would tell with the run"
    );
    let quoted = files(3, Some(MIB as f64), role(Some("App")));
    assert_eq!(
        describe_measurement(&quoted),
        "2.00 MiB/s of temporary files written, 1.00 read, by 3 statements, most by this"
    );
    assert_eq!(
        describe_remedy(&quoted, &Arguments::default()),
        "ALTER ROLE \"App\" SET work_mem = '8MB'; at least: it is taken by each sort and hash of each session"
    );
    assert!(
        describe_remedy(&files(1, None, role(Some("app_1"))), &Arguments::default())
            .starts_with("ALTER ROLE app_1 SET")
    );
    assert!(describe_remedy(&files(1, None, role(None)), &Arguments::default()).starts_with("ALTER ROLE its_role SET"));
    let many = files(1, None, SpillRemedy::FewerRows { bytes_per_call: 2_000.0 * MIB as f64 });
    assert_eq!(
        describe_remedy(&many, &Arguments::default()),
        "2,000 MiB an execution: more than work_mem should be; an index in its order, or fewer rows"
    );
}

#[test]
fn forced_checkpoints_have_a_setting_that_would_do() {
    let checkpoints = |compressed| {
        finding(Cause::Checkpoints(ForcedCheckpoints {
            count: 5.0,
            seconds: 120.0,
            times_as_often: 12.5,
            image_share: 0.75,
            compressed,
            write_bytes_s: MIB as f64,
            max_wal_size_gib: 2.0,
        }))
    };
    let forced = checkpoints(false);
    assert_eq!(describe_subject(&forced), "max_wal_size");
    assert_eq!(
        describe_measurement(&forced),
        "5 checkpoints in 120 s forced by WAL; full-page images are 75 % of WAL, checkpoints write 1.00 MiB/s"
    );
    assert!(describe_measurement(&checkpoints(true)).contains("are 75 % at most, uncompressed of WAL"));
    assert!(
        describe_reason(&forced).starts_with("12.5 times as often as by checkpoint_timeout"),
        "{}",
        describe_reason(&forced)
    );
    assert!(
        describe_remedy(&forced, &Arguments::default())
            .starts_with("ALTER SYSTEM SET max_wal_size = '2GB'; SELECT pg_reload_conf(); enough")
    );
}

#[test]
fn updates_without_room_have_a_fillfactor() {
    let pages = finding(Cause::Pages(PageMisses {
        table: "public.accounts".to_owned(),
        updated_s: 1_000.0,
        missed_s: 350.0,
        missed_share: 0.35,
        hot_share: 0.6,
        indexes: 2,
        fillfactor: 90,
    }));
    assert_eq!(describe_subject(&pages), "public.accounts");
    assert_eq!(describe_measurement(&pages), "350 of 1,000 updates/s went to another page (35 %), 60 % were heap-only");
    assert!(describe_reason(&pages).starts_with("each dirties another page of the table and one of each index (2);"));
    assert!(
        describe_remedy(&pages, &Arguments::default())
            .starts_with("ALTER TABLE public.accounts SET (fillfactor = 90); holds for new pages")
    );
}

#[test]
fn a_command_has_no_name_that_is_more_than_a_name() {
    let pages = |table: &str| {
        finding(Cause::Pages(PageMisses {
            table: table.to_owned(),
            updated_s: 1.0,
            missed_s: 1.0,
            missed_share: 1.0,
            hot_share: 0.0,
            indexes: 1,
            fillfactor: 90,
        }))
    };
    let begin = |table| describe_remedy(&pages(table), &Arguments::default());
    assert!(begin("\"My Shop\".orders").starts_with("ALTER TABLE \"My Shop\".orders SET ("));
    for hostile in ["a; DROP TABLE b; --", "a /* b */", "a\nb", "\"a\u{202e}\""] {
        assert!(begin(hostile).starts_with("ALTER TABLE … SET ("), "{hostile:?}");
    }
}

#[test]
fn autovacuum_has_to_be_done() {
    let io = AutovacuumIo { read_s: 1.5 * MIB as f64, written_s: 0.0 };
    let vacuum = finding(Cause::Autovacuum(io));
    assert_eq!(
        (describe_subject(&vacuum), describe_measurement(&vacuum)),
        ("autovacuum".into(), "1.50 MiB/s read, 0.00 written".into())
    );
    assert!(describe_reason(&vacuum).starts_with("its work has to be done"));
    assert_eq!(
        describe_remedy(&vacuum, &Arguments::default()),
        "autovacuum_vacuum_cost_limit and autovacuum_vacuum_cost_delay pace it"
    );
}

#[test]
fn a_missing_index_has_its_statement_and_its_command() {
    let index = indexes::Finding {
        table: Some("public.orders".to_owned()),
        command: Some("CREATE INDEX CONCURRENTLY ON public.orders (id)".to_owned()),
        statement: Some("SELECT *\n FROM orders".to_owned()),
        before: Some(indexes::Price { pages: 12.0, ..indexes::Price::default() }),
        reads_s: Some(1_200.0),
        ..indexes::Finding::new(indexes::Kind::Index, indexes::Reason::NegligibleGain)
    };
    let of = finding(Cause::MissingIndex(Box::new(index)));
    assert_eq!(describe_subject(&of), "a missing index on public.orders");
    assert_eq!(
        describe_measurement(&of),
        "a statement reads 1,200 pages/s, an estimated 12 a call: SELECT * FROM orders"
    );
    assert_eq!(describe_remedy(&of, &Arguments::default()), "CREATE INDEX CONCURRENTLY ON public.orders (id)");
    assert!(describe_reason(&of).starts_with("it would spare less than 1 %"));
}
