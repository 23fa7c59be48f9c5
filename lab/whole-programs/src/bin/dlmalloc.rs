//! The programs with dlmalloc.

whole_programs::with!(dlmalloc::GlobalDlmalloc, dlmalloc::GlobalDlmalloc);
