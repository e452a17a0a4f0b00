//! The calls to type next.

use super::layout::labelled_words;
use crate::Report;
use crate::calls::Call;
use crate::reasons::next_steps;

/// Renders the calls in at most so many lines: whole ones, the most useful first, each with all of its arguments.
pub(super) fn render(report: &Report, max_lines: usize) -> Vec<String> {
    let commands = || {
        let mut parts = next_steps::commands_call(report).parts();
        parts.push("or 'all'".to_owned());
        parts
    };
    let brief = || vec![next_steps::MORE.to_owned()];
    let others: Vec<Vec<String>> = next_steps::other_calls(report).iter().map(Call::parts).collect();
    let (page, last) = others.split_at(1);
    let choices = [(commands(), &others[..]), (brief(), &others[..]), (brief(), page), (brief(), last), (brief(), &[])];
    let mut rendered = choices.into_iter().filter_map(|(first, others)| {
        let calls: Vec<Vec<String>> = std::iter::once(first).chain(others.iter().cloned()).collect();
        labelled_words("NEXT", &separate(calls), max_lines)
    });
    rendered.next().unwrap_or_default()
}

/// Joins calls to words, with a dot behind each call but the last.
fn separate(mut calls: Vec<Vec<String>>) -> Vec<String> {
    let last = calls.len().saturating_sub(1);
    for word in calls.iter_mut().take(last).filter_map(|call| call.last_mut()) {
        word.push_str(" ·");
    }
    calls.concat()
}
