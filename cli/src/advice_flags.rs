//! Flags for arguments of a request for advice, as the table of arguments declares them.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use ebs_advice::arguments::ARGUMENTS;
use ebs_advice::{AdviceArgument, GivenArguments, Settings};
use ebs_base::argument::Value;
use ebs_base::error::InputError;

use crate::flags::{flag, typed};

/// Heading of the flags in the help.
const HEADING: &str = "Sizing";

/// Arguments that a command takes.
pub trait FlagSelection {
    /// Flag beside which they have no effect.
    const CONFLICTS_WITH: Option<&'static str> = None;

    /// True of an argument that it takes.
    fn takes(known: &AdviceArgument) -> bool;
}

/// Values of the flags, as text.
pub struct AdviceFlags<S> {
    /// Texts by the names of their arguments.
    given: BTreeMap<&'static str, String>,
    selection: PhantomData<S>,
}

impl<S> Default for AdviceFlags<S> {
    fn default() -> AdviceFlags<S> {
        AdviceFlags { given: BTreeMap::new(), selection: PhantomData }
    }
}

impl<S> AdviceFlags<S> {
    /// All arguments as texts, in the order of the SQL functions, with the defaults of those that were not given.
    pub fn texts(&self) -> Vec<Option<String>> {
        let default = |known: &AdviceArgument| known.argument.default.value().map(Value::text);
        ARGUMENTS.iter().map(|known| self.given.get(known.argument.name).cloned().or_else(|| default(known))).collect()
    }

    /// Flags that were given, with their values.
    pub fn typed(&self) -> impl Iterator<Item = (String, &str)> {
        let given = |known: &'static AdviceArgument| {
            Some((known.argument.flag(), self.given.get(known.argument.name)?.as_str()))
        };
        ARGUMENTS.iter().filter_map(given)
    }

    /// The arguments that were given.
    pub fn given(&self) -> GivenArguments<'_> {
        GivenArguments::collect(|known| typed(&known.argument, self.given.get(known.argument.name)?))
    }

    /// The settings of advice, with the defaults of arguments that were not given.
    pub fn settings(&self) -> Result<Settings, InputError> {
        self.given().settings()
    }
}

impl<S: FlagSelection> FromArgMatches for AdviceFlags<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<AdviceFlags<S>, clap::Error> {
        let taken = ARGUMENTS.iter().filter(|known| S::takes(known)).map(|known| known.argument.name);
        let given = taken.filter_map(|name| Some((name, matches.get_one::<String>(name)?.clone())));
        Ok(AdviceFlags { given: given.collect(), selection: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = AdviceFlags::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<S: FlagSelection> Args for AdviceFlags<S> {
    fn augment_args(command: Command) -> Command {
        let advice_flag = |known: &'static AdviceArgument| {
            let flag = flag(&known.argument, known.argument.flag(), known.value_name, known.help());
            let flag = flag.help_heading(HEADING);
            let flag = match known.names() {
                Some(names) => flag.value_parser(PossibleValuesParser::new(names)),
                None => flag,
            };
            S::CONFLICTS_WITH.iter().fold(flag, |flag, other| flag.conflicts_with(other))
        };
        command.args(ARGUMENTS.iter().filter(|known| S::takes(known)).map(advice_flag))
    }

    fn augment_args_for_update(command: Command) -> Command {
        AdviceFlags::<S>::augment_args(command)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    struct Most;

    impl FlagSelection for Most {
        const CONFLICTS_WITH: Option<&'static str> = Some("rows");

        fn takes(known: &AdviceArgument) -> bool {
            known.argument.name != "instance"
        }
    }

    #[derive(Parser)]
    struct Program {
        #[arg(long)]
        rows: bool,
        #[command(flatten)]
        flags: AdviceFlags<Most>,
    }

    fn parse(words: &[&str]) -> Result<AdviceFlags<Most>, clap::Error> {
        Ok(Program::try_parse_from([&["program"], words].concat())?.flags)
    }

    #[test]
    fn a_flag_is_an_argument_of_the_request() {
        let settings =
            parse(&["--percentile", "99.9", "--max-volumes", "4", "--budget-usd", "100.25"]).unwrap().settings();
        let settings = settings.unwrap();
        assert_eq!((settings.percentile, settings.max_volumes), (99.9, Some(4)));
        assert_eq!(settings.budget_usd.map(|budget| budget.to_string()).as_deref(), Some("100.25"));
        assert_eq!(settings.max_throttled_pct, Settings::default().max_throttled_pct);
        assert!(parse(&["--io-source", "mars"]).is_err());
    }

    #[test]
    fn texts_are_those_of_all_arguments_in_their_order() {
        let texts = parse(&["--headroom", "-1"]).unwrap().texts();
        for (known, text) in ARGUMENTS.iter().zip(texts) {
            let default = known.argument.default.value().map(Value::text);
            let expected = if known.argument.name == "headroom" { Some("-1".to_owned()) } else { default };
            assert_eq!(text, expected, "{}", known.argument.name);
        }
    }

    #[test]
    fn what_is_no_number_and_what_is_not_taken_is_refused() {
        for words in
            [["--percentile", "x"], ["--max-volumes", "1.5"], ["--budget-usd", "ten"], ["--instance", "m5.large"]]
        {
            assert!(parse(&words).is_err(), "{words:?}");
        }
        assert!(parse(&["--rows", "--percentile", "95"]).is_err());
        assert!(parse(&["--rows"]).is_ok());
    }
}
