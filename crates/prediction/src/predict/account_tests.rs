use super::*;
use crate::predict::backtest_tests::recorded_window;
use crate::predict::expect;
use crate::predict::predict_tests::on;
use ebs_samples::evidence::{ProcessorCounts, RunDelayCounts, Session, Timed, WaitKey};
use ebs_workload::demand_summary::DemandSummary;

/// A recorded run of TPC-B by four sessions on 0.7 ms, without a limit.
const FREE: usize = 19;

/// One sample, at a hundred a second.
const SAMPLE_US: u64 = 10_000;

fn reading_worker() -> WaitKey {
    WaitKey {
        backend_type: "parallel worker".into(),
        class: "IO".into(),
        event: "DataFileRead".into(),
        session: Session::default(),
    }
}

/// pg_stat_io has half of the read time that samples show: a sampled parallel worker does not make the samples count instead.
#[test]
fn a_sampled_parallel_worker_is_no_step() {
    let (mut recorded, demand) = recorded_window(FREE);
    for (_, counts) in &mut recorded.totals.io.rows {
        counts.read_us /= 2;
    }
    let expected = |samples: u64| {
        let mut window = recorded.clone();
        window.totals.waits.rows.insert(reading_worker(), samples * SAMPLE_US);
        let observed =
            Observed::from_window(&window, &DemandSummary::new(&demand), Parts { data: true, wal: true }, None)
                .unwrap();
        (observed.read.visits, expect(&observed, &on(5e-3, 5e-3, None)).ratio)
    };
    for samples in 0..200 {
        let (now, next) = (expected(samples), expected(samples + 1));
        assert!((next.0 / now.0 - 1.0).abs() < 1e-3, "{samples}: {now:?} {next:?}");
        assert!((next.1 / now.1 - 1.0).abs() < 1e-3, "{samples}: {now:?} {next:?}");
    }
    let read_samples = 1_500;
    assert!(expected(read_samples).0 < 0.9 * expected(0).0, "workers that read beside sessions count");
}

/// Kernel threads that used no whole tick, in a block that has waits for a CPU.
#[test]
fn kernel_time_of_less_than_a_tick_is_known() {
    let share = |kernel_us, ticked_us, delay_known_us| {
        let counts = ProcessorCounts { server_us: 100, host_us: 1_000, kernel_us, ..ProcessorCounts::default() };
        let counts = ProcessorCounts { host_ticked_us: ticked_us, ..counts };
        let totals = Totals {
            processor: Timed { counts, known_us: 1_000_000 },
            run_delay: Timed { counts: RunDelayCounts::default(), known_us: delay_known_us },
            ..Totals::default()
        };
        CountedCpu::from_totals(&totals, 0, &PerTransaction { tps: 1.0 }).unwrap().known_share
    };
    assert_eq!([share(0, 0, 1_000_000), share(10_000, 0, 1_000_000), share(10_000, 0, 0)], [1.0; 3]);
    assert_eq!(share(0, 0, 0), 0.0, "a block before layout 5");
    assert_eq!(share(0, 1_000, 1_000_000), 0.0, "counted by ticks");
}
