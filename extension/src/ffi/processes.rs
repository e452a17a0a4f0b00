//! The server's processes: identities and current wait events.
//!
//! Both are read where their owners write them, in shared memory, without a lock: sampling under one would be felt by
//! every session of a busy server, a hundred times a second.

use std::ffi::CStr;
use std::ptr::addr_of;
use std::sync::atomic::{Ordering, fence};

use ebs_samples::tracking::{CLIENT_READ, ProcessIdentity, SessionState};
use pgrx::pg_sys;

use super::c_string::copy_c_string;

// Who waits for anything else takes part in the workload (`ebs_samples::tracking`).
const _: () = assert!(pg_sys::WaitEventClient::WAIT_EVENT_CLIENT_READ == CLIENT_READ);

/// Distance from 1970, which this project counts from, to 2000, which PostgreSQL counts from, microseconds.
const POSTGRES_EPOCH_US: i64 = (pg_sys::POSTGRES_EPOCH_JDATE as i64 - pg_sys::UNIX_EPOCH_JDATE as i64) * 86_400_000_000;

/// Length of the process array; it never changes while the server runs.
pub fn process_slots() -> usize {
    // SAFETY: ProcGlobal lies in shared memory for as long as the server runs.
    unsafe { (*pg_sys::ProcGlobal).allProcCount as usize }
}

/// Calls `visit` with slot, process id and wait_event_info of every process but this one.
#[inline]
pub fn for_each_process(mut visit: impl FnMut(usize, i32, u32)) {
    // SAFETY: the array lies in shared memory as long as the server, and its length never changes. Reads are volatile
    // because other processes write: each is one aligned word. A slot that gets another process meanwhile gives a wait of its
    // old or its new process.
    unsafe {
        let (procs, own_pid) = ((*pg_sys::ProcGlobal).allProcs, pg_sys::MyProcPid);
        for slot in 0..process_slots() {
            let proc = procs.add(slot);
            let pid = addr_of!((*proc).pid).read_volatile();
            if pid != 0 && pid != own_pid {
                visit(slot, pid, addr_of!((*proc).wait_event_info).read_volatile());
            }
        }
    }
}

/// Identity of the process in this slot; `None` while it starts or if it is another one by now.
pub fn process_identity(slot: usize, pid: i32) -> Option<ProcessIdentity> {
    let status = status(slot)?;
    // A writer is done within a few instructions; one that was suspended in between is read again at the next sample.
    for _ in 0..100 {
        // SAFETY: `status` points into the status array, whose strings lie in shared memory too and always end in zero
        // (PostgreSQL reserves their last byte). A copy made while a writer was at work is discarded: the count is
        // odd then, or has changed afterwards.
        let (before, identity, after) = unsafe {
            let before = addr_of!((*status).st_changecount).read_volatile();
            fence(Ordering::Acquire);
            let identity = (addr_of!((*status).st_procpid).read_volatile() == pid).then(|| ProcessIdentity {
                backend_type: backend_type(pid, addr_of!((*status).st_backendType).read_volatile()),
                database: addr_of!((*status).st_databaseid).read_volatile().to_u32(),
                role: addr_of!((*status).st_userid).read_volatile().to_u32(),
                application: copy_c_string(addr_of!((*status).st_appname).read_volatile()),
                stateless: addr_of!((*status).st_state).read_volatile() == pg_sys::BackendState::STATE_UNDEFINED,
            });
            fence(Ordering::Acquire);
            (before, identity, addr_of!((*status).st_changecount).read_volatile())
        };
        if before == after && before % 2 == 0 {
            return identity;
        }
    }
    None
}

/// Start of the process in this slot, as PostgreSQL counts time; `None` while it starts or if it is another one by now.
#[cfg(feature = "pg18")]
pub(super) fn process_start(slot: usize, pid: i32) -> Option<i64> {
    let status = status(slot)?;
    // SAFETY: as in `identity`; two aligned words. Between an old and a new owner they may not belong together, which shows
    // when they are read again.
    unsafe {
        let start = addr_of!((*status).st_proc_start_timestamp).read_volatile();
        (addr_of!((*status).st_procpid).read_volatile() == pid).then_some(start)
    }
}

