//! What is not compared. The texts of `report/compare` have what is.

use super::*;
use crate::tests::measured;

#[test]
fn sides_that_were_not_built_alike_are_not_compared() {
    for (setting, words) in [
        ("rustc=r_2", "compiler rustc 1.90.0 -> r 2"),
        ("target=t", "target x86_64-unknown-linux-gnu -> t"),
        ("profile=dev", "profile bench -> dev"),
        ("features=x,y", "features none -> x y"),
    ] {
        let head = format!("bench a/b {setting}\ns: 1 x");
        let result = compare(&measured("bench a/b\ns: 1 x"), &measured(&head));
        let words = format!("the two sides were built differently: a/b: {words}");
        assert_eq!(result.unwrap_err().to_string(), words);
    }
}

#[test]
fn an_incomplete_measurement_is_not_compared() {
    let whole = "a: 1 x";
    let partly = "is incomplete: it was filtered, or a scenario panicked";
    for (base, head, words) in [
        ("bench a/b", whole, "base has no scenarios"),
        (whole, "bench a/b", "head has no scenarios"),
        ("a: 1 x\nb: panicked no", whole, &format!("base {partly}")),
        (
            whole,
            "bench a/b filtered\na: 1 x",
            &format!("head {partly}"),
        ),
    ] {
        let error = compare(&measured(base), &measured(head)).unwrap_err();
        assert_eq!(error.to_string(), format!("the {words}"));
    }
}
