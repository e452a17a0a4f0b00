//! Our tables: the only place that names them.

mod ageing;
mod blocks;
mod declared;
mod environment;
mod export;
mod fio;
mod labels;
mod limits;
mod prices;
mod read;
mod readings;
mod runs;
mod session;
mod sets;
mod written;

pub use ageing::{Span, age_one_hour};
pub use blocks::{append, evidence, evidence_and_course, expire, history, import, owner, sampled_until_us};
pub use declared::{declarations, declare_instance, declare_volume, declared_of};
pub use export::{exported, import_run, refused};
pub use fio::{fio_imports, keep_fio, number_of};
pub use labels::{annotate, matching, rename, tag, untag};
pub use limits::room;
pub use prices::{import_prices, imported_prices, prices, reset_prices};
pub use read::first_text;
pub use readings::{keep_reading, reading_after, reading_before};
pub use runs::{
    Origin, Run, begin, begin_again, check_label, drop_run, end, find, has_open_run, mark, quoted_label, record_result,
    require_open_run,
};
pub use session::prepare_session;
pub use sets::{Member, set};
pub use written::length;
