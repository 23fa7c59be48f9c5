//! Tests of the data file: what it says, and what it refuses.

use super::*;
use sample_results::streams;

#[test]
fn values_that_contradict_each_other_are_refused() {
    let text = accepted("a: 9 x allocs=4; 1 x allocs=2").to_toml();
    let line = |values: [i64; 4]| {
        let [total, p99, max, first] = values;
        format!("\nallocs = {{ total = {total}, p99 = {p99}, max = {max}, first = {first} }}\n")
    };
    let written = line([38, 4, 4, 4]);
    assert!(text.contains(&written), "{text}");
    let table = "
        38 4 4 9 | no problem
        40 4 4 4 | no problem
        41 4 4 4 | the mean is above `max`
        38 5 4 4 | `p99` is above `max`
        -1 4 4 4 | a value is negative
        38 -4 4 4 | a value is negative
        38 4 4 -1 | a value is negative";
    for [values, problem] in rows(table) {
        let numbers: Vec<i64> = values.split(' ').map(|it| it.parse().unwrap()).collect();
        let text = text.replace(&written, &line(numbers.try_into().unwrap()));
        let found = Baseline::parse("b.toml", &text).err();
        let found = found.map(|error| error.list()[0].message.clone());
        let begin = "the values of `allocs` contradict each other: ";
        let found = found.map(|it| it.strip_prefix(begin).unwrap().to_owned());
        assert_eq!(
            found.as_deref().unwrap_or("no problem"),
            problem,
            "{values}"
        );
    }
    // Signed metrics can be negative.
    let freed = accepted("a: 2 x deallocs=1 freed-bytes=8");
    assert_eq!(Baseline::parse("b.toml", &freed.to_toml()), Ok(freed));
}

#[test]
fn values_that_agree_are_one_number() {
    // One metric differs in an iteration, and one in the first call.
    let baseline = accepted("a: 9 x allocs=2 reallocs=1; 1 x allocs=2 | first allocs=2 bytes=1");
    let text = baseline.to_toml();
    let lines: Vec<&str> = text.lines().collect();
    for line in [
        "version = 1",
        "iterations = 10",
        "allocs = 2",
        "deallocs = 0",
        "reallocs = { total = 9, p99 = 1, max = 1, first = 0 }",
        "bytes = { total = 0, p99 = 0, max = 0, first = 1 }",
    ] {
        assert!(lines.contains(&line), "{line} in {text}");
    }
    assert_eq!(Baseline::parse("b.toml", &text), Ok(baseline.clone()));
    let all = "allocs = { total = 20, p99 = 2, max = 2, first = 2 }";
    let whole = text.replace("allocs = 2", all);
    assert_eq!(Baseline::parse("b.toml", &whole), Ok(baseline.clone()));
    let table = "
        -1 | the values of `allocs` contradict each other: a value is negative
        922337203685477581 | the total of `allocs` is too large
        2.5 | expected a whole number, or a table of values
        { total = 20, max = 2 } | missing field `p99`
        { value = 2 } | unknown field `value`";
    for [number, message] in rows(table) {
        let broken = text.replace("allocs = 2", &format!("allocs = {number}"));
        let error = Baseline::parse("b.toml", &broken).unwrap_err();
        let found = &error.list()[0].message;
        assert!(found.contains(message), "{found}");
    }
}

#[test]
fn axes_are_kept_and_read_back() {
    let mut streams = streams("read (a=b)/rows=10,kind=x: 1 x").unwrap();
    let axis = |axis: &str, value: &str| AxisValue {
        axis: axis.to_owned(),
        value: value.to_owned(),
    };
    // These axes could not be parsed out of a name.
    streams[0].scenarios[0].axes = vec![axis("rows", "1,0"), axis("kind", "a/\"b\"=c")];
    let measurements = Measurements::new(streams).unwrap();
    let baseline = Baseline::default().accept(&measurements, Coverage::AllBenches);
    let text = baseline.to_toml();
    let line = r#"axes = [["rows", "1,0"], ["kind", 'a/"b"=c']]"#;
    assert!(text.lines().any(|found| found == line), "{text}");
    assert_eq!(Baseline::parse("b.toml", &text).unwrap(), baseline);
    // Old data has no axes.
    let without: String = text
        .lines()
        .filter(|line| !line.starts_with("axes"))
        .map(|line| format!("{line}\n"))
        .collect();
    let read = Baseline::parse("b.toml", &without).unwrap();
    assert_eq!(read.environments()[0].scenarios[0].axes, []);
}
