//! Declarations in SQL, from the tables in which arguments and formats are declared once: a script of extension/sql/ names them in double
//! braces. Knows [`ebs_advice`] and [`ebs_imports`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod advice;
mod expand;
mod formats;

pub use expand::{ExpandError, expand};
