//! AWS's offer files. An accepted file has prices, and their document is read back with the same prices.

use ebs_aws::offer::{Completeness, Offer, read, read_document, write_document};
use ebs_base::units::Usd;

/// CSV, which begins with a name, quoted or not.
pub fn csv(data: &[u8]) {
    if data.first() != Some(&b'{') {
        offer(data);
    }
}

/// JSON.
pub fn json(data: &[u8]) {
    if data.first() == Some(&b'{') {
        offer(data);
    }
}

fn offer(data: &[u8]) {
    match read(data, Completeness::Partial) {
        Ok(offer) => carried(&offer),
        Err(refused) => drop(refused.to_string()),
    }
}

fn carried(offer: &Offer) {
    assert!(!offer.rows.is_empty() && offer.rows.iter().all(|row| row.usd > Usd::default()), "{offer:?}");
    let document = write_document(std::slice::from_ref(offer));
    let document = serde_json::from_str(&document).expect("a document is JSON");
    let prices = read_document(&document).expect("what is written can be read");
    let carried = prices.iter().map(|(region, item, price)| (region, *item, price.usd));
    assert!(carried.eq(offer.rows.iter().map(|row| (&row.region, row.item, row.usd))), "{offer:?}");
}
