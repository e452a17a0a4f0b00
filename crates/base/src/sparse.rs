//! Documents that leave out keys without a value.

/// Declares the struct of such a document: a key whose value is that of `Default` (`None`, an empty list, false) is not written.
#[macro_export]
macro_rules! sparse {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident $(<$lifetime:lifetime>)? {
            $($(#[$about:meta])* $key_visibility:vis $key:ident: $type:ty,)+
        }
    ) => {
        $(#[$attribute])*
        $visibility struct $name $(<$lifetime>)? {
            $(
                $(#[$about])*
                #[serde(skip_serializing_if = "ebs_base::sparse::is_default")]
                $key_visibility $key: $type,
            )+
        }
    };
}

/// True of the value of `Default`.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
