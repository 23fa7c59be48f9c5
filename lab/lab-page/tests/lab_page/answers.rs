//! The answers, the orders that loops confirm, and how well two measurements agree.

use lab_page::agreement::agreement;
use lab_page::answers::orders::Order;
use lab_page::answers::questions::{answers, markdown};
use lab_page::results::{Metric, Results};
use lab_page::summary::Summary;

use crate::support::{example, figures, times};

fn text(results: &Results, program: &str) -> String {
    let answers = answers(results, &Summary::new(results));
    let mut answers = answers.into_iter();
    let answer = answers.find(|answer| answer.program.starts_with(program));
    answer
        .unwrap_or_else(|| panic!("no answer for {program}"))
        .text
}

#[test]
fn answers_have_the_figures_of_the_results() {
    let mut results = example();
    // 24 / 12 and 18 / 12.
    for (subject, growth) in [("system", 24), ("mimalloc", 18)] {
        let metrics = format!("half-growth {growth}, half-bytes 12, full-growth 1");
        let cell = figures(&format!("resident/subject={subject}"), &metrics);
        results.cells.push(cell);
    }
    let text = markdown(&answers(&results, &Summary::new(&results)));
    // `pair` and `concurrent` are one kind: the root of 0.25 * 0.5 is 0.354, and that of 0.354 *
    // 0.5 is 0.42; of 1.414 * 4, 2.378, and of 2.378 * 1.01, 1.55. The system needs no C
    // compiler, and talc is slower.
    assert_eq!(
        text.split_once("Net times, ").unwrap().0,
        "- **Any program, on one thread**: by the workloads of the lab: `mimalloc` 0.42x (0.25x \
             to 0.50x); resident bytes for each live byte, after churn: `mimalloc` 1.50, `system` \
             2.00.\n\
             - **A server, on several threads of 2 cores**: by the workloads of the lab: \
             `mimalloc` 0.50x; resident bytes for each live byte, after churn: `mimalloc` 1.50, \
             `system` 2.00.\n\
             - **A pipeline, whose blocks another thread gives back**: not measured.\n\
             - **A frame loop, which gives all blocks back at once**: `bumpalo` 0.10x; where \
             blocks go one by one: `mimalloc` 0.50x.\n\
             - **Vectors and strings that grow**: not measured.\n\
             - **No call may be slow**: not measured.\n\
             - **A short program or a build tool**: not measured.\n\
             - **No C compiler**: by the workloads of the lab: `system` 1.0x; on several, where \
             those in Rust have one lock: `system` 1.0x.\n\
             - **An embedded program, without std, on one thread**: `talc` 1.5x (1.0x to 4.0x); \
             requests fail with `buddy`.\n\
             - **A small heap of a fixed size**: not measured.\n\n"
    );
}

/// The answer whose workload has these times beside the example.
fn answer(program: &str, workload: &str, all: &str) -> String {
    let mut results = example();
    let cells = times(&format!("{workload}/subject={{}}"), all);
    results.cells.extend(cells);
    text(&results, program)
}

#[test]
fn all_that_differ_by_no_more_than_the_noise_are_named() {
    // The noise is 48 / 40, which is 1.2: more than 21 / 20, and less than 29 / 20.
    let times = "system 40, rlsf 21, mimalloc 20, talc 29, system-again 48";
    let text = answer("Vectors", "vectors", times);
    assert_eq!(text, "`mimalloc` 0.50x or `rlsf` 0.53x");
}

#[test]
fn the_system_and_allocators_of_other_crates_take_part() {
    let of = |times| answer("A pipeline", "handover", times);
    // Cargo does not build tcmalloc.
    let text = of("system 10, mimalloc 40, tcmalloc 1, system-again 10.5");
    assert_eq!(text, "`system` 1.0x");
    assert_eq!(of("system 10, mine 2, system-again 10.5"), "`mine` 0.20x");
}

