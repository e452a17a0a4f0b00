//! Lines of a log of pgbench, by the run that they belong to.

/// Run that a line of a log belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LogLine {
    /// That of the lines before.
    OfRun,
    /// Another one, or another thread's file, which begins so many lines before.
    OfAnother {
        /// 0 where it begins with the line itself.
        lines_ago: usize,
    },
}
