//! Errors of offer files, with their position in the file.

use std::fmt;
use std::io;

/// A place in a file, counted from 1 (lines) or 0 (bytes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// A line of a CSV.
    Line(u64),
    /// A byte of a JSON text.
    Byte(u64),
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Line(line) => write!(f, "line {line}"),
            Position::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// Reason for which an offer file is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OfferError {
    /// The file is cut off or malformed, or cannot be read further.
    #[error("broken at {at}: {what}")]
    Broken {
        /// Position of the error.
        at: Position,
        /// The problem, as the parser words it.
        what: String,
    },
    /// The file is no offer file of EC2 or RDS.
    #[error("not an offer file of EC2 or RDS: {0}")]
    NotAnOffer(String),
    /// A price that cannot be taken without guessing.
    #[error("{at}: {usage} (SKU {sku}) {what}")]
    Price {
        /// Position of the price.
        at: Position,
        /// AWS's number of the product.
        sku: String,
        /// Its usage type.
        usage: String,
        /// The problem, to follow the position in a sentence.
        what: String,
    },
    /// Two prices for one thing.
    #[error(
        "{at}: SKU {sku} has {what} in {region} at ${usd}, and SKU {other_sku} at {other_at} has it at ${other_usd}"
    )]
    Conflict {
        /// Position of the second price.
        at: Position,
        /// Its SKU.
        sku: String,
        /// Item of the price: `gp3 storage`.
        what: String,
        /// AWS region of both.
        region: String,
        /// The second price.
        usd: String,
        /// SKU of the first.
        other_sku: String,
        /// Position of the first price.
        other_at: Position,
        /// The first price.
        other_usd: String,
    },
    /// The file has no price that is needed.
    #[error("no storage price in it{0}")]
    NoPrices(String),
    /// Prices are missing that should be there.
    #[error("incomplete: {0}")]
    Incomplete(String),
}

impl OfferError {
    /// The source failed, or ended where it must not.
    pub(super) fn unreadable(at: Position, error: &io::Error) -> OfferError {
        OfferError::Broken { at, what: error.to_string() }
    }

    /// Hint: the way to a usable file.
    pub fn hint(&self) -> &'static str {
        match self {
            OfferError::Broken { .. } => {
                "Download it again, and compare its size with the Content-Length that AWS's server sends."
            }
            OfferError::NotAnOffer(_) | OfferError::NoPrices(_) => {
                "Offer files are https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonEC2/current/REGION/index.csv \
                 or index.json, and the same with AmazonRDS."
            }
            OfferError::Price { .. } | OfferError::Conflict { .. } => {
                "AWS's layout may have changed since this version was made; nothing is guessed."
            }
            OfferError::Incomplete(_) => {
                "A CSV does not say where it ends: download it again or take the JSON, or say --partial if prices may be missing."
            }
        }
    }
}

/// A refused file: what was wrong, and how far it was read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct ReadError {
    /// The reason.
    pub error: OfferError,
    /// Products (JSON) or rows (CSV) read until then.
    pub products: u64,
    /// Storage prices among them.
    pub prices: usize,
}

impl ReadError {
    /// Detail: the products and prices read before the error.
    pub fn detail(&self) -> String {
        let (products, prices) = (self.products, self.prices);
        format!("Until there {products} products were read and {prices} storage prices found; none was taken.")
    }
}
