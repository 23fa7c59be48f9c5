//! The programs with the allocator of the system.

whole_programs::with!(std::alloc::System, std::alloc::System);
