//! [`symbols`]: declares an enum whose variants are written as symbols.

/// Declares an enum with a row per variant, `Variant = "symbol"`. It gets `ALL`, `symbol()`,
/// `Display`, and `FromStr` with the error `()`, since the caller has the text.
macro_rules! symbols {
    (
        $(#[$attribute:meta])*
        pub enum $Name:ident {
            $($(#[$detail:meta])* $Variant:ident = $symbol:literal,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $Name {
            $($(#[$detail])* $Variant,)+
        }

        impl $Name {
            /// All variants, in order.
            pub const ALL: [Self; [$($symbol),+].len()] = [$(Self::$Variant),+];

            /// The symbol, as written.
            #[must_use]
            pub const fn symbol(self) -> &'static str {
                match self {
                    $(Self::$Variant => $symbol,)+
                }
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.symbol())
            }
        }

        /// By the exact symbol. The error is `()`, since the caller has the text.
        impl std::str::FromStr for $Name {
            type Err = ();

            fn from_str(symbol: &str) -> Result<Self, ()> {
                let mut all = Self::ALL.into_iter();
                all.find(|one| one.symbol() == symbol).ok_or(())
            }
        }
    };
}

pub(crate) use symbols;
