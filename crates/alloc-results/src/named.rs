//! [`named`]: declares an enum whose variants have names or symbols in texts.

/// Declares an enum with a row per variant, `Variant = "name"`. It gets `ALL`, `name()`,
/// `Display`, and `FromStr` with the error `()`, since the caller has the text.
macro_rules! named {
    (
        $(#[$attribute:meta])*
        pub enum $Name:ident {
            $($(#[$detail:meta])* $Variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Name {
            $($(#[$detail])* $Variant,)+
        }

        impl $Name {
            /// All variants, in order.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$Variant),+];

            /// The name, as written.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name,)+
                }
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        /// By the exact name. The error is `()`, since the caller has the text.
        impl std::str::FromStr for $Name {
            type Err = ();

            fn from_str(name: &str) -> Result<Self, ()> {
                let mut all = Self::ALL.into_iter();
                all.find(|one| one.name() == name).ok_or(())
            }
        }
    };
}

pub(crate) use named;
