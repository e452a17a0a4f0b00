//! Call information that a session keeps in its type cache, for which `needs_fmgr_hook` is not asked again. Of all that it keeps there,
//! only functions of range types may be a user's own: the others come from operator classes, which take a superuser.

use pgrx::pg_sys::{self, Oid};

/// A function of call information.
type Called = unsafe extern "C-unwind" fn(pg_sys::FunctionCallInfo) -> pg_sys::Datum;

/// Call information that calls a stand-in while this lives, with the function that it called before.
pub(super) struct CachedCalls(Vec<(*mut pg_sys::FmgrInfo, pg_sys::PGFunction)>);

impl CachedCalls {
    /// Has the functions of these range types that `is_foreign` call the stand-in.
    pub(super) fn withdraw(types: &[Oid], stand_in: Called, is_foreign: impl Fn(Oid) -> bool) -> CachedCalls {
        let mut calls = CachedCalls(Vec::new());
        for &range in types {
            // SAFETY: look-ups of the catalogue in a transaction; PostgreSQL never frees an entry of its type cache.
            unsafe {
                if pg_sys::get_typtype(range) as u8 != pg_sys::TYPTYPE_RANGE {
                    continue; // dropped meanwhile
                }
                let entry = pg_sys::lookup_type_cache(range, pg_sys::TYPECACHE_RANGE_INFO as i32);
                for info in [&raw mut (*entry).rng_subdiff_finfo, &raw mut (*entry).rng_canonical_finfo] {
                    if (*info).fn_oid != pg_sys::InvalidOid && is_foreign((*info).fn_oid) {
                        calls.0.push((info, (*info).fn_addr));
                        (*info).fn_addr = Some(stand_in);
                    }
                }
            }
        }
        calls
    }
}

impl Drop for CachedCalls {
    fn drop(&mut self) {
        for (info, function) in self.0.drain(..) {
            // SAFETY: an entry of the type cache, as above.
            unsafe { (*info).fn_addr = function };
        }
    }
}
