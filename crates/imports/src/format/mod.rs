//! Formats of files: the signs by which one is recognised, the reader that it goes to, its SQL function, and inputs for tests.

pub mod arguments;
mod beginning;
mod driver;
#[cfg(any(test, feature = "made"))]
mod inputs;
mod reader;
mod sql_function;
mod unknown;

pub(crate) use beginning::visible_text;
pub use beginning::{Beginning, Sign};
pub(crate) use driver::{COMMAND, PAGE};
pub use driver::{Driver, Kind};
#[cfg(any(test, feature = "made"))]
pub(crate) use inputs::recorded;
#[cfg(any(test, feature = "made"))]
pub use inputs::{Inputs, Made, Sample};
pub use reader::{DemandReader, Reader};
pub use sql_function::SqlFunction;
pub use unknown::describe_unknown;

/// Sentence on how to record demand.
pub const RECORD: &str = "Record the devices for ten minutes or longer, on the server: iostat -xt 1 900 > iostat.txt (others: docs/importing.md).";

/// Format of files.
#[derive(Debug)]
pub struct Format {
    /// Name: that of its fuzz target, and the value of `--kind`.
    pub name: &'static str,
    /// Noun phrase: `a report of iostat`.
    pub kind: &'static str,
    /// Command that reads it, or preparation before one; empty where the SQL function does.
    pub command: &'static str,
    /// Page of the documentation; empty where that depends on the content.
    pub page: &'static str,
    /// Sentence on the accepted form: the hint of errors.
    pub shape: &'static str,
    /// Signs, of which one suffices.
    pub signs: &'static [Sign],
    /// Reader of the content, which decides where a file goes.
    pub reader: Reader,
    /// SQL function that imports it, where its declaration is made of this.
    pub sql: Option<SqlFunction>,
    /// Inputs for tests.
    #[cfg(any(test, feature = "made"))]
    pub inputs: Inputs,
}

impl Format {
    /// True if the beginning of a file has one of the signs.
    pub fn is_recognised(&self, beginning: &Beginning) -> bool {
        self.signs.iter().any(|sign| sign.is_in(beginning))
    }

    /// True if a document that has this key is of this format.
    pub fn has_key(&self, key: &str) -> bool {
        self.signs.iter().any(|sign| matches!(sign, Sign::Keys([own]) if *own == key))
    }

    /// Phrase on the use of a file of this format beside demand; empty of demand itself, and of what nothing reads.
    pub fn use_beside_demand(&self) -> &'static str {
        match self.reader {
            Reader::Waits => "sessions by wait event, beside the demand of their instance",
            Reader::Fio => "what a volume can do, for the report card of the page (--html)",
            Reader::Prices => "prices, in place of those that are built in",
            Reader::Configuration => "what there is, not how busy it is",
            _ => "",
        }
    }

    /// True of a format that has the demand of a server.
    pub fn has_demand(&self) -> bool {
        matches!(self.reader, Reader::Demand(_) | Reader::OsEvents | Reader::Samples | Reader::Totals | Reader::Runs)
    }

    /// Hint on a file of this format: the way to import it.
    pub fn hint(&self) -> String {
        if let Reader::Unread(remedy) = self.reader
            && !remedy.is_empty()
        {
            return remedy.to_owned();
        }
        let reader = match (&self.sql, self.command) {
            (Some(function), "") => format!("The SQL function {}", function.name),
            (_, command) => command.to_owned(),
        };
        if self.page.is_empty() { format!("{reader} reads it.") } else { format!("{reader} ({}) reads it.", self.page) }
    }
}

/// The first of these formats whose signs the beginning of a file has. One format stands before another whose signs its files may have
/// as well.
pub fn recognise_among<'a>(mut formats: impl Iterator<Item = &'a Format>, beginning: &[u8]) -> Option<&'a Format> {
    let beginning = Beginning::new(beginning);
    formats.find(|format| format.is_recognised(&beginning))
}
