use std::fs::OpenOptions;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

const RANGE: TimeRange = TimeRange { from_ms: 1_000, to_ms: 2_000 };

fn row(volume: &str) -> Row {
    Row { volume: volume.to_owned(), ..Row::default() }
}

/// Opens a journal. A lock may last for a moment in a process that another test starts, until that runs its program.
fn open(directory: &Path, range: TimeRange, restart: bool) -> Journal {
    open_of(directory, 7, range, restart)
}

fn open_of(directory: &Path, fingerprint: u32, range: TimeRange, restart: bool) -> Journal {
    loop {
        match Journal::open_in(directory, fingerprint, range, restart) {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => std::thread::yield_now(),
            opened => return opened.unwrap(),
        }
    }
}

fn journal_error(directory: &Path) -> io::Error {
    Journal::open_in(directory, 7, RANGE, false).err().unwrap()
}

#[test]
fn an_interrupted_run_is_continued_over_its_own_time() {
    let directory = tempfile::tempdir().unwrap();
    let mut journal = open(directory.path(), RANGE, false);
    assert!(journal.done.is_empty());
    journal.add("i-1", &[row("vol-1"), row("vol-2")]).unwrap();
    let (_, file) = journal.kept.as_mut().unwrap();
    file.write_all(b"{\"batch\":\"i-2\",\"ro").unwrap();
    assert_eq!(journal_error(directory.path()).kind(), io::ErrorKind::ResourceBusy);
    drop(journal);
    let later = TimeRange { from_ms: 61_000, to_ms: 62_000 };
    let mut continued = open(directory.path(), later, false);
    assert_eq!(continued.range, RANGE);
    assert_eq!(continued.done, BTreeMap::from([("i-1".to_owned(), vec![row("vol-1"), row("vol-2")])]));
    // The line that was cut off does not damage the next one.
    continued.add("i-3", &[row("vol-3")]).unwrap();
    drop(continued);
    let done = open(directory.path(), later, false).done;
    assert_eq!(done.keys().collect::<Vec<_>>(), ["i-1", "i-3"]);
}

#[test]
fn another_command_an_old_run_and_a_restart_begin_anew() {
    let directory = tempfile::tempdir().unwrap();
    let open =
        |fingerprint, to_ms, restart| open_of(directory.path(), fingerprint, TimeRange { from_ms: 0, to_ms }, restart);
    open(7, 1_000, false).add("i-1", &[row("vol-1")]).unwrap();
    assert!(open(8, 1_000, false).done.is_empty());
    assert_eq!(open(7, 1_000 + MAX_AGE_MS, false).done.len(), 1);
    assert!(open(7, 1_001 + MAX_AGE_MS, false).done.is_empty());
    open(7, 1_000, false).add("i-1", &[row("vol-1")]).unwrap();
    assert!(open(7, 1_000, true).done.is_empty());
    let journal = open(7, 1_000, true);
    let (path, _) = journal.kept.as_ref().unwrap();
    let path = path.clone();
    journal.remove();
    assert!(!path.exists());
}

#[test]
fn a_journal_that_cannot_be_written_is_given_up_once() {
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut journal = Journal { kept: Some((PathBuf::from("/dev/full"), full)), range: RANGE, done: BTreeMap::new() };
    assert!(journal.is_kept());
    let error = journal.add("i-1", &[row("vol-1")]).unwrap_err();
    assert!(error.to_string().starts_with("file \"/dev/full\": No space left on device"), "{error}");
    assert!(!journal.is_kept() && journal.add("i-2", &[row("vol-2")]).is_ok());
    assert!(Journal::none(RANGE).add("i-1", &[]).is_ok());
}

#[test]
fn a_journal_is_this_account_s_alone() {
    let directory = tempfile::tempdir().unwrap();
    let state = directory.path().join("state");
    fs::create_dir(&state).unwrap();
    let set_mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    for mode in [0o1777, 0o770] {
        set_mode(&state, mode);
        assert_eq!(journal_error(&state).to_string(), "other accounts may write to it");
    }
    set_mode(&state, 0o755);
    let (target, journal) = (directory.path().join("secret"), state.join("fleet-00000007.jsonl"));
    fs::write(&target, "mine").unwrap();
    symlink(&target, &journal).unwrap();
    journal_error(&state);
    fs::remove_file(&journal).unwrap();
    fs::hard_link(&target, &journal).unwrap();
    assert!(journal_error(&state).to_string().ends_with("it has a second name"));
    assert_eq!(fs::read(&target).unwrap(), b"mine");
    fs::remove_file(&journal).unwrap();
    fs::write(&journal, "").unwrap();
    set_mode(&journal, 0o622);
    assert!(journal_error(&state).to_string().ends_with("\"fleet-00000007.jsonl\": other accounts may write to it"));
    fs::remove_file(&journal).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, &journal, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    assert!(journal_error(&state).to_string().ends_with("it is no file"));
    fs::remove_file(&journal).unwrap();
    drop(open(&state, RANGE, false));
    assert_eq!(fs::metadata(&journal).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn state_has_a_directory_of_its_own_or_none() {
    let directory = |variables: &[(&str, &str)]| {
        let find = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| PathBuf::from(value));
        state_directory(&find).map(|path| path.display().to_string())
    };
    let home = ("HOME", "/home/a");
    assert_eq!(directory(&[home]).as_deref(), Some("/home/a/.local/state/ebsctl"));
    assert_eq!(directory(&[home, ("STATE_DIRECTORY", "/var/lib/x:/var/lib/y")]).as_deref(), Some("/var/lib/x/ebsctl"));
    assert_eq!(directory(&[home, ("STATE_DIRECTORY", "x"), ("XDG_STATE_HOME", "/s")]).as_deref(), Some("/s/ebsctl"));
    assert_eq!(directory(&[]), None);
    assert_eq!(directory(&[("HOME", ""), ("XDG_STATE_HOME", "state")]), None);
}

#[test]
fn lines_without_end_and_times_that_cannot_be_begin_anew() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("fleet-00000007.jsonl");
    let header = |from_ms: i64, to_ms: i64| {
        serde_json::json!({"version": env!("CARGO_PKG_VERSION"), "from_ms": from_ms, "to_ms": to_ms}).to_string()
    };
    let row = serde_json::to_string(&Line { batch: "i-1".to_owned(), rows: vec![row("vol-1")] }).unwrap();
    for (from_ms, to_ms, batches) in [(1_000, 2_000, 1), (2_001, 2_000, 0), (-1, 2_000, 0), (0, i64::MAX, 0)] {
        fs::write(&path, format!("{}\n{row}\n", header(from_ms, to_ms))).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(open(directory.path(), RANGE, false).done.len(), batches, "{from_ms} {to_ms}");
    }
    let endless = " ".repeat(MAX_LINE as usize);
    fs::write(&path, format!("{}\n{row}\n{endless}{row}\n{row}\n", header(1_000, 2_000))).unwrap();
    assert_eq!(open(directory.path(), RANGE, false).done.len(), 1);
    assert!(fs::metadata(&path).unwrap().len() < 100_000);
}
