//! Offer files in JSON: products, then their terms, joined by SKU. Both are walked as they come by; what is kept is the
//! storage's products.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io::BufRead;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::error::{OfferError, Position};
use super::gather::{Attributes, Gathered, Product, Rate};
use super::head::{Head, parse_platform};
use super::input::Counted;

/// Most storage products: all regions and engines have some 2,000.
const PRODUCT_LIMIT: usize = 100_000;

/// State that all levels of the walk share.
struct Walk<'a> {
    position: &'a Cell<u64>,
    gathered: RefCell<&'a mut Gathered>,
    head: RefCell<Head>,
    /// Storage products by SKU; true once their terms were read.
    wanted: RefCell<HashMap<String, (Product, bool)>>,
    /// True once products, and terms on demand, were read.
    seen: Cell<(bool, bool)>,
    /// Error of ours that ended the walk: serde's errors cannot carry it.
    stopped: RefCell<Option<OfferError>>,
}

/// Reads a file of which `skipped` bytes are gone, whose prices go to `gathered`.
pub(super) fn read(source: impl BufRead, skipped: u64, gathered: &mut Gathered) -> Result<Head, OfferError> {
    let position = Cell::new(skipped);
    let walk = Walk {
        position: &position,
        gathered: RefCell::new(gathered),
        head: RefCell::default(),
        wanted: RefCell::default(),
        seen: Cell::new((false, false)),
        stopped: RefCell::default(),
    };
    let mut text = serde_json::Deserializer::from_reader(Counted::new(source, &position));
    let result = Level { walk: &walk, step: Top }.deserialize(&mut text).and_then(|()| text.end());
    if let Some(error) = walk.stopped.take() {
        return Err(error);
    }
    result.map_err(|error| OfferError::Broken { at: walk.at(), what: words(&error) })?;
    for _ in walk.wanted.borrow().values().filter(|(_, priced)| !priced) {
        walk.gathered.borrow_mut().leave_out::<()>("without a price on demand");
    }
    match walk.seen.get() {
        (true, true) => Ok(walk.head.into_inner()),
        _ => Err(OfferError::NotAnOffer(
            "it has no products with terms on demand, like an index or savings plans".to_owned(),
        )),
    }
}

/// serde_json's message without its line and column: the file may be one line, so errors give the byte.
fn words(error: &serde_json::Error) -> String {
    if error.is_eof() {
        return "the file ends before its JSON does".to_owned();
    }
    let text = error.to_string();
    text.rfind(" at line ").map_or(text.clone(), |end| text[..end].to_owned())
}

impl Walk<'_> {
    fn at(&self) -> Position {
        Position::Byte(self.position.get())
    }

    fn stop<E: Error>(&self, error: OfferError) -> E {
        let said = E::custom(&error);
        self.stopped.replace(Some(error));
        said
    }
}

/// An object whose members are taken one by one.
struct Level<'a, 'g, S> {
    walk: &'a Walk<'g>,
    step: S,
}

/// Action on a member of a JSON object, by its key.
trait Step {
    fn take<'de, A: MapAccess<'de>>(&self, walk: &Walk, key: String, map: &mut A) -> Result<(), A::Error>;
}

impl<'de, S: Step> DeserializeSeed<'de> for Level<'_, '_, S> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, S: Step> Visitor<'de> for Level<'_, '_, S> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            self.step.take(self.walk, key, &mut map)?;
        }
        Ok(())
    }
}

fn ignore<'de, A: MapAccess<'de>>(map: &mut A) -> Result<(), A::Error> {
    map.next_value::<IgnoredAny>().map(drop)
}

struct Top;

impl Step for Top {
    fn take<'de, A: MapAccess<'de>>(&self, walk: &Walk, key: String, map: &mut A) -> Result<(), A::Error> {
        let (products, on_demand) = walk.seen.get();
        match key.as_str() {
            "offerCode" => {
                let code: String = map.next_value()?;
                parse_platform(&code).map_err(|error| walk.stop(error))?;
                walk.head.borrow_mut().code = Some(code);
            }
            "version" => walk.head.borrow_mut().version = Some(map.next_value()?),
            "publicationDate" => walk.head.borrow_mut().published = Some(map.next_value()?),
            "products" => {
                walk.seen.set((true, on_demand));
                map.next_value_seed(Level { walk, step: Products })?;
            }
            // The products are not known yet, and all prices do not fit into memory.
            "terms" if !products => {
                let what = "the terms come before the products, which AWS's files never do".to_owned();
                return Err(walk.stop(OfferError::Broken { at: walk.at(), what }));
            }
            "terms" => map.next_value_seed(Level { walk, step: Terms })?,
            _ => ignore(map)?,
        }
        Ok(())
    }
}

