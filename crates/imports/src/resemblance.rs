//! Files of another kind than the one that was expected, named with the command that reads them.

use std::fmt;

/// Another kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resemblance {
    /// Its name: `a report of iostat`.
    pub kind: &'static str,
    /// The function or command that reads it, and its page.
    pub reader: &'static str,
}

impl fmt::Display for Resemblance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind)
    }
}

impl Resemblance {
    /// Hint: the way to import it.
    pub fn hint(self) -> String {
        format!("{} reads it.", self.reader)
    }
}

const IOSTAT: Resemblance =
    Resemblance { kind: "a report of iostat", reader: "The SQL function ebs_import_iostat (docs/importing.md)" };
const SAR: Resemblance =
    Resemblance { kind: "a report of sar or sadf", reader: "The SQL function ebs_import_sar (docs/importing.md)" };
const FIO: Resemblance =
    Resemblance { kind: "fio's JSON", reader: "The SQL function ebs_import_fio (docs/report-card.md)" };
const FIO_TEXT: Resemblance = Resemblance {
    kind: "fio's text",
    reader: "The SQL function ebs_import_fio, with --output-format=json of fio, (docs/report-card.md)",
};
const CLOUDWATCH: Resemblance = Resemblance {
    kind: "an answer of aws cloudwatch get-metric-data",
    reader: "The SQL function ebs_import_cloudwatch (docs/importing.md)",
};
const RDS_OS: Resemblance =
    Resemblance { kind: "events of RDS Enhanced Monitoring", reader: "ebsctl import rds-os (docs/importing.md)" };
const RDS_WAITS: Resemblance = Resemblance {
    kind: "an answer of aws pi get-resource-metrics",
    reader: "ebsctl import rds-waits (docs/importing.md)",
};
const CONFIGURATION: Resemblance = Resemblance {
    kind: "configuration that the AWS CLI printed",
    reader: "ebsctl import configuration (docs/configuration.md)",
};
const PROMETHEUS: Resemblance =
    Resemblance { kind: "samples of Prometheus or VictoriaMetrics", reader: "ebsctl fleet (docs/fleet.md)" };
const LOG_EVENTS: Resemblance = Resemblance {
    kind: "events of CloudWatch Logs, none of Enhanced Monitoring among the first",
    reader: "Of the log group RDSOSMetrics ebsctl import rds-os (docs/importing.md)",
};
const GZIP: Resemblance =
    Resemblance { kind: "compressed by gzip", reader: "After gzip -d the command for its content" };

const UTF_16: Resemblance = Resemblance {
    kind: "text in UTF-16, as PowerShell writes it",
    reader: "After iconv -f UTF-16 -t UTF-8 the command for its content",
};

/// Keys of documents, of which each has one of its own.
const KEYS: [(&str, Resemblance); 16] = [
    ("\"fio version\"", FIO),
    ("\"file-date\"", SAR),
    ("\"disk-device\"", SAR),
    ("\"sysstat\"", IOSTAT),
    ("\"MetricDataResults\"", CLOUDWATCH),
    ("\"AlignedStartTime\"", RDS_WAITS),
    ("\"MetricList\"", RDS_WAITS),
    ("instanceResourceID", RDS_OS),
    ("\"Volumes\"", CONFIGURATION),
    ("\"VolumesModifications\"", CONFIGURATION),
    ("\"Reservations\"", CONFIGURATION),
    ("\"DBInstances\"", CONFIGURATION),
    ("\"DBClusters\"", CONFIGURATION),
    ("\"__name__\"", PROMETHEUS),
    ("\"resultType\"", PROMETHEUS),
    ("\"events\"", LOG_EVENTS),
];

/// Bytes of a file that tell.
const BEGINNING: usize = 8 << 10;

