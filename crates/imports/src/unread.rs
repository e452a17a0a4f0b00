//! Files that people have of a server and that nothing reads, each with the way to one that is read.

use crate::format::{Format, RECORD, Reader, Sign};
#[cfg(any(test, feature = "made"))]
use crate::made::{Inputs, Sample};

/// A file of this kind, which a test recognises by its text.
macro_rules! unread {
    ($name:literal, $kind:literal, $remedy:expr, $signs:expr, $sample:expr) => {
        &Format {
            name: $name,
            kind: $kind,
            command: "",
            page: "",
            shape: "",
            signs: $signs,
            reader: Reader::Unread($remedy),
            sql: None,
            #[cfg(any(test, feature = "made"))]
            inputs: Inputs { samples: &[Sample { file: None, bytes: $sample }], made: &[] },
        }
    };
}

/// Words with which the AWS CLI begins its other forms: of YAML, of text, and names of commands in the frame of a table.
const AWS_YAML: [&str; 6] =
    ["Volumes:", "Reservations:", "DBInstances:", "VolumesModifications:", "MetricDataResults:", "Datapoints:"];
const AWS_TEXT: [&str; 5] = ["VOLUMES\t", "RESERVATIONS\t", "DBINSTANCES\t", "METRICDATARESULTS\t", "DATAPOINTS\t"];
const AWS_TABLE: [&str; 5] =
    ["DescribeVolumes", "DescribeInstances", "DescribeDBInstances", "GetMetricData", "GetMetricStatistics"];

/// Metrics that columns of CSV name.
const METRICS: [&str; 3] = ["VolumeReadOps", "VolumeWriteOps", "ReadIOPS"];

/// True of get-metric-statistics as text: the name of the metric, and then rows.
fn is_statistics_text(text: &str) -> bool {
    text.contains("\nDATAPOINTS\t")
}

fn begins(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.starts_with(word))
}

