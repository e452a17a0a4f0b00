//! Probes: /proc, /sys, filesystems, and PostgreSQL's counters are read here. Never writes anything.

mod clock;
mod cpu_time;
mod diskstats;
mod filesystem;
mod nvme;
mod processes;
mod run_reading;
mod server_io;
mod session_io;
mod slow_probes;
mod snapshot;
mod statements;
mod storage_layout;
mod wait_sampler;

pub use clock::{cpu_us, measure_clock, monotonic_us, sleep_until, wall_us};
pub use cpu_time::CpuTime;
pub use nvme::{EbsPageResult, ebs_pages};
pub use run_reading::{block_size, take_run_reading};
pub use session_io::SessionIo;
pub use slow_probes::read_slow_probes;
pub use snapshot::{Completeness, take_snapshot, timing_settings};
pub use statements::{read_statement_texts, read_statements, statements_missing};
pub use storage_layout::find_storage_layout;
pub use wait_sampler::WaitSampler;
