//! The programs with rpmalloc.

whole_programs::with!(rpmalloc::RpMalloc, rpmalloc::RpMalloc);
