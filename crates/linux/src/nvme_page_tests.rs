//! Every page here is synthesized, field by field in the order of the layout: no public repository holds a recorded one.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// The bytes of a page; reserved ones are `filler`, because a parser must not care.
fn encoded(page: &EbsPage, filler: u8) -> Vec<u8> {
    encoded_with(page, filler, u64::MAX)
}

/// Encodes a page, with `open_end` as the upper bound of a bin that has none.
fn encoded_with(page: &EbsPage, filler: u8, open_end: u64) -> Vec<u8> {
    let c = &page.counts;
    let mut bytes = MAGIC.to_le_bytes().to_vec();
    bytes.extend([filler; 4]);
    for value in [c.read_ops, c.write_ops, c.read_bytes, c.write_bytes, c.read_us, c.write_us] {
        bytes.extend(value.to_le_bytes());
    }
    for value in [c.volume_iops_exceeded_us, c.volume_throughput_exceeded_us] {
        bytes.extend(value.to_le_bytes());
    }
    for value in [c.instance_iops_exceeded_us, c.instance_throughput_exceeded_us, page.queue_length] {
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([filler; 416]);
    for bins in [&page.read_histogram, &page.write_histogram] {
        bytes.extend((bins.len() as u64).to_le_bytes());
        for bin in bins {
            bytes.extend(bin.lower_us.to_le_bytes());
            bytes.extend(bin.upper_us.unwrap_or(open_end).to_le_bytes());
            bytes.extend(u32::try_from(bin.count).unwrap().to_le_bytes());
            bytes.extend([filler; 4]);
        }
        bytes.resize(bytes.len() + (64 - bins.len()) * 24, filler);
    }
    bytes.extend([filler; 496]);
    bytes
}

/// Each figure another one, so that two that are swapped are seen. Bounds double, as those that AWS shows do.
fn example() -> EbsPage {
    EbsPage {
        counts: EbsCounts {
            read_ops: 100,
            write_ops: 200,
            read_bytes: 819_200,
            write_bytes: 1_638_400,
            read_us: 60_000,
            write_us: 130_000,
            volume_iops_exceeded_us: 41_892_491,
            volume_throughput_exceeded_us: 2_219_379,
            instance_iops_exceeded_us: 7,
            instance_throughput_exceeded_us: 8,
        },
        queue_length: 2,
        read_histogram: vec![
            Bin { lower_us: 0, upper_us: Some(1), count: 0 },
            Bin { lower_us: 256, upper_us: Some(512), count: 26 },
            Bin { lower_us: 512, upper_us: Some(1024), count: 74 },
        ],
        write_histogram: vec![Bin { lower_us: 512, upper_us: None, count: 200 }],
    }
}

fn with(at: usize, bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut page = encoded(&example(), 0);
    page[at..at + bytes.as_ref().len()].copy_from_slice(bytes.as_ref());
    page
}

#[test]
fn every_field_is_where_the_layout_says() {
    let bytes = encoded(&example(), 0xFF);
    assert_eq!(bytes.len(), EBS_PAGE_LEN);
    assert_eq!(ebs_page(&bytes), Ok(example()));
    // The offsets as numbers, so that the fixture and the parser cannot be wrong together.
    assert_eq!(ebs_page(&with(8, 5u64.to_le_bytes())).unwrap().counts.read_ops, 5);
    assert_eq!(ebs_page(&with(80, 5u64.to_le_bytes())).unwrap().counts.instance_throughput_exceeded_us, 5);
    assert_eq!(ebs_page(&with(88, 5u64.to_le_bytes())).unwrap().queue_length, 5);
    assert_eq!(ebs_page(&with(512, 0u64.to_le_bytes())).unwrap().read_histogram, []);
    assert_eq!(ebs_page(&with(2056, 0u64.to_le_bytes())).unwrap().write_histogram, []);
}

#[test]
fn a_page_of_zero_bins_is_a_page() {
    let idle = EbsPage::default();
    assert_eq!(ebs_page(&encoded(&idle, 0)), Ok(idle));
}

#[test]
fn a_truncated_page_is_refused() {
    let bytes = encoded(&example(), 0);
    for len in [0, 4, 512, 4095] {
        assert_eq!(ebs_page(&bytes[..len]), Err(PageError::Length(len)));
    }
    assert_eq!(ebs_page(&[bytes, vec![0]].concat()), Err(PageError::Length(4097)));
}

#[test]
fn other_devices_are_refused() {
    assert_eq!(ebs_page(&[0; EBS_PAGE_LEN]), Err(PageError::Magic(0)));
    assert_eq!(ebs_page(&with(0, 0xEC2C_0D7E_u32.to_le_bytes())), Err(PageError::InstanceStore));
    let message = ebs_page(&with(0, 0x1234_5678_u32.to_le_bytes())).unwrap_err().to_string();
    assert_eq!(message, "page begins with 0x12345678, and that of an EBS volume with 0x3C23B510");
}

#[test]
fn hostile_bin_counts_are_refused() {
    for bins in [65, 1 << 32, u64::MAX] {
        let read = ebs_page(&with(512, bins.to_le_bytes()));
        assert_eq!(read, Err(PageError::Bins { histogram: "read", bins }));
        let write = ebs_page(&with(2056, bins.to_le_bytes()));
        assert_eq!(write, Err(PageError::Bins { histogram: "write", bins }));
    }
}

#[test]
fn bins_that_descend_or_overlap_are_refused() {
    let parsed = |bins: &[(u64, u64)]| {
        let bin = |&(lower_us, upper_us)| Bin { lower_us, upper_us: Some(upper_us), count: 1 };
        let page = EbsPage { write_histogram: bins.iter().map(bin).collect(), ..EbsPage::default() };
        ebs_page(&encoded(&page, 0)).map(|page| page.write_histogram.len())
    };
    assert_eq!(parsed(&[(0, 1), (1, 2), (4, 8)]), Ok(3));
    assert_eq!(parsed(&[(0, 2), (1, 2)]), Err(PageError::Order { histogram: "write", bin: 2 }));
    assert_eq!(parsed(&[(2, 1)]), Err(PageError::Order { histogram: "write", bin: 1 }));
    // Only the last bin may be open-ended.
    assert_eq!(parsed(&[(0, 1), (1, 0), (4, 8)]), Err(PageError::Order { histogram: "write", bin: 2 }));
    assert_eq!(parsed(&[(0, 1), (1, u64::MAX), (4, 8)]), Err(PageError::Order { histogram: "write", bin: 3 }));
}

#[test]
fn a_last_bin_without_an_upper_bound_is_open_ended() {
    for open_end in [0, u64::MAX] {
        assert_eq!(ebs_page(&encoded_with(&example(), 0, open_end)), Ok(example()));
    }
    assert_eq!(ebs_page(&encoded_with(&example(), 0, 511)), Err(PageError::Order { histogram: "write", bin: 1 }));
}

prop_compose! {
    fn bins()(mut bounds in vec(any::<u64>(), 65), counts in vec(any::<u32>(), 0..=64)) -> Vec<Bin> {
        bounds.sort_unstable();
        let upper = |upper_us, last: bool| (!last || ![0, u64::MAX].contains(&upper_us)).then_some(upper_us);
        let most = counts.len();
        let bin = |(n, (bounds, count)): (usize, (&[u64], u32))| {
            Bin { lower_us: bounds[0], upper_us: upper(bounds[1], n + 1 == most), count: count.into() }
        };
        bounds.windows(2).zip(counts).enumerate().map(bin).collect()
    }
}

prop_compose! {
    fn pages()(c in any::<[u64; 10]>(), queue_length: u64, read_histogram in bins(), write_histogram in bins())
        -> EbsPage
    {
        let counts = EbsCounts {
            read_ops: c[0], write_ops: c[1], read_bytes: c[2], write_bytes: c[3], read_us: c[4], write_us: c[5],
            volume_iops_exceeded_us: c[6], volume_throughput_exceeded_us: c[7],
            instance_iops_exceeded_us: c[8], instance_throughput_exceeded_us: c[9],
        };
        EbsPage { counts, queue_length, read_histogram, write_histogram }
    }
}

proptest! {
    #[test]
    fn a_valid_page_survives_the_round_trip(page in pages(), filler: u8) {
        prop_assert_eq!(ebs_page(&encoded(&page, filler)), Ok(page));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in vec(any::<u8>(), 0..5000)) {
        let _ = ebs_page(&bytes);
    }

    #[test]
    fn an_arbitrary_page_with_the_magic_number_never_panics(bytes in vec(any::<u8>(), 4092), bins in 0u64..70) {
        let mut page = [&MAGIC.to_le_bytes()[..], &bytes].concat();
        page[512..520].copy_from_slice(&bins.to_le_bytes());
        if let Ok(page) = ebs_page(&page) {
            prop_assert_eq!(page.read_histogram.len() as u64, bins);
        }
    }
}
