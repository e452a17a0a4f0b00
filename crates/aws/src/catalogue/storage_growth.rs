//! Growth of RDS storage.

/// Size, GiB, to order where RDS storage of `current_gib` grows to at least `size_gib`: RDS refuses a growth of less than 10 %
/// (<https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_PIOPS.ModifyingExisting.html>). No more than the current size is left as
/// it is.
pub fn grown_storage_gib(current_gib: u64, size_gib: u64) -> u64 {
    if size_gib > current_gib { size_gib.max(current_gib.saturating_mul(11).div_ceil(10)) } else { size_gib }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tenth of 399 GiB is 39.9.
    #[test]
    fn storage_grows_by_a_tenth_or_not_at_all() {
        let sizes = [(399, 400), (300, 310), (300, 330), (300, 331), (300, 300), (300, 200)];
        let grown = sizes.map(|(current_gib, size_gib)| grown_storage_gib(current_gib, size_gib));
        assert_eq!(grown, [439, 330, 330, 331, 300, 200]);
    }
}
