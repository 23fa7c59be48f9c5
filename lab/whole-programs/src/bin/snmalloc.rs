//! The programs with snmalloc.

whole_programs::with!(snmalloc_rs::SnMalloc, snmalloc_rs::SnMalloc);
