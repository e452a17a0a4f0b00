//! Arguments of a request for advice.

use ebs_advice::AdviceArgument;
use ebs_advice::arguments::ARGUMENTS;

/// Text for a placeholder: all arguments, their types, or one of them by its name.
pub fn text_for(placeholder: &str) -> Option<String> {
    match placeholder {
        "advice_arguments" => Some(join(",\n    ", |known| known.argument.declaration())),
        "advice_types" => Some(join(", ", |known| known.argument.sql_type.name().to_owned())),
        name => ARGUMENTS.iter().find(|known| known.argument.name == name).map(|known| known.argument.declaration()),
    }
}

fn join(between: &str, piece: impl Fn(&AdviceArgument) -> String) -> String {
    ARGUMENTS.iter().map(piece).collect::<Vec<_>>().join(between)
}
