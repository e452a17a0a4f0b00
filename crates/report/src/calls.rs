//! Calls of SQL functions for the evidence and with the arguments of a report.

use std::fmt;

use ebs_base::format::plain;

ebs_base::named! {
    /// Function that takes arguments of `ebs_advise`.
    pub(crate) enum Function {
        Advise = "ebs_advise",
        CompareChange = "ebs_compare_change",
        FindingRows = "ebs_findings",
        IndexAdvice = "ebs_index_advice",
        IoMix = "ebs_io_mix",
        LatencyHistogram = "ebs_latency_histogram",
        OptionRows = "ebs_options_detail",
        ReportHtml = "ebs_report_html",
        WhatIf = "ebs_whatif",
    }
}

impl Function {
    /// True where the function has an argument of `ebs_advise` (extension/sql/).
    fn takes(self, argument: &str) -> bool {
        match self {
            Function::Advise | Function::OptionRows | Function::ReportHtml => true,
            Function::WhatIf => {
                matches!(argument, "lookback" | "platform" | "region" | "instance" | "io_source")
            }
            Function::IndexAdvice => matches!(argument, "lookback" | "platform" | "region" | "instance"),
            Function::CompareChange | Function::FindingRows | Function::IoMix | Function::LatencyHistogram => {
                argument == "lookback"
            }
        }
    }
}

/// Arguments that a report was requested with, as SQL literals; those that are the default are left out.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// The run, `'tpcc-100'`; `None` for a look-back.
    pub run: Option<String>,
    /// The others by name: `platform`, `'rds'`.
    pub named: Vec<(&'static str, String)>,
    /// Commands of a shell that lead on from evidence that is in files; `None` of evidence in a database.
    pub commands: Option<ShellCommands>,
}

/// Commands of a shell that lead on from an answer on files.
#[derive(Clone, Debug)]
pub struct ShellCommands {
    /// The command that printed the answer, ready for further options.
    pub advise: String,
    /// The command that brings its evidence into a database with the extension.
    pub import: String,
}

impl Arguments {
    /// Calls a function with those of the arguments that it takes.
    pub(crate) fn call(&self, function: Function) -> Call {
        let taken = self.named.iter().filter(|(name, _)| function.takes(name));
        let named = taken.map(|(name, literal)| format!("{name} => {literal}"));
        Call { function, arguments: self.run.iter().cloned().chain(named).collect() }
    }
}

/// Call of a function in SQL.
pub(crate) struct Call {
    function: Function,
    arguments: Vec<String>,
}

impl Call {
    /// Adds an argument: `show => 'commands'`.
    pub(crate) fn with(mut self, argument: &str) -> Call {
        self.arguments.push(argument.to_owned());
        self
    }

    /// Parts at whose ends a line may be broken: none lies within a literal.
    pub(crate) fn parts(&self) -> Vec<String> {
        let mut parts = vec![format!("{}(", self.function.name())];
        for (position, argument) in self.arguments.iter().enumerate() {
            match parts.last_mut() {
                Some(first) if position == 0 => first.push_str(argument),
                Some(last) => {
                    last.push(',');
                    parts.push(argument.clone());
                }
                None => {}
            }
        }
        parts.last_mut().into_iter().for_each(|last| last.push(')'));
        parts
    }
}

impl fmt::Display for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.parts().join(" "))
    }
}

/// Quotes a text as an SQL literal of printable characters: `'it''s'`, `E'a\\b'`.
pub fn sql_literal(text: &str) -> String {
    let mut quoted = String::new();
    for letter in text.chars() {
        match letter {
            '\'' => quoted.push_str("''"),
            '\\' => quoted.push_str("\\\\"),
            // A report shows them as question marks.
            letter if !plain(letter.encode_utf8(&mut [0; 4])).starts_with(letter) => {
                quoted.push_str(&format!("\\U{:08X}", u32::from(letter)));
            }
            letter => quoted.push(letter),
        }
    }
    let prefix = if quoted.contains('\\') { "E" } else { "" };
    format!("{prefix}'{quoted}'")
}

#[cfg(test)]
#[path = "calls_tests.rs"]
mod tests;
