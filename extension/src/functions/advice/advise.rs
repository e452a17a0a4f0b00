//! ebs_advise: the report; ebs_advise_json: the same as one document.

use ebs_base::format::plain;
use ebs_report::Report;
use ebs_report::{json, text};
use pgrx::JsonB;
use pgrx::iter::SetOfIterator;

use super::answer::answers;

answers!(ebs_advise, SetOfIterator<'static, String>, text_lines);
answers!(ebs_advise_json, JsonB, json_document);

fn text_lines(report: &Report) -> SetOfIterator<'static, String> {
    // Users choose labels and names of devices.
    SetOfIterator::new(text::render(report).into_iter().map(|line| plain(&line)))
}

fn json_document(report: &Report) -> JsonB {
    JsonB(json::render(report))
}
