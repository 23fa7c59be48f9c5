//! Nothing but tests: those of `counting-alloc`, compiled once more with another
//! allocator below the counter, or with one around it. A feature chooses which.
