//! The program `lab-page`.

fn main() {}
