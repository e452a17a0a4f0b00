//! The only module with unsafe code: PostgreSQL's C interface behind safe functions, one concern a file. It is below all other
//! modules and imports none of them: functions that it calls are passed to it.
//!
//! Every difference between PostgreSQL 16, 17 and 18 is here too.

mod allocator;
mod backend_io;
mod background_worker;
mod c_string;
mod called_function;
mod checkpoints;
mod configured_settings;
mod database_drop;
mod databases;
mod error_memory;
mod json;
mod latch;
mod latest_snapshot;
mod loading;
mod names;
mod own_usage;
mod pending_samples;
mod plan;
mod processes;
mod reserve;
mod sampler_state;
mod saved_setting;
mod server;
mod statistics;
mod subtransaction;
mod table_lock;
mod tablespaces;
mod time_limit;
mod transaction;
mod transaction_end;

// pg_guard finds it here where it declares functions of PostgreSQL that pgrx leaves out.
pub(crate) use pgrx::pg_sys::ffi::pg_guard_ffi_boundary;

pub use allocator::{free_reserve, grow_reserve, high_water, live_bytes, shrink_reserve, take_refused};
pub use backend_io::{COUNTS_BACKEND_IO, read_backend_io};
pub use background_worker::{reload_settings, report_activity, report_own_statistics, set_application_name};
pub use called_function::CalledFunction;
pub use checkpoints::read_checkpoints;
pub use configured_settings::{ConfiguredSettings, override_setting};
pub use database_drop::before_database_drop;
pub use databases::read_databases;
pub use error_memory::{free_error_memory, prepare_error_memory};
pub use json::{JsonError, json_argument, with_json_text};
pub use latch::{is_latch_set, wait_on_latch, wake_process};
pub use latest_snapshot::latest_number;
pub(crate) use loading::background_worker_main;
pub use loading::{
    is_binary_upgrade, is_preloading, prepare_for_errors, reserve_setting_prefix, reserve_shared_memory,
};
pub use names::{database_name, database_number, role_name};
pub use own_usage::{own_cpu_time, own_transactions, own_wal_bytes};
pub use pending_samples::{
    clear_pending_samples, mark_pending_samples_written, pending_samples, publish_pending_samples,
};
pub use plan::{Barrier, Explained, IndexCommand, NotPlanned, Permitted, check_index, explain, parse_index_command};
pub use processes::{
    current_query_id, for_each_process, process_identity, process_slots, session_state, wait_event_names,
};
pub use reserve::BUILT_IN_BYTES;
pub use sampler_state::{
    SamplerState, claim_sampler, detach_sampler_state, is_preloaded, sampler_state, update_sampler_state,
};
pub use server::{
    data_directory, database_exists, is_in_recovery, own_database, require_writable, uses_transaction_snapshot,
};
pub use statistics::read_io_statistics;
pub use subtransaction::{attempt, attempt_to_read, run_and_roll_back};
pub use table_lock::{bound_lock_waits, lock_table, lock_timeout};
pub use tablespaces::{Tablespaces, read_tablespaces};
pub use time_limit::{Failure, attempt_within};
pub use transaction::{as_role, current_role, in_transaction, statement_start, transaction_number, try_in_transaction};
pub use transaction_end::{TransactionEnd, on_transaction_end};
