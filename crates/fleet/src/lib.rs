//! A fleet of volumes: which volumes exporters and configuration name, what their counters show, and an answer for each.
//! Knows [`ebs_prometheus`] (raw series), [`ebs_imports`] (configuration) and [`ebs_advice`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]
