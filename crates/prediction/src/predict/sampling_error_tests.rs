use super::super::predict_tests::on;
use super::super::{Observed, Parts, predict};
use super::*;
use crate::predict::Target;
use ebs_samples::evidence::{DeviceCounts, Session, Totals, WaitKey, Window};
use ebs_workload::demand::{Demand, DemandInterval};
use ebs_workload::demand_summary::DemandSummary;

const SECOND_US: u64 = 1_000_000;

/// xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016): the same numbers in each run.
struct Random(u64);

impl Random {
    /// A number of at least 0 and less than 1.
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Sessions that read for this share of their time from a volume of 1 ms, and compute otherwise.
#[derive(Clone, Copy)]
struct Mix {
    share: f64,
    sessions: f64,
}

impl Mix {
    /// The run that one look a second at these sessions shows: of them, `reading` of `looks` were reading.
    fn run(self, reading: u64, looks: u64) -> Observed {
        let seconds = 3_600;
        // Each read takes 1 ms, and the volume makes all that sessions wait for.
        let reads = (1e3 * self.share * self.sessions * seconds as f64) as u64;
        let counts = DeviceCounts { reads, read_bytes: 8192 * reads, read_ms: reads, ..DeviceCounts::default() };
        let interval = DemandInterval { seconds: seconds as f64, counts, ..DemandInterval::default() };
        let demand = Demand { timed: true, averaged_s: 1.0, intervals: vec![interval], ..Demand::default() };
        let key = |class: &str, event: &str| WaitKey {
            backend_type: "client backend".into(),
            class: class.into(),
            event: event.into(),
            session: Session::default(),
        };
        let us = |count: u64| (self.sessions * (count * SECOND_US) as f64) as u64;
        let rows = [(key("IO", "DataFileRead"), us(reading)), (key(WaitKey::CPU, WaitKey::CPU), us(looks - reading))];
        let waits = WaitTotals { rows: rows.into(), sweeps: looks, swept_us: looks * SECOND_US };
        let window = Window { totals: Totals { waits, ..Totals::default() }, ..Window::default() };
        Observed::from_window(&window, &DemandSummary::new(&demand), Parts { data: true, wal: false }, None).unwrap()
    }

    /// The run whose shares are known exactly.
    fn exact(self) -> Observed {
        let looks = 1_000_000;
        Observed { looks: None, ..self.run((self.share * looks as f64) as u64, looks) }
    }
}

fn log_width(run: &Observed, target: &Target) -> f64 {
    let ratio = predict(run, target).ratio;
    (ratio.high / ratio.low).ln()
}

/// The known mix seen through independent looks: the ratio that its exact shares lead to is in the interval of the sampled ones in at least
/// 90 % of 1,000 runs, and mostly so by the sampling error alone.
#[test]
fn the_ratio_of_the_true_mix_is_in_the_interval_of_its_samples() {
    let mut random = Random(20_261_126);
    for (share, looks) in [(0.1, 60), (0.5, 60), (0.9, 60), (0.1, 600), (0.5, 600), (0.9, 20)] {
        let mix = Mix { share, sessions: 4.0 };
        for target in [on(0.25e-3, 0.25e-3, None), on(4e-3, 4e-3, None)] {
            let truth = predict(&mix.exact(), &target).ratio.middle;
            let covered = (0..1_000).filter(|_| {
                let reading = (0..looks).filter(|_| random.unit() < share).count() as u64;
                let ratio = predict(&mix.run(reading, looks), &target).ratio;
                (ratio.low..=ratio.high).contains(&truth)
            });
            let covered = covered.count();
            assert!(covered >= 900, "{share} by {looks} looks: {covered} of 1,000");
        }
    }
}

/// An hour of the sampler's, a hundred looks a second, widens no interval by a thousandth; a minute of looks each second widens it by more
/// than a tenth.
#[test]
fn few_looks_widen_the_interval() {
    let mix = Mix { share: 0.5, sessions: 4.0 };
    let target = on(4e-3, 4e-3, None);
    let width = |looks: u64| log_width(&mix.run(looks / 2, looks), &target);
    let exact = log_width(&mix.exact(), &target);
    assert!(width(360_000) / exact < 1.001, "{} {exact}", width(360_000));
    let wider = [60, 600, 3_600, 36_000].map(|looks| width(looks) / exact);
    assert!(wider[0] > 1.1 && wider.is_sorted_by(|few, more| few > more), "{wider:?}");
}

/// Half a session on average is in every other look; more sessions count as one.
#[test]
fn a_look_counts_where_it_shows_a_session() {
    let looks = |sessions: f64| Mix { share: 0.5, sessions }.run(300, 600).looks;
    assert_eq!([0.5, 1.0, 4.0].map(looks), [Some(300.0), Some(600.0), Some(600.0)]);
}

/// Computed by hand: 30 of 60 looks are 0.5 ± 1.645 √(0.25 / 60 + 0.0451 / 240) / 1.0451 = 0.396 to 0.604; all of 60 looks are 0.957 at least.
#[test]
fn the_ends_are_those_of_wilson() {
    let near = |found: [f64; 2], expected: [f64; 2]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-3);
    assert!(near(share_interval(0.5, 60.0), [0.396, 0.604]), "{:?}", share_interval(0.5, 60.0));
    assert!(near(share_interval(1.0, 60.0), [0.957, 1.0]), "{:?}", share_interval(1.0, 60.0));
}