/// A product, as far as it matters here.
#[derive(Deserialize)]
struct Described {
    #[serde(default)]
    attributes: Attributed,
}

/// Its attributes.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Attributed {
    usagetype: String,
    location_type: String,
    region_code: String,
    database_engine: String,
    deployment_option: String,
}

struct Products;

impl Step for Products {
    fn take<'de, A: MapAccess<'de>>(&self, walk: &Walk, sku: String, map: &mut A) -> Result<(), A::Error> {
        let Described { attributes } = map.next_value()?;
        let product = walk.gathered.borrow_mut().product(&Attributes {
            at: walk.at(),
            sku: &sku,
            usage: &attributes.usagetype,
            location_type: &attributes.location_type,
            region: &attributes.region_code,
            engine: &attributes.database_engine,
            deployment: &attributes.deployment_option,
        });
        let Some(product) = product.map_err(|error| walk.stop(error))? else { return Ok(()) };
        let mut wanted = walk.wanted.borrow_mut();
        let broken = |what: String| walk.stop(OfferError::Broken { at: walk.at(), what });
        if wanted.len() >= PRODUCT_LIMIT {
            return Err(broken(format!("there are more than {PRODUCT_LIMIT} products of storage")));
        }
        match wanted.insert(sku, (product, false)) {
            None => Ok(()),
            Some(_) => Err(broken("a product of storage is there twice".to_owned())),
        }
    }
}

struct Terms;

impl Step for Terms {
    fn take<'de, A: MapAccess<'de>>(&self, walk: &Walk, kind: String, map: &mut A) -> Result<(), A::Error> {
        if kind != "OnDemand" {
            return ignore(map);
        }
        walk.seen.set((true, true));
        map.next_value_seed(Level { walk, step: OnDemand })
    }
}

struct OnDemand;

impl Step for OnDemand {
    fn take<'de, A: MapAccess<'de>>(&self, walk: &Walk, sku: String, map: &mut A) -> Result<(), A::Error> {
        let product = walk.wanted.borrow_mut().get_mut(&sku).map(|(product, priced)| {
            *priced = true;
            product.clone()
        });
        match product {
            Some(product) => map.next_value_seed(Level { walk, step: Sold { depth: 0, sku: &sku, product: &product } }),
            None => ignore(map),
        }
    }
}

/// Levels below a SKU: its terms (depth 0), a term's members (1), its price dimensions (2).
struct Sold<'a> {
    depth: u8,
    sku: &'a str,
    product: &'a Product,
}

/// A price dimension.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Dimension {
    unit: String,
    begin_range: String,
    end_range: String,
    price_per_unit: BTreeMap<String, String>,
}

impl Step for Sold<'_> {
    fn take<'de, A: MapAccess<'de>>(&self, walk: &Walk, key: String, map: &mut A) -> Result<(), A::Error> {
        match self.depth {
            1 if key != "priceDimensions" => ignore(map),
            0 | 1 => map.next_value_seed(Level { walk, step: Sold { depth: self.depth + 1, ..*self } }),
            _ => {
                let dimension: Dimension = map.next_value()?;
                let prices = dimension.price_per_unit;
                let (currency, price) = prices.get_key_value("USD").or(prices.first_key_value()).unzip();
                let rate = Rate {
                    at: walk.at(),
                    sku: self.sku,
                    unit: &dimension.unit,
                    begin: &dimension.begin_range,
                    end: &dimension.end_range,
                    currency: currency.map_or("no currency", String::as_str),
                    price: price.map_or("", String::as_str),
                };
                walk.gathered.borrow_mut().price(self.product, &rate).map_err(|error| walk.stop(error))
            }
        }
    }
}
