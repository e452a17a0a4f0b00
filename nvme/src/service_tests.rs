//! The service on volumes that are there, fail and come back as a test wants it. The directory is a real one.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::net::UnixStream;
use std::rc::Rc;

use ebs_linux::EBS_PAGE_LEN;
use rustix::io::Errno;

use super::*;

#[derive(Default)]
struct World {
    attached: BTreeSet<&'static str>,
    reads: u8,
    /// Dropped after so many reads: the signal to stop.
    stop_after: Option<(u8, UnixStream)>,
}

#[derive(Clone, Default)]
struct Fake {
    world: Rc<RefCell<World>>,
    named: Vec<PathBuf>,
}

impl Fake {
    fn with(volumes: &[&'static str]) -> Fake {
        let fake = Fake::default();
        fake.world.borrow_mut().attached.extend(volumes);
        fake
    }

    fn read(&self, name: &str) -> Result<Box<Page>, Error> {
        let mut world = self.world.borrow_mut();
        world.reads += 1;
        let reads = world.reads;
        world.stop_after.take_if(|(after, _)| *after <= reads);
        match world.attached.contains(name) {
            true => Ok(Box::new([world.reads; EBS_PAGE_LEN])),
            false => Err(Error::Kernel { node: name.into(), errno: Errno::NODEV }),
        }
    }
}

impl Host for Fake {
    fn nodes(&self) -> Result<Vec<PathBuf>, Error> {
        if self.insists() {
            return Ok(self.named.clone());
        }
        let nodes: Vec<PathBuf> = self.world.borrow().attached.iter().map(PathBuf::from).collect();
        if nodes.is_empty() { Err(Error::NoVolume("/sys/class/nvme".into())) } else { Ok(nodes) }
    }

    fn insists(&self) -> bool {
        !self.named.is_empty()
    }

    fn open(&self, node: &Path) -> Result<(Volume, Box<Page>), Error> {
        let name = node.to_str().unwrap().to_owned();
        let page = self.read(&name)?;
        // A namespace, nvme0n1, is on the same volume as its controller.
        let serial = Serial::of(&format!("vol{}", &name[..5])).unwrap();
        let fake = self.clone();
        Ok((Volume { node: node.to_owned(), serial, read: Box::new(move || fake.read(&name)) }, page))
    }
}

struct Bench {
    temp: tempfile::TempDir,
    fake: Fake,
}

impl Bench {
    fn new(fake: Fake) -> Bench {
        Bench { temp: tempfile::tempdir().unwrap(), fake }
    }

    fn start(&self) -> Result<Service<Fake>, Error> {
        Service::start(self.fake.clone(), Directory::open(self.temp.path()).unwrap())
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
    let bench = Bench::new(Fake::with(&["nvme0", "nvme1"]));
    let mut service = bench.start().unwrap();
    assert_eq!(bench.pages(), ["volnvme0.page", "volnvme1.page"]);
    assert_eq!((bench.byte("volnvme0.page"), bench.byte("volnvme1.page")), (1, 2));
    service.publish();
    assert_eq!((bench.byte("volnvme0.page"), bench.byte("volnvme1.page")), (3, 4));
}

#[test]
fn a_volume_that_vanishes_takes_its_page_along_and_the_others_go_on() {
    let bench = Bench::new(Fake::with(&["nvme0", "nvme1"]));
    let mut service = bench.start().unwrap();
    bench.fake.world.borrow_mut().attached.remove("nvme0");
    service.publish();
    assert_eq!(bench.pages(), ["volnvme1.page"]);
    assert_eq!(service.said.len(), 1);
    let said = &service.said[Path::new("nvme0")];
    assert!(said.starts_with("volnvme0 is not published any more: could not read"), "{said}");
    service.publish();
    assert_eq!(bench.byte("volnvme1.page"), 5, "the vanished one is not asked again");
}

#[test]
fn a_search_finds_new_volumes_and_those_that_came_back() {
    let bench = Bench::new(Fake::with(&["nvme0"]));
    let mut service = bench.start().unwrap();
    bench.fake.world.borrow_mut().attached = BTreeSet::from(["nvme1"]);
    service.publish();
    service.search();
    assert_eq!(bench.pages(), ["volnvme1.page"]);
    bench.fake.world.borrow_mut().attached.insert("nvme0");
    service.search();
    assert_eq!(bench.pages(), ["volnvme0.page", "volnvme1.page"]);
    assert!(service.said.is_empty());
}

#[test]
fn a_search_on_a_machine_whose_last_volume_went_waits_for_the_next() {
    let bench = Bench::new(Fake::with(&["nvme0"]));
    let mut service = bench.start().unwrap();
    bench.fake.world.borrow_mut().attached.clear();
    service.publish();
    service.search();
    assert_eq!(bench.pages(), [""; 0]);
    bench.fake.world.borrow_mut().attached.insert("nvme0");
    service.search();
    assert_eq!(bench.pages(), ["volnvme0.page"]);
}

#[test]
fn without_a_volume_it_does_not_start() {
    let bench = Bench::new(Fake::with(&[]));
    assert!(matches!(bench.start(), Err(Error::NoVolume(_))));
}

#[test]
fn a_named_device_that_fails_refuses_the_start_and_leaves_no_page() {
    let mut fake = Fake::with(&["nvme0"]);
    fake.named = vec!["nvme0".into(), "nvme7".into()];
    let bench = Bench::new(fake);
    let error = bench.start().err().unwrap();
    assert!(matches!(&error, Error::Kernel { node, .. } if node == Path::new("nvme7")), "{error}");
    assert_eq!(bench.pages(), [""; 0]);
}

#[test]
fn a_controller_and_its_namespace_are_one_volume() {
    let mut fake = Fake::with(&["nvme0", "nvme0n1"]);
    fake.named = vec!["nvme0".into(), "nvme0n1".into()];
    let bench = Bench::new(fake);
    let service = bench.start().unwrap();
    assert_eq!(service.volumes.len(), 1);
    assert_eq!(bench.pages(), ["volnvme0.page"]);
}

#[test]
fn it_publishes_until_the_signal_and_takes_the_pages_away() {
    let bench = Bench::new(Fake::with(&["nvme0", "nvme1"]));
    let (stop, signal) = Stop::by_hand();
    bench.fake.world.borrow_mut().stop_after = Some((8, signal));
    bench.start().unwrap().run(Duration::from_millis(2), &stop);
    assert_eq!(bench.fake.world.borrow().reads, 8);
    assert_eq!(bench.pages(), [""; 0]);
}
