//! The tests of `counting-alloc`, compiled with another allocator below the counter or
//! around it. A feature selects the allocator.
