//! ebs_advise: the answer as text; ebs_advise_json: the same as one document.

use ebs_base::format::plain;
use ebs_base::names::quoted;
use ebs_report::Report;
use ebs_report::json;
use ebs_report::text::{self, Show};
use pgrx::JsonB;
use pgrx::datum::Interval;
use pgrx::iter::SetOfIterator;

use super::answer::{answer, answers};
use super::request::RequestArguments;
use crate::errors::Error;

answers!(ebs_advise(; show), SetOfIterator<'static, String>, text_lines);
answers!(ebs_advise_json, JsonB, json_document);

fn text_lines(
    arguments: &RequestArguments,
    run: Option<&str>,
    lookback: Option<Interval>,
    show: Option<&str>,
) -> Result<SetOfIterator<'static, String>, Error> {
    let show = show.map(parse_show).transpose()?.unwrap_or_default();
    // Users choose labels and names of devices.
    let render = |report: &Report| text::render(report, show).into_iter().map(|line| plain(&line)).collect::<Vec<_>>();
    answer(arguments, run, lookback, |report, _| Ok(SetOfIterator::new(render(report))))
}

fn parse_show(name: &str) -> Result<Show, Error> {
    Show::parse(name).ok_or_else(|| {
        Error::invalid_parameter(
            format!("unrecognized value for show: \"{}\"", quoted(name)),
            "Use show => 'screen' (the default), show => 'all' (the whole report) or show => 'commands' (the change to the \
             recommended volumes, to paste into a shell).",
        )
        .with_detail("show is one of screen, all, commands.")
    })
}

fn json_document(report: &Report) -> JsonB {
    JsonB(json::render(report))
}
