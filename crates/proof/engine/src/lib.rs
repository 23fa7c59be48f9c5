//! Tests and a bench of `alloc-gate` that need what the engine itself must not pay for: a
//! JSON schema validator and a timing harness. As development dependencies of the engine
//! they would be compiled for its own bench as well, with each gate run.

#![forbid(unsafe_code)]
