//! What others measured, and what users declare.

pub mod declare;
pub mod figures;
pub mod fio;
pub mod import;
pub mod sysstat;
