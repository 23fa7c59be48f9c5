//! What the commands of several steps have in common.

/// Parts that several commands share.
pub(crate) const PARTS: &[(&str, &str)] = &[
    // What the other allocator keeps of ended threads is not tested.
    (
        "{suite}",
        "COUNTING_ALLOC_RESIDENT=ignored cargo test -p proof-suites --tests --locked --features",
    ),
    // The lab is a workspace of its own.
    ("{in-lab}", "--manifest-path lab/Cargo.toml --locked"),
    // Fewer rounds, since each takes many times as long; a sanitizer's own memory
    // grows with what it watches. Variables stay on the stack, where a window is found by the address
    // of one. One test starts a thread in a forked child,
    // and one allocates in a signal handler.
    (
        "{fewer}",
        "ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=0 \
         TSAN_OPTIONS='allocator_may_return_null=1 die_after_fork=0 report_signal_unsafe=0' \
         COUNTING_ALLOC_MODEL_STEPS=20000 COUNTING_ALLOC_WINDOWS=300 \
         COUNTING_ALLOC_THREADS=1000 COUNTING_ALLOC_RESIDENT=ignored",
    ),
    (
        "{threaded}",
        "+nightly test -Zbuild-std --target x86_64-unknown-linux-gnu -p counting-alloc --locked \
         --test process --test churn --test model --test lifecycle",
    ),
    // As cargo-fuzz: coverage that libFuzzer reads, and AddressSanitizer, because
    // parsers among the dependencies have `unsafe` code. An overflow is found where
    // it happens.
    (
        "{instrumented}",
        "RUSTFLAGS='--cfg fuzzing -Cpasses=sancov-module \
         -Cllvm-args=-sanitizer-coverage-level=4 \
         -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
         -Cllvm-args=-sanitizer-coverage-pc-table \
         -Cllvm-args=-sanitizer-coverage-trace-compares -Zsanitizer=address' \
         CARGO_PROFILE_BENCH_DEBUG=line-tables-only \
         CARGO_PROFILE_BENCH_DEBUG_ASSERTIONS=true \
         CARGO_PROFILE_BENCH_OVERFLOW_CHECKS=true",
    ),
    // With a target triple, programs that run on the way, such as build scripts, are
    // not instrumented.
    (
        "{fuzzers}",
        "-p proof-fuzz --features libfuzzer --target x86_64-unknown-linux-gnu \
         --target-dir target/fuzz --profile bench --locked",
    ),
    // The crates that run inside of a user's programs.
    (
        "{libraries}",
        "-p counting-alloc -p alloc-assert -p alloc-results \
         -p alloc-scenario --lib --locked",
    ),
    // Under an emulator, resident memory is the emulator's.
    (
        "{emulated}",
        "COUNTING_ALLOC_MODEL_STEPS=20000 COUNTING_ALLOC_WINDOWS=100 \
         COUNTING_ALLOC_THREADS=1000 COUNTING_ALLOC_RESIDENT=ignored",
    ),
    (
        "{windows}",
        "CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc \
         CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER={root}/.ci/wine ALLOC_GATE_RUNNER={root}/.ci/wine",
    ),
    (
        "{msvc}",
        "CARGO_TARGET_X86_64_PC_WINDOWS_MSVC_LINKER={root}/.ci/msvc-link \
         CARGO_TARGET_X86_64_PC_WINDOWS_MSVC_RUNNER={root}/.ci/wine ALLOC_GATE_RUNNER={root}/.ci/wine",
    ),
    // Without binfmt_misc, a program under qemu can't start itself again directly.
    (
        "{aarch64}",
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
         CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER={qemu} ALLOC_GATE_RUNNER={qemu}",
    ),
    (
        "{aarch64-musl}",
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld \
         CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER=qemu-aarch64-static \
         ALLOC_GATE_RUNNER=qemu-aarch64-static",
    ),
    (
        "{i686}",
        "CARGO_TARGET_I686_UNKNOWN_LINUX_MUSL_LINKER=rust-lld",
    ),
    ("{wasm}", "CARGO_TARGET_WASM32_WASIP1_RUNNER=.ci/wasi"),
    // A bench for another target fails, and the command names the lines.
    (
        "{red}",
        "cargo test -p cargo-alloc-gate --test cli --locked -- --ignored other_target::",
    ),
    ("{qemu}", "'qemu-aarch64-static -L /usr/aarch64-linux-gnu'"),
    (
        "{miri}",
        "MIRIFLAGS=-Zmiri-disable-isolation COUNTING_ALLOC_REPEATS=10",
    ),
    (
        "{minute}",
        "-create_missing_dirs=1 -max_total_time=60 -max_len=4096 -timeout=10 \
         -rss_limit_mb=2048 -print_final_stats=1 -print_funcs=0 -verbosity=0",
    ),
];
