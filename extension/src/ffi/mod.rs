//! The only module with unsafe code: PostgreSQL's C interface, one concern a file, safe functions out. It stands below all
//! others, and imports none of them: what it is to call is given to it.
//!
//! Every difference between PostgreSQL 16, 17 and 18 is here too.

mod allocator;
mod backend_io;
mod checkpoints;
mod cushion;
mod database_drop;
mod databases;
mod held;
mod json;
mod loading;
mod names;
mod plan;
mod processes;
mod reload;
mod reserve;
mod server;
mod shared;
mod statistics;
mod subtransaction;
mod tablespaces;
mod transaction;
mod transaction_end;
mod usage;
mod wake;

// pg_guard looks for it here where it declares functions of PostgreSQL's that pgrx leaves out.
pub(crate) use pgrx::pg_sys::ffi::pg_guard_ffi_boundary;

pub use allocator::{
    RESERVED, grow_reserve, high_water, live as live_bytes, reserve as reserve_free, shrink_reserve, take_refused,
};
pub use backend_io::{BACKEND_IO, BackendIo, backend_io};
pub use checkpoints::checkpoints;
pub use cushion::{drop_cushion, prepare_cushion};
pub use database_drop::before_database_drop;
pub use databases::databases;
pub use held::{held, hold, hold_as_written, hold_nothing};
pub use json::{Unread, json, json_text};
pub(crate) use loading::background_worker_main;
pub use loading::{
    is_binary_upgrade, is_preloading, prepare_for_errors, reserve_setting_prefix, reserve_shared_memory,
};
pub use names::{database_name, database_number, role_name};
pub use plan::{Explained, check_index, explain};
pub use processes::{Identity, each_process, identity, process_places, query_id, wait_names};
pub use reload::{reload_settings, report_activity, report_own_statistics};
pub use server::{data_directory, database_exists, in_recovery, own_database, require_writable, snapshot_is_frozen};
pub use shared::{SamplerState, claim_sampler, is_preloaded, leave_shared_state, sampler_state, with_sampler_state};
pub use statistics::statistics;
pub use subtransaction::{attempt, undone};
pub use tablespaces::{Tablespaces, tablespaces};
pub use transaction::{as_role, current_role, in_transaction, try_in_transaction};
pub use transaction_end::{TransactionEnd, on_transaction_end};
pub use usage::{own_transactions, own_wal_bytes};
pub use wake::{latch_is_set, wait_on_latch, wake};
