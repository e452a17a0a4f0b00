//! The service on fake volumes that fail and come back. The directory is a real one.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::net::UnixStream;
use std::rc::Rc;

use ebs_linux::EBS_PAGE_LEN;
use rustix::io::Errno;

use super::*;

#[derive(Default)]
struct State {
    attached: BTreeSet<&'static str>,
    reads: u8,
    /// Dropped after so many reads, which sends the stop signal.
    stop_after: Option<(u8, UnixStream)>,
}

#[derive(Clone, Default)]
struct FakeHost {
    state: Rc<RefCell<State>>,
    devices: Vec<PathBuf>,
}

impl FakeHost {
    fn with(volumes: &[&'static str]) -> FakeHost {
        let host = FakeHost::default();
        host.state.borrow_mut().attached.extend(volumes);
        host
    }

    fn read(&self, name: &str) -> Result<Box<Page>, Error> {
        let mut state = self.state.borrow_mut();
        state.reads += 1;
        let reads = state.reads;
        state.stop_after.take_if(|(after, _)| *after <= reads);
        match state.attached.contains(name) {
            true => Ok(Box::new([state.reads; EBS_PAGE_LEN])),
            false => Err(Error::Ioctl { node: name.into(), errno: Errno::NODEV }),
        }
    }
}

impl Host for FakeHost {
    fn nodes(&self) -> Result<Vec<PathBuf>, Error> {
        if self.requires_all() {
            return Ok(self.devices.clone());
        }
        let nodes: Vec<PathBuf> = self.state.borrow().attached.iter().map(PathBuf::from).collect();
        if nodes.is_empty() { Err(Error::NoVolume("/sys/class/nvme".into())) } else { Ok(nodes) }
    }

    fn requires_all(&self) -> bool {
        !self.devices.is_empty()
    }

    fn open(&self, node: &Path) -> Result<(Volume, Box<Page>), Error> {
        let name = node.to_str().unwrap().to_owned();
        let page = self.read(&name)?;
        // A namespace, nvme0n1, is on the same volume as its controller.
        let serial = Serial::parse(&format!("vol{}", &name[..5])).unwrap();
        let host = self.clone();
        Ok((Volume { node: node.to_owned(), serial, read_page: Box::new(move || host.read(&name)) }, page))
    }
}

struct Fixture {
    temp: tempfile::TempDir,
    host: FakeHost,
}

impl Fixture {
    fn new(host: FakeHost) -> Fixture {
        Fixture { temp: tempfile::tempdir().unwrap(), host }
    }

    fn start(&self) -> Result<Service<FakeHost>, Error> {
        Service::start(self.host.clone(), Directory::open(self.temp.path()).unwrap())
    }

    fn pages(&self) -> Vec<String> {
        let entries = fs::read_dir(self.temp.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn byte(&self, page: &str) -> u8 {
        fs::read(self.temp.path().join(page)).unwrap()[0]
    }
}

#[test]
fn each_volume_has_a_page_from_the_start_that_is_renewed() {
    let fixture = Fixture::new(FakeHost::with(&["nvme0", "nvme1"]));
    let mut service = fixture.start().unwrap();
    assert_eq!(fixture.pages(), ["volnvme0.page", "volnvme1.page"]);
    assert_eq!((fixture.byte("volnvme0.page"), fixture.byte("volnvme1.page")), (1, 2));
    service.publish();
    assert_eq!((fixture.byte("volnvme0.page"), fixture.byte("volnvme1.page")), (3, 4));
}

#[test]
fn a_volume_that_vanishes_loses_its_page_and_the_others_go_on() {
    let fixture = Fixture::new(FakeHost::with(&["nvme0", "nvme1"]));
    let mut service = fixture.start().unwrap();
    fixture.host.state.borrow_mut().attached.remove("nvme0");
    service.publish();
    assert_eq!(fixture.pages(), ["volnvme1.page"]);
    assert_eq!(service.last_messages.len(), 1);
    let message = &service.last_messages[Path::new("nvme0")];
    assert!(message.starts_with("volnvme0 is not published any more: could not read"), "{message}");
    service.publish();
    assert_eq!(fixture.byte("volnvme1.page"), 5, "the vanished one is not read again");
}

#[test]
fn a_search_finds_new_volumes_and_those_that_came_back() {
    let fixture = Fixture::new(FakeHost::with(&["nvme0"]));
    let mut service = fixture.start().unwrap();
    fixture.host.state.borrow_mut().attached = BTreeSet::from(["nvme1"]);
    service.publish();
    service.search();
    assert_eq!(fixture.pages(), ["volnvme1.page"]);
    fixture.host.state.borrow_mut().attached.insert("nvme0");
    service.search();
    assert_eq!(fixture.pages(), ["volnvme0.page", "volnvme1.page"]);
    assert!(service.last_messages.is_empty());
}

#[test]
fn a_search_on_a_machine_whose_last_volume_went_waits_for_the_next() {
    let fixture = Fixture::new(FakeHost::with(&["nvme0"]));
    let mut service = fixture.start().unwrap();
    fixture.host.state.borrow_mut().attached.clear();
    service.publish();
    service.search();
    assert_eq!(fixture.pages(), [""; 0]);
    fixture.host.state.borrow_mut().attached.insert("nvme0");
    service.search();
    assert_eq!(fixture.pages(), ["volnvme0.page"]);
}

#[test]
fn without_a_volume_it_does_not_start() {
    let fixture = Fixture::new(FakeHost::with(&[]));
    assert!(matches!(fixture.start(), Err(Error::NoVolume(_))));
}

#[test]
fn a_named_device_that_fails_refuses_the_start_and_leaves_no_page() {
    let mut host = FakeHost::with(&["nvme0"]);
    host.devices = vec!["nvme0".into(), "nvme7".into()];
    let fixture = Fixture::new(host);
    let error = fixture.start().err().unwrap();
    assert!(matches!(&error, Error::Ioctl { node, .. } if node == Path::new("nvme7")), "{error}");
    assert_eq!(fixture.pages(), [""; 0]);
}

#[test]
fn a_controller_and_its_namespace_are_one_volume() {
    let mut host = FakeHost::with(&["nvme0", "nvme0n1"]);
    host.devices = vec!["nvme0".into(), "nvme0n1".into()];
    let fixture = Fixture::new(host);
    let service = fixture.start().unwrap();
    assert_eq!(service.volumes.len(), 1);
    assert_eq!(fixture.pages(), ["volnvme0.page"]);
}

#[test]
fn it_publishes_until_the_signal_and_removes_the_pages() {
    let fixture = Fixture::new(FakeHost::with(&["nvme0", "nvme1"]));
    let (stop, signal) = StopSignal::manual();
    fixture.host.state.borrow_mut().stop_after = Some((8, signal));
    fixture.start().unwrap().run(Duration::from_millis(2), &stop);
    assert_eq!(fixture.host.state.borrow().reads, 8);
    assert_eq!(fixture.pages(), [""; 0]);
}
