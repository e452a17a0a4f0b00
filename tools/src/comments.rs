//! Doc comments that begin with a bare interrogative, and functions called `of`.
//!
//! A doc comment is a noun phrase or a verb in the third person: "Whether it is known" says less than "True if it is known". A
//! function that constructs is `new`, `from_…` or a verb.

use std::collections::BTreeSet;

use syn::Signature;
use syn::visit::{self, Visit};

use crate::program_source::parse_without_tests;

const INTERROGATIVES: [&str; 9] = ["What", "Whether", "Where", "Which", "Who", "Whose", "How", "When", "Why"];

/// A line of a file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Line {
    /// From 1 on.
    pub number: usize,
    /// Without the space around it.
    pub text: String,
}

/// The doc comments of a file.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct DocComments {
    /// The number of blocks: lines of one kind in a row.
    pub blocks: usize,
    /// The first lines of those that begin with a bare interrogative.
    pub interrogative: Vec<Line>,
}

/// Collects the doc comments of a source text, those of its tests too.
pub fn collect_doc_comments(source: &str) -> DocComments {
    let mut comments = DocComments::default();
    let mut previous = None;
    for (line, number) in source.lines().map(str::trim).zip(1..) {
        let marker = ["///", "//!"].into_iter().find(|marker| line.starts_with(marker) && !line.starts_with("////"));
        if let Some(marker) = marker
            && previous != Some(marker)
        {
            comments.blocks += 1;
            let text = line[marker.len()..].trim_start();
            let first = text.split(|letter: char| !letter.is_alphabetic()).next();
            if first.is_some_and(|word| INTERROGATIVES.contains(&word)) {
                comments.interrogative.push(Line { number, text: line.to_owned() });
            }
        }
        previous = marker;
    }
    comments
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
            // When.\n///Whose.\nlet x = 1; /// Why\n//! Whatever.\n/// When\n";
        let found = collect_doc_comments(source);
        assert_eq!((found.blocks, numbers(&found.interrogative)), (6, vec![1, 7, 10, 13]));
        assert_eq!(found.interrogative[1].text, "/// Who's there?");
        assert_eq!(collect_doc_comments(""), DocComments::default());
    }

    #[test]
    fn functions_called_of_are_found_outside_of_tests() {
        let source = "fn of() {}\nimpl A {\n    pub fn\n    of<T>() {}\n    fn offer() {}\n}\ntrait B { fn of(); }\n\
            #[cfg(test)]\nmod tests { fn of() {} }\nfn outer() { fn of() {}\n of() }";
        assert_eq!(numbers(&find_functions_called_of(source).unwrap()), [1, 4, 7, 10]);
        assert!(find_functions_called_of("fn").is_err());
    }
}
