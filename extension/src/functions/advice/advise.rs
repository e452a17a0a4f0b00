//! ebs_advise: the answer as text; ebs_advise_json: the same as one document.

use ebs_base::format::plain;
use ebs_base::names::quoted;
use ebs_report::Report;
use ebs_report::json;
use ebs_report::text::{self, Show};
use pgrx::iter::SetOfIterator;
use pgrx::{JsonB, pg_extern};

use super::answer::answer;
use crate::errors::{Error, SqlResult};
use crate::ffi::CalledFunction;

#[pg_extern(sql = false)]
fn ebs_advise(call: CalledFunction) -> SqlResult<SetOfIterator<'static, String>> {
    let show = call.text("show").map(parse_show).transpose()?.unwrap_or_default();
    // Users choose labels and names of devices.
    let render = |report: &Report| text::render(report, show).into_iter().map(|line| plain(&line)).collect::<Vec<_>>();
    Ok(answer(&call, |report, _| Ok(SetOfIterator::new(render(report))))?)
}

#[pg_extern(sql = false)]
fn ebs_advise_json(call: CalledFunction) -> SqlResult<JsonB> {
    Ok(answer(&call, |report, _| Ok(JsonB(json::render(report))))?)
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
