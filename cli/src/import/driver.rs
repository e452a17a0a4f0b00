//! Result of a load driver, made of all its files.

use ebs_imports::drivers::{Driver, Report};

use crate::error::Error;
use crate::output::{print, print_text};
use crate::postgres::Extension;
use crate::postgres::function::RUN_RESULT;
use crate::run_result::{self, Details, ResultDocument};

/// Result of a run.
pub struct DriverResult {
    driver: Driver,
    report: Report,
    files: Vec<String>,
    partial: bool,
}

impl DriverResult {
    /// A result of these files.
    pub fn new(driver: Driver, report: Report, files: &[String], partial: bool) -> DriverResult {
        DriverResult { driver, report, files: files.iter().map(|file| file_name(file).to_owned()).collect(), partial }
    }

    /// Name of the load driver.
    pub fn driver_name(&self) -> &'static str {
        self.driver.name()
    }

    fn details(&self) -> Details {
        Details {
            source: Some("ebsctl import"),
            files: self.files.clone(),
            partial: self.partial.then_some(true),
            ..Details::from_report(self.driver, &self.report)
        }
    }

    /// Prints the document that would be kept.
    pub fn print(&self) -> Result<(), Error> {
        let document = ResultDocument::from((&self.report.figures, &self.details())).to_json();
        print(format!("{document:#}\n"))
    }

    /// Keeps it as the result of a run.
    pub fn keep(&self, label: &str, database: &mut Extension) -> Result<(), Error> {
        let values = run_result::values(label, &self.report.figures, &self.details().to_json());
        database.query(&RUN_RESULT, run_result::STORE, values)?;
        let result = run_result::describe_figures(&self.report).unwrap_or_else(|| "what there is".to_owned());
        // It is kept even if standard output is closed.
        let _ = print_text(format!("{result} of {} kept as the result of run \"{label}\"\n", self.driver.name()));
        Ok(())
    }
}

/// A file without its directories, which may be private.
fn file_name(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}
