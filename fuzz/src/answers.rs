//! Generated answers of a watched server, of any size.

/// Joins pieces of a text.
fn join_pieces(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect::<Vec<_>>().join(",")
}

/// Reading with this number of sweeps and of sessions in each; a session waits for an event of its own number modulo `events`, after
/// `shift` events for each sweep before.
pub fn sweeps(sweeps: usize, sessions: usize, (events, shift): (usize, usize)) -> String {
    let session = |sweep: usize, number: usize| {
        let event = (number + sweep * shift) % events;
        format!(r#"[{},"client backend","IO","E{event}","active",5,5,"app"]"#, number + 1)
    };
    let sweep = |number: usize| {
        let rows = join_pieces(sessions, |session_number| session(number, session_number));
        format!(r#"["","",{{"at_us":{},"hidden":0,"rows":[{rows}]}}]"#, (number + 1) * 100_000)
    };
    format!(
        r#"{{"pid":7,"started_us":1,"arrived_us":9,"sweeps":[{}],"began_us":10,"ended_us":12,"disks":null,"io":null,"wal":null,"epoch":3,"io_timed":true,"wal_timed":false}}"#,
        join_pieces(sweeps, sweep)
    )
}

/// Reading with this number of block devices.
pub fn disks(disks: usize) -> String {
    let lines: String =
        (0..disks).map(|number| format!(" 259 {number} nvme{number}n1 1 1 1 1 1 1 1 1 1 1 1\\n")).collect();
    format!(
        r#"{{"pid":7,"started_us":1,"arrived_us":9,"sweeps":null,"began_us":10,"ended_us":12,"disks":"{lines}","io":null,"wal":null,"epoch":3,"io_timed":true,"wal_timed":false}}"#
    )
}

/// Statements, each of a role of its own.
pub fn statements(statements: usize) -> String {
    let roles = join_pieces(statements, |number| format!(r#""{number}":"role {number}""#));
    let rows = join_pieces(statements, |number| format!("[{number},5,{number},true,null{}]", ",1".repeat(16)));
    format!(
        r#"{{"evictions":0,"reset_us":5,"timed":true,"roles":{{{roles}}},"databases":{{"5":"app"}},"statements":{{"hidden":0,"rows":[{rows}]}}}}"#
    )
}

/// Processes of a machine, children of the postmaster.
pub fn processes(processes: usize) -> String {
    let process = |number: usize| {
        let pid = number + 12;
        format!(
            r#"[{pid},"{pid} (p) S 10 0 0 0 0 0 0 0 0 0 3 0 0 0 20 0 1 0 100 0 0 18446744073709551615{}"]"#,
            " 0".repeat(27)
        )
    };
    format!(
        r#"{{"own":12,"machine":"cpu  1 2 3 4 5 6 7 8 9 0\n","clients":[13],"processes":[{}]}}"#,
        join_pieces(processes, process)
    )
}

/// Plan of a union of tables with these columns, each of which is compared.
pub fn plan(tables: usize, columns: usize) -> String {
    let node = |table: usize| {
        let output: Vec<String> = (0..columns).map(|column| format!(r#""t_{table}.c{column}""#)).collect();
        let filter: Vec<String> = (0..columns).map(|column| format!("(t_{table}.c{column} = $1)")).collect();
        let (output, filter) = (output.join(","), filter.join(" AND "));
        format!(
            r#"{{"Node Type":"Seq Scan","Relation Name":"t","Schema":"s","Alias":"t_{table}","Output":[{output}],"Filter":"({filter})"}}"#
        )
    };
    format!(r#"[{{"Plan":{{"Node Type":"Append","Plans":[{}]}}}}]"#, join_pieces(tables, node))
}

/// Plan of subqueries that each read the rows of the next one.
pub fn nested_plan(levels: usize) -> String {
    let open = |level: usize| {
        format!(
            r#"{{"Node Type":"Subquery Scan","Alias":"q{level}","Output":["q{level}.a"],"Filter":"(q{level}.a = $1)","Plans":["#
        )
    };
    let open: String = (0..levels).map(open).collect();
    let scan = r#"{"Node Type":"Seq Scan","Relation Name":"t","Schema":"s","Alias":"t","Output":["t.a"]}"#;
    format!(r#"[{{"Plan":{open}{scan}{}}}]"#, "]}".repeat(levels))
}
