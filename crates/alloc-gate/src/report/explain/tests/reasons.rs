//! Figures without lines: the sentence that says why.

use super::*;

#[test]
fn each_reason_for_no_lines_is_a_sentence() {
    for (reason, sentence) in [
        (
            Unexplained::Inexact,
            "warning[sites-inexact]: no lines are shown, because they don't add up to the \
             counters; please report this bug",
        ),
        (
            Unexplained::Rebuilt,
            "note: not explained: the executable was rebuilt; run again",
        ),
        (
            Unexplained::Target(String::from("wasm32-wasip1")),
            "note: not explained: call stacks are not available on wasm32-wasip1",
        ),
        (
            Unexplained::NoLiveBlocks,
            "note: not explained: live blocks were not followed",
        ),
        (
            Unexplained::NotMeasured(String::from("the bench\nfailed")),
            "note: not explained: the bench failed",
        ),
    ] {
        let shown = text(&explained(Err(reason)), Format::Terminal);
        assert_eq!(shown, format!("encode: allocs\n\n{sentence}\n\n"));
    }
}
