//! Declarations in SQL, from the tables in which arguments are declared once: a script of extension/sql/ names them in double braces.
//! Knows [`ebs_advice`] and [`ebs_base`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod advice;
mod expand;

pub use expand::{ExpandError, expand};
