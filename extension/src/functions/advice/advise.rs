//! ebs_advise: the report; ebs_advise_json: the same as one document.

use ebs_base::format::plain;
use ebs_report::report::{document, render_text};
use pgrx::JsonB;
use pgrx::iter::SetOfIterator;

use super::answer::{Arguments, answers};
use crate::errors::Error;

answers!(ebs_advise, SetOfIterator<'static, String>, report);
answers!(ebs_advise_json, JsonB, json);

fn report(arguments: Arguments) -> Result<SetOfIterator<'static, String>, Error> {
    // Labels and names of devices are somebody's.
    arguments.answer(|report| SetOfIterator::new(render_text(report).into_iter().map(|line| plain(&line))))
}

fn json(arguments: Arguments) -> Result<JsonB, Error> {
    arguments.answer(|report| JsonB(document(report)))
}
