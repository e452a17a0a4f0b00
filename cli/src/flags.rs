//! Flags for arguments of SQL functions, as their declarations have them.

use clap::Arg;
use ebs_base::argument::{Argument, SqlType, Value};
use ebs_imports::format::arguments::INSTANCE;

/// A flag for an argument, whose value is checked by its type and kept as text.
pub fn flag(argument: &'static Argument, name: String, value_name: &'static str, help: String) -> Arg {
    let parse = move |text: &str| match typed(argument, text) {
        Some(_) => Ok(text.to_owned()),
        None => Err(match argument.sql_type {
            SqlType::Boolean => "it is neither true nor false",
            SqlType::Integer | SqlType::Bigint => "it is no whole number",
            _ => "it is no number",
        }),
    };
    let flag = Arg::new(argument.name).long(name).value_name(value_name).help(help).value_parser(parse);
    flag.allow_negative_numbers(true)
}

/// Identifier of the flag of an argument of import: `--instance` is the type for which volumes are sized.
pub fn import_id(name: &str) -> &str {
    if name == INSTANCE.name { "db_instance" } else { name }
}

/// Name of the flag of an argument of import, without its dashes: `wal-device`.
pub fn import_flag(name: &str) -> String {
    import_id(name).replace('_', "-")
}

/// Value of a text that was parsed.
pub fn typed<'a>(argument: &Argument, text: &'a str) -> Option<Value<'a>> {
    match argument.sql_type {
        SqlType::Double => text.parse().ok().map(Value::Number),
        SqlType::Integer => text.parse::<i32>().ok().map(|integer| Value::Integer(integer.into())),
        SqlType::Bigint => text.parse().ok().map(Value::Integer),
        SqlType::Boolean => text.parse().ok().map(Value::Boolean),
        SqlType::Numeric => text.parse::<f64>().ok().map(|_| Value::Decimal(text)),
        SqlType::Text | SqlType::Jsonb | SqlType::Timestamptz => Some(Value::Text(text)),
    }
}
