//! Words of sentences for users: string literals of programs, and the doc comments that clap prints as help.
//!
//! A reader at three in the morning knows the field's terms, and no others: what a sentence says in words of its own is said in those of
//! PostgreSQL, AWS and statistics. Which words that are is in the table, each with a better one.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, LitStr, Macro, Meta};

use crate::comments::{Line, help_lines};
use crate::program_source::parse_without_tests;

/// Words that are none of the field's, each with a better one.
pub const WORDS: [(&str, &str); 19] = [
    ("anew", "again"),
    ("as of", "at, from or like"),
    ("of now", "current"),
    ("in vain", "without result"),
    ("whoever", "the role, the user"),
    ("somebody", "another role, another user"),
    ("nobody", "no role, no user"),
    ("asked for", "requested"),
    ("asked of", "demanded from"),
    ("who asked", "by source"),
    ("known of", "known for"),
    ("price is known", "with known price"),
    ("buys nothing", "does not increase throughput"),
    ("without end", "sustained"),
    ("stands still", "does not advance"),
    ("stand still", "do not advance"),
    ("stood still", "waited"),
    ("hardly a request", "almost no request"),
    ("likewise", "in the same way"),
];

/// A sentence with a word that is none of the field's.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Sentence {
    /// Line of its beginning, from 1, and its text.
    pub line: Line,
    /// The word.
    pub word: &'static str,
    /// A better one.
    pub better: &'static str,
}

/// Collects the sentences of a source text, without its tests, in which one of the words is.
pub fn collect_sentences(source: &str) -> syn::Result<Vec<Sentence>> {
    let file = parse_without_tests(source)?;
    let mut texts = Texts::default();
    texts.visit_file(&file);
    let help = help_lines(source)?;
    texts.found.extend(help);
    let of_text = |line: Line| {
        let lower = line.text.to_lowercase();
        let found = WORDS.into_iter().find(|(word, _)| has_word(&lower, word))?;
        Some(Sentence { line, word: found.0, better: found.1 })
    };
    let mut sentences: Vec<Sentence> = texts.found.into_iter().filter_map(of_text).collect();
    sentences.sort_by_key(|sentence| sentence.line.number);
    Ok(sentences)
}

/// True where the text has the word between other letters than those of words.
fn has_word(text: &str, word: &str) -> bool {
    let is_letter = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    text.match_indices(word).any(|(start, _)| {
        !is_letter(text[..start].chars().next_back()) && !is_letter(text[start + word.len()..].chars().next())
    })
}

/// True of a doc comment among the tokens of a macro, where it is an attribute.
fn is_doc(group: &Group) -> bool {
    let mut tokens = group.stream().into_iter();
    let is_name = matches!(tokens.next(), Some(TokenTree::Ident(name)) if name == "doc");
    let is_value = matches!(tokens.next(), Some(TokenTree::Punct(mark)) if mark.as_char() == '=');
    group.delimiter() == Delimiter::Bracket && is_name && is_value
}

/// String literals of code and of the arguments of macros and attributes, without doc comments.
#[derive(Default)]
struct Texts {
    found: Vec<Line>,
}

impl Texts {
    fn add(&mut self, text: &str, span: Span) {
        // A name is no sentence.
        if text.contains(' ') {
            self.found
                .push(Line { number: span.start().line, text: text.split_whitespace().collect::<Vec<_>>().join(" ") });
        }
    }

    fn add_tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) if !is_doc(&group) => self.add_tokens(group.stream()),
                TokenTree::Literal(literal) => {
                    if let Ok(text) = syn::parse_str::<LitStr>(&literal.to_string()) {
                        self.add(&text.value(), literal.span());
                    }
                }
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Texts {
    fn visit_lit_str(&mut self, literal: &'ast LitStr) {
        self.add(&literal.value(), literal.span());
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.add_tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.add_tokens(list.tokens.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<(usize, &'static str)> {
        let sentences = collect_sentences(source).unwrap();
        sentences.into_iter().map(|sentence| (sentence.line.number, sentence.word)).collect()
    }

    #[test]
    fn sentences_are_in_literals_macros_attributes_and_help() {
        let source = "/// Made anew, in a doc comment.\nfn f() { let a = \"made anew\";\n print!(\"of {a} the price is known of {b}\", g(\"as of 1\"));\n}\n\
            #[derive(clap::Args)]\nstruct A {\n/// Begin anew\na: u8 }\n#[error(\"nobody \\n knows\")]\nstruct E;\n\
            object! { /// Likewise in a macro.\n a = f!(doc, \"Made anew\") }\n\
            #[cfg(test)]\nmod tests { const A: &str = \"in vain\"; }\n";
        assert_eq!(
            found(source),
            [(2, "anew"), (3, "known of"), (3, "as of"), (7, "anew"), (9, "nobody"), (12, "anew")]
        );
    }

    #[test]
    fn a_part_of_a_word_is_none() {
        assert_eq!(found("const A: &str = \"a renewal, has often; anew_b\";\nconst B: &str = \"anew\";"), []);
        assert_eq!(found("const A: &str = \"is it Whoever's?\";"), [(1, "whoever")]);
    }
}
