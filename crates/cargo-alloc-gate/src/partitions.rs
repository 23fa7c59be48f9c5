//! Joins the parts of a bench that several machines measured, into results as of one
//! machine. A missing part is an error, never a smaller measurement.

use std::collections::{BTreeSet, HashMap};

use alloc_gate::{Environment, grouped, one_line};
use alloc_results::{EnvironmentRecord, Partition, PartitionMethod, PartitionRecord, Stream};

use crate::failure::Failure;

/// The streams of whole benches; those of parts are joined.
pub(crate) fn join_parts(streams: Vec<Stream>) -> Result<Vec<Stream>, Failure> {
    let benches = grouped(streams, |others, stream| {
        let (one, other) = (&others[0].environment, &stream.environment);
        let is_part = one.partition.is_some() || other.partition.is_some();
        is_part && one.bench == other.bench && is_built_like(one, other)
    });
    let joined = benches.into_iter().map(|mut parts| {
        match &parts[..] {
            [whole] if whole.environment.partition.is_none() => {}
            _ => check(&parts)?,
        }
        let first = parts.remove(0);
        match first.environment.partition.clone() {
            Some(partition) => join(first, parts, &partition.registered),
            None => Ok(first),
        }
    });
    joined.collect()
}

/// Whether two streams are compared with the same baseline.
fn is_built_like(one: &EnvironmentRecord, other: &EnvironmentRecord) -> bool {
    Environment::from(one).is_built_like(&Environment::from(other))
}

/// Refuses parts that are not all parts of one whole.
fn check(parts: &[Stream]) -> Result<(), Failure> {
    let first = &parts[0].environment;
    let bench = format!("{} on {}", first.bench, first.target);
    let records = parts
        .iter()
        .map(|part| part.environment.partition.as_deref());
    let records: Option<Vec<&PartitionRecord>> = records.collect();
    let Some(records) = records else {
        return Err(
            Failure::bench_failed(format!("{bench} was measured whole and in parts"))
                .help("pass the results of only one of them"),
        );
    };
    let part = records[0].part;
    let other = records.iter().map(|record| record.part);
    let mut other = other.filter(|other| (other.method, other.parts) != (part.method, part.parts));
    if let Some(other) = other.next() {
        return Err(Failure::bench_failed(format!(
            "{bench} was partitioned in two ways: {part} and {other}"
        ))
        .help(
            "measure every part with the same method and number of parts, as in hash:1/2 and \
             hash:2/2",
        ));
    }
    let mut numbers = BTreeSet::new();
    if let Some(twice) = records.iter().find(|one| !numbers.insert(one.part.part)) {
        return Err(
            Failure::bench_failed(format!("{} of {bench} was measured twice", twice.part))
                .help("pass each result file once"),
        );
    }
    // A few are enough: a damaged file can name any number of parts.
    let missing = (1..=part.parts).filter(|number| !numbers.contains(number));
    let missing = missing.map(|number| Partition {
        part: number,
        ..part
    });
    let missing: Vec<String> = missing.take(8).map(|part| part.to_string()).collect();
    if let Some(next) = missing.first() {
        return Err(Failure::bench_failed(format!(
            "{} of {} parts of {bench} were measured; missing: {}",
            numbers.len(),
            part.parts,
            missing.join(", ")
        ))
        .help(format!(
            "add the folder that `cargo alloc-gate run --partition {next} --output DIR` wrote"
        )));
    }
    refuse_moved(parts, &bench)?;
    for other in parts {
        if let Some(what) = difference(first, &other.environment) {
            return Err(
                Failure::bench_failed(format!("the parts of {bench} differ in {what}"))
                    .help("measure all parts with the same sources and the same toolchain"),
            );
        }
    }
    Ok(())
}

/// Refuses scenarios in another part than that of their names' hash: the part was not measured
/// as its record says. The place of a scenario among others is known to the bench alone.
fn refuse_moved(parts: &[Stream], bench: &str) -> Result<(), Failure> {
    for Stream { environment, .. } in parts {
        let part = environment.partition.as_ref().map(|record| record.part);
        let Some(part) = part.filter(|part| part.method == PartitionMethod::Hash) else {
            continue;
        };
        let unavailable = environment.unavailable.iter().map(|one| &one.name);
        let mut names = environment.planned.iter().chain(unavailable);
        if let Some(name) = names.find(|name| !part.has(name, 0)) {
            return Err(Failure::bench_failed(format!(
                "the scenario `{}` of {bench} is in {part}, but its name belongs to another part",
                one_line(name)
            ))
            .help(format!(
                "the results were changed; measure the part again with `cargo alloc-gate run \
                 --partition {part}`"
            )));
        }
    }
    Ok(())
}

/// What makes two streams no parts of one measurement.
fn difference(one: &EnvironmentRecord, other: &EnvironmentRecord) -> Option<&'static str> {
    let registered = |record: &EnvironmentRecord| {
        let partition = record.partition.clone();
        partition.map(|partition| partition.registered)
    };
    different_build(one, other)
        .or_else(|| (registered(one) != registered(other)).then_some("their scenarios"))
}

/// What makes two streams none of one program.
fn different_build(one: &EnvironmentRecord, other: &EnvironmentRecord) -> Option<&'static str> {
    [
        (one.commit != other.commit, "their commit"),
        (one.rustc != other.rustc, "their compiler"),
        (
            one.harness != other.harness,
            "the version of alloc-scenario",
        ),
        (one.allocator != other.allocator, "their allocator"),
        (one.opt_level != other.opt_level, "their `opt-level`"),
    ]
    .into_iter()
    .find_map(|(differs, what)| differs.then_some(what))
}

/// Joins parts. Scenarios are in the order of the bench.
fn join(first: Stream, others: Vec<Stream>, registered: &[String]) -> Result<Stream, Failure> {
    let mut whole = first;
    for part in others {
        let environment = &mut whole.environment;
        let other = part.environment;
        environment.planned.extend(other.planned);
        environment.unavailable.extend(other.unavailable);
        environment.cores = environment.cores.min(other.cores);
        environment.dirty = environment.dirty.max(other.dirty);
        environment.unix_time = environment.unix_time.min(other.unix_time);
        whole.scenarios.extend(part.scenarios);
        whole.failures.extend(part.failures);
    }
    let positions = registered.iter().enumerate();
    let positions: HashMap<&str, usize> = positions.map(|(at, name)| (&**name, at)).collect();
    // The reader has checked that these are names of registered scenarios.
    let position = |name: &String| positions.get(name.as_str()).copied();
    let environment = &mut whole.environment;
    environment.planned.sort_by_key(position);
    environment
        .unavailable
        .sort_by_key(|one| position(&one.name));
    whole.scenarios.sort_by_key(|one| position(&one.name));
    whole.failures.sort_by_key(|one| position(&one.name));
    let unavailable = environment.unavailable.iter().map(|one| &one.name);
    let mut names = BTreeSet::new();
    for name in environment.planned.iter().chain(unavailable) {
        if !names.insert(name) {
            return Err(Failure::bench_failed(format!(
                "the scenario `{name}` of {} is in two parts",
                environment.bench
            ))
            .help("measure all parts with the same `--scenarios`, or without"));
        }
    }
    environment.filtered = names.len() < registered.len();
    environment.partition = None;
    Ok(whole)
}
