//! [`named`]: declares an enum whose variants have names in rules or in reports.

/// Declares an enum with a row per variant, `Variant = "name"`. It gets `ALL`, `name()`,
/// `Display`, and `FromStr` with the error `()`, since the caller knows the text.
macro_rules! named {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $Name:ident {
            $($(#[$detail:meta])* $Variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$attribute])*
        $visibility enum $Name {
            $($(#[$detail])* $Variant,)+
        }

        impl $Name {
            /// All variants, in order.
            $visibility const ALL: [Self; [$($name),+].len()] = [$(Self::$Variant),+];

            /// The stable name.
            #[must_use]
            $visibility const fn name(self) -> &'static str {
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
