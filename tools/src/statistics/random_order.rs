//! Random orders that are determined by a seed.

/// The minimal generator of Park & Miller 1988, Communications of the ACM 31:1192. A seed gives the same order in each release.
struct MinimalGenerator(u64);

impl MinimalGenerator {
    const MODULUS: u64 = 0x7FFF_FFFF;

    /// The next number, in (0, 1).
    fn next_uniform(&mut self) -> f64 {
        self.0 = self.0 % Self::MODULUS * 16_807 % Self::MODULUS;
        self.0 as f64 / Self::MODULUS as f64
    }
}

/// Returns for each pair of runs if it begins with the sampler on. Every second pair is in the reverse order of the one before, so that
/// a drift within the four runs cancels.
pub fn order_pairs(pairs: usize, seed: u64) -> Vec<bool> {
    let mut generator = MinimalGenerator(seed);
    let mut order = Vec::new();
    for pair in 0..pairs {
        let previous = order.last().copied().unwrap_or(false);
        order.push(if pair % 2 == 0 { generator.next_uniform() < 0.5 } else { !previous });
    }
    order
}

/// Shuffles lines.
pub fn shuffle(lines: &mut [String], seed: u64) {
    let mut generator = MinimalGenerator(seed);
    // The first numbers of a small seed are small.
    for _ in 0..10 {
        generator.next_uniform();
    }
    for last in (1..lines.len()).rev() {
        lines.swap(last, (generator.next_uniform() * (last + 1) as f64) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Park & Miller's own check of an implementation, p. 1195.
    #[test]
    fn the_10_000th_number_is_the_published_one() {
        let mut generator = MinimalGenerator(1);
        for _ in 0..10_000 {
            generator.next_uniform();
        }
        assert_eq!(generator.0, 1_043_618_065);
    }

    #[test]
    fn pairs_are_turned_round() {
        let order = order_pairs(40, 1);
        assert!(order.chunks(2).all(|two| two[0] != two[1]));
        assert!((5..15).contains(&order.chunks(2).filter(|two| two[0]).count()));
        assert_eq!((order_pairs(3, 7), order_pairs(0, 1)), (order_pairs(40, 7)[..3].to_vec(), vec![]));
    }

    #[test]
    fn a_seed_gives_its_order() {
        let shuffled = |seed| {
            let mut lines: Vec<String> = (0..8).map(|line| line.to_string()).collect();
            shuffle(&mut lines, seed);
            lines.concat()
        };
        assert_eq!((shuffled(1), shuffled(2)), ("62150473".to_owned(), "12547306".to_owned()));
        shuffle(&mut [], 1);
    }
}
