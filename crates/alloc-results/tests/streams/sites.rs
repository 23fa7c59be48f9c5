//! Sites: they are read back, may be absent, and have to add up to the readings.

use alloc_results::{
    BeforeRow, Reading, Sample, SampleSites, ScenarioRecord, SiteRow, SitesRecord, Stacks, Tally,
    read_streams,
};

use crate::{environment, refused, scenario, stream};

/// A call that frees a block of 8 bytes from before, makes two of 10 and 30 bytes, and frees the
/// one of 10. A call that is `larger` makes a third of 30 bytes, which grows to 50 and is
/// freed in the end.
fn reading(larger: bool) -> Reading {
    let more = u64::from(larger);
    Reading {
        counts: Tally {
            allocs: 2 + 2 * more,
            reallocs: more,
            bytes: 40 + 50 * more,
            deallocs: 2 + more,
            freed_bytes: 18 + 50 * more,
            ..Tally::ZERO
        },
        peak_bytes: Some(32 + 50 * more),
    }
}

/// The rows of `times` such calls.
fn rows(times: u64, larger: bool) -> SampleSites {
    let row = |stack, [allocs, bytes, deallocs, freed_bytes]: [u64; 4]| SiteRow {
        stack,
        counts: Tally {
            allocs: allocs * times,
            bytes: bytes * times,
            deallocs: deallocs * times,
            freed_bytes: freed_bytes * times,
            ..Tally::ZERO
        },
        smallest: bytes,
        largest: bytes,
        peak_bytes: bytes * times,
        ..SiteRow::default()
    };
    let kept = times as i64;
    let mut third = row(Some(2), [2, 50, 1, 50]);
    third.counts.reallocs = times;
    SampleSites {
        rows: [
            row(Some(0), [0, 0, 2, 18]),
            row(Some(1), [1, 10, 0, 0]),
            SiteRow {
                kept_blocks: kept,
                kept_bytes: 30 * kept,
                ..row(None, [1, 30, 0, 0])
            },
        ]
        .into_iter()
        .chain(larger.then_some(third))
        .collect(),
        before: Some(BeforeRow {
            kept_blocks: -kept,
            kept_bytes: -8 * kept,
            peak_bytes: Some(-8 * kept),
        }),
    }
}

/// A scenario with 90 and 10 iterations of two readings.
fn explained() -> ScenarioRecord {
    let sample = |(larger, times)| Sample {
        reading: reading(larger),
        times,
    };
    ScenarioRecord {
        first: reading(true),
        samples: [(false, 90), (true, 10)].map(sample).into(),
        peak_pass: None,
        sites: Some(Box::new(SitesRecord {
            stacks: Stacks(vec![
                vec![-120, 4711],
                vec![i64::MIN, i64::MAX, 4711],
                vec![],
            ]),
            first: rows(1, true),
            samples: vec![Some(rows(90, false)), Some(rows(10, true))],
            others: None,
            planned: 4,
        })),
        ..scenario("a")
    }
}

fn sites(scenario: &mut ScenarioRecord) -> &mut SitesRecord {
    scenario.sites.as_mut().expect("it has sites")
}

fn text_of(scenario: ScenarioRecord) -> String {
    stream(&environment(&["a"]), &[scenario])
}

#[test]
fn sites_are_read_back_unchanged() {
    let mut pooled = explained();
    let record = sites(&mut pooled);
    // Live blocks were not followed in the first call, nor to the peak in the others.
    let mut others = record.samples[0].take().expect("it has rows");
    let before = others.before.as_mut().expect("blocks were followed");
    before.peak_bytes = None;
    for row in &mut others.rows {
        row.peak_bytes = 0;
    }
    record.others = Some(others);
    record.first.before = None;
    for row in &mut record.first.rows {
        (row.kept_blocks, row.kept_bytes, row.peak_bytes) = (0, 0, 0);
    }
    let unavailable = ScenarioRecord {
        sites_unavailable: Some(Box::new("not available on a moon".into())),
        ..scenario("c")
    };
    pooled.name = "b".into();
    let mut environment = environment(&["a", "b", "c"]);
    environment.anchor = Some("alloc_scenario::sites::anchor".into());
    let scenarios = [explained(), pooled, unavailable];
    let text = stream(&environment, &scenarios);
    let [stream] = read_streams("r.jsonl", &text).unwrap().try_into().unwrap();
    assert_eq!(stream.environment, environment);
    assert_eq!(stream.scenarios, scenarios);
}

