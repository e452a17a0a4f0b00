//! Runs each target on its seeds, on truncated seeds, and on seeds mutated by a generator with a fixed seed. It takes seconds, needs
//! neither libFuzzer nor instrumented code, and uses a small stack. Findings of long runs are unit tests beside their parsers.

use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};

use ebs_advisor_fuzz::{Target, grammar, stack, targets};
use ebs_imports::formats::formats;
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;

/// Number of mutated seeds for each target: `FUZZ_SEEDS` (`make test-long`), or 1,500.
fn seeds_per_target() -> usize {
    std::env::var("FUZZ_SEEDS").map_or(1_500, |number| number.parse().expect("FUZZ_SEEDS is a number"))
}

const DICTIONARY: &str = include_str!("../dictionary.txt");

/// The entries of libFuzzer's dictionary.
fn dictionary_tokens() -> Vec<Vec<u8>> {
    DICTIONARY.lines().filter_map(|line| line.strip_prefix('"')?.strip_suffix('"')).map(unescape).collect()
}

/// Replaces `\"` and `\xAB`.
fn unescape(text: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        let code = || u8::from_str_radix(std::str::from_utf8(after.get(1..3)?).ok()?, 16).ok();
        (bytes, rest) = match (byte, after.first()) {
            (b'\\', Some(b'x')) => ([bytes, vec![code().expect("a code")]].concat(), &after[3..]),
            (b'\\', Some(&next)) => ([bytes, vec![next]].concat(), &after[1..]),
            _ => ([bytes, vec![byte]].concat(), after),
        };
    }
    bytes
}

/// Random number below `end`, which must be above 0.
fn random_below(random: &mut Pcg64, end: usize) -> usize {
    (random.next_u64() % end as u64) as usize
}

/// Mutates a seed in one to four places: replaces, removes or repeats bytes, inserts a token or a part of another seed.
fn mutate(seed: &[u8], other: &[u8], tokens: &[Vec<u8>], random: &mut Pcg64) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random_below(random, 4) {
        let at = random_below(random, bytes.len() + 1);
        let end = (at + random_below(random, 12)).min(bytes.len());
        let piece = match random_below(random, 5) {
            0 => vec![random.next_u64() as u8; end - at],
            1 => Vec::new(),
            2 => bytes[at..end].repeat(3),
            3 => tokens[random_below(random, tokens.len())].clone(),
            _ => {
                let from = random_below(random, other.len() + 1);
                other[from..(from + 40).min(other.len())].to_vec()
            }
        };
        bytes.splice(at..end, piece);
    }
    bytes
}

/// Runs the target on a small stack, and prints the input if it panics.
fn run(target: &Target, input: &[u8]) {
    if let Err(panic) = panic::catch_unwind(AssertUnwindSafe(|| stack::small(|| target.run(input)))) {
        eprintln!("{}: {}", target.name, input.escape_ascii());
        panic::resume_unwind(panic);
    }
}

#[test]
fn seeds_are_taken_as_they_are_and_cut_off_anywhere() {
    for target in targets() {
        let seeds = target.seeds();
        assert!(!seeds.is_empty(), "{}", target.name);
        for seed in seeds {
            run(&target, &seed);
            // About a hundred places in each.
            (0..seed.len()).step_by(seed.len() / 100 + 1).for_each(|at| run(&target, &seed[..at]));
        }
    }
}

#[test]
fn changed_seeds_are_read_or_refused() {
    let tokens = dictionary_tokens();
    assert!(tokens.contains(&b"NaN".to_vec()) && tokens.contains(&vec![0xc2, 0xa0]));
    for target in targets() {
        let (seeds, mut random) = (target.seeds(), Pcg64::seed_from_u64(8));
        for number in 0..seeds_per_target() {
            let other = &seeds[random_below(&mut random, seeds.len())];
            run(&target, &mutate(&seeds[number % seeds.len()], other, &tokens, &mut random));
        }
    }
}

#[test]
fn inputs_that_nest_are_read_or_refused() {
    let within = [grammar::json(), grammar::texts()].concat();
    for target in targets() {
        grammar::all().iter().for_each(|input| run(&target, input));
        // In the middle of valid input.
        for seed in target.seeds() {
            let (before, after) = seed.split_at(seed.len() / 2);
            within.iter().for_each(|input| run(&target, &[before, input.as_bytes(), after].concat()));
        }
    }
}

#[test]
fn every_recorded_report_is_a_sample_of_a_format() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../sql/reports");
    let files = std::fs::read_dir(directory).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let files: BTreeSet<String> = files.filter(|name| !name.ends_with(".hex") && name != "README.md").collect();
    let samples = formats().flat_map(|format| format.inputs.samples).filter_map(|sample| sample.file);
    assert_eq!(samples.map(str::to_owned).collect::<BTreeSet<_>>(), files);
}
