//! Small offer files, written by hand in the layout of AWS's: column names and JSON keys as AWS documents them
//! (<https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/reading-service-price-list-file-for-services.html>), usage
//! types, units, ranges and prices as in the lists of us-east-1 of October 2026. SKUs are made up.

/// A line of a price list.
#[derive(Clone, Copy)]
pub struct Line {
    pub sku: &'static str,
    pub term: &'static str,
    pub usage: &'static str,
    pub begin: &'static str,
    pub end: &'static str,
    pub unit: &'static str,
    pub price: &'static str,
    pub currency: &'static str,
    pub location_type: &'static str,
    pub region: &'static str,
    pub engine: &'static str,
    pub deployment: &'static str,
}

/// A price in us-east-1.
pub const fn line(sku: &'static str, usage: &'static str, unit: &'static str, price: &'static str) -> Line {
    Line {
        sku,
        term: "OnDemand",
        usage,
        begin: "0",
        end: "Inf",
        unit,
        price,
        currency: "USD",
        location_type: "AWS Region",
        region: "us-east-1",
        engine: "",
        deployment: "",
    }
}

/// EC2 in us-east-1: every storage price, and products that must be ignored.
pub fn ec2() -> Vec<Line> {
    let zone = |name| Line { location_type: "AWS Local Zone", region: "us-east-1-bos-1", ..name };
    vec![
        Line { location_type: "AWS Region", ..line("BOX1", "BoxUsage:m5.large", "Hrs", "0.0960000000") },
        Line { term: "Reserved", ..line("BOX1", "BoxUsage:m5.large", "Quantity", "500") },
        line("STD1", "EBS:VolumeUsage", "GB-Mo", "0.0500000000"),
        line("STD2", "EBS:VolumeIOUsage", "IOs", "0.0000000500"),
        line("GP21", "EBS:VolumeUsage.gp2", "GB-Mo", "0.1000000000"),
        zone(line("GP22", "USE1-BOS1-EBS:VolumeUsage.gp2", "GB-Mo", "0.1200000000")),
        line("GP31", "EBS:VolumeUsage.gp3", "GB-Mo", "0.0800000000"),
        // The free part is not in every list.
        Line { begin: "0", end: "3000", ..line("GP32", "EBS:VolumeP-IOPS.gp3", "IOPS-Mo", "0.0000000000") },
        Line { begin: "3000", ..line("GP32", "EBS:VolumeP-IOPS.gp3", "IOPS-Mo", "0.0050000000") },
        line("GP33", "EBS:VolumeP-Throughput.gp3", "GiBps-mo", "40.9600000000"),
        line("IO11", "EBS:VolumeUsage.piops", "GB-Mo", "0.1250000000"),
        line("IO12", "EBS:VolumeP-IOPS.piops", "IOPS-Mo", "0.0650000000"),
        line("IO21", "EBS:VolumeUsage.io2", "GB-month", "0.1250000000"),
        line("IO22", "EBS:VolumeP-IOPS.io2", "IOPS-Mo", "0.0650000000"),
        line("IO23", "EBS:VolumeP-IOPS.io2.tier2", "IOPS-Mo", "0.0455000000"),
        line("IO24", "EBS:VolumeP-IOPS.io2.tier3", "IOPS-Mo", "0.0318500000"),
        line("ST11", "EBS:VolumeUsage.st1", "GB-Mo", "0.0450000000"),
        line("SC11", "EBS:VolumeUsage.sc1", "GB-Mo", "0.0150000000"),
        Line { location_type: "AWS Outposts", ..line("OUT1", "EBS:VolumeUsage.gp2", "GB-Mo", "0.0000000000") },
        line("SNAP", "EBS:SnapshotUsage", "GB-Mo", "0.0500000000"),
    ]
}

/// RDS in us-east-1.
pub fn rds() -> Vec<Line> {
    let single = |name| Line { deployment: "Single-AZ", engine: "PostgreSQL", ..name };
    vec![
        single(line("DB01", "InstanceUsage:db.m5.large", "Hrs", "0.1780000000")),
        single(line("GP21", "RDS:GP2-Storage", "GB-Mo", "0.1150000000")),
        single(line("GP31", "RDS:GP3-Storage", "GB-Mo", "0.1150000000")),
        // Another engine may cost something else.
        Line { engine: "SQL Server", ..single(line("GP3S", "RDS:GP3-Storage", "GB-Mo", "0.1380000000")) },
        Line { engine: "Any", ..single(line("GP3A", "RDS:GP3-Storage", "GB-Mo", "0.1160000000")) },
        Line { deployment: "Multi-AZ", ..single(line("GP3M", "RDS:Multi-AZ-GP3-Storage", "GB-Mo", "0.2300000000")) },
        single(line("GP32", "RDS:GP3-PIOPS", "IOPS-Mo", "0.0200000000")),
        single(line("IO11", "RDS:PIOPS-Storage", "GB-Mo", "0.1250000000")),
        Line { engine: "Any", ..single(line("IO12", "RDS:PIOPS", "IOPS-Mo", "0.1000000000")) },
        single(line("IO21", "RDS:PIOPS-Storage-IO2", "GB-Mo", "0.1250000000")),
        single(line("IO22", "RDS:IO2-PIOPS", "IOPS-Mo", "0.1000000000")),
        single(line("MAG1", "RDS:StorageUsage", "GB-Mo", "0.1000000000")),
        single(line("BAK1", "RDS:ChargedBackupUsage", "GB-Mo", "0.0950000000")),
    ]
}

