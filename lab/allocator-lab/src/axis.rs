//! [`axis_values`]: an enum whose variants are the values of an axis.

/// Makes an enum with its list of variants, `ALL`, and with the text of each variant
/// that names of scenarios show.
macro_rules! axis_values {
    (
        $(#[$about:meta])*
        pub enum $name:ident {
            $($(#[$about_one:meta])* $variant:ident = $text:literal,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$about_one])* $variant,)+
        }

        impl $name {
            /// All of them, in the order of the axis.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$variant),+];
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self {
                    $(Self::$variant => $text,)+
                })
            }
        }
    };
}

pub(crate) use axis_values;