#[test]
fn untimed_rules_have_figures_of_their_own() {
    let mut results = example();
    for (subject, take, give) in [("system", 400, 900), ("mimalloc", 90, 1_000)] {
        for (call, time) in [("take", take), ("give", give)] {
            let name = format!("tails/subject={subject},call={call}");
            let mut cell = figures(&name, &format!("call-p999 {time}"));
            // One process had a calm moment.
            let calm = |metric: &mut Metric| metric.min = 1;
            cell.metrics.values_mut().for_each(calm);
            results.cells.push(cell);
        }
    }
    // The geometric means: 20 * 30 and the root of 90,000.
    assert_eq!(
        text(&results, "No call"),
        "99.9th percentile of a call, median of the processes, mean of taking and giving, \
         with the reading of the clock: `mimalloc` 300 ns (`system` 600 ns)"
    );
    for (subject, granted) in [("buddy", 500), ("linked-list", 960), ("talc-claim", 900)] {
        let metrics = format!("granted-bytes {granted}, region-bytes 1000");
        let name = format!("fill/subject={subject},sizes=odd");
        results.cells.push(figures(&name, &metrics));
    }
    assert_eq!(
        text(&results, "A small heap"),
        "granted before the first refusal: `linked-list` 96.0 %"
    );
    assert_eq!(text(&results, "A short"), "not measured");
    for (subject, faults, time, size) in [
        ("system", 200_u64, 400_u64, 300_u64),
        ("talc", 100, 1_300, 310),
        ("mimalloc", 150, 7_900, 500),
    ] {
        let build = format!(
            "build-time {}, program-bytes {}",
            time * 1_000_000,
            size << 10
        );
        let name = format!("compilation/subject={subject}");
        results.cells.push(figures(&name, &build));
        let name = format!("programs/subject={subject},program=json,threads=1");
        let memory = format!("page-faults {faults}, peak-resident {}", faults << 12);
        results.cells.push(figures(&name, &memory));
    }
    // It has no program of its own.
    let name = "programs/subject=mine,program=json,threads=1";
    let mine = figures(name, "page-faults 1, peak-resident 1048576");
    results.cells.push(mine);
    assert_eq!(
        text(&results, "A short"),
        "page faults of real programs that work once, their peak memory, time added to a build, and \
         size of a small program: `talc` 100, 400 KiB, +0.9 s and 310 KiB; `system` 200, 800 KiB, \
         +0.0 s and 300 KiB"
    );
}

#[test]
fn whole_programs_answer_first() {
    let mut results = example();
    for (threads, subject, time, peak) in [
        (1, "system", 800, 8_u64),
        (1, "mimalloc", 1_000, 16),
        (1, "talc", 600, 9),
        (1, "system-again", 840, 8),
        (2, "system", 1_000, 10),
        (2, "mimalloc", 500, 20),
        (2, "system-again", 1_000, 10),
    ] {
        let name = format!("programs/subject={subject},program=json,threads={threads}");
        let (bytes, faults) = (peak << 20, peak * 256);
        let metrics = format!("program-time {time}, peak-resident {bytes}, page-faults {faults}");
        results.cells.push(figures(&name, &metrics));
    }
    assert_eq!(
        text(&results, "Any program"),
        "three real programs: `talc` 0.75x; peak memory of a process: `talc` 9.00 MiB, `system` 8.00 \
         MiB; by the workloads of the lab: `mimalloc` 0.42x (0.25x to 0.50x)"
    );
    let server = text(&results, "A server");
    assert_eq!(
        server,
        "three real programs: `mimalloc` 0.50x; peak memory of a process: `mimalloc` 20.0 MiB, \
         `system` 10.0 MiB; by the workloads of the lab: `mimalloc` 0.50x"
    );
    // Of all that were built.
    for subject in ["system", "mimalloc"] {
        let name = format!("compilation/subject={subject}");
        let build = figures(&name, "build-time 1000000000, program-bytes 1048576");
        results.cells.push(build);
    }
    let short = text(&results, "A short");
    assert!(
        short.ends_with("program: `system` 2,048, 8.00 MiB, +0.0 s and 1.00 MiB"),
        "{short}"
    );
}