fn contains(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// An archive; that of tar has the text of its files.
pub(crate) const ARCHIVE: &Format = unread!(
    "archive",
    "an archive or a workbook",
    "Unpack it and name the files in it; of a workbook name the file from which it was made.",
    &[Sign::BytesAt(0, b"PK\x03\x04"), Sign::BytesAt(257, b"ustar")],
    b"PK\x03\x04\x14"
);

/// A report of vmstat, whose numbers look like those of a log of pgbench.
pub(crate) const VMSTAT: &Format = unread!(
    "vmstat",
    "a report of vmstat",
    RECORD,
    &[Sign::Text(|text| begins(text, &["procs -"]))],
    b"procs ---memory---\n r b\n 1 0"
);

/// Files that nothing reads. They come last: a recording may stand behind other words.
pub(crate) const FORMATS: &[&Format] = &[
    unread!(
        "picture",
        "a picture or a document for people",
        RECORD,
        &[Sign::BytesAt(0, b"\x89PNG"), Sign::BytesAt(0, b"\xff\xd8\xff"), Sign::BytesAt(0, b"%PDF")],
        b"\x89PNG\r\n"
    ),
    unread!(
        "dstat",
        "a report of dstat",
        RECORD,
        &[Sign::Text(|text| begins(text, &["\"Dstat", "\"pcp dstat", "----system-", "----total-", "--total-cpu"]))],
        b"\"Dstat 0.7.2 CSV output\"\n"
    ),
    unread!(
        "nmon",
        "a recording of nmon",
        RECORD,
        &[Sign::Text(|text| begins(text, &["AAA,"]))],
        b"AAA,progname,nmon\n"
    ),
    unread!(
        "collectl",
        "a report of collectl",
        RECORD,
        &[Sign::Text(|text| begins(text, &["waiting for", "#<-", "# Collectl"]))],
        b"waiting for 10 second sample...\n"
    ),
    unread!(
        "top",
        "a screen of top",
        RECORD,
        &[Sign::Text(|text| begins(text, &["top - "]))],
        b"top - 14:07:31 up 12 days\n"
    ),
    unread!(
        "docker-stats",
        "a list of containers",
        RECORD,
        &[Sign::Text(|text| begins(text, &["CONTAINER ID"]))],
        b"CONTAINER ID   NAME\n"
    ),
    unread!(
        "space",
        "a list of file systems or disks",
        "It says how much is stored, not how busy the disks are: give the size by --min-size-gib, and a recording of iostat -xt 1 900.",
        &[Sign::Text(
            |text| begins(text, &["Filesystem "]) || begins(text, &["NAME "]) && first_line(text).contains("MAJ:MIN")
        )],
        b"Filesystem Size Used\n"
    ),
    unread!(
        "bsd-iostat",
        "a report of iostat of macOS or BSD",
        RECORD,
        &[Sign::Text(|text| text.contains("extended device statistics") || begins(text, &["disk0 "]))],
        b"                        extended device statistics\ndevice r/s\n"
    ),
    unread!(
        "sa-file",
        "a file of sar's collector",
        "Print it where it was recorded: sadf -d FILE -- -d > sar.csv (docs/importing.md).",
        &[Sign::BytesAt(0, &[0x96, 0xd5])],
        &[0x96, 0xd5, 0x75, 0x21]
    ),
    unread!(
        "aws-error",
        "an error of the AWS CLI",
        "Run the command again with the credentials and rights that the error asks for.",
        &[Sign::Text(|text| begins(text, &["An error occurred (", "aws: error:", "Unable to locate credentials"]))],
        b"An error occurred (ExpiredToken) when calling\n"
    ),
    unread!(
        "aws-other-form",
        "output of the AWS CLI as YAML, text or a table",
        "Run the command again with --output json.",
        &[Sign::Text(|text| begins(text, &AWS_YAML)
            || is_statistics_text(text)
            || begins(text, &AWS_TEXT)
            || begins(text, &["---"]) && contains(text, &AWS_TABLE))],
        b"Volumes:\n- Attachments:\n"
    ),
    unread!(
        "cloudwatch-csv",
        "metrics of CloudWatch in CSV",
        "aws cloudwatch get-metric-data --output json gives them in the form that is read (docs/importing.md).",
        &[Sign::Text(|text| first_line(text).contains(',')
            && (contains(first_line(text), &METRICS) || text.contains("\nFull label,"))
            && !begins(text, &["{", "["]))],
        b"Time,VolumeReadOps,VolumeWriteOps\n"
    ),
    unread!(
        "awr-report",
        "a report of AWR for people",
        "Its totals are read as a JSON array of objects (docs/importing.md, AWR and similar reports).",
        &[Sign::Text(|text| contains(text, &["WORKLOAD REPOSITORY", "AWR Report"]))],
        b"WORKLOAD REPOSITORY report for\n"
    ),
    unread!(
        "exposition",
        "one reading of an exporter of Prometheus",
        "ebsctl fleet reads their history from Prometheus or VictoriaMetrics (docs/fleet.md).",
        &[Sign::Text(|text| begins(text, &["# HELP ", "# TYPE "]))],
        b"# HELP go_goroutines Number\n"
    ),
    unread!(
        "terraform",
        "a file of Terraform",
        "aws ec2 describe-volumes --output json prints what there is, for use beside a recording of iostat.",
        &[
            Sign::Keys(&["terraform_version", "lineage"]),
            Sign::Text(|text| begins(text, &["terraform {", "resource \"aws_"]))
        ],
        b"terraform {\n"
    ),
    unread!(
        "pg-stat-io",
        "rows of pg_stat_io",
        "ebsctl watch reads it each second over a connection, with the devices (docs/watch.md).",
        &[Sign::Text(|text| text.contains("backend_type") && text.contains('|'))],
        b" backend_type | object | context\n"
    ),
    unread!(
        "postgresql-log",
        "a log of PostgreSQL",
        RECORD,
        &[Sign::Line(
            |line| line.starts_with(|c: char| c.is_ascii_digit()) && contains(line, &[" LOG:  ", " ERROR:  "])
        )],
        b"2026-11-20 14:00:00.078 UTC [1287] LOG:  checkpoint\n"
    ),
    unread!(
        "quotation",
        "a quotation of a report",
        "Remove the marks in front of its lines: sed 's/^[> ]*//' FILE > iostat.txt",
        &[Sign::Line(|line| line.starts_with('>') && contains(line, &["Device", "avg-cpu:", " DEV "]))],
        b"Jane wrote:\n> Device            r/s     rkB/s\n"
    ),
    unread!(
        "shell-error",
        "the error of a shell",
        "Install the program there: iostat and sar are in the package sysstat.",
        &[Sign::Text(|text| contains(first_line(text), &["command not found", ": not found"]))],
        b"bash: iostat: command not found\n"
    ),
];

/// A report of sar that has no devices; its file may begin as one that has some.
pub(crate) const SAR_WITHOUT_DEVICES: &Format = unread!(
    "sar-without-devices",
    "a report of sar without devices",
    "Print the devices: sar -d, or sadf -d FILE -- -d > sar.csv (docs/importing.md).",
    &[Sign::Text(|text| begins(text, &["Linux "]) && contains(text, &[" tps ", "%user", "kbmemfree", "ldavg-1"]))],
    b"Linux 5.14.0 (host) \t11/20/2026\n\n14:00:00      tps  rtps\n14:01:00  1.0 2.0\n"
);
