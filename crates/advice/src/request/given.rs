//! Arguments that a request was given.

use ebs_base::argument::Value;
use ebs_base::error::InputError;

use super::argument::AdviceArgument;
use super::arguments::ARGUMENTS;
use super::settings::Settings;

/// Arguments of a request, with their values, in their order; those that were left out, and NULL, are not among them.
#[derive(Clone, Debug, Default)]
pub struct GivenArguments<'a> {
    values: Vec<(&'static AdviceArgument, Value<'a>)>,
}

impl<'a> GivenArguments<'a> {
    /// Takes the value of each argument; `None` of one that was left out.
    pub fn collect(value: impl Fn(&'static AdviceArgument) -> Option<Value<'a>>) -> GivenArguments<'a> {
        GivenArguments { values: ARGUMENTS.iter().filter_map(|known| Some((known, value(known)?))).collect() }
    }

    /// Text of an argument, if it is given.
    pub fn text(&self, argument: &AdviceArgument) -> Option<&'a str> {
        self.values.iter().find_map(|(known, value)| match value {
            Value::Text(text) if known.argument.name == argument.argument.name => Some(*text),
            _ => None,
        })
    }

    /// The settings, with the defaults of those that were left out. Refuses an amount that is none, and an unknown source of I/O.
    pub fn settings(&self) -> Result<Settings, InputError> {
        let mut settings = Settings::default();
        self.values.iter().try_for_each(|(known, value)| known.set(&mut settings, *value))?;
        Ok(settings)
    }

    /// Those that differ from the default of their declaration.
    pub fn differing(&self) -> impl Iterator<Item = (&'static str, Value<'a>)> + '_ {
        let differs = |(known, value): &(&AdviceArgument, Value)| known.argument.default.value() != Some(*value);
        self.values.iter().copied().filter(differs).map(|(known, value)| (known.argument.name, value))
    }
}
