//! Which scenarios share a gate.

use super::text;

#[test]
fn names_that_begin_alike_share_a_gate_if_their_figures_are_near() {
    assert_eq!(
        text(
            "read/short: 9 x allocs=1 alloc-bytes=8 deallocs=1 dealloc-bytes=8\n\
             read/none: 9 x\n\
             write (a): 9 x allocs=2 alloc-bytes=8\n\
             read/long: 9 x allocs=1 alloc-bytes=8 deallocs=1 dealloc-bytes=8\n\
             write (b): 9 x allocs=2 alloc-bytes=8\n\
             reader: 9 x allocs=7\n\
             parse/small: 9 x allocs=53\n\
             parse/large: 9 x allocs=9760\n\
             parse/larger: 9 x allocs=10000\n"
        ),
        "\
# Measured by sample/bench.
[[gate]]
name = \"read\"
scenarios = [\"read/short\", \"read/long\"]
alloc-calls = \"<= 1\"
bytes = \"<= 8\"
net-bytes = \"== 0\"

# Measured by sample/bench.
[[gate]]
name = \"read-none\"
scenarios = [\"read/none\"]
alloc-calls = \"== 0\"
net-bytes = \"== 0\"

# Measured by sample/bench.
[[gate]]
name = \"write\"
scenarios = [\"write (*\"]
alloc-calls = \"<= 2\"
bytes = \"<= 8\"
net-bytes = \"<= 8\"

# Measured by sample/bench.
[[gate]]
name = \"reader\"
scenarios = [\"reader\"]
alloc-calls = \"<= 7\"
bytes = \"== 0\"
net-bytes = \"== 0\"

# Measured by sample/bench.
[[gate]]
name = \"parse-small\"
scenarios = [\"parse/small\"]
alloc-calls = \"<= 53\"
bytes = \"== 0\"
net-bytes = \"== 0\"

# Measured by sample/bench.
[[gate]]
name = \"parse\"
scenarios = [\"parse/large\", \"parse/larger\"]
alloc-calls = \"<= 10_000\"
bytes = \"== 0\"
net-bytes = \"== 0\"
"
    );
}
