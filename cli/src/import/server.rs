//! Import of a server's files into a database.

use ebs_answer::{ImportedRun, add_waits};
use ebs_base::format::plain;
use ebs_comparison::export::{Run as RunDocument, RunDocumentError, write};
use ebs_imports::configuration::Configuration;
use ebs_imports::monitoring::ImportError;
use ebs_samples::evidence::codec::CodecError;

use super::driver::DriverResult;
use crate::error::Error;
use crate::evidence_error::EvidenceError;
use crate::file_error::FileError;
use crate::message;
use crate::output::print_text;
use crate::postgres::function::{
    Function, IMPORT_CONFIGURATION, IMPORT_FIO, IMPORT_PRICES, IMPORT_RDS_WAITS, RUN_IMPORT, RUN_RESULT,
};
use crate::postgres::{Connection, Extension};
use crate::server_files::{Content, FileFlags, FoundRun, ServerFiles};

/// A call that imports something.
pub struct Step {
    /// Phrase on the content.
    found: String,
    /// Sentences about it.
    limitations: Vec<String>,
    /// Phrase on the effect, behind that on the content; `{}` is the number that the function returns.
    done: String,
    function: Function,
    /// True where the label of a run is part of it.
    needs_label: bool,
    query: &'static str,
    values: Vec<Option<String>>,
}

const VALUE: &str = "SELECT {call}::pg_catalog.text AS value";

/// Steps that import what was read.
pub fn steps(mut server: ServerFiles, label: Option<&str>, flags: &FileFlags) -> Result<Vec<Step>, Error> {
    let mut steps: Vec<Step> = server.prices_texts().into_iter().map(prices_step).collect();
    let described = server.take_configuration().configuration;
    steps.extend(server.take_configuration_text().map(|documents| configuration_step(&described, documents)));
    let waits_text = server.waits_text();
    let mut waits = server.take_waits()?.zip(waits_text);
    let demand = std::mem::take(&mut server.demand);
    let runs = demand.iter().filter(|one| matches!(one.content, Content::Run(_))).count();
    if demand.len() > runs + 1 {
        let message = "the files have demand of several formats, which are runs of their own".to_owned();
        return Err(Error::InvalidArgument { message, hint: "Import each with a label of its own." });
    }
    for demand in demand {
        let (file, kind, shape) = (demand.name(), demand.format.kind, demand.format.shape);
        let FoundRun { mut imported, mut document } = demand
            .into_run(flags)
            .map_err(|error: ImportError| FileError::Monitoring { file: file.clone(), error, shape })?;
        let is_new = document.label.is_empty();
        if is_new || runs == 1 {
            document.label = label.map_or(document.label, str::to_owned);
        }
        if let Some(((file, load), _)) = waits.take_if(|_| is_new) {
            let refused = |error| EvidenceError::Waits { file: plain(&file), error };
            add_waits(&mut imported, &document.label, &load).map_err(refused)?;
        }
        steps.push(run_step(&file, kind, imported, document)?);
    }
    steps.extend(waits.map(|((file, _), text)| waits_step(&file, text, label, flags)));
    steps.extend(server.fio_texts().into_iter().map(|text| fio_step(text, label)));
    Ok(steps)
}

fn prices_step(text: String) -> Step {
    Step {
        found: "prices of AWS".to_owned(),
        limitations: Vec::new(),
        done: "{} prices imported".to_owned(),
        function: IMPORT_PRICES,
        needs_label: false,
        query: VALUE,
        values: vec![Some(text)],
    }
}

fn configuration_step(described: &Configuration, documents: String) -> Step {
    Step {
        found: describe(described),
        limitations: Vec::new(),
        done: "{} of them new or changed".to_owned(),
        function: IMPORT_CONFIGURATION,
        needs_label: false,
        query: "SELECT pg_catalog.sum(i.changed)::pg_catalog.text AS value FROM {call} i",
        values: vec![Some(documents)],
    }
}

fn waits_step(file: &str, text: String, label: Option<&str>, flags: &FileFlags) -> Step {
    Step {
        found: format!("{}: wait events", plain(file)),
        limitations: Vec::new(),
        done: format!("wait events of {{}} periods kept in run \"{}\"", plain(label.unwrap_or_default())),
        function: IMPORT_RDS_WAITS,
        needs_label: true,
        query: VALUE,
        values: vec![label.map(str::to_owned), Some(text), flags.period_s().map(|seconds| seconds.to_string())],
    }
}

fn fio_step(text: String, label: Option<&str>) -> Step {
    Step {
        found: "a report of fio".to_owned(),
        limitations: Vec::new(),
        done: format!("{{}} jobs of fio kept in run \"{}\"", plain(label.unwrap_or_default())),
        function: IMPORT_FIO,
        needs_label: true,
        query: VALUE,
        values: vec![label.map(str::to_owned), Some(text)],
    }
}

