//! Arguments that a request was given.

use ebs_base::argument::Value;
use ebs_base::error::InputError;

use super::argument::AdviceArgument;
use super::arguments::ARGUMENTS;
use super::settings::Settings;

/// Arguments of a request, with their values; those that were left out, and NULL, are not among them.
#[derive(Clone, Debug, Default)]
pub struct GivenArguments<'a> {
    values: Vec<(&'static str, Value<'a>)>,
}

impl<'a> GivenArguments<'a> {
    /// Takes the values that are given.
    pub fn new(values: impl IntoIterator<Item = (&'a AdviceArgument, Option<Value<'a>>)>) -> GivenArguments<'a> {
        let values = values.into_iter().filter_map(|(argument, value)| Some((argument.argument.name, value?)));
        GivenArguments { values: values.collect() }
    }

    /// Takes the value of each argument by its name.
    pub fn from_names(value: impl Fn(&str) -> Option<Value<'a>>) -> GivenArguments<'a> {
        let values = ARGUMENTS.iter().filter_map(|known| Some((known.argument.name, value(known.argument.name)?)));
        GivenArguments { values: values.collect() }
    }

    /// Text of an argument, if it is given.
    pub fn text(&self, argument: &AdviceArgument) -> Option<&'a str> {
        self.values.iter().find_map(|(name, value)| match value {
            Value::Text(text) if *name == argument.argument.name => Some(*text),
            _ => None,
        })
    }

    /// The settings, with the defaults of those that were left out. Refuses an amount that is none, and an unknown source of I/O.
    pub fn settings(&self) -> Result<Settings, InputError> {
        let mut settings = Settings::default();
        for known in &ARGUMENTS {
            for (_, value) in self.values.iter().filter(|(name, _)| *name == known.argument.name) {
                known.set(&mut settings, *value)?;
            }
        }
        Ok(settings)
    }

    /// Those that differ from the default of their declaration, in the order of the arguments.
    pub fn differing(&self) -> impl Iterator<Item = (&'static str, Value<'a>)> + '_ {
        let is_default = |name: &str, value: &Value| {
            ARGUMENTS.iter().any(|known| known.argument.name == name && known.argument.default.value() == Some(*value))
        };
        self.values.iter().copied().filter(move |(name, value)| !is_default(name, value))
    }
}
