//! The request, and the limits of its instance.

use ebs_advice::arguments::{ARGUMENTS, INSTANCE};
use ebs_advice::{self as advice, AdviceArgument};
use ebs_aws::catalogue::{self, Ceiling};
#[cfg(test)]
use ebs_base::argument::SqlType;
use ebs_base::argument::Value;
use ebs_base::object;
use serde::{Serialize, Serializer};
use serde_json::json;

object! {
    /// Arguments, as those of ebs_options.
    pub(super) struct Request<'a>(request: &'a advice::Request) {
        /// The arguments, with defaults for those that were not given.
        #[serde(flatten)]
        arguments: Arguments<'a> = Arguments(request),
        /// Date of the oldest price list used, `2026-10-15`.
        prices_as_of: &'a str = request.prices.as_of(request.platform),
        /// Headroom of a closed loop, as a share: none, unless it was requested.
        closed_headroom: f64 = request.rule.closed_headroom,
    }
}

/// Arguments of a request by their names; null: not given.
struct Arguments<'a>(&'a advice::Request);

/// Arguments that are keys here; the instance stands beside them, with its limits.
fn keys() -> impl Iterator<Item = &'static AdviceArgument> {
    ARGUMENTS.iter().filter(|known| known.argument.name != INSTANCE.argument.name)
}

impl Serialize for Arguments<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = |known: &AdviceArgument| match known.value_of(self.0) {
            Some(Value::Text(text) | Value::Decimal(text)) => json!(text),
            Some(Value::Number(number)) => json!(number),
            Some(Value::Integer(integer)) => json!(integer),
            Some(Value::Boolean(boolean)) => json!(boolean),
            None => serde_json::Value::Null,
        };
        serializer.collect_map(keys().map(|known| (known.argument.name, value(known))))
    }
}

#[cfg(test)]
impl schemars::JsonSchema for Arguments<'_> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Arguments".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let prices = catalogue::prices("us-east-1").unwrap().clone();
        let default = advice::Settings::default().check(prices).unwrap();
        let property = |known: &AdviceArgument| {
            let kind = match known.argument.sql_type {
                SqlType::Double | SqlType::Numeric => "number",
                SqlType::Integer | SqlType::Bigint => "integer",
                SqlType::Boolean => "boolean",
                SqlType::Text | SqlType::Jsonb | SqlType::Timestamptz => "string",
            };
            let kind = if known.value_of(&default).is_some() { json!(kind) } else { json!([kind, "null"]) };
            (known.argument.name.to_owned(), json!({ "description": known.sentence(), "type": kind }))
        };
        let properties: serde_json::Map<_, _> = keys().map(property).collect();
        let required: Vec<&str> = keys().map(|known| known.argument.name).collect();
        schemars::json_schema!({ "type": "object", "properties": properties, "required": required })
    }
}

object! {
    /// Limits of an instance, over all volumes attached to it.
    pub(super) struct Instance<'a>(instance: &'a catalogue::Instance) {
        /// EC2 instance type or RDS instance class: `r6i.4xlarge`.
        instance_type: &'a str = &instance.instance_type,
        /// Sustained limits.
        baseline: Limits = Limits::from(instance.baseline()),
        /// Limits for 30 minutes a day.
        maximum_30_min: Limits = Limits::from(instance.maximum()),
        /// Date of AWS's table of limits, `2026-10-15`.
        as_of: &'a str = &instance.source_snapshot,
    }
}

object! {
    /// Limits of IOPS and throughput.
    struct Limits(ceiling: Ceiling) {
        /// I/O operations a second.
        iops: f64 = ceiling.iops,
        /// MiB/s.
        throughput_mibps: f64 = ceiling.mibps,
    }
}
