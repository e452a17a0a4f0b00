//! Files that were cut off or damaged: an error, or the whole answer; never a part of it, and never a panic.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::samples::{csv, ec2, json, rds};
use super::{Completeness, OfferError, ReadError, read};

static FILES: LazyLock<[(&'static str, String); 4]> = LazyLock::new(|| {
    [
        ("EC2 CSV", csv("AmazonEC2", &ec2(), false)),
        ("EC2 CSV, columns backwards", csv("AmazonEC2", &ec2(), true)),
        ("EC2 JSON", json("AmazonEC2", &ec2())),
        ("RDS CSV", csv("AmazonRDS", &rds(), false)),
    ]
});

#[test]
fn cut_off_at_any_byte_it_is_refused_or_whole() {
    for (name, text) in FILES.iter() {
        let whole = read(text.as_bytes(), Completeness::Full).unwrap();
        let mut accepted = 0;
        for end in 0..text.len() {
            let Ok(offer) = read(&text.as_bytes()[..end], Completeness::Full) else { continue };
            assert_eq!(offer.rows, whole.rows, "{name} cut at byte {end}");
            accepted += 1;
        }
        // Behind the last price of a CSV nothing can be missed; of JSON its last line feed alone.
        let last_lines: usize = text.lines().rev().take(3).map(|line| line.len() + 1).sum();
        assert!(if name.contains("JSON") { accepted == 1 } else { accepted < last_lines }, "{name}: {accepted}");
    }
}

#[test]
fn a_cut_file_says_where_and_what_it_had() {
    let text = json("AmazonEC2", &ec2());
    let end = text.find("\"IO24\" : { \"IO24.JRTC\"").unwrap();
    let refused = read(&text.as_bytes()[..end], Completeness::Full).unwrap_err();
    assert_eq!(refused.to_string(), format!("broken at byte {end}: the file ends before its JSON does"));
    assert_eq!(refused.detail(), "Until there 18 products were read and 9 storage prices found; none was taken.");
    let text = csv("AmazonEC2", &ec2(), false);
    let cut = text.find("EBS:VolumeUsage.sc1").unwrap();
    let refused = read(&text.as_bytes()[..cut], Completeness::Full).unwrap_err();
    assert_eq!(refused.to_string(), "broken at line 24: the file ends in the middle of it");
    let shifted = text.replacen("\"EBS:VolumeUsage.gp2\",", "", 1);
    let error = read(shifted.as_bytes(), Completeness::Full).unwrap_err().to_string();
    assert_eq!(error, "broken at line 11: it has 14 columns, and the column names are 15");
}

#[test]
fn endless_fields_are_not_held() {
    let mut text = csv("AmazonEC2", &ec2(), false).into_bytes();
    text.extend_from_slice(b"\"");
    text.extend(std::iter::repeat_n(b'x', 1 << 20));
    let ReadError { error, .. } = read(text.as_slice(), Completeness::Full).unwrap_err();
    assert_eq!(error.to_string(), "broken at line 27: it is longer than 262144 bytes");
    let mut text = b"{\"offerCode\":\"".to_vec();
    text.extend(std::iter::repeat_n(b'x', 1 << 21));
    let ReadError { error, .. } = read(text.as_slice(), Completeness::Full).unwrap_err();
    assert!(matches!(&error, OfferError::Broken { what, .. } if what.contains("longer than 1048576 bytes")), "{error}");
    let deep = "{\"a\":".repeat(100_000);
    let error = read(deep.as_bytes(), Completeness::Full).unwrap_err().to_string();
    assert!(error.starts_with("broken at byte 500000"), "{error}");
}

proptest! {
    #[test]
    fn arbitrary_bytes_are_refused(bytes in proptest::collection::vec(any::<u8>(), 0..2_000), json in any::<bool>()) {
        let mut text = if json { b"{".to_vec() } else { b"\"".to_vec() };
        text.extend(bytes);
        prop_assert!(read(text.as_slice(), Completeness::Partial).is_err());
    }

    /// A byte that changed is found, or changes nothing but a figure or a name.
    #[test]
    fn a_damaged_byte_does_no_harm(file in 0usize..4, place in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let (_, text) = &FILES[file];
        let mut text = text.clone().into_bytes();
        let place = place.index(text.len());
        text[place] = byte;
        if let Ok(offer) = read(text.as_slice(), Completeness::Full) {
            prop_assert!(offer.rows.len() >= 7 && offer.rows.iter().all(|row| row.item.is_sold()));
        }
    }

    /// However the bytes come in.
    #[test]
    fn small_reads_give_the_same(capacity in 1usize..64, file in 0usize..4) {
        let (_, text) = &FILES[file];
        let whole = read(text.as_bytes(), Completeness::Full);
        prop_assert_eq!(read(std::io::BufReader::with_capacity(capacity, text.as_bytes()), Completeness::Full), whole);
    }
}
