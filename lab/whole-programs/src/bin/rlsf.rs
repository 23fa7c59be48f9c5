//! The programs with rlsf.

whole_programs::with!(rlsf::GlobalTlsf, rlsf::GlobalTlsf::new());