/// The kind of a file that is no load driver's, by its beginning; `None` where nothing tells.
pub fn resemblance(beginning: &[u8]) -> Option<Resemblance> {
    if beginning.starts_with(&[0x1f, 0x8b]) {
        return Some(GZIP);
    }
    if beginning.starts_with(&[0xff, 0xfe]) || beginning.starts_with(&[0xfe, 0xff]) {
        return Some(UTF_16);
    }
    let text = String::from_utf8_lossy(&beginning[..beginning.len().min(BEGINNING)]);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    // Documents, maybe behind a time or a message.
    if text.contains('{')
        && let Some((_, found)) = KEYS.iter().find(|(key, _)| text.contains(key))
    {
        return Some(*found);
    }
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let first_words: Vec<Vec<String>> = text.lines().map(words).filter(|words| !words.is_empty()).collect();
    let begins = |name: &str| first_words.iter().any(|words| words[0] == name);
    if text.starts_with("# hostname;interval;timestamp") || first_words.iter().any(|words| is_sar_header(words)) {
        Some(SAR)
    } else if begins("Device") || begins("Device:") || begins("avg-cpu:") {
        Some(IOSTAT)
    } else if text.contains("\nfio-") && text.contains(": (g=") {
        Some(FIO_TEXT)
    } else {
        None
    }
}

/// The kind of a document that has this key, if that is not Enhanced Monitoring.
pub(crate) fn by_key(key: &str) -> Option<Resemblance> {
    let known = KEYS.iter().find(|(known, _)| known.trim_matches('"') == key);
    known.map(|(_, found)| *found).filter(|found| *found != RDS_OS)
}

/// `09:00:01 AM DEV tps …`.
fn is_sar_header(words: &[String]) -> bool {
    words[0].starts_with(|c: char| c.is_ascii_digit()) && words.iter().take(4).any(|word| word == "DEV")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_by_its_beginning() {
        for (text, found) in [
            (include_str!("../../../sql/reports/iostat-12.txt"), IOSTAT),
            (include_str!("../../../sql/reports/iostat-12.json"), IOSTAT),
            (include_str!("../../../sql/reports/iostat-10-en_US.txt"), IOSTAT),
            (include_str!("../../../sql/reports/sar-12.txt"), SAR),
            (include_str!("../../../sql/reports/sar-10-en_US.txt"), SAR),
            (include_str!("../../../sql/reports/sadf-12.csv"), SAR),
            (include_str!("../../../sql/reports/sadf-12.json"), SAR),
            (include_str!("../../../sql/reports/fio-3.33.json"), FIO),
            (include_str!("../../../sql/reports/cloudwatch-rds.json"), CLOUDWATCH),
            ("2026-11-20T09:00:00+00:00 db-RES {\"instanceResourceID\":\"db-RES\"}", RDS_OS),
            ("{\"AlignedStartTime\": \"2026-11-20\"}", RDS_WAITS),
            ("{\n  \"Volumes\": []}", CONFIGURATION),
            ("{\"events\":[], \"nextToken\": \"abc\", \"searchedLogStreams\": []}", LOG_EVENTS),
            ("{\"metric\":{\"__name__\":\"node_disk_reads_completed_total\"}}", PROMETHEUS),
            ("a: (g=0): rw=read\nfio-3.36\nStarting 1 process\n", FIO_TEXT),
        ] {
            assert_eq!(resemblance(text.as_bytes()), Some(found), "{}", &text[..text.len().min(40)]);
        }
        assert_eq!(resemblance(&[0x1f, 0x8b, 8]), Some(GZIP));
        assert_eq!(resemblance(b"\xff\xfe{\0"), Some(UTF_16));
        for other in ["", "hello\nworld\n", "progress: 5.0 s, 988.6 tps", "{\"674F\": {\"nopm\": \"1\"}}", "\u{0}"] {
            assert_eq!(resemblance(other.as_bytes()), None, "{other}");
        }
        assert_eq!(IOSTAT.hint(), "The SQL function ebs_import_iostat (docs/importing.md) reads it.");
    }
}