/// A column's value in a line.
type Value = fn(&Line) -> &'static str;

/// Formats the lines as CSV, with the columns in AWS's order or backwards.
pub fn csv(code: &str, lines: &[Line], backwards: bool) -> String {
    let mut columns: Vec<(&str, Value)> = vec![
        ("SKU", |l| l.sku),
        ("OfferTermCode", |_| "JRTCKXETXF"),
        ("TermType", |l| l.term),
        ("PriceDescription", |_| "a price, \"\"as described\"\""),
        ("StartingRange", |l| l.begin),
        ("EndingRange", |l| l.end),
        ("Unit", |l| l.unit),
        ("PricePerUnit", |l| l.price),
        ("Currency", |l| l.currency),
        ("Location Type", |l| l.location_type),
        ("Database Engine", |l| l.engine),
        ("Deployment Option", |l| l.deployment),
        ("usageType", |l| l.usage),
        ("Region Code", |l| l.region),
        ("serviceName", |_| "Amazon"),
    ];
    if backwards {
        // The SKU stays first: the line of names is recognized by it.
        columns[1..].reverse();
    }
    let mut text = format!(
        "\"FormatVersion\",\"v1.0\"\n\"Disclaimer\",\"This list is for information only\"\n\
         \"Publication Date\",\"2026-11-15T19:13:16Z\"\n\"Version\",\"20261115191316\"\n\"OfferCode\",\"{code}\"\n"
    );
    let record = |fields: Vec<&str>| format!("\"{}\"\n", fields.join("\",\""));
    text += &record(columns.iter().map(|(name, _)| *name).collect());
    text.extend(lines.iter().map(|line| record(columns.iter().map(|(_, value)| value(line)).collect())));
    text
}

/// Formats the lines as JSON in AWS's layout.
pub fn json(code: &str, lines: &[Line]) -> String {
    let mut skus: Vec<&str> = lines.iter().map(|line| line.sku).collect();
    skus.sort_unstable();
    skus.dedup();
    let of = |sku: &str| lines.iter().filter(|line| line.sku == sku).copied().collect::<Vec<_>>();
    let product = |sku: &str| {
        let l = of(sku)[0];
        let mut attributes = format!(
            "\"servicecode\" : \"{code}\", \"locationType\" : \"{}\", \"usagetype\" : \"{}\", \"regionCode\" : \"{}\"",
            l.location_type, l.usage, l.region
        );
        if !l.engine.is_empty() {
            attributes +=
                &format!(", \"databaseEngine\" : \"{}\", \"deploymentOption\" : \"{}\"", l.engine, l.deployment);
        }
        format!(
            "\"{sku}\" : {{ \"sku\" : \"{sku}\", \"productFamily\" : \"Storage\", \"attributes\" : {{ {attributes} }} }}"
        )
    };
    let dimension = |(number, l): (usize, &Line)| {
        format!(
            "\"{}.JRTC.{number}\" : {{ \"description\" : \"a price\", \"beginRange\" : \"{}\", \"endRange\" : \"{}\", \
             \"unit\" : \"{}\", \"pricePerUnit\" : {{ \"{}\" : \"{}\" }}, \"appliesTo\" : [ ] }}",
            l.sku, l.begin, l.end, l.unit, l.currency, l.price
        )
    };
    let terms = |kind: &str| {
        let term = |sku: &&str| {
            let lines: Vec<Line> = of(sku).into_iter().filter(|line| line.term == kind).collect();
            let dimensions: Vec<String> = lines.iter().enumerate().map(dimension).collect();
            format!(
                "\"{sku}\" : {{ \"{sku}.JRTC\" : {{ \"sku\" : \"{sku}\", \"effectiveDate\" : \"2026-11-01T00:00:00Z\", \
                 \"priceDimensions\" : {{ {} }}, \"termAttributes\" : {{ }} }} }}",
                dimensions.join(",\n")
            )
        };
        format!("\"{kind}\" : {{ {} }}", skus.iter().map(term).collect::<Vec<_>>().join(",\n"))
    };
    let products = skus.iter().map(|sku| product(sku)).collect::<Vec<_>>().join(",\n");
    format!(
        "{{\n\"formatVersion\" : \"v1.0\",\n\"disclaimer\" : \"for information only\",\n\"offerCode\" : \"{code}\",\n\
         \"version\" : \"20261115191316\",\n\"publicationDate\" : \"2026-11-15T19:13:16Z\",\n\"products\" : {{\n{products}\n}},\n\
         \"terms\" : {{ {},\n{} }},\n\"attributesList\" : {{ }}\n}}\n",
        terms("OnDemand"),
        terms("Reserved")
    )
}
