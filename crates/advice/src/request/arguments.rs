//! Arguments of a request for advice: each declared once, for SQL, the flags of `ebsctl`, JSON and the documentation.

use ebs_aws::catalogue::Platform;
use ebs_base::argument::{Argument, DefaultValue, SqlType, Value};
use ebs_base::error::InputError;
use ebs_base::names;
use ebs_base::units::Usd;
use ebs_workload::io_share::IoSource;

use super::argument::{AdviceArgument, Check, to_integer, with_integer, with_number, with_text};
use super::settings::MAX_VOLUMES;
use crate::requirement::SizingRule;

/// Declares the arguments, and the list of all of them.
macro_rules! arguments {
    ($($(#[$doc:meta])* $name:ident = $argument:expr;)+) => {
        $($(#[$doc])* pub const $name: AdviceArgument = $argument;)+

        /// All arguments, in the order of their declaration in SQL.
        pub static ARGUMENTS: [AdviceArgument; [$(stringify!($name)),+].len()] = [$($name),+];
    };
}

arguments! {
    /// Platform.
    PLATFORM = AdviceArgument {
        argument: named("platform", "platform of the limits and prices"),
        value_name: "PLATFORM",
        default_text: Some("that of the run's [configuration](configuration.md), else `ec2`"),
        check: Check::Names(|| Platform::ALL.map(Platform::name).to_vec()),
        remark: "",
        bound_by: "",
        set: |settings, value| with_text(value, |name| settings.platform = names::owned(name)),
        get: |request| Some(Value::Text(request.platform.name())),
    };
    /// Region.
    REGION = AdviceArgument {
        argument: named("region", "AWS region of the prices"),
        value_name: "REGION",
        default_text: Some("that of the [configuration](configuration.md), else `us-east-1`"),
        check: Check::Described("those of [prices.md](prices.md)"),
        remark: "",
        bound_by: "",
        set: |settings, value| with_text(value, |name| settings.region = names::owned(name)),
        get: |request| Some(Value::Text(&request.prices.region)),
    };
    /// Instance.
    INSTANCE = AdviceArgument {
        argument: named("instance", "EC2 instance type or RDS instance class whose baseline limits apply"),
        value_name: "TYPE",
        default_text: Some("[see above](#the-instance)"),
        check: Check::Described("EC2 type or RDS class; no class (`db.…`) on `ec2`"),
        remark: "",
        bound_by: "`instance IOPS`, `instance throughput`",
        set: |settings, value| with_text(value, |name| settings.instance = Some(names::owned(name))),
        get: |request| request.instance.map(|instance| Value::Text(&instance.instance_type)),
    };
    /// Percentile.
    PERCENTILE = AdviceArgument {
        argument: number("percentile", SizingRule::DEFAULT.percentile, "percentile of one-second demand of an open loop to size for, per cent"),
        value_name: "PERCENT",
        default_text: None,
        check: Check::Range {
            range: (50.0, 100.0),
            unit: ", per cent",
            hint: "The percentile of one-second demand to size for, for example 99.",
            number: |settings| Some(settings.percentile),
        },
        remark: "99: the share of the time that EBS promises its performance for",
        bound_by: "`volume IOPS`, `volume throughput`",
        set: |settings, value| with_number(value, |percentile| settings.percentile = percentile),
        get: |request| Some(Value::Number(request.rule.percentile)),
    };
    /// Headroom.
    HEADROOM = AdviceArgument {
        argument: optional("headroom", SqlType::Double, "share added to the demand"),
        value_name: "SHARE",
        default_text: Some("0.2; 0 of a closed loop"),
        check: Check::Range {
            range: (0.0, 10.0),
            unit: ", a share",
            hint: "A share added to the demand: 0.2 is 20 %.",
            number: |settings| settings.headroom,
        },
        remark: "0.2: the rule of thumb of capacity plans for growth between two looks at it; a closed loop asks for no more than it is answered",
        bound_by: "the same",
        set: |settings, value| with_number(value, |share| settings.headroom = Some(share)),
        get: |request| Some(Value::Number(request.rule.headroom)),
    };
    /// Time at a limit.
    MAX_THROTTLED_PCT = AdviceArgument {
        argument: number("max_throttled_pct", SizingRule::DEFAULT.max_throttled_pct, "share of the time, and of the requests, that may wait for a limit in an open loop, per cent"),
        value_name: "PERCENT",
        default_text: None,
        check: Check::Range {
            range: (0.0, 100.0),
            unit: ", per cent",
            hint: "Share of the time and of the requests that may be throttled, in per cent, for example 1.",
            number: |settings| Some(settings.max_throttled_pct),
        },
        remark: "1: the rest of that percentile",
        bound_by: "the same, `burst credits`",
        set: |settings, value| with_number(value, |pct| settings.max_throttled_pct = pct),
        get: |request| Some(Value::Number(request.rule.max_throttled_pct)),
    };
    /// Throughput of a closed loop.
    KEEP_THROUGHPUT_PCT = AdviceArgument {
        argument: number("keep_throughput_pct", 100.0 * SizingRule::DEFAULT.keep_throughput, "share of the throughput without a limit that a closed loop keeps, per cent"),
        value_name: "PERCENT",
        default_text: None,
        check: Check::Range {
            range: (50.0, 99.9),
            unit: ", per cent",
            hint: "Share of the throughput without a limit that a closed loop keeps, in per cent, for example 98.",
            number: |settings| Some(settings.keep_throughput_pct),
        },
        remark: "98: two runs of one setting differ by more, 4.2 % on average ([measured](validation.md#variation-between-runs-of-one-setting))",
        bound_by: "the same",
        set: |settings, value| with_number(value, |pct| settings.keep_throughput_pct = pct),
        get: |request| Some(Value::Number(100.0 * request.rule.keep_throughput)),
    };
    /// Predicted throughput.
    MIN_THROUGHPUT_RATIO = AdviceArgument {
        argument: optional("min_throughput_ratio", SqlType::Double, "minimum predicted throughput of the database, as a ratio to the current one"),
        value_name: "RATIO",
        default_text: None,
        check: Check::Range {
            range: (0.0, 10.0),
            unit: "",
            hint: "The database's throughput compared with now: 0.95 keeps 95 % of it.",
            number: |settings| settings.min_throughput_ratio,
        },
        remark: "compared with `throughput_ratio`, the middle one",
        bound_by: "`throughput ratio`",
        set: |settings, value| with_number(value, |ratio| settings.min_throughput_ratio = Some(ratio)),
        get: |request| request.min_throughput_ratio.map(Value::Number),
    };
    /// Latency.
    LATENCY_TARGET_MS = AdviceArgument {
        argument: optional("latency_target_ms", SqlType::Double, "maximum mean latency of a request, ms"),
        value_name: "MS",
        default_text: None,
        check: Check::Range {
            range: (0.01, 1_000.0),
            unit: " ms",
            hint: "Milliseconds a request takes on average, reads and writes as they are mixed, for example 0.5.",
            number: |settings| settings.latency_target_ms,
        },
        remark: "of the observed mix of reads and writes: predicted, or else published plus the wait for the limit",
        bound_by: "`latency`",
        set: |settings, value| with_number(value, |ms| settings.latency_target_ms = Some(ms)),
        get: |request| request.latency_target_ms.map(Value::Number),
    };
    /// Durability. A fraction such as 0.99999 is below the range: as a percentage it would exclude nothing, in silence. 28 volumes of
    /// 99.8 % in a stripe have 94.6 %.
    DURABILITY_PCT = AdviceArgument {
        argument: optional("durability_pct", SqlType::Double, "minimum durability, per cent a year"),
        value_name: "PERCENT",
        default_text: None,
        check: Check::Range {
            range: (50.0, 99.999),
            unit: ", per cent, not a fraction",
            hint: "Yearly durability in per cent, not as a fraction: 99.8 or 99.999.",
            number: |settings| settings.durability_pct,
        },
        remark: "compared with the lower end of AWS's specification: 99.8, for io2 99.999; a stripe of n (RAID 0) has its n-th power, two gp3 99.6004",
        bound_by: "`durability`",
        set: |settings, value| with_number(value, |pct| settings.durability_pct = Some(pct)),
        get: |request| request.durability_pct.map(Value::Number),
    };
    /// Budget.
    BUDGET_USD = AdviceArgument {
        argument: optional("budget_usd", SqlType::Numeric, "maximum price of all roles, US dollars a month"),
        value_name: "USD",
        default_text: None,
        check: Check::Range {
            range: (0.01, 1e9),
            unit: " dollars a month",
            hint: "US dollars a month for all volumes, for example 100.00.",
            number: |settings| settings.budget_usd.map(|budget| budget.cents() as f64 / 100.0),
        },
        remark: "a row is feasible if it and the cheapest of the other roles are within it",
        bound_by: "`budget`",
        set: |settings, value| {
            settings.budget_usd = Some(parse_dollars(value)?);
            Ok(())
        },
        get: |request| request.budget_usd.map(|budget| Value::Number(budget.dollars())),
    };
    /// Volumes of a stripe.
    MAX_STRIPE = AdviceArgument {
        argument: optional("max_volumes", SqlType::Integer, "maximum number of volumes in a stripe (RAID 0)"),
        value_name: "VOLUMES",
        default_text: Some("number of the widest current stripe on EBS, else 1"),
        check: Check::Range {
            range: (1.0, MAX_VOLUMES as f64),
            unit: "",
            hint: "The most volumes to stripe (RAID 0).",
            number: |settings| settings.max_volumes.map(f64::from),
        },
        remark: "",
        bound_by: "",
        set: |settings, value| with_integer(value, |volumes| settings.max_volumes = i32::try_from(volumes).ok()),
        get: |request| request.max_volumes.and_then(to_integer),
    };
    /// Size.
    MIN_SIZE_GIB = AdviceArgument {
        argument: optional("min_size_gib", SqlType::Bigint, "minimum size of each role's volumes together, GiB"),
        value_name: "GIB",
        default_text: Some("space used and its growth; on RDS the allocated storage"),
        check: Check::Range {
            range: (1.0, (65_536 * MAX_VOLUMES) as f64),
            unit: " GiB",
            hint: "GiB of each role's volumes together; an EBS volume holds up to 65,536.",
            number: |settings| settings.min_size_gib.map(|gib| gib as f64),
        },
        remark: "for all on one volume, times the number of roles",
        bound_by: "`volume size`",
        set: |settings, value| with_integer(value, |gib| settings.min_size_gib = Some(gib)),
        get: |request| request.min_size_gib.and_then(to_integer),
    };
    /// Source of the I/O.
    IO_SOURCE = AdviceArgument {
        argument: Argument {
            name: "io_source",
            sql_type: SqlType::Text,
            default: DefaultValue::Text("all"),
            meaning: "I/O that volumes are sized for: all of the devices', or PostgreSQL's alone",
        },
        value_name: "SOURCE",
        default_text: None,
        check: Check::Names(|| IoSource::ALL.map(IoSource::name).to_vec()),
        remark: "[below](#other-programs-io)",
        bound_by: "",
        set: |settings, value| {
            settings.io_source = parse_io_source(value)?;
            Ok(())
        },
        get: |request| Some(Value::Text(request.io_source.name())),
    };
}

const fn named(name: &'static str, meaning: &'static str) -> Argument {
    optional(name, SqlType::Text, meaning)
}

const fn optional(name: &'static str, sql_type: SqlType, meaning: &'static str) -> Argument {
    Argument { name, sql_type, default: DefaultValue::Null, meaning }
}

const fn number(name: &'static str, default: f64, meaning: &'static str) -> Argument {
    Argument { name, sql_type: SqlType::Double, default: DefaultValue::Number(default), meaning }
}

fn parse_dollars(value: Value) -> Result<Usd, InputError> {
    let text = match value {
        Value::Decimal(text) | Value::Text(text) => text,
        _ => "",
    };
    text.parse().map_err(|_| BUDGET_USD.out_of_range(text.parse().unwrap_or(f64::NAN)))
}

fn parse_io_source(value: Value) -> Result<IoSource, InputError> {
    let name = if let Value::Text(name) = value { name } else { "" };
    IoSource::parse(name).ok_or_else(|| InputError::UnknownValue {
        argument: "io_source",
        value: names::quoted(name),
        detail: "io_source is one of all, postgresql.".to_owned(),
        remedy: "Use io_source => 'all' (the default: all I/O of the devices) or io_source => 'postgresql' (PostgreSQL's alone).",
    })
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