/// State of the session in this slot; `None` if it has gone.
pub fn session_state(slot: usize, pid: i32) -> Option<SessionState> {
    use pg_sys::BackendState::{
        STATE_FASTPATH, STATE_IDLE, STATE_IDLEINTRANSACTION, STATE_IDLEINTRANSACTION_ABORTED, STATE_RUNNING,
    };
    let status = status(slot)?;
    // SAFETY: as in `process_identity`; three aligned words. The state is read first: one that changes in between is seen with the
    // time of its change, which is now.
    let (state, since, owner) = unsafe {
        let state = addr_of!((*status).st_state).read_volatile();
        fence(Ordering::Acquire);
        let since = addr_of!((*status).st_state_start_timestamp).read_volatile();
        (state, since, addr_of!((*status).st_procpid).read_volatile())
    };
    (owner == pid).then_some(match state {
        STATE_RUNNING | STATE_FASTPATH => SessionState::Running,
        STATE_IDLE | STATE_IDLEINTRANSACTION | STATE_IDLEINTRANSACTION_ABORTED => {
            SessionState::Idle { since_us: since.saturating_add(POSTGRES_EPOCH_US) }
        }
        _ => SessionState::Unknown,
    })
}

/// The query id of the process in this slot; 0 for none.
#[inline]
pub fn current_query_id(slot: usize) -> i64 {
    // SAFETY: as in `identity`; one aligned word, read for its value at this moment.
    #[allow(clippy::unnecessary_cast, reason = "unsigned before 18")]
    status(slot).map_or(0, |status| unsafe { addr_of!((*status).st_query_id).read_volatile() } as i64)
}

/// Class and name of a wait event.
pub fn wait_event_names(wait: u32) -> (String, String) {
    // SAFETY: both accept any number ("???" for one they do not know) and return zero-terminated strings.
    unsafe {
        (copy_c_string(pg_sys::pgstat_get_wait_event_type(wait)), copy_c_string(pg_sys::pgstat_get_wait_event(wait)))
    }
}

/// The status entry of the process in this slot. PostgreSQL does not export its array, but each process holds a pointer
/// to its own entry and knows its index, which gives the beginning.
fn status(slot: usize) -> Option<*mut pg_sys::PgBackendStatus> {
    let index = status_index(slot)?;
    // SAFETY: plain variables of this process, set when it attached to shared memory; the index is within the array.
    unsafe {
        let own_entry = pg_sys::MyBEEntry;
        (!own_entry.is_null()).then(|| own_entry.sub(own_status_index()).add(index))
    }
}

/// Index of the status entry of a slot. From 17 on the entries are in the order of the process array; slots for prepared transactions
/// have neither an entry nor a process.
#[cfg(not(feature = "pg16"))]
fn status_index(slot: usize) -> Option<usize> {
    // SAFETY: set by the postmaster before any child starts.
    let entries = unsafe { pg_sys::MaxBackends as usize } + pg_sys::NUM_AUXILIARY_PROCS as usize;
    (slot < entries).then_some(slot)
}

#[cfg(not(feature = "pg16"))]
fn own_status_index() -> usize {
    // SAFETY: set when this process attached to shared memory.
    unsafe { pg_sys::MyProcNumber as usize }
}

/// The same before 17: backends stand in the order of their ids; auxiliary processes follow, one entry for each kind.
#[cfg(feature = "pg16")]
fn status_index(slot: usize) -> Option<usize> {
    // SAFETY: reads two aligned words of a PGPROC, which lies in shared memory as long as the server; the entries of
    // auxiliary processes stand at MaxBackends and above, one for each kind.
    unsafe {
        let proc = (*pg_sys::ProcGlobal).allProcs.add(slot);
        let backend = addr_of!((*proc).backendId).read_volatile();
        if backend > 0 {
            return usize::try_from(backend - 1).ok();
        }
        let (pid, first) = (addr_of!((*proc).pid).read_volatile(), pg_sys::MaxBackends as usize);
        let array = pg_sys::MyBEEntry.sub(own_status_index());
        let auxiliary = first..first + pg_sys::AuxProcType::NUM_AUXPROCTYPES as usize;
        auxiliary.into_iter().find(|&index| addr_of!((*array.add(index)).st_procpid).read_volatile() == pid)
    }
}

#[cfg(feature = "pg16")]
fn own_status_index() -> usize {
    // SAFETY: set when this process attached to shared memory; only backends and background workers call this.
    unsafe { pg_sys::MyBackendId as usize - 1 }
}

fn backend_type(pid: i32, kind: pg_sys::BackendType::Type) -> String {
    // SAFETY: both functions return null or a zero-terminated string that lives until the next call.
    unsafe {
        if kind == pg_sys::BackendType::B_BG_WORKER {
            let worker_type = pg_sys::GetBackgroundWorkerTypeByPid(pid);
            if !worker_type.is_null() {
                return CStr::from_ptr(worker_type).to_string_lossy().into_owned();
            }
        }
        copy_c_string(pg_sys::GetBackendTypeDesc(kind))
    }
}
