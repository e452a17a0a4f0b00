//! ebsctl advise: the answer of `ebs_advise` on files of a server, without any PostgreSQL.

mod answer;
mod arguments;
mod next;

use std::fs::canonicalize;
use std::io;

use ebs_answer::render_page;
use ebs_base::format::plain;
use ebs_base::jsonb;
use ebs_report::text::{self, Show};
use ebs_report::{Report, json};
use jiff::Timestamp;

use self::answer::Answer;
pub use self::arguments::Arguments;
use self::arguments::OutputArguments;
use crate::error::Error;
use crate::output::{print, print_text};
use crate::output_file;
use crate::server_files::{Evidence, ServerFiles, local_zone};

/// Reads all files, and prints or writes the answer once it is complete.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { files, label, file_flags, output, .. } = arguments;
    refuse_overwriting(files, output.html.as_deref())?;
    let server = ServerFiles::read(files, file_flags)?;
    let now_us = Timestamp::now().as_microsecond();
    let evidence = Evidence::new(server, file_flags, label.as_deref(), now_us)?;
    let answer = Answer::new(evidence, &arguments.sizing)?;
    let commands = (!output.json).then(|| next::commands(arguments, answer.label()));
    let report = answer.report(&local_zone(), commands);
    match write(&report, &answer, output) {
        // A reader that closes the pipe early, such as head, is no error.
        Err(Error::WriteOutput(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Refuses to write the page over one of the files that it is made of.
fn refuse_overwriting(files: &[String], html: Option<&str>) -> Result<(), Error> {
    let page = html.and_then(|file| canonicalize(file).ok());
    match files.iter().find(|file| page.is_some() && canonicalize(file).ok() == page) {
        Some(file) => Err(Error::InvalidArgument {
            message: format!("--html would replace \"{}\", which is read", plain(file)),
            hint: "Name another file for the page.",
        }),
        None => Ok(()),
    }
}

/// Writes a report in its form.
fn write(report: &Report, answer: &Answer, output: &OutputArguments) -> Result<(), Error> {
    let lines = |show| text::render(report, show).into_iter().map(|line| plain(&line) + "\n").collect::<String>();
    let OutputArguments { all, commands, json, html } = output;
    if let Some(file) = html {
        let page = render_page(report, Some(answer.timeline()), answer.fio(), None, &|| ()) + "\n";
        return if file == "-" { print(page) } else { output_file::replace(file, page.as_bytes()) };
    }
    match (all, commands, json) {
        (true, ..) => print_text(lines(Show::All)),
        (_, true, _) => print_text(lines(Show::Commands)),
        (.., true) => print(jsonb::to_text(&json::render(report)) + "\n"),
        _ => print_text(lines(Show::Screen)),
    }
}
