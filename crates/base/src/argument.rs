//! Arguments of SQL functions: each declared once, for its declaration in SQL, the flag of a command and its documentation.

crate::named! {
    /// Type of an argument, by its name in PostgreSQL's catalog.
    pub enum SqlType {
        /// Text.
        Text = "text",
        /// A document.
        Jsonb = "jsonb",
        /// A number with a fraction.
        Double = "float8",
        /// A count.
        Integer = "int4",
        /// A large count.
        Bigint = "int8",
        /// An amount of money.
        Numeric = "numeric",
        /// Yes or no.
        Boolean = "bool",
        /// A time.
        Timestamptz = "timestamptz",
    }
}

/// Default of an argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DefaultValue {
    /// None: the argument must be given.
    Required,
    /// NULL, whose meaning the argument describes.
    Null,
    /// A number.
    Number(f64),
    /// A text.
    Text(&'static str),
    /// Yes or no.
    Boolean(bool),
}

/// Value of an argument, by the kind of its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A text.
    Text(&'a str),
    /// A number with a fraction.
    Number(f64),
    /// A count.
    Integer(i64),
    /// An exact number, in digits.
    Decimal(&'a str),
    /// Yes or no.
    Boolean(bool),
}

/// An argument of a SQL function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Argument {
    /// Name: `max_throttled_pct`.
    pub name: &'static str,
    /// Type.
    pub sql_type: SqlType,
    /// Default.
    pub default: DefaultValue,
    /// Meaning with its unit, as a phrase without a full stop.
    pub meaning: &'static str,
}

impl Argument {
    /// Declaration of a parameter: `wal_device text DEFAULT NULL`.
    pub fn declaration(&self) -> String {
        let Argument { name, sql_type, .. } = self;
        let default = self.default.literal().map_or_else(String::new, |literal| format!(" DEFAULT {literal}"));
        format!("{name} {}{default}", sql_type.name())
    }

    /// Help of its flag: `Percentile of … [default: 99]`. `null_default` describes what replaces a value where the default has none.
    pub fn help(&self, null_default: Option<&str>) -> String {
        let default = self.default.value().map(Value::text).or(null_default.map(str::to_owned));
        self.capitalized() + &default.map_or_else(String::new, |default| format!(" [default: {default}]"))
    }

    /// Meaning with a capital letter, for a help or a sentence.
    pub fn capitalized(&self) -> String {
        let mut letters = self.meaning.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect()
    }

    /// Name of the flag of a command, without its dashes: `max-throttled-pct`.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }
}

impl Value<'_> {
    /// The value as text: `98`, `all`, `true`.
    pub fn text(self) -> String {
        match self {
            Value::Text(text) | Value::Decimal(text) => text.to_owned(),
            Value::Number(number) => number.to_string(),
            Value::Integer(integer) => integer.to_string(),
            Value::Boolean(boolean) => boolean.to_string(),
        }
    }
}

impl DefaultValue {
    /// The value; `None` of NULL, and where there is no default.
    pub fn value(self) -> Option<Value<'static>> {
        match self {
            DefaultValue::Required | DefaultValue::Null => None,
            DefaultValue::Number(number) => Some(Value::Number(number)),
            DefaultValue::Text(text) => Some(Value::Text(text)),
            DefaultValue::Boolean(boolean) => Some(Value::Boolean(boolean)),
        }
    }

    /// SQL literal: `98`, `'all'`, `NULL`; `None` where there is no default.
    pub fn literal(self) -> Option<String> {
        match self {
            DefaultValue::Required => None,
            DefaultValue::Null => Some("NULL".to_owned()),
            DefaultValue::Text(text) => Some(format!("'{}'", text.replace('\'', "''"))),
            DefaultValue::Number(_) | DefaultValue::Boolean(_) => self.value().map(Value::text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_has_the_default_as_sql_writes_it() {
        let declaration = |sql_type, default| Argument { name: "a_b", sql_type, default, meaning: "" }.declaration();
        assert_eq!(declaration(SqlType::Text, DefaultValue::Required), "a_b text");
        assert_eq!(declaration(SqlType::Bigint, DefaultValue::Null), "a_b int8 DEFAULT NULL");
        assert_eq!(declaration(SqlType::Double, DefaultValue::Number(0.5)), "a_b float8 DEFAULT 0.5");
        assert_eq!(declaration(SqlType::Text, DefaultValue::Text("it's")), "a_b text DEFAULT 'it''s'");
        assert_eq!(declaration(SqlType::Boolean, DefaultValue::Boolean(true)), "a_b bool DEFAULT true");
    }
}
