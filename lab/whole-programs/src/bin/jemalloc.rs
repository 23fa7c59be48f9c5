//! The programs with jemalloc.

whole_programs::with!(tikv_jemallocator::Jemalloc, tikv_jemallocator::Jemalloc);
