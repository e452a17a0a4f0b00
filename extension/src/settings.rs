//! Settings `ebs_advisor.*`. All can be changed by a reload, work_memory by any session too; the statics are private, readers get
//! values.

use std::ffi::{CStr, CString};
use std::path::PathBuf;
use std::time::Duration;

use ebs_samples::tracking::Dimensions;
use pgrx::{GucContext, GucFlags, GucRegistry, GucSetting};

static ENABLED: GucSetting<bool> = GucSetting::<bool>::new(true);
static DATABASE: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c"postgres"));
static SAMPLE_INTERVAL: GucSetting<i32> = GucSetting::<i32>::new(1_000);
static WAIT_INTERVAL: GucSetting<i32> = GucSetting::<i32>::new(10);
static TRACK_DATABASE: GucSetting<bool> = GucSetting::<bool>::new(false);
static TRACK_ROLE: GucSetting<bool> = GucSetting::<bool>::new(false);
static TRACK_APPLICATION_NAME: GucSetting<bool> = GucSetting::<bool>::new(false);
static TRACK_QUERY_ID: GucSetting<bool> = GucSetting::<bool>::new(false);
static FLUSH_INTERVAL: GucSetting<i32> = GucSetting::<i32>::new(15);
static SECONDS_RETENTION: GucSetting<i32> = GucSetting::<i32>::new(6 * 60);
static MINUTES_RETENTION: GucSetting<i32> = GucSetting::<i32>::new(2 * 24 * 60);
static RETENTION: GucSetting<i32> = GucSetting::<i32>::new(14 * 24 * 60);
static MAX_RUNS: GucSetting<i32> = GucSetting::<i32>::new(10_000);
static RUN_STORAGE_LIMIT: GucSetting<i32> = GucSetting::<i32>::new(4 * 1024);
static WORK_MEMORY: GucSetting<i32> = GucSetting::<i32>::new(256 << 10);
static PROCFS_ROOT: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c"/proc"));
static SYSFS_ROOT: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c"/sys"));
static NVME_DIRECTORY: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c"/run/ebs_advisor"));

/// Defines the settings.
pub fn define() {
    define_boolean(
        c"ebs_advisor.enabled",
        c"Samples this server's I/O, waits and block devices.",
        c"Off ends the sampler; what was sampled stays.",
        &ENABLED,
    );
    define_sampling();
    define_dimensions();
    define_history();
    define_limits();
    define_memory();
    define_text(
        c"ebs_advisor.database",
        c"Sets the database in which samples are kept.",
        c"The extension must be created there.",
        &DATABASE,
    );
    define_text(
        c"ebs_advisor.procfs_root",
        c"Sets where the kernel's proc filesystem is found.",
        c"Another root is for containers.",
        &PROCFS_ROOT,
    );
    define_text(
        c"ebs_advisor.sysfs_root",
        c"Sets where the kernel's sys filesystem is found.",
        c"Another root is for containers.",
        &SYSFS_ROOT,
    );
    define_text(
        c"ebs_advisor.nvme_directory",
        c"Sets where ebs-nvme-stats publishes what EBS counts of each volume.",
        c"The program is optional. Empty: pages are not looked for.",
        &NVME_DIRECTORY,
    );
}

fn define_sampling() {
    define_integer(
        c"ebs_advisor.sample_interval",
        c"Sets the time between two samples.",
        c"Devices and pg_stat_io are read once in each interval.",
        &SAMPLE_INTERVAL,
        (100, 60_000),
        GucFlags::UNIT_MS,
    );
    define_integer(
        c"ebs_advisor.wait_interval",
        c"Sets the wait event sampling interval.",
        c"Each sample counts for the time since the one before. Intervals vary by up to a tenth, so that no periodic load escapes them.",
        &WAIT_INTERVAL,
        (1, 10_000),
        GucFlags::UNIT_MS,
    );
    define_integer(
        c"ebs_advisor.flush_interval",
        c"Sets the time after which samples are written to the table.",
        c"Samples of that time are lost if the server crashes. Answers count them from memory until then.",
        &FLUSH_INTERVAL,
        (1, 300),
        GucFlags::UNIT_S,
    );
}

fn define_dimensions() {
    let long = c"Each distinct value makes samples larger.";
    define_boolean(
        c"ebs_advisor.track_database",
        c"Tracks wait events (and I/O on PostgreSQL 18) per database.",
        long,
        &TRACK_DATABASE,
    );
    define_boolean(
        c"ebs_advisor.track_role",
        c"Tracks wait events (and I/O on PostgreSQL 18) per role.",
        long,
        &TRACK_ROLE,
    );
    define_boolean(
        c"ebs_advisor.track_application_name",
        c"Tracks wait events (and I/O on PostgreSQL 18) per application_name.",
        c"Each distinct value makes samples larger. A changed name is noticed at the next flush.",
        &TRACK_APPLICATION_NAME,
    );
    define_boolean(
        c"ebs_advisor.track_query_id",
        c"Tracks wait events per query id.",
        c"Each distinct value makes samples larger. Needs compute_query_id; only active processes have one.",
        &TRACK_QUERY_ID,
    );
}

fn define_history() {
    define_integer(
        c"ebs_advisor.seconds_retention",
        c"Sets how long samples are kept as they were taken, before those of a minute that are alike are put together.",
        c"Samples of a run stay as they are as long as the run.",
        &SECONDS_RETENTION,
        (60, 366 * 24 * 60),
        GucFlags::UNIT_MIN,
    );
    define_integer(
        c"ebs_advisor.minutes_retention",
        c"Sets how long aged minutes are kept, before those of an hour that are alike are put together.",
        c"Samples of a run stay as they are as long as the run.",
        &MINUTES_RETENTION,
        (60, 366 * 24 * 60),
        GucFlags::UNIT_MIN,
    );
    define_integer(
        c"ebs_advisor.retention",
        c"Sets how long samples are kept that no run refers to.",
        c"Samples of a run are kept as long as the run.",
        &RETENTION,
        (60, 366 * 24 * 60),
        GucFlags::UNIT_MIN,
    );
}

