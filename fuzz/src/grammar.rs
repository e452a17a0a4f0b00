//! Nested and repeated inputs: JSON in JSON, brackets, quotes in quotes, long lines and names.

/// Levels of nesting: the maximum of serde_json, one more, and ten times as many.
const LEVELS: [usize; 4] = [126, 127, 128, 1_270];

/// Nested values of JSON, whole and cut off: arrays, objects, and both alternating.
pub fn json() -> Vec<String> {
    let parts = [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":[", "]}]"), ("[0,[", "],0]")];
    let mut all = Vec::new();
    for (levels, (open, close)) in LEVELS.into_iter().flat_map(|levels| parts.map(|part| (levels, part))) {
        // A part may have several brackets.
        let times = levels / open.matches(['[', '{']).count();
        all.push(format!("{}0{}", open.repeat(times), close.repeat(times)));
        all.push(open.repeat(times));
    }
    all
}

/// Documents of each kind with a nested value in a valid place.
pub fn documents() -> Vec<String> {
    const AROUND: [(&str, &str); 22] = [
        (r#"{"sysstat":{"hosts":[{"statistics":[{"timestamp":"#, r#","disk":[{"disk_device":"sda","r/s":1}]}]}]}}"#),
        (r#"{"sysstat":{"hosts":[{"statistics":[{"disk":[{"disk_device":"sda","r/s":"#, r#"}]}]}]}}"#),
        (r#"{"sysstat":{"other":"#, r#","hosts":[]}}"#),
        (r#"{"MetricDataResults":[{"Label":"VolumeReadOps","Timestamps":["#, r#"],"Values":[1]}]}"#),
        (r#"{"NextToken":"#, r#","MetricDataResults":[]}"#),
        (r#"{"Volumes":[{"VolumeId":"vol-0a","Other":"#, r#"}]}"#),
        (r#"{"Other":"#, r#","DBInstances":[]}"#),
        (r#"{"Reservations":[{"Instances":[{"InstanceId":"i-0a","Tags":"#, r#"}]}]}"#),
        (r#"{"fio version":"fio-3.33","timestamp":1,"other":"#, r#","jobs":[]}"#),
        (r#"{"fio version":"fio-3.33","timestamp":1,"jobs":[{"jobname":"a","job options":{"bs":"#, r#"}}]}"#),
        (r#"{"document":"ebs_advisor runs","schema_version":1,"runs":[{"label":"a","note":"#, r#"}]}"#),
        (r#"{"document":"ebs_advisor runs","schema_version":1,"runs":[{"label":"a","samples":["#, r#"]}]}"#),
        (r#"{"offer":"AmazonEC2","version":"1","published":"2026-10-15","prices":["#, r#"]}"#),
        (r#"{"offerCode":"AmazonEC2","products":{"A":{"attributes":{"other":"#, r#"}}},"terms":{}}"#),
        (r#"[{"read_us":1,"block_size":8192,"statements":{"Ok":"#, r#"}},1]"#),
        (r#"{"set":{"change":{"other":"#, r#"}}}"#),
        (r#"{"JOB":{"nopm":["#, r#"]}}"#),
        (r#"[{"Plan":{"Node Type":"Result","Workers":"#, r#"}}]"#),
        (r#"{"metric":{},"values":["#, r#"],"timestamps":[1]}"#),
        (r#"{"status":"success","data":{"result":[{"metric":{},"values":["#, r#"]}]}}"#),
        (r#"{"status":"success","other":"#, r#","data":[]}"#),
        (r#"[{"Plan":{"Node Type":"Append","Plans":[{"Plans":["#, r#"]}]}}]"#),
    ];
    json().iter().flat_map(|json| AROUND.map(|(before, after)| format!("{before}{json}{after}"))).collect()
}

/// Texts that repeat what parsers look for.
pub fn texts() -> Vec<String> {
    const PIECES: [&str; 24] = [
        "(",
        ")",
        "((a = 1) AND ",
        "(NOT ",
        "'",
        "''",
        "'\"",
        "\"",
        "\\\"",
        "$1, ",
        "::text",
        "CASE WHEN a THEN ",
        "- ",
        "Vuser 1:",
        "\u{1b}[",
        "\r",
        "Device ",
        "# ",
        ";",
        "th(ms): 1, ",
        "1 ",
        "progress: ",
        "\\040",
        "(SELECT ",
    ];
    let of = |piece: &str| [100, 2_000].map(|times| piece.repeat(times));
    PIECES.into_iter().flat_map(of).collect()
}

/// All nested and repeated inputs, as bytes.
pub fn all() -> Vec<Vec<u8>> {
    [json(), documents(), texts()].concat().into_iter().map(String::into_bytes).collect()
}