fn run_step(file: &str, kind: &str, imported: ImportedRun, document: RunDocument) -> Result<Step, Error> {
    let environment = imported.environment.clone().unwrap_or_default();
    let instance = ["db_instance", "dbi_resource_id"].iter().find_map(|key| environment.get(key)?.as_str());
    let of = instance.map_or_else(|| kind.to_owned(), |instance| format!("instance \"{}\"", plain(instance)));
    let labelled =
        if document.samples.is_empty() { String::new() } else { format!(", run \"{}\"", plain(&document.label)) };
    let found = format!("{file}{labelled}: {} intervals of {of}", imported.intervals());
    let doubts = environment.get("doubts").and_then(|doubts| doubts.as_array().cloned()).unwrap_or_default();
    let limitations = doubts.iter().filter_map(|doubt| doubt.as_str()).map(plain).collect();
    let label = document.label.clone();
    let run = match document.samples.is_empty() {
        true => imported.into_document(&label, &|| ()).map_err(|error| damaged(&error))?,
        false => document,
    };
    let document = write(&[run], env!("CARGO_PKG_VERSION"), &|| ()).map_err(Error::RunDocument)?;
    Ok(Step {
        found,
        limitations,
        done: format!("kept as run \"{}\"", plain(&label)),
        function: RUN_IMPORT,
        needs_label: label.is_empty(),
        query: VALUE,
        values: vec![Some(document.to_string()), None],
    })
}

fn damaged(error: &CodecError) -> Error {
    Error::RunDocument(RunDocumentError::Damaged { place: "a block".to_owned(), problem: error.to_string() })
}

/// Takes all steps, and keeps the result of a load driver; a dry run prints where each would go.
pub fn import(
    steps: &[Step],
    result: Option<&DriverResult>,
    label: Option<&str>,
    connection: &Connection,
    dry_run: bool,
) -> Result<(), Error> {
    if dry_run {
        return print_steps(steps, result);
    }
    if label.is_none() && (result.is_some() || steps.iter().any(|step| step.needs_label)) {
        let message = "the files need the label of a run".to_owned();
        return Err(Error::InvalidArgument {
            message,
            hint: "Name it by --label, or look at them first by --dry-run.",
        });
    }
    let mut database = Extension::open(connection)?;
    for step in steps {
        let answer = database.query(&step.function, step.query, step.values.clone())?;
        let done = step.done.replace("{}", &answer.value.unwrap_or_default());
        // It is imported even if standard output is closed.
        let _ = print_text(format!("{}: {done}\n", step.found));
    }
    match (result, label) {
        (Some(result), Some(label)) => result.keep(label, &mut database),
        _ => Ok(()),
    }
}

/// Prints where each would go. Beside the document of a load driver's result, which is for programs, they are messages.
fn print_steps(steps: &[Step], result: Option<&DriverResult>) -> Result<(), Error> {
    let describe = |step: &Step| {
        let limitations: String = step.limitations.iter().map(|doubt| format!("limitation: {doubt}\n")).collect();
        format!("{}: to {}\n{limitations}", step.found, step.function.name)
    };
    let lines: String = steps.iter().map(describe).collect();
    match result {
        Some(result) => {
            message::print_text(&format!("{lines}the result of {}: to {}\n", result.driver_name(), RUN_RESULT.name));
            result.print()
        }
        None => print_text(lines),
    }
}

/// `12 volumes, 3 instances`; `nothing` of empty documents.
fn describe(found: &Configuration) -> String {
    let counts = [
        (found.volumes.len(), "volume"),
        (found.instances.len(), "instance"),
        (found.databases.len(), "RDS instance"),
        (found.modifications.len(), "modification"),
    ];
    let several = |count: usize| if count == 1 { "" } else { "s" };
    let present = counts.iter().filter(|(count, _)| *count > 0);
    let words: Vec<String> = present.map(|(count, name)| format!("{count} {name}{}", several(*count))).collect();
    if words.is_empty() { "nothing that AWS describes".to_owned() } else { words.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_imports::configuration::read;

    #[test]
    fn counts_are_words() {
        let text =
            r#"{"Volumes": [{"VolumeId": "a"}, {"VolumeId": "b"}]} {"DBInstances": [{"DBInstanceIdentifier": "c"}]}"#;
        assert_eq!(describe(&read(text, &|| ()).unwrap()), "2 volumes, 1 RDS instance");
        assert_eq!(describe(&Configuration::default()), "nothing that AWS describes");
    }
}
