//! Settings of a background worker as the server's configuration gives them, whatever the database that it connects to, or the role that
//! it runs as, has set.

use std::ffi::{CStr, CString};

use pgrx::pg_sys;

/// Settings that a database or a role may set, with the values that the configuration gives them.
pub struct ConfiguredSettings(Vec<(CString, CString)>);

impl ConfiguredSettings {
    /// Reads them. Called before the worker connects: then no database and no role has set any.
    pub fn read() -> ConfiguredSettings {
        let settings = settings();
        let settable = settings.iter().filter(|setting| is_settable(setting));
        ConfiguredSettings(settable.filter_map(|setting| Some((name(setting)?, value(setting)?))).collect())
    }

    /// Sets those back that the database or the role has set since, for the life of the process. Called in a transaction. Not those of
    /// libraries that are not loaded, which nothing reads.
    pub fn restore(&self) {
        for setting in settings().iter().filter(|setting| is_settable(setting) && is_set_by_database(setting)) {
            let Some(name) = name(setting) else { continue };
            let configured = self.0.iter().find(|(other, _)| *other == name).map(|(_, value)| value.clone());
            // The configuration gives no session's role.
            let value = if name.as_c_str() == c"session_authorization" { Some(worker_role()) } else { configured };
            if let Some(value) = value {
                set(&name, &value, pg_sys::GucSource::PGC_S_SESSION);
            }
        }
    }
}

/// Sets a setting, so that neither a database nor a role can. Called before the worker connects. A setting that this server does not
/// have is none of its risks.
pub fn override_setting(name: &CStr, value: &CStr) {
    // SAFETY: zero-terminated; PostgreSQL returns null for a setting that it does not have.
    let is_known = unsafe { !pg_sys::GetConfigOption(name.as_ptr(), true, false).is_null() };
    if is_known {
        set(name, value, pg_sys::GucSource::PGC_S_OVERRIDE);
    }
}

/// Sets a setting; a value that PostgreSQL refuses is a warning.
fn set(name: &CStr, value: &CStr, source: pg_sys::GucSource::Type) {
    let (context, action) = (pg_sys::GucContext::PGC_SUSET, pg_sys::GucAction::GUC_ACTION_SET);
    // SAFETY: zero-terminated texts, which PostgreSQL copies; called on the main thread.
    unsafe {
        pg_sys::set_config_option(
            name.as_ptr(),
            value.as_ptr(),
            context,
            source,
            action,
            true,
            pg_sys::WARNING as i32,
            false,
        );
    }
}

/// All settings of this process.
fn settings() -> Vec<pg_sys::config_generic> {
    let mut count = 0;
    // SAFETY: PostgreSQL returns an array of so many pointers to settings, which live as long as the process; the array is this
    // function's, and is freed after it was copied.
    unsafe {
        let array = pg_sys::get_guc_variables(&mut count);
        let all = (0..usize::try_from(count).unwrap_or(0)).map(|i| **array.add(i)).collect();
        pg_sys::pfree(array.cast());
        all
    }
}

/// True if a session may change it, and sets it whole: one that belongs to the transaction alone is gone with it.
fn is_settable(setting: &pg_sys::config_generic) -> bool {
    use pg_sys::GucContext::{PGC_SUSET, PGC_USERSET};
    let is_resettable = setting.flags & pg_sys::GUC_NO_RESET as i32 == 0;
    [PGC_SUSET, PGC_USERSET].contains(&setting.context) && is_resettable
}

fn is_set_by_database(setting: &pg_sys::config_generic) -> bool {
    use pg_sys::GucSource::{PGC_S_DATABASE, PGC_S_DATABASE_USER, PGC_S_GLOBAL, PGC_S_USER};
    [PGC_S_DATABASE, PGC_S_DATABASE_USER, PGC_S_GLOBAL, PGC_S_USER].contains(&setting.source)
}

fn name(setting: &pg_sys::config_generic) -> Option<CString> {
    // SAFETY: zero-terminated, and lives as long as the process.
    (!setting.name.is_null()).then(|| unsafe { CStr::from_ptr(setting.name) }.to_owned())
}

/// Its value as text, in the unit of the setting; `None` where it has none.
fn value(setting: &pg_sys::config_generic) -> Option<CString> {
    // SAFETY: the name is zero-terminated; PostgreSQL returns a text that lives until the next call, or null, and it is copied.
    unsafe {
        let value = pg_sys::GetConfigOption(setting.name, true, false);
        (!value.is_null()).then(|| CStr::from_ptr(value).to_owned())
    }
}

/// Name of the role that background workers run as.
fn worker_role() -> CString {
    // SAFETY: called in a transaction; PostgreSQL returns a zero-terminated text, or raises an error.
    unsafe { CStr::from_ptr(pg_sys::GetUserNameFromId(pg_sys::BOOTSTRAP_SUPERUSERID.into(), false)) }.to_owned()
}
