//! Doc comments that begin with a question word or a preposition, and functions called `of`.
//!
//! A doc comment is a noun phrase or a verb in the third person: "True if it is known" says more than "Whether it is known", and
//! "Mean time of a write" more than "Of a write". A function that constructs is `new`, `from_…` or a verb.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Fields, ItemEnum, ItemStruct, Path, Signature, Token};

use crate::program_source::parse_without_tests;

const QUESTION_WORDS: [&str; 9] = ["What", "Whether", "Where", "Which", "Who", "Whose", "How", "When", "Why"];

/// First words of fragments, which have a meaning only behind the name that they stand at. Not among them: "At least", "At most",
/// "Up to" and "Per", which begin a quantity ("At least one counter went backwards", "Per cent lost").
const PREPOSITIONS: [&str; 27] = [
    "Above", "After", "Around", "As", "Before", "Below", "Between", "By", "During", "For", "From", "In", "Into", "Of",
    "On", "Outside", "Over", "Since", "So", "Through", "To", "Under", "Until", "While", "With", "Within", "Without",
];

/// Derives of clap, which prints the doc comments as help: their wording is that of commands ("Write one page", "As JSON").
const HELP_DERIVES: [&str; 4] = ["Args", "Parser", "Subcommand", "ValueEnum"];

/// A line of a file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Line {
    /// Number, from 1.
    pub number: usize,
    /// Text, trimmed.
    pub text: String,
}

/// The doc comments of a file.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct DocComments {
    /// Number of blocks: lines of one kind in a row.
    pub blocks: usize,
    /// First lines of blocks that begin with a question word.
    pub questions: Vec<Line>,
    /// First lines of blocks that begin with a preposition.
    pub fragments: Vec<Line>,
}

/// Collects the doc comments of a source text, including those of its tests, without clap's help.
pub fn collect_doc_comments(source: &str) -> syn::Result<DocComments> {
    let mut help = HelpLines::default();
    help.visit_file(&syn::parse_file(source)?);
    let mut comments = DocComments::default();
    let mut previous = None;
    for (line, number) in source.lines().map(str::trim).zip(1..) {
        let marker = ["///", "//!"].into_iter().find(|marker| line.starts_with(marker) && !line.starts_with("////"));
        if let Some(marker) = marker
            && previous != Some(marker)
            && !help.ranges.iter().any(|range| range.contains(&number))
        {
            comments.blocks += 1;
            let text = line[marker.len()..].trim_start();
            let first = text.split(|letter: char| !letter.is_alphabetic() && letter != '-').next().unwrap_or_default();
            let line = Line { number, text: line.to_owned() };
            if QUESTION_WORDS.contains(&first) {
                comments.questions.push(line);
            } else if PREPOSITIONS.contains(&first) {
                comments.fragments.push(line);
            }
        }
        previous = marker;
    }
    Ok(comments)
}

/// Collects the doc comments that clap prints as help, a line each.
pub fn help_lines(source: &str) -> syn::Result<Vec<Line>> {
    let mut help = HelpLines::default();
    help.visit_file(&syn::parse_file(source)?);
    let lines = source.lines().map(str::trim).zip(1..);
    let lines = lines.filter(|(_, number)| help.ranges.iter().any(|range| range.contains(number)));
    let text = |(line, number): (&str, usize)| Some(Line { number, text: line.strip_prefix("///")?.trim().to_owned() });
    Ok(lines.filter_map(text).collect())
}

/// The lines of types whose doc comments are clap's help.
#[derive(Default)]
struct HelpLines {
    ranges: Vec<RangeInclusive<usize>>,
}

impl HelpLines {
    fn add(&mut self, attributes: &[Attribute], last: usize) {
        if let Some(first) = attributes.first()
            && attributes.iter().any(derives_help)
        {
            self.ranges.push(first.pound_token.spans[0].start().line..=last);
        }
    }
}

impl<'ast> Visit<'ast> for HelpLines {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        let end = match &item.fields {
            Fields::Named(fields) => fields.brace_token.span.close(),
            Fields::Unnamed(fields) => fields.paren_token.span.close(),
            Fields::Unit => item.ident.span(),
        };
        self.add(&item.attrs, end.end().line);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.add(&item.attrs, item.brace_token.span.close().end().line);
    }
}

