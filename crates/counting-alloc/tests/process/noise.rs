//! Eight threads that allocate as fast as they can, and a thousand windows of one
//! thread beside them with always the same result. The test runs on all cores, and on a
//! single core, where threads are interrupted anywhere.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::process::Command;
use std::sync::Barrier;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use counting_alloc::{Measured, Tally, measure};
use libtest_mimic::{Failed, Trial};

const WINDOWS: usize = 1_000;

pub(crate) fn all() -> Vec<Trial> {
    let on_one_core = "a_thousand_windows_beside_eight_noisy_threads_agree::on_one_core";
    let trial = match taskset() {
        Ok(()) => Trial::test(on_one_core, agree_on_one_core),
        Err(reason) => {
            Trial::test(format!("{on_one_core} ({reason})"), || Ok(())).with_ignored_flag(true)
        }
    };
    vec![
        Trial::test(ON_ALL_CORES, || {
            beside_noise();
            Ok(())
        }),
        trial,
    ]
}

const ON_ALL_CORES: &str = "a_thousand_windows_beside_eight_noisy_threads_agree::on_all_cores";

/// Runs the other trial of this program again, confined to one core.
fn agree_on_one_core() -> Result<(), Failed> {
    let again = own_process::command();
    let output = Command::new("taskset")
        .args(["-c", "0"])
        .arg(again.get_program())
        .args(again.get_args())
        .args(["--exact", ON_ALL_CORES])
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    if output.status.success() && said.contains("1 passed") {
        return Ok(());
    }
    Err(Failed::from(format!(
        "{}\n{said}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    )))
}

/// Whether a program can be confined to core 0 on this machine, and why not.
fn taskset() -> Result<(), &'static str> {
    match Command::new("taskset").args(["-c", "0", "true"]).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(_) => Err("core 0 is not ours to use"),
        Err(_) => Err("taskset is not installed; util-linux has it"),
    }
}

fn beside_noise() {
    const NOISY: usize = 8;
    let begun = Barrier::new(NOISY + 1);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for nth in 0..NOISY {
            let (begun, stop) = (&begun, &stop);
            scope.spawn(move || {
                begun.wait();
                while !stop.load(Relaxed) {
                    make_noise(nth);
                    thread::yield_now();
                }
            });
        }
        begun.wait();
        let mut noise = Tally::ZERO;
        let mut wrong = None;
        for _ in 0..WINDOWS {
            let measured = window();
            noise += measured.foreign;
            if (measured.tally, measured.peak_bytes) != EXPECTED {
                wrong.get_or_insert(measured.map(drop));
            }
        }
        stop.store(true, Relaxed);
        assert!(wrong.is_none(), "not {EXPECTED:?} but {wrong:?}");
        // Otherwise there was no noise, and the test would prove nothing.
        assert!(noise.allocs >= WINDOWS as u64, "in all windows: {noise}");
    });
}

fn make_noise(nth: usize) {
    let mut tree = BTreeMap::new();
    for key in 0..50 {
        tree.insert(key * 7 % 50, vec![0_u8; 10 + nth * 100 + key]);
    }
    black_box(tree);
}

/// A fixed amount of work, during which the other threads get their turn.
fn window() -> Measured<String> {
    measure(|| {
        let mut bytes = black_box(Vec::<u8>::with_capacity(10));
        bytes.reserve_exact(500);
        drop(black_box(vec![0_u8; 300]));
        thread::yield_now();
        bytes.shrink_to(20);
        let text = black_box(String::from("forty-two"));
        drop(bytes);
        text
    })
}

/// By hand: 10, 300 and 9 bytes are allocated; the 10 bytes grow to 500 and shrink to
/// 20; 300 and 20 bytes are freed. The peak is 500 and 300 bytes.
const EXPECTED: (Tally, Option<u64>) = (
    Tally::ZERO
        .with_blocks(3, 319)
        .with_deallocs(2, 320)
        .with_grows(1, 490)
        .with_shrinks(1, 480),
    Some(800),
);
