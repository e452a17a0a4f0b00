//! The calls to type next.

use super::layout::labelled_words;
use crate::Report;
use crate::calls::{Call, ShellCommands};
use crate::clip::display_width;
use crate::reasons::next_steps;

/// Longest command that is printed whole, columns: a longer one fills a line by itself.
const MAX_COMMAND: usize = 80;

/// Renders the calls in at most so many lines: whole ones, the most useful first, each with all of its arguments.
pub(super) fn render(report: &Report, max_lines: usize) -> Vec<String> {
    if let Some(commands) = &report.arguments.commands {
        return render_commands(commands, max_lines);
    }
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

/// Renders commands of a shell, none of them broken: whole ones, or else with a dot in place of what was typed.
fn render_commands(ShellCommands { advise, import }: &ShellCommands, max_lines: usize) -> Vec<String> {
    let of = |advise: &str, import: &str| {
        [format!("{advise} --commands"), format!("{advise} --html page.html"), import.to_owned()].map(|call| vec![call])
    };
    let whole = of(advise, import);
    let is_short = whole.iter().flatten().all(|command| display_width(command) <= MAX_COMMAND);
    let short = of("ebsctl advise …", "ebsctl import …");
    let choices = is_short.then(|| whole.to_vec()).into_iter().chain([short.to_vec(), short[..2].to_vec()]);
    let mut rendered = choices.filter_map(|calls| labelled_words("NEXT", &separate(calls), max_lines));
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