fn derives_help(attribute: &Attribute) -> bool {
    let is_help =
        |path: &Path| path.segments.last().is_some_and(|name| HELP_DERIVES.iter().any(|help| name.ident == help));
    attribute.path().is_ident("derive")
        && attribute
            .parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated)
            .is_ok_and(|derives| derives.iter().any(is_help))
}

/// Returns the lines on which a function called `of` is defined outside of tests.
pub fn find_functions_called_of(source: &str) -> syn::Result<Vec<Line>> {
    let mut functions = FunctionsCalledOf::default();
    functions.visit_file(&parse_without_tests(source)?);
    let lines = source.lines().zip(1..).filter(|(_, number)| functions.lines.contains(number));
    Ok(lines.map(|(line, number)| Line { number, text: line.trim().to_owned() }).collect())
}

#[derive(Default)]
struct FunctionsCalledOf {
    lines: BTreeSet<usize>,
}

impl<'ast> Visit<'ast> for FunctionsCalledOf {
    fn visit_signature(&mut self, signature: &'ast Signature) {
        if signature.ident == "of" {
            self.lines.insert(signature.ident.span().start().line);
        }
        visit::visit_signature(self, signature);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(lines: &[Line]) -> Vec<usize> {
        lines.iter().map(|line| line.number).collect()
    }

    #[test]
    fn the_first_line_of_a_block_counts() {
        let source = "//! What it is.\n//! Where it is.\n\n/// A noun.\n/// How often.\nfn f() {}\n    /// Who's there?\n//// Which?\n\
            // When.\n///Whose.\nconst X: u8 = 1; /// Why\nfn g() {\n//! Whatever.\n/// When\nfn h() {} }\n";
        let found = collect_doc_comments(source).unwrap();
        assert_eq!((found.blocks, numbers(&found.questions)), (6, vec![1, 7, 10, 14]));
        assert_eq!(found.questions[1].text, "/// Who's there?");
        assert_eq!(collect_doc_comments("").unwrap(), DocComments::default());
        assert!(collect_doc_comments("fn").is_err());
    }

    #[test]
    fn a_preposition_makes_a_fragment() {
        let comments = ["Of a write.", "At most one.", "In-flight requests.", "As JSON.", "Forms."];
        let fields: Vec<String> = comments.iter().map(|comment| format!("/// {comment}\na: u8,\n")).collect();
        let source = format!("struct A {{\n{}}}\n", fields.concat());
        let found = collect_doc_comments(&source).unwrap();
        assert_eq!((numbers(&found.fragments), found.questions), (vec![2, 8], Vec::new()));
    }

    #[test]
    fn help_of_clap_is_left_out() {
        for item in [
            "#[derive(Debug, clap::Args)]\nstruct A {\n/// As JSON\n#[arg(long)]\na: bool,\n}",
            "#[derive(Parser)]\nstruct A(\n/// As JSON\nu8,\n);",
            "#[derive(Subcommand)]\nenum A {\n/// As JSON\nB,\n}",
        ] {
            let found = collect_doc_comments(&format!("/// For users.\n{item}\n/// By us.\nfn f() {{}}")).unwrap();
            assert_eq!((found.blocks, found.fragments[0].text.as_str()), (1, "/// By us."), "{item}");
        }
        let other = collect_doc_comments("/// For us.\n#[derive(Debug)]\nstruct A;").unwrap();
        assert_eq!(other.fragments.len(), 1);
    }

    #[test]
    fn functions_called_of_are_found_outside_of_tests() {
        let source = "fn of() {}\nimpl A {\n    pub fn\n    of<T>() {}\n    fn offer() {}\n}\ntrait B { fn of(); }\n\
            #[cfg(test)]\nmod tests { fn of() {} }\nfn outer() { fn of() {}\n of() }";
        assert_eq!(numbers(&find_functions_called_of(source).unwrap()), [1, 4, 7, 10]);
        assert!(find_functions_called_of("fn").is_err());
    }
}