#[test]
fn an_embedded_program_asks_for_code_a_worst_call_and_a_region() {
    let mut results = example();
    for (subject, code, take, give, region) in [
        ("talc-claim", 3_000, 400, 90, 115),
        ("linked-list", 1_700, 1_100, 1_080, 104),
    ] {
        for (name, metrics) in [
            (
                format!("code-size/subject={subject}"),
                format!("code-bytes {code}"),
            ),
            (
                format!("worst-call/subject={subject}"),
                format!("take-instructions {take}, give-instructions {give}"),
            ),
            (
                format!("smallest-region/subject={subject},trace=json"),
                format!("smallest-bytes {region}, peak-live-bytes 100"),
            ),
        ] {
            results.cells.push(figures(&name, &metrics));
        }
    }
    assert_eq!(
        text(&results, "An embedded"),
        "`talc` 1.5x (1.0x to 4.0x); requests fail with `buddy`; least code, in bytes: `linked-list` \
         1,700; least instructions of a worst call: `talc-claim` 400; smallest region, of the live \
         bytes: `linked-list` 104.0 %"
    );
}

#[test]
fn orders_are_those_of_the_answers() {
    let results = example();
    let answers = answers(&results, &Summary::new(&results));
    let orders: Vec<Order> = answers
        .into_iter()
        .flat_map(|answer| answer.orders)
        .collect();
    let names = |of: &str| -> Vec<String> {
        let orders = orders.iter().filter(|order| order.of == of);
        let names = orders.map(|order| order.subjects.iter().map(|(subject, _)| subject.as_str()));
        names
            .map(|names| names.collect::<Vec<_>>().join(" "))
            .collect()
    };
    // bumpalo takes all blocks back at once; of the embedded ones only talc has all figures.
    assert_eq!(names("frames"), ["mimalloc system talc"]);
    assert_eq!(names("mixed"), ["mimalloc system talc", "system talc"]);
    assert!(names("vectors").is_empty());
}

#[test]
fn a_loop_contradicts_where_both_tell_two_apart() {
    let subjects = [("a", 0.4), ("b", 0.42), ("c", 0.8)];
    let order = Order {
        of: "mixed",
        subjects: subjects
            .map(|(subject, value)| (subject.to_owned(), value))
            .into(),
        noise: 1.1,
    };
    let contradiction = |figures: [Option<f64>; 3]| {
        let nth = |subject: &str| ["a", "b", "c"].iter().position(|one| *one == subject);
        order.contradiction(|subject| figures[nth(subject).unwrap()])
    };
    assert_eq!(contradiction([Some(1.0), Some(1.1), Some(2.0)]), None);
    // The page can't tell `a` and `b` apart.
    assert_eq!(contradiction([Some(1.5), Some(1.0), Some(2.0)]), None);
    // The loop can't tell `b` and `c` apart.
    assert_eq!(contradiction([Some(1.0), Some(1.05), Some(1.0)]), None);
    let figures = [Some(1.0), Some(1.2), Some(1.0)];
    assert_eq!(contradiction(figures), Some(("b", "c")));
    assert_eq!(contradiction([Some(1.0), None, Some(1.0)]), None);
}

/// 10 and 10.8 ns, 34 and 34, 100 and 102, and on one thread and on four 20 and 25. The last
/// two figures of 15 and 16 ns are 5 and 6 ns above their floor, and those of 9 and 9 ns are
/// below it.
#[test]
fn figures_are_counted_and_those_that_differ_named() {
    let mut results = example();
    for (size, all) in [
        (1, "floor 10, system 15, system-again 16"),
        (2, "floor 10, system 9, system-again 9"),
    ] {
        let cells = times(&format!("x/subject={{}},size={size}"), all);
        results.cells.extend(cells);
    }
    assert_eq!(
        agreement(&results),
        "The headlines of the two measurements of the system (with the loop of the workload) \
         agree within 10 % in 5 of 6 (83 %) figures of one thread, and the net times in 3 of 6 \
         (50 %); of several threads the headlines agree in 0 of 1 (0 %). The other headlines: \
         `concurrent/subject=system,threads=1,sizes=mixed` 1.25x, \
         `concurrent/subject=system,threads=4,sizes=mixed` 1.25x."
    );
    assert_eq!(agreement(&Results::default()), "");
}
