use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::*;

/// The arrows of a crate of these files, as `from -> to: names`.
fn arrows(files: &[(&str, &str)]) -> Vec<String> {
    let (root, files) = (Path::new(files[0].0), by_path(files));
    let arrows = draw_arrows(root, &|path| files.get(path).cloned()).unwrap();
    let show = |(from, to, names): (&Path, &Path, &BTreeSet<String>)| {
        let names: Vec<_> = names.iter().cloned().collect();
        format!("{} -> {}: {}", from.display(), to.display(), names.join(", "))
    };
    arrows.iter().map(show).collect()
}

/// The cycles of a crate of these files, as they are printed.
fn cycles(files: &[(&str, &str)]) -> Vec<String> {
    let (root, files) = (Path::new(files[0].0), by_path(files));
    let arrows = draw_arrows(root, &|path| files.get(path).cloned()).unwrap();
    find_cycles(&arrows).iter().map(Cycle::to_string).collect()
}

fn by_path(files: &[(&str, &str)]) -> BTreeMap<PathBuf, String> {
    files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect()
}

#[test]
fn a_cycle_is_found_with_the_names_that_tie_it() {
    let found = cycles(&[
        ("src/lib.rs", "mod a; mod b; mod c;"),
        ("src/a.rs", "use crate::b::{B, make}; pub struct A(B); fn f() { make() }"),
        ("src/b.rs", "pub struct B; pub fn make() -> super::a::A { todo!() }"),
        ("src/c.rs", "use crate::a::A;"),
    ]);
    assert_eq!(found, ["cycle of 2:\n    src/a.rs -> src/b.rs: B, make\n    src/b.rs -> src/a.rs: A\n"]);
}

#[test]
fn a_reexport_is_followed_to_the_definition() {
    let files = [
        ("src/lib.rs", "pub mod shop;"),
        ("src/shop/mod.rs", "mod cart; mod item; pub use cart::*; pub use self::item::{Item as Thing, price};"),
        ("src/shop/cart.rs", "use super::Thing; pub struct Cart(Thing); fn f() { super::price(); }"),
        ("src/shop/item.rs", "pub struct Item; pub fn price() { crate::shop::Cart::new(); }"),
    ];
    assert_eq!(
        arrows(&files),
        ["src/shop/cart.rs -> src/shop/item.rs: Item, price", "src/shop/item.rs -> src/shop/cart.rs: Cart"]
    );
    assert_eq!(cycles(&files).len(), 1);
}

#[test]
fn a_facade_is_no_cycle() {
    let files = [
        ("src/lib.rs", "//! A facade.\nmod error; mod parse; pub use error::Error; pub use parse::parse;"),
        ("src/error.rs", "pub struct Error;"),
        ("src/parse.rs", "use crate::Error; pub fn parse() -> Result<(), Error> { Ok(()) }"),
    ];
    assert_eq!(arrows(&files), ["src/parse.rs -> src/error.rs: Error"]);
    assert_eq!(cycles(&files), [""; 0]);
}

#[test]
fn a_parent_that_uses_what_it_reexports_is_one() {
    let with = |code: &str| {
        arrows(&[
            ("lib.rs", &format!("mod a; pub use a::{{A, make}}; pub struct Root; {code}")),
            ("a.rs", "use super::Root; pub struct A; pub fn make(_: Root) {}"),
        ])
    };
    assert_eq!(with(""), ["a.rs -> lib.rs: Root"]);
    assert_eq!(with("fn f() -> A { A }"), ["a.rs -> lib.rs: Root", "lib.rs -> a.rs: A"]);
    assert_eq!(with("fn f() { make(Root) }"), ["a.rs -> lib.rs: Root", "lib.rs -> a.rs: make"]);
    // A variable of that name.
    assert_eq!(with("fn f(make: u8) -> u8 { make }"), ["a.rs -> lib.rs: Root"]);
}

