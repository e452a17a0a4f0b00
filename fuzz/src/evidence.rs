//! Blocks of samples. A block that can be read is written and read back unchanged, and answers can be computed from
//! importable samples.

use ebs_comparison::export::Samples;
use ebs_samples::evidence::Window;
use ebs_samples::evidence::codec::{FORMAT, decode, encode};
use ebs_workload::balance::Balance;
use ebs_workload::demand::Demand;
use ebs_workload::io_profile::Metric;
use ebs_workload::io_sources::sources;
use ebs_workload::waits::waits;

use crate::figures::{check_figure, check_figures};

/// Block of samples. The first byte has the layout, and the bit that says that the rest is not compressed yet.
pub fn block(data: &[u8]) {
    let Some((&how, rest)) = data.split_first() else { return };
    let layout = i16::from(how & 0x7f);
    let bytes = if how & 0x80 == 0 { rest.to_vec() } else { pack(rest) };
    let Ok(mut block) = decode(layout, &bytes) else { return };
    // Rows are stored in the order of their names.
    block.totals.io.rows.sort_by(|a, b| a.0.cmp(&b.0));
    let again = encode(block.clone()).expect("what was read can be written");
    assert_eq!(decode(FORMAT, &again).expect("what is written can be read"), block);
    if let Ok(Some(samples)) = Samples::from_stored(layout, bytes, &|| ()) {
        compute_answers(&samples);
    }
}

/// Compresses bytes as in a block, so that mutations of plain bytes reach the layer behind the compression.
pub fn pack(plain: &[u8]) -> Vec<u8> {
    let mut bytes = (plain.len() as u32).to_le_bytes().to_vec();
    bytes.extend(lz4_flex::block::compress(plain));
    bytes
}

/// Computes from imported samples what answers contain.
pub fn compute_answers(samples: &Samples) {
    let block = decode(samples.layout, &samples.bytes).expect("it was read before");
    let window = Window::assemble([block], samples.started_us, samples.ended_us);
    for volume in 0..window.layout.volumes.len() {
        let demand = Demand::from_window(&window, volume);
        check_figure("seconds", demand.seconds());
        let _ = demand.total();
        for interval in &demand.intervals {
            check_figures(Metric::ALL.map(|metric| (metric.name(), metric.value(interval))));
        }
    }
    sources(&window).rows.iter().for_each(|row| {
        check_figures([("stall", row.stall_ms), ("share", row.share)]);
        assert!(row.share.is_none_or(|share| share <= 1.0));
    });
    for wait in waits(&window) {
        check_figure("sessions", wait.average_active_sessions);
        assert!(wait.share_of_db_time.is_none_or(|share| (0.0..=1.0).contains(&share)));
    }
    Balance::from_window(&window);
}