fn define_limits() {
    define_integer(
        c"ebs_advisor.max_runs",
        c"Sets how many runs are kept at most.",
        c"One more is refused. Who may begin or import runs could else fill the disk.",
        &MAX_RUNS,
        (1, 1_000_000),
        GucFlags::default(),
    );
    define_integer(
        c"ebs_advisor.run_storage_limit",
        c"Sets how much runs keep at most beside the samples taken here.",
        c"Imported samples, readings of statements, results and notes, as they are stored. Beyond it nothing is added until runs are dropped.",
        &RUN_STORAGE_LIMIT,
        (1, 1024 * 1024),
        GucFlags::UNIT_MB,
    );
}

/// Defines `ebs_advisor.work_memory`. Any role may set it, as PostgreSQL's work_mem: it guards against accidents. A role that may
/// call these functions can have PostgreSQL itself take as much, by work_mem or by a long string.
fn define_memory() {
    GucRegistry::define_int_guc(
        c"ebs_advisor.work_memory",
        c"Sets how much memory a transaction may use in functions of ebs_advisor.",
        c"What needs more is refused, as far as it is known before it is begun. Memory of PostgreSQL's own is not counted.",
        &WORK_MEMORY,
        4 << 10,
        i32::MAX,
        GucContext::Userset,
        GucFlags::UNIT_KB,
    );
}

fn define_boolean(name: &'static CStr, short: &'static CStr, long: &'static CStr, setting: &'static GucSetting<bool>) {
    GucRegistry::define_bool_guc(name, short, long, setting, GucContext::Sighup, GucFlags::default());
}

fn define_text(
    name: &'static CStr,
    short: &'static CStr,
    long: &'static CStr,
    setting: &'static GucSetting<Option<CString>>,
) {
    GucRegistry::define_string_guc(name, short, long, setting, GucContext::Sighup, GucFlags::default());
}

fn define_integer(
    name: &'static CStr,
    short: &'static CStr,
    long: &'static CStr,
    setting: &'static GucSetting<i32>,
    (min, max): (i32, i32),
    unit: GucFlags,
) {
    GucRegistry::define_int_guc(name, short, long, setting, min, max, GucContext::Sighup, unit);
}

/// True while sampling is on.
pub fn enabled() -> bool {
    ENABLED.get()
}

/// The database in which samples are kept.
pub fn database() -> String {
    string(&DATABASE)
}

/// Time between two samples.
pub fn sample_interval() -> Duration {
    Duration::from_millis(SAMPLE_INTERVAL.get().unsigned_abs().into())
}

/// Wait event sampling interval.
pub fn wait_interval() -> Duration {
    Duration::from_millis(WAIT_INTERVAL.get().unsigned_abs().into())
}

/// Dimensions that are tracked now.
pub fn dimensions() -> Dimensions {
    Dimensions {
        database: TRACK_DATABASE.get(),
        role: TRACK_ROLE.get(),
        application: TRACK_APPLICATION_NAME.get(),
        query_id: TRACK_QUERY_ID.get(),
    }
}

/// Time after which samples are written.
pub fn flush_interval() -> Duration {
    Duration::from_secs(FLUSH_INTERVAL.get().unsigned_abs().into())
}

/// Most runs that are kept.
pub fn max_runs() -> i64 {
    MAX_RUNS.get().into()
}

/// Most storage of runs, bytes.
pub fn run_storage_limit() -> i64 {
    i64::from(RUN_STORAGE_LIMIT.get()) << 20
}

/// Most memory of a transaction in functions of this extension, bytes.
pub fn work_memory() -> usize {
    usize::try_from(WORK_MEMORY.get()).unwrap_or(0).saturating_mul(1 << 10)
}

/// Age at which seconds outside runs become minutes.
pub fn seconds_retention() -> Duration {
    minutes(&SECONDS_RETENTION)
}

/// Age at which minutes become hours.
pub fn minutes_retention() -> Duration {
    minutes(&MINUTES_RETENTION)
}

/// Age at which samples outside runs are removed.
pub fn retention() -> Duration {
    minutes(&RETENTION)
}

fn minutes(setting: &GucSetting<i32>) -> Duration {
    Duration::from_secs(60 * u64::from(setting.get().unsigned_abs()))
}

/// Root of procfs.
pub fn procfs_root() -> PathBuf {
    path(&PROCFS_ROOT, "/proc")
}

/// Root of sysfs.
pub fn sysfs_root() -> PathBuf {
    path(&SYSFS_ROOT, "/sys")
}

/// Directory of the pages of EBS volumes; `None` where it is set to be empty.
pub fn nvme_directory() -> Option<PathBuf> {
    (!string(&NVME_DIRECTORY).is_empty()).then(|| path(&NVME_DIRECTORY, "/run/ebs_advisor"))
}

/// The path that is set, or the usual one where that is empty or relative: relative to the data directory it would mean nothing.
fn path(setting: &GucSetting<Option<CString>>, usual: &str) -> PathBuf {
    let path = PathBuf::from(string(setting));
    if path.is_absolute() { path } else { usual.into() }
}

fn string(setting: &GucSetting<Option<CString>>) -> String {
    setting.get().map(|text| text.to_string_lossy().into_owned()).unwrap_or_default()
}
