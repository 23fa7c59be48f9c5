//! The arithmetic of the two tallies, field by field.

/// Implements zero, sums and differences for a struct of the given fields.
macro_rules! arithmetic {
    ($Tally:ident: $($field:ident),*) => {
        impl $Tally {
            /// No operations.
            pub const ZERO: Self = Self { $($field: 0),* };

            fn zip(self, other: Self, op: impl Fn(u64, u64) -> u64) -> Self {
                Self { $($field: op(self.$field, other.$field)),* }
            }
        }

        /// Field by field.
        impl core::ops::Add for $Tally {
            type Output = Self;

            fn add(self, other: Self) -> Self {
                self.zip(other, u64::wrapping_add)
            }
        }

        /// Field by field.
        impl core::ops::AddAssign for $Tally {
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        /// The operations between two readings: the later minus the earlier, field by
        /// field.
        impl core::ops::Sub for $Tally {
            type Output = Self;

            fn sub(self, earlier: Self) -> Self {
                self.zip(earlier, u64::wrapping_sub)
            }
        }
    };
}