#[test]
fn values_of_rows_that_are_zero_are_not_written() {
    let text = text_of(explained());
    let sample = r#""samples":[{"rows":[{"stack":0,"deallocs":180,"freed-bytes":1620},{"stack":1,"allocs":90,"bytes":900,"smallest":10,"largest":10,"peak-bytes":900},{"stack":null,"allocs":90,"bytes":2700,"smallest":30,"largest":30,"kept-blocks":90,"kept-bytes":2700,"peak-bytes":2700}],"before":{"kept-blocks":-90,"kept-bytes":-720,"peak-bytes":-720}},"#;
    assert!(text.contains(sample), "{text}");
    let stacks =
        r#""sites":{"stacks":[[0,-120,4711],[1,-9223372036854775808,9223372036854775807],[0]],"#;
    assert!(text.contains(stacks), "{text}");
}

#[test]
fn outer_frames_of_stacks_are_written_once() {
    let mut scenario = explained();
    let calls = |depth| [-4_000, -3_000].into_iter().chain((0..depth).rev());
    sites(&mut scenario).stacks = Stacks((0..=500).map(|depth| calls(depth).collect()).collect());
    let text = text_of(scenario.clone());
    // Each has a number of shared ones, and 3 of its own.
    assert!(text.len() < 501 * 30, "{}", text.len());
    let [stream] = read_streams("r.jsonl", &text).unwrap().try_into().unwrap();
    assert_eq!(stream.scenarios, [scenario]);
    // A short text does not stand for more addresses than fit the memory.
    let long: String = (0..1 << 12).map(|address| format!("{address},")).collect();
    let stacks = format!(r#""stacks":[[0,{long}1],{}[0]"#, "[4097],".repeat(1 << 12));
    let text = text_of(explained()).replacen(r#""stacks":[[0,-120,4711]"#, &stacks, 1);
    assert!(refused(&text).contains("too many return addresses"));
}

/// The sentence about the sites after a change.
fn mistake(change: impl FnOnce(&mut SitesRecord)) -> String {
    let mut scenario = explained();
    change(sites(&mut scenario));
    refused(&text_of(scenario))
}

#[test]
fn sites_that_do_not_add_up_are_refused() {
    type Change = fn(&mut SitesRecord);
    let changes: [(&str, Change); 22] = [
        ("allocs of sample 2", |s| row(s).counts.allocs += 1),
        ("reallocs of sample 2", |s| row(s).counts.reallocs -= 1),
        ("deallocs of sample 2", |s| row(s).counts.deallocs += 1),
        ("bytes of sample 2", |s| row(s).counts.bytes -= 1),
        ("freed-bytes of sample 2", |s| {
            row(s).counts.freed_bytes += 1
        }),
        ("kept-blocks of sample 2", |s| row(s).kept_blocks += 1),
        ("kept-bytes of sample 2", |s| row(s).kept_bytes -= 1),
        ("peak-bytes of sample 2", |s| row(s).peak_bytes += 1),
        ("kept-blocks of sample 2", |s| before(s).kept_blocks = 0),
        ("kept-bytes of sample 2", |s| before(s).kept_bytes = 0),
        ("peak-bytes of sample 2", |s| before(s).peak_bytes = Some(0)),
        ("peak-bytes of sample 2", |s| before(s).peak_bytes = None),
        ("allocs of sample 2", |s| _ = second(s).rows.remove(1)),
        ("deallocs of the first call", |s| {
            s.first.rows[0].counts.deallocs = 0
        }),
        // Without the blocks from before nothing may be kept.
        ("kept-blocks of the first call", |s| s.first.before = None),
        // The rows of a sample are neither its own nor of the others.
        ("allocs of the other samples", |s| _ = s.samples[1].take()),
        ("deallocs of the other samples", |s| {
            s.others = s.samples[1].take();
            s.others.as_mut().unwrap().rows[0].counts.deallocs += 1;
        }),
        ("allocs of the other samples", |s| {
            s.others = Some(rows(1, false))
        }),
        ("the number of samples", |s| _ = s.samples.pop()),
        ("the number of samples", |s| s.samples.push(None)),
        ("a stack that is missing", |s| _ = s.stacks.0.pop()),
        // Whoever adds some of the rows would overflow.
        ("too large to have been counted", |s| cancel(s, 1 << 60)),
    ];
    for (place, change) in changes {
        assert_eq!(
            mistake(change),
            format!(
                "r.jsonl:2: the sites of `a` don't add up to its samples ({place}); the file was \
                 damaged or edited: measure again"
            )
        );
    }
    let mut scenario = explained();
    cancel(sites(&mut scenario), 1 << 58);
    assert!(read_streams("r.jsonl", &text_of(scenario)).is_ok());
}

fn second(sites: &mut SitesRecord) -> &mut SampleSites {
    sites.samples[1].as_mut().expect("it has rows")
}

fn row(sites: &mut SitesRecord) -> &mut SiteRow {
    second(sites).rows.last_mut().expect("it has a row")
}

fn before(sites: &mut SitesRecord) -> &mut BeforeRow {
    second(sites).before.as_mut().expect("blocks were followed")
}

/// Two rows that cancel each other.
fn cancel(sites: &mut SitesRecord, bytes: i64) {
    sites.first.rows[0].kept_bytes += bytes;
    sites.first.rows[1].kept_bytes -= bytes;
}

#[test]
fn a_reading_without_a_peak_has_no_peak_by_stack() {
    let mut scenario = explained();
    scenario.first.peak_bytes = None;
    assert!(refused(&text_of(scenario.clone())).contains("(peak-bytes of the first call)"));
    let first = &mut sites(&mut scenario).first;
    first.before.as_mut().unwrap().peak_bytes = Some(0);
    for row in &mut first.rows {
        row.peak_bytes = 0;
    }
    assert!(read_streams("r.jsonl", &text_of(scenario)).is_ok());
}

#[test]
fn hostile_sites_are_refused_with_a_sentence() {
    const MISSING: &str = "a stack shares addresses that the one before lacks";
    let text = text_of(explained());
    for (from, to, reason) in [
        (r#""stack":0,"#, r#""stack":-1,"#, "expected usize"),
        (r#"{"stacks":"#, r#"{"stack":"#, "missing field `stacks`"),
        (r#"[[0,-120"#, r#"[[0,0.5"#, "expected i64"),
        (r#"[[0,-120"#, r#"[[1,-120"#, MISSING),
        (r#",4711],[1,"#, r#",4711],[3,"#, MISSING),
        (r#",4711],[1,"#, r#",4711],[-1,"#, MISSING),
        (r#",[0]],"#, r#",[]],"#, MISSING),
        (r#""sites":{"#, r#""sites":7,"was":{"#, "expected an object"),
    ] {
        let hostile = text.replacen(from, to, 1);
        assert_ne!(hostile, text, "{from}");
        let sentence = refused(&hostile);
        assert!(
            sentence.starts_with("r.jsonl:2: invalid record (") && sentence.contains(reason),
            "{sentence}"
        );
    }
    let huge = text.replacen(r#""allocs":90"#, r#""allocs":18446744073709551615"#, 1);
    assert!(refused(&huge).contains("(too large to have been counted)"));
}
