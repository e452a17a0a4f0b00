//! Files of one server: each recognised by its beginning, read by the parser of its format, and put together.

mod decode;
mod demand;
mod evidence;
mod file_name;
mod flags;
mod read;

pub use decode::open;
pub use demand::{Content, FoundRun};
pub use evidence::Evidence;
pub use flags::{FileFlags, local_zone};
pub use read::ServerFiles;
