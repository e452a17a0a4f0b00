//! Call information that a session keeps in its type cache, for which `needs_fmgr_hook` is not asked again: functions of range types, which
//! any role may create, and of operator classes, which take a superuser, over functions that may be anybody's.

use pgrx::pg_sys::{self, Oid};

/// A function of call information.
type Called = unsafe extern "C-unwind" fn(pg_sys::FunctionCallInfo) -> pg_sys::Datum;

/// Call information that calls a stand-in while this lives, with the function that it called before.
pub(super) struct CachedCalls {
    stand_in: Called,
    calls: Vec<(*mut pg_sys::FmgrInfo, pg_sys::PGFunction)>,
}

impl CachedCalls {
    /// Has the functions of these types that `is_refused` call the stand-in.
    pub(super) fn withdraw(types: &[Oid], stand_in: Called, is_refused: impl Fn(Oid) -> bool) -> CachedCalls {
        let mut cached = CachedCalls { stand_in, calls: Vec::new() };
        for &type_oid in types {
            // SAFETY: look-ups of the catalogue in a transaction; PostgreSQL never frees an entry of its type cache.
            unsafe {
                if pg_sys::get_typtype(type_oid) == 0 {
                    continue; // dropped meanwhile
                }
                let entry = pg_sys::lookup_type_cache(type_oid, 0);
                for info in [
                    &raw mut (*entry).eq_opr_finfo,
                    &raw mut (*entry).cmp_proc_finfo,
                    &raw mut (*entry).hash_proc_finfo,
                    &raw mut (*entry).hash_extended_proc_finfo,
                    &raw mut (*entry).rng_cmp_proc_finfo,
                    &raw mut (*entry).rng_canonical_finfo,
                    &raw mut (*entry).rng_subdiff_finfo,
                ] {
                    if (*info).fn_oid != pg_sys::InvalidOid && is_refused((*info).fn_oid) {
                        cached.calls.push((info, (*info).fn_addr));
                        (*info).fn_addr = Some(stand_in);
                    }
                }
            }
        }
        cached
    }
}

impl Drop for CachedCalls {
    fn drop(&mut self) {
        for (info, function) in self.calls.drain(..) {
            // SAFETY: an entry of the type cache, as above. One that was made anew meanwhile has a function of its own.
            unsafe {
                if (*info).fn_addr.is_some_and(|now| std::ptr::fn_addr_eq(now, self.stand_in)) {
                    (*info).fn_addr = function;
                }
            }
        }
    }
}