#[test]
fn tests_are_left_out() {
    let files = [
        ("lib.rs", "mod a; mod b; #[cfg(test)] mod fixtures;"),
        (
            "a.rs",
            "pub struct A; #[cfg(test)] #[path = \"a_tests.rs\"] mod tests; #[cfg(all(test, unix))] use crate::b::B;",
        ),
        ("b.rs", "use crate::a::A; pub struct B(A); impl B { #[cfg(test)] fn f() { crate::fixtures::f() } }"),
    ];
    assert_eq!(arrows(&files), ["b.rs -> a.rs: A"]);
}

#[test]
fn supers_and_inline_modules_are_places() {
    let files = [
        ("src/main.rs", "mod outer; pub const LIMIT: u8 = 1;"),
        (
            "src/outer.rs",
            "mod inline { mod inner; pub mod deep { pub fn f() { super::super::g(crate::LIMIT) } } } fn g(_: u8) {}",
        ),
        (
            "src/outer/inline/inner.rs",
            "use super::{super::super::LIMIT, deep::{self as d}}; fn h() { d::f(); self::i() } fn i() {}",
        ),
    ];
    assert_eq!(
        arrows(&files),
        [
            "src/outer/inline/inner.rs -> src/main.rs: LIMIT",
            "src/outer/inline/inner.rs -> src/outer.rs: f",
            "src/outer.rs -> src/main.rs: LIMIT",
        ]
    );
}

#[test]
fn path_attributes_name_the_file() {
    let files = [
        (
            "src/lib.rs",
            "#[path = \"elsewhere/one.rs\"] mod a; mod inline { #[path = \"two.rs\"] mod b; pub struct I; }",
        ),
        ("src/elsewhere/one.rs", "mod child; fn f() -> child::C { child::C }"),
        ("src/elsewhere/child.rs", "pub struct C;"),
        ("src/inline/two.rs", "use super::I; fn f() -> crate::a::child::C { crate::a::child::C }"),
    ];
    assert_eq!(
        arrows(&files),
        [
            "src/elsewhere/one.rs -> src/elsewhere/child.rs: C",
            "src/inline/two.rs -> src/elsewhere/child.rs: C",
            "src/inline/two.rs -> src/lib.rs: I",
        ]
    );
}

#[test]
fn macros_and_attributes_are_read() {
    let files = [
        ("lib.rs", "#[macro_use] mod macros; mod a; mod b; mod c;"),
        ("macros.rs", "macro_rules! counted { ($t:ident) => { $crate::a::count::<$t>($crate::b::B) } }"),
        ("a.rs", "pub fn count() { println!(\"{}\", super::c::shown(1)) } pub mod default { pub fn zero() {} }"),
        ("b.rs", "pub struct B; fn f() { counted!(u8) }"),
        ("c.rs", "pub fn shown(_: u8) {} struct S { #[serde(default = \"crate::a::default::zero\")] x: u8 }"),
    ];
    assert_eq!(
        arrows(&files),
        [
            "a.rs -> c.rs: shown",
            "b.rs -> macros.rs: counted!",
            "c.rs -> a.rs: zero",
            "macros.rs -> a.rs: count",
            "macros.rs -> b.rs: B",
        ]
    );
    assert_eq!(cycles(&files).len(), 2);
}

#[test]
fn names_are_found_through_globs() {
    let files = [
        ("lib.rs", "mod kinds; mod prelude; mod user;"),
        ("kinds.rs", "pub enum Kind { Read, Write } pub fn all() {} fn hidden() {}"),
        ("prelude.rs", "pub use crate::kinds::*; use crate::user::User;"),
        (
            "user.rs",
            "use super::prelude::*; pub struct User; fn f(k: Kind) { use Kind::*; match k { Read => all(), Write => {} } }",
        ),
    ];
    // What prelude.rs imports for itself, nobody finds through it.
    assert_eq!(arrows(&files), ["prelude.rs -> user.rs: User", "user.rs -> kinds.rs: Kind, all"]);
}

