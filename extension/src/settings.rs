//! Settings `ebs_advisor.*`. All can be changed by a reload; the statics are private, readers get values.

use std::path::PathBuf;
use std::time::Duration;

use pgrx::{GucContext, GucFlags, GucRegistry, GucSetting};

static ENABLED: GucSetting<bool> = GucSetting::<bool>::new(true);
static DATABASE: GucSetting<Option<std::ffi::CString>> =
    GucSetting::<Option<std::ffi::CString>>::new(Some(c"postgres"));
static SAMPLE_INTERVAL: GucSetting<i32> = GucSetting::<i32>::new(1_000);
static FLUSH_INTERVAL: GucSetting<i32> = GucSetting::<i32>::new(5);
static RETENTION: GucSetting<i32> = GucSetting::<i32>::new(14 * 24 * 60);
static PROCFS_ROOT: GucSetting<Option<std::ffi::CString>> =
    GucSetting::<Option<std::ffi::CString>>::new(Some(c"/proc"));
static SYSFS_ROOT: GucSetting<Option<std::ffi::CString>> = GucSetting::<Option<std::ffi::CString>>::new(Some(c"/sys"));

/// Tells PostgreSQL about the settings.
pub fn define() {
    GucRegistry::define_bool_guc(
        c"ebs_advisor.enabled",
        c"Samples this server's I/O, waits and block devices.",
        c"Off ends the sampler; what was sampled stays.",
        &ENABLED,
        GucContext::Sighup,
        GucFlags::default(),
    );
    text(
        c"ebs_advisor.database",
        c"Sets the database in which samples are kept.",
        c"The extension must be created there.",
        &DATABASE,
    );
    integer(
        c"ebs_advisor.sample_interval",
        c"Sets the time between two samples.",
        c"Devices, pg_stat_io and wait events are read once in each interval.",
        &SAMPLE_INTERVAL,
        (100, 60_000),
        GucFlags::UNIT_MS,
    );
    integer(
        c"ebs_advisor.flush_interval",
        c"Sets the time after which samples are written to the table.",
        c"Samples of that time are lost if the server crashes.",
        &FLUSH_INTERVAL,
        (1, 300),
        GucFlags::UNIT_S,
    );
    integer(
        c"ebs_advisor.retention",
        c"Sets how long samples are kept that no run refers to.",
        c"Samples of a run are kept as long as the run.",
        &RETENTION,
        (60, 366 * 24 * 60),
        GucFlags::UNIT_MIN,
    );
    text(
        c"ebs_advisor.procfs_root",
        c"Sets where the kernel's proc filesystem is found.",
        c"Another root is for containers.",
        &PROCFS_ROOT,
    );
    text(
        c"ebs_advisor.sysfs_root",
        c"Sets where the kernel's sys filesystem is found.",
        c"Another root is for containers.",
        &SYSFS_ROOT,
    );
}

fn text(
    name: &'static std::ffi::CStr,
    short: &'static std::ffi::CStr,
    long: &'static std::ffi::CStr,
    setting: &'static GucSetting<Option<std::ffi::CString>>,
) {
    GucRegistry::define_string_guc(name, short, long, setting, GucContext::Sighup, GucFlags::default());
}

fn integer(
    name: &'static std::ffi::CStr,
    short: &'static std::ffi::CStr,
    long: &'static std::ffi::CStr,
    setting: &'static GucSetting<i32>,
    (min, max): (i32, i32),
    unit: GucFlags,
) {
    GucRegistry::define_int_guc(name, short, long, setting, min, max, GucContext::Sighup, unit);
}

/// Whether sampling is on.
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

/// Time after which samples are written.
pub fn flush_interval() -> Duration {
    Duration::from_secs(FLUSH_INTERVAL.get().unsigned_abs().into())
}

/// Age at which samples outside runs are removed.
pub fn retention() -> Duration {
    Duration::from_secs(60 * u64::from(RETENTION.get().unsigned_abs()))
}

/// Root of procfs.
pub fn procfs_root() -> PathBuf {
    root(&PROCFS_ROOT, "/proc")
}

/// Root of sysfs.
pub fn sysfs_root() -> PathBuf {
    root(&SYSFS_ROOT, "/sys")
}

/// A path, or the usual one where it is empty or relative: relative to the data directory it would mean nothing.
fn root(setting: &GucSetting<Option<std::ffi::CString>>, usual: &str) -> PathBuf {
    let path = PathBuf::from(string(setting));
    if path.is_absolute() { path } else { usual.into() }
}

fn string(setting: &GucSetting<Option<std::ffi::CString>>) -> String {
    setting.get().map(|text| text.to_string_lossy().into_owned()).unwrap_or_default()
}
