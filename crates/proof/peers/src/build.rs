//! [`Build`]: the ways in which the programs are compiled.

use proof_pairs::pairs::Caller;

/// A way in which the program of a counter is compiled.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// The heading of its column.
    pub name: &'static str,
    /// The folder of cargo's profile. The workspace's Cargo.toml defines the profiles, and
    /// `cargo xtask pairs` builds them.
    pub profile: &'static str,
    /// The crate of the measured loop.
    pub caller: Caller,
}

/// The profile of benches, `opt-level = 3`. All counters are compared in this one.
pub const RELEASE: Build = Build {
    name: "other crate",
    profile: "measured",
    caller: Caller::OtherCrate,
};

/// As [`RELEASE`], measured in the crate of the global allocator.
const OWN_CRATE: Build = Build {
    name: "own crate",
    caller: Caller::OwnCrate,
    ..RELEASE
};

/// Those in which other counters are compiled; the first ones of [`ALL`].
pub const PEERS: [Build; 2] = [RELEASE, OWN_CRATE];

/// Those in which counting-alloc has limits. `lto = "fat"` leaves no border between crates.
pub const ALL: [Build; 5] = [
    RELEASE,
    OWN_CRATE,
    Build {
        name: "other crate, O2",
        profile: "pairs-o2",
        ..RELEASE
    },
    Build {
        name: "own crate, O2",
        profile: "pairs-o2",
        caller: Caller::OwnCrate,
    },
    Build {
        name: "fat LTO",
        profile: "pairs-lto",
        ..RELEASE
    },
];