#[test]
fn a_method_belongs_to_the_file_of_its_impl() {
    let files = [
        ("lib.rs", "mod shape; mod area; mod user;"),
        ("shape.rs", "pub struct Shape; impl Shape { pub fn double(&self) -> f64 { 2.0 * self.area() + Self::UNIT } }"),
        ("area.rs", "impl super::shape::Shape { pub const UNIT: f64 = 1.0; pub fn area(&self) -> f64 { 1.0 } }"),
        ("user.rs", "fn f() -> f64 { crate::shape::Shape::area(&crate::shape::Shape) }"),
    ];
    assert_eq!(
        arrows(&files),
        [
            "area.rs -> shape.rs: Shape",
            "shape.rs -> area.rs: Shape::UNIT, Shape::area",
            "user.rs -> area.rs: Shape::area",
            "user.rs -> shape.rs: Shape",
        ]
    );
}

#[test]
fn other_crates_and_local_names_are_no_arrows() {
    let files = [
        ("lib.rs", "mod time; mod user; use std::fmt; mod fmt_user;"),
        ("time.rs", "pub struct Time; pub fn now() {}"),
        (
            "user.rs",
            "use std::time::{self, Instant}; fn f() { time::now(); let now = Instant::now(); now.elapsed(); ::time::now() }",
        ),
        ("fmt_user.rs", "use super::*; impl fmt::Display for u8 {}"),
    ];
    assert_eq!(arrows(&files), [""; 0]);
}

#[test]
fn a_module_and_a_function_may_share_a_name() {
    let files = [
        ("lib.rs", "mod clock; mod user; pub use clock::{clock, wall};"),
        ("clock.rs", "mod wall; pub use wall::wall; pub fn clock() {}"),
        ("clock/wall.rs", "pub fn wall() {}"),
        ("user.rs", "use crate::{clock, wall}; fn f() { wall() } fn g() { clock() }"),
    ];
    // It is the function that is imported, the module's file is the same.
    assert_eq!(arrows(&files), ["user.rs -> clock/wall.rs: wall", "user.rs -> clock.rs: clock"]);
}

#[test]
fn what_a_macro_made_is_in_the_file_of_its_call() {
    let files =
        [("lib.rs", "mod made; mod user;"), ("made.rs", "make! { Thing }"), ("user.rs", "use crate::made::Thing;")];
    assert_eq!(arrows(&files), ["user.rs -> made.rs: Thing"]);
}

#[test]
fn what_cannot_be_followed_is_an_error() {
    let error = |text: &str| {
        let load = |path: &Path| (path == Path::new("lib.rs")).then(|| text.to_owned());
        draw_arrows(Path::new("lib.rs"), &load).unwrap_err().to_string()
    };
    assert_eq!(error("mod gone;"), "gone.rs: no such file");
    assert_eq!(error("fn f() {}\nfn {}"), "lib.rs:2: expected identifier");
}

#[test]
fn groups_of_files_have_cycles_of_their_own() {
    let files = by_path(&[
        ("lib.rs", "mod store; mod collect;"),
        ("store.rs", "mod a; mod b; pub struct S;"),
        ("store/a.rs", "use crate::collect::C;"),
        ("store/b.rs", "pub struct B;"),
        ("collect.rs", "use crate::store::b::B; pub struct C;"),
    ]);
    let arrows = draw_arrows(Path::new("lib.rs"), &|path| files.get(path).cloned()).unwrap();
    assert!(find_cycles(&arrows).is_empty());
    let first = |path: &Path| Some(PathBuf::from(path.iter().next()?).with_extension(""));
    let grouped = find_cycles(&arrows.between_groups(first));
    let wanted = "cycle of 2:\n    collect -> store: collect.rs -> store/b.rs: B\n    store -> collect: store/a.rs -> collect.rs: C\n";
    assert_eq!(grouped.iter().map(Cycle::to_string).collect::<String>(), wanted);
}
