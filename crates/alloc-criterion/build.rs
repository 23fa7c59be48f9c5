//! Makes the crate count when `cargo alloc-gate` builds benches, which sets the variable. A
//! feature could not: cargo's features only add.

use std::env;

fn main() {
    const NAME: &str = "ALLOC_GATE_CRITERION";
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={NAME}");
    println!("cargo::rustc-check-cfg=cfg(alloc_gate)");
    let value = env::var(NAME).unwrap_or_default();
    if !["", "0"].contains(&value.as_str()) {
        println!("cargo::rustc-cfg=alloc_gate");
    }
}
