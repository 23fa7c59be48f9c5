//! The programs with mimalloc.

whole_programs::with!(mimalloc::MiMalloc, mimalloc::MiMalloc);
