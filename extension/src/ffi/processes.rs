//! The server's processes: what each is, and what it waits for.

use std::collections::HashMap;

use ebs_advisor_model::evidence::WaitKey;
use pgrx::pg_sys;

use super::statistics::text;

/// Background worker types of this extension: watching must not show up in what is watched.
const OWN: &str = "ebs_advisor ";

/// What every process of the server is and waits for, now, but for our own.
///
/// Wait events are read from the process array without a lock: each is one aligned word that its owner overwrites.
pub fn sweep() -> Vec<WaitKey> {
    let waits = waits();
    let mut seen = Vec::with_capacity(waits.len());
    // SAFETY: called on the main thread of a process attached to shared memory; the status entries are copies in this
    // process's memory until the snapshot is cleared, which happens at the start of the next call.
    unsafe {
        pg_sys::pgstat_clear_backend_activity_snapshot();
        for index in 1..=pg_sys::pgstat_fetch_stat_numbackends() {
            let entry = pg_sys::pgstat_get_local_beentry_by_index(index);
            if entry.is_null() {
                continue;
            }
            let status = &(*entry).backendStatus;
            let Some(&wait) = waits.get(&status.st_procpid) else { continue };
            let backend_type = backend_type(status);
            if !backend_type.starts_with(OWN) {
                seen.push(key(backend_type, wait));
            }
        }
    }
    seen
}

/// wait_event_info by process id.
fn waits() -> HashMap<i32, u32> {
    // SAFETY: ProcGlobal and its array live in shared memory as long as the server; its length never changes. Reads are
    // volatile because other processes write; a slot that changes hands under us gives a wait of its old or new owner.
    unsafe {
        let procs = (*pg_sys::ProcGlobal).allProcs;
        (0..(*pg_sys::ProcGlobal).allProcCount as usize)
            .map(|index| procs.add(index))
            .map(|proc| {
                let pid = std::ptr::addr_of!((*proc).pid).read_volatile();
                (pid, std::ptr::addr_of!((*proc).wait_event_info).read_volatile())
            })
            .filter(|(pid, _)| *pid != 0)
            .collect()
    }
}

/// As pg_stat_activity names it.
///
/// # Safety
/// `status` is an entry of the current snapshot.
unsafe fn backend_type(status: &pg_sys::PgBackendStatus) -> String {
    // SAFETY: both functions return null or a zero-terminated string that lives until the next call.
    unsafe {
        if status.st_backendType == pg_sys::BackendType::B_BG_WORKER {
            let named = pg_sys::GetBackgroundWorkerTypeByPid(status.st_procpid);
            if !named.is_null() {
                return text(named);
            }
        }
        text(pg_sys::GetBackendTypeDesc(status.st_backendType))
    }
}

fn key(backend_type: String, wait: u32) -> WaitKey {
    if wait == 0 {
        return WaitKey { backend_type, class: WaitKey::CPU.into(), event: WaitKey::CPU.into() };
    }
    // SAFETY: both accept any number ("???" for one they do not know) and return zero-terminated strings.
    let (class, event) =
        unsafe { (text(pg_sys::pgstat_get_wait_event_type(wait)), text(pg_sys::pgstat_get_wait_event(wait))) };
    WaitKey { backend_type, class, event }
}
