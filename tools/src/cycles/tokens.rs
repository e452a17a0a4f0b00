//! Paths among the tokens of a macro call, a macro's definition or an attribute, which have no syntax tree.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Names joined by `::`, as they stand among tokens.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TokenPath {
    /// The segments; the first is `$crate` where a macro's definition says so.
    pub segments: Vec<String>,
    /// A call of a function, or of a macro.
    pub is_called: bool,
}

/// Returns the paths of a token stream, at every depth; fields, methods and lifetimes are none.
pub fn find_paths(tokens: TokenStream) -> Vec<TokenPath> {
    let mut paths = Vec::new();
    add_paths(tokens, &mut paths);
    paths
}

fn add_paths(tokens: TokenStream, paths: &mut Vec<TokenPath>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_punct = |at: usize, sign| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == sign);
    let is_separator = |at: usize| is_punct(at, ':') && is_punct(at + 1, ':');
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let start = at;
        at += 1;
        match token {
            TokenTree::Group(group) => add_paths(group.stream(), paths),
            TokenTree::Ident(first) => {
                let mut segments = vec![first.to_string()];
                while let (true, Some(TokenTree::Ident(next))) = (is_separator(at), tokens.get(at + 2)) {
                    segments.push(next.to_string());
                    at += 3;
                }
                let before = |back: usize, sign| start.checked_sub(back).is_some_and(|at| is_punct(at, sign));
                // `.field`, but not `..end`; `'lifetime`; what follows `<T>::` or a leading `::`.
                let is_member =
                    before(1, '.') && !before(2, '.') || before(1, '\'') || before(1, ':') && before(2, ':');
                if before(1, '$') {
                    // A variable of a macro's definition, unless it is the crate.
                    if first != "crate" {
                        continue;
                    }
                    segments[0] = "$crate".to_owned();
                }
                let is_group = |at: usize| matches!(tokens.get(at), Some(TokenTree::Group(_)));
                let is_call =
                    matches!(tokens.get(at), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
                let is_called = is_call || is_punct(at, '!') && is_group(at + 1);
                if !is_member {
                    paths.push(TokenPath { segments, is_called });
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_at_every_depth() {
        let shown = |source: &str| -> Vec<String> {
            let paths = find_paths(source.parse().unwrap());
            paths.into_iter().map(|path| path.segments.join("::") + if path.is_called { "()" } else { "" }).collect()
        };
        assert_eq!(shown("\"{}\", a::b::C { x: D::new(1) }, e.f, g()"), ["a::b::C", "x", "D::new()", "e", "g()"]);
        assert_eq!(shown("$crate::a::b!($c::d, $e), 1..f, 'g, <H>::i"), ["$crate::a::b()", "f", "H"]);
        assert_eq!(shown("vec![super::a(&b)]"), ["vec()", "super::a()", "b"]);
    }
}
