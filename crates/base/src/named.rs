//! Enums whose values have names, in columns, documents and arguments.

/// Declares such an enum: each value once, with its name.
#[macro_export]
macro_rules! named {
    (
        $(#[$about:meta])*
        $visibility:vis enum $type:ident { $($(#[$note:meta])* $value:ident = $name:literal,)+ }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visibility enum $type { $($(#[$note])* $value,)+ }

        impl $type {
            /// All values, in the order of their declaration.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$value),+];

            /// Name of the value.
            pub fn name(self) -> &'static str {
                match self { $($type::$value => $name,)+ }
            }
        }
    };
}
