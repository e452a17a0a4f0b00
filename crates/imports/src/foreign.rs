//! Formats that other crates read, or nothing.

use crate::format::{Format, Reader, Sign};
#[cfg(any(test, feature = "made"))]
use crate::made::{self, Inputs, Made, Sample};

/// Format that nothing here reads, and no SQL function that is declared by its format.
const UNREAD: Format = Format {
    name: "",
    kind: "",
    command: "",
    page: "",
    shape: "",
    signs: &[],
    reader: Reader::Unread(""),
    sql: None,
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs { samples: &[], made: &[] },
};

const RUNS: Format = Format {
    name: "runs",
    kind: "runs of ebs_advisor",
    command: "The SQL function ebs_run_import",
    page: "docs/runs.md",
    // As ebs_run_export prints it, the key "document" stands behind all runs.
    signs: &[Sign::Text(|text| text.contains("\"ebs_advisor runs\"") || text.starts_with("{\"runs\": [{"))],
    reader: Reader::Runs,
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[
            Sample::text(r#"{"document": "ebs_advisor runs", "schema_version": 1, "runs": []}"#),
            Sample::text(r#"{"runs": [{"fio": [], "note": null, "tags": [], "label": "pg1"}]}"#),
        ],
        made: &[Made { what: "statements", make: |bytes| made::run(&made::statements(30, bytes / 62)) }],
    },
    ..UNREAD
};

const PRICES: Format = Format {
    name: "prices",
    kind: "prices of AWS",
    command: "The SQL function ebs_import_prices",
    page: "docs/prices.md",
    signs: &[Sign::Keys(&["offer", "published", "prices"])],
    reader: Reader::Prices,
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[Sample::text(r#"{"offer": "AmazonEC2", "version": "1", "published": "2026-10-15", "prices": []}"#)],
        made: &[Made { what: "prices", make: |bytes| made::prices(bytes / 74) }],
    },
    ..UNREAD
};

const FLEET: Format = Format {
    name: "fleet",
    kind: "answers of ebsctl fleet",
    command: "The SQL function ebs_import_fleet",
    page: "docs/fleet.md",
    signs: &[Sign::Keys(&["volume", "action"])],
    reader: Reader::FleetRows,
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[Sample::text(r#"{"volume": "vol-0a", "action": "keep"}"#)],
        made: &[Made { what: "rows", make: |bytes| made::fleet(bytes / 120) }],
    },
    ..UNREAD
};

const PROMETHEUS: Format = Format {
    name: "prometheus",
    kind: "samples of Prometheus or VictoriaMetrics",
    command: "ebsctl fleet",
    page: "docs/fleet.md",
    signs: &[Sign::Keys(&["__name__"]), Sign::Keys(&["resultType"])],
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[Sample::text(r#"{"metric":{"__name__":"node_disk_reads_completed_total"}}"#)],
        made: &[],
    },
    ..UNREAD
};

const LOG_EVENTS: Format = Format {
    name: "log-events",
    kind: "events of CloudWatch Logs, none of Enhanced Monitoring among the first",
    command: "Of the log group RDSOSMetrics ebsctl import",
    page: "docs/importing.md",
    signs: &[Sign::Keys(&["events"])],
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs {
        samples: &[Sample::text(r#"{"events":[], "nextToken": "abc", "searchedLogStreams": []}"#)],
        made: &[],
    },
    ..UNREAD
};

const FIO_TEXT: Format = Format {
    name: "fio-text",
    kind: "fio's text",
    reader: Reader::Unread("Run fio with --output-format=json: ebsctl and ebs_import_fio read that."),
    signs: &[Sign::Text(|text| text.contains("\nfio-") && text.contains(": (g="))],
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs { samples: &[Sample::text("a: (g=0): rw=read\nfio-3.36\nStarting 1 process\n")], made: &[] },
    ..UNREAD
};

const GZIP: Format = Format {
    name: "gzip",
    kind: "compressed by gzip",
    command: "After gzip -d the command for its content",
    signs: &[Sign::BytesAt(0, &[0x1f, 0x8b])],
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs { samples: &[Sample { file: None, bytes: &[0x1f, 0x8b, 8] }], made: &[] },
    ..UNREAD
};

const UTF_16: Format = Format {
    name: "utf-16",
    kind: "text in UTF-16, as PowerShell writes it",
    command: "After iconv -f UTF-16 -t UTF-8 the command for its content",
    signs: &[Sign::BytesAt(0, &[0xff, 0xfe]), Sign::BytesAt(0, &[0xfe, 0xff])],
    #[cfg(any(test, feature = "made"))]
    inputs: Inputs { samples: &[Sample { file: None, bytes: b"\xff\xfe{\0" }], made: &[] },
    ..UNREAD
};

/// Formats that other crates read, or nothing. Those of bytes come first, and those of keys that others may have as well last.
pub(crate) const FORMATS: &[&Format] = &[&GZIP, &UTF_16, &RUNS, &PRICES, &FLEET, &PROMETHEUS, &FIO_TEXT, &LOG_EVENTS];
