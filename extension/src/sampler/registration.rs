//! Names under which PostgreSQL finds the background workers.

/// The library, as the postmaster loads it.
pub const LIBRARY: &str = "ebs_advisor";

/// Main function of both kinds of samplers (`entry.rs`).
pub const SAMPLER_MAIN: &str = "ebs_advisor_sampler";

/// Type of the preloaded sampler in pg_stat_activity.
pub const PRELOADED_SAMPLER: &str = "ebs_advisor sampler";

/// Type of a sampler on demand in pg_stat_activity.
pub const ON_DEMAND_SAMPLER: &str = "ebs_advisor on-demand sampler";
