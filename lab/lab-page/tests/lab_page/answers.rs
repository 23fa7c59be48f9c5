//! The answers, the orders that loops confirm, and how well two measurements agree.

use lab_page::answers::{Order, answers, markdown};
use lab_page::results::Results;
use lab_page::summary::{Summary, agreement};

use crate::support::{all_measured, example, times};

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
    let resident = "system: half-growth 24, half-bytes 12; mimalloc: half-growth 18, half-bytes 12";
    let cells = all_measured("resident/subject={}", resident);
    results.cells.extend(cells);
    let text = markdown(&answers(&results, &Summary::new(&results)));
    // `pair` and `concurrent` are one kind: the root of 0.25 * 0.5 is 0.354, and that of 0.354 *
    // 0.5 is 0.42; of 1.414 * 4, 2.378, and of 2.378 * 1.01, 1.55. The system needs no C
    // compiler, and talc is slower.
    assert_eq!(
        text.split_once("\n\n").unwrap().0,
        "- **Any program, on one thread.** The workloads of the lab are fastest with `mimalloc` \
             (0.42x; 0.25x to 0.50x). Resident memory after churn, of the live bytes: `mimalloc` \
             150.0 %, `system` 200.0 %.\n\
             - **A server, on several threads of 2 cores.** The workloads of the lab are fastest \
             with `mimalloc` (0.50x). Resident memory after churn, of the live bytes: `mimalloc` \
             150.0 %, `system` 200.0 %.\n\
             - **A pipeline, whose blocks another thread gives back.** Not measured.\n\
             - **A frame loop, which gives all blocks back at once.** Fastest with `bumpalo` \
             (0.10x). Where blocks go one by one: `mimalloc` (0.50x).\n\
             - **Vectors and strings that grow.** Not measured.\n\
             - **No call may be slow.** Not measured.\n\
             - **A short program or a build tool.** Not measured.\n\
             - **No C compiler.** The workloads of the lab are fastest with `system` (1.0x). On \
             several threads, where the ones in Rust have one lock: `system` (1.0x).\n\
             - **An embedded program, without std, on one thread.** The workloads of the lab are \
             fastest with `talc` (1.5x; 1.0x to 4.0x). Requests fail with `buddy`.\n\
             - **A small heap of a fixed size.** Not measured."
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
    assert_eq!(text, "Fastest with `mimalloc` (0.50x) or `rlsf` (0.53x).");
}

#[test]
fn the_system_takes_part_and_what_stable_rust_does_not_build_does_not() {
    let times = "system 10, mimalloc 40, frusa 1, system-again 10.5";
    let text = answer("A pipeline", "handover", times);
    assert_eq!(text, "Fastest with `system` (1.0x).");
}

/// The answer of the example with cells that have these figures.
fn answer_of(program: &str, cells: &[(&str, &str)]) -> String {
    let mut results = example();
    let cells = cells
        .iter()
        .flat_map(|(scenario, all)| all_measured(scenario, all));
    results.cells.extend(cells);
    text(&results, program)
}

#[test]
fn the_slowest_calls_are_those_of_the_median_process() {
    let mut results = example();
    for (call, all) in [
        ("take", "system: call-p999 400; mimalloc: call-p999 90"),
        ("give", "system: call-p999 900; mimalloc: call-p999 1000"),
    ] {
        let mut cells = all_measured(&format!("tails/subject={{}},call={call}"), all);
        // One process had a calm moment.
        let metrics = cells.iter_mut().flat_map(|cell| cell.metrics.values_mut());
        metrics.for_each(|metric| metric.min = 1);
        results.cells.extend(cells);
    }
    // The geometric means: 20 * 30 and the root of 90,000.
    assert_eq!(
        text(&results, "No call"),
        "One call in 1,000 takes longer than 300 ns with `mimalloc` (600 ns with `system`), clock \
         included."
    );
}

#[test]
fn a_small_heap_has_the_largest_part_granted() {
    let all = "buddy: granted-bytes 500, region-bytes 1000; \
               linked-list: granted-bytes 960, region-bytes 1000; \
               talc-claim: granted-bytes 900, region-bytes 1000";
    assert_eq!(
        answer_of("A small heap", &[("fill/subject={},sizes=odd", all)]),
        "Before the first request is refused, it is filled to 96.0 % with `linked-list`."
    );
}

#[test]
fn a_short_program_has_other_values_beside_its_page_faults() {
    let built = "system: build-time 400000000, program-bytes 307200; \
                 talc: build-time 1300000000, program-bytes 317440; \
                 mimalloc: build-time 7900000000, program-bytes 512000";
    let run = "system: page-faults 200, peak-resident 819200; \
               talc: page-faults 100, peak-resident 409600; \
               mimalloc: page-faults 150, peak-resident 614400";
    let cells = [
        ("compilation/subject={}", built),
        ("programs/subject={},program=json,threads=1", run),
    ];
    assert_eq!(
        answer_of("A short", &cells),
        "Page faults until three real programs have worked once: 100 with `talc` (200 with \
         `system`). Peak memory: `talc` 400 KiB, `system` 800 KiB. A small program builds in: \
         `talc` 1.30 s, `system` 400 ms. Its size: `talc` 310 KiB, `system` 300 KiB."
    );
}

#[test]
fn whole_programs_answer_first() {
    let cells = [
        (
            "programs/subject={},program=json,threads=1",
            "system: program-time 800, peak-resident 8388608; \
             mimalloc: program-time 1000, peak-resident 16777216; \
             talc: program-time 600, peak-resident 9437184; system-again: program-time 840",
        ),
        (
            "programs/subject={},program=json,threads=2",
            "system: program-time 1000, peak-resident 10485760; \
             mimalloc: program-time 500, peak-resident 20971520; \
             system-again: program-time 1000",
        ),
    ];
    assert_eq!(
        answer_of("Any program", &cells),
        "Three real programs are fastest with `talc` (0.75x). Peak memory: `talc` 9.00 MiB, \
         `system` 8.00 MiB. The workloads of the lab are fastest with `mimalloc` (0.42x; 0.25x to \
         0.50x)."
    );
    assert_eq!(
        answer_of("A server", &cells),
        "Three real programs are fastest with `mimalloc` (0.50x). Peak memory: `mimalloc` 20.0 MiB, \
         `system` 10.0 MiB. The workloads of the lab are fastest with `mimalloc` (0.50x)."
    );
}

#[test]
fn an_embedded_program_asks_for_a_region() {
    let all = "talc-claim: smallest-bytes 115, peak-live-bytes 100; \
               linked-list: smallest-bytes 104, peak-live-bytes 100";
    let text = answer_of(
        "An embedded",
        &[("smallest-region/subject={},trace=json", all)],
    );
    let end = " Of their live bytes, the recorded programs need 104.0 % with `linked-list`.";
    assert!(text.ends_with(end), "{text}");
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

/// On one thread 10 and 10.8 ns, 34 and 34, 100 and 102, and 20 and 25; on four 20 and 25.
#[test]
fn the_measurements_that_agree_are_counted() {
    assert_eq!(
        agreement(&example()),
        "The two measurements of `system`, with the loop, agree within 10 % in 3 of 4 cells of one \
         thread, and in 0 of 1 of several."
    );
}
