//! Makes the linker hide the symbols of libraries, including `malloc`, in the program
//! `unwatched`.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_gnu = env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|env| env == "gnu");
    if is_gnu && env::var_os("CARGO_FEATURE_NATIVE").is_some() {
        println!("cargo::rustc-link-arg-bin=unwatched=-Wl,--exclude-libs,ALL");
    }
}
