//! Shell of a page: policy, title and style, around its content.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::theme::style_sheet;

/// Policy of every page: nothing is loaded, even if an attacker injected markup, and no script runs.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'";

/// A page without content: the beginning of every page.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shell<'a> {
    /// Title.
    pub title: &'a str,
    /// Style beside the common one.
    pub style: &'a str,
    /// Source of the scripts that the policy lets run, as `'sha256-…'`; `None` for none.
    pub script_source: Option<&'a str>,
}

impl Shell<'_> {
    /// Renders the page with its header, its content, and its scripts after these.
    pub fn render(&self, header: &Markup, main: &Markup, scripts: &Markup) -> String {
        let scripts_run = self.script_source.map(|source| format!("; script-src {source}")).unwrap_or_default();
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="referrer" content="no-referrer";
                    meta http-equiv="Content-Security-Policy" content={ (POLICY) (scripts_run) };
                    link rel="icon" href="data:,";
                    title { (self.title) }
                    style { (PreEscaped(style_sheet())) (PreEscaped(self.style)) }
                }
                body {
                    header class="top" { (header) }
                    main { (main) }
                    footer { "ebs_advisor " (env!("CARGO_PKG_VERSION")) }
                    (scripts)
                }
            }
        };
        page.into_string()
    }
}

/// True of a page without scripts whose policy comes before all else, so that a browser runs no script of it, whoever wrote it, and without
/// a further `meta`, which could lead elsewhere.
pub fn has_policy(page: &str) -> bool {
    let nothing = html! {};
    let empty = Shell::default().render(&nothing, &nothing, &nothing);
    let beginning = empty.split_once("<link").map(|(beginning, _)| beginning);
    let rest = beginning.and_then(|beginning| page.strip_prefix(beginning));
    rest.is_some_and(|rest| !rest.to_ascii_lowercase().contains("<meta"))
}
