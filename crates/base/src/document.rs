//! Documents in JSON: objects whose keys are declared together with their values.

/// Declares an object of a document: each key once, with its description, its type and its value, computed from the
/// argument behind the name and from what `where` computes first. It is made by `From`; its schema is for tests alone.
#[macro_export]
macro_rules! object {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident $(<$lifetime:lifetime>)? ($argument:tt: $from:ty)
        $(where { $($first:tt)+ })? { $($(#[$description:meta])* $key:ident: $type:ty = $value:expr,)+ }
    ) => {
        $(#[$attribute])*
        #[derive(serde::Serialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        $visibility struct $name $(<$lifetime>)? {
            $($(#[$description])* $key: $type,)+
        }

        impl $(<$lifetime>)? From<$from> for $name $(<$lifetime>)? {
            fn from($argument: $from) -> Self {
                $($($first)+)?
                $name { $($key: $value,)+ }
            }
        }
    };
}
