//! Our tables: the only place that names them.

mod block_rows;
mod blocks;
mod change_lock;
mod configuration;
mod declarations;
mod demand_bins;
mod downsampling;
mod environment;
mod export;
mod fio;
mod fleet_answers;
mod imported_waits;
mod index_findings;
mod jobs;
mod json_text;
mod labels;
mod limits;
mod prices;
mod readings;
mod run_sets;
mod runs;
mod unreadable;

pub use blocks::{
    append_block, describe_history, import_block, load_evidence, load_evidence_and_timeline, remove_expired_blocks,
    sampled_until_us, table_owner,
};
pub use change_lock::{begin_change, lock_changes, require_writable};
pub use configuration::{ImportedConfiguration, StoredObjects, reset_configuration, store_configuration};
pub use declarations::{
    declarations_at, declarations_of_last_run, declarations_of_run, declare_for_run, declare_instance, declare_volume,
};
pub use demand_bins::{add_demand, read_demand, remove_expired_demand};
pub use downsampling::{Resolution, downsample_one_hour};
pub use export::{document_error, export_run, import_run};
pub use fio::{fio_imports, run_number, store_fio};
pub use fleet_answers::{forget_fleet_answers, store_fleet_answers};
pub use imported_waits::{change_waits, replace_doubts};
pub use index_findings::read_index_findings;
pub use json_text::json_length;
pub use labels::{annotate_run, matching_labels, rename_run, tag_run, untag_run};
pub use limits::check_run_storage;
pub use prices::{describe_imported_prices, import_prices, prices_of_place, prices_to_show, reset_prices};
pub use readings::{reading_after, reading_before, store_reading};
pub use run_sets::{RunRecord, find_run_record, find_run_set};
pub use runs::{
    Run, begin_run, check_label, drop_run, end_run, find_run, has_open_run_or_lock, latest_imported_run, load_driver,
    mark_run, record_result, require_open_run, set_run_start,
};
pub use unreadable::{REMOVE_DAMAGED_BLOCKS, describe_damaged_blocks, read_damaged_blocks_again};
