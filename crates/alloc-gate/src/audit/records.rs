//! Alters a record: gives other values to some of its iterations. The result is a
//! record that a bench could have measured.

use alloc_results::{
    CustomFigure, CustomFigures, Distribution, MOST, Metric, PeakSample, Reading, ReadingPart,
    Sample, ScenarioRecord,
};

use crate::audit::moves::{Column, Move};
use crate::figure::Measure;

/// The values of `measure` in the iterations of a record, in the batches of its timed
/// pass, or the sum if only that is recorded. `None` if it was not measured.
pub(super) fn column(measure: &Measure, record: &ScenarioRecord) -> Option<Column> {
    match measure {
        Measure::Counted(metric) => Some(record.distribution(*metric)?.values().collect()),
        Measure::Summed(metric) => Some(vec![(metric.total(record).into(), 1)]),
        Measure::Faults => {
            let faults = record.outcome.as_ref()?.faults();
            Some(vec![(i128::try_from(faults).ok()?, 1)])
        }
        Measure::Time => {
            let batches = record.time.as_ref()?.nanoseconds.iter();
            let batches = Distribution::new(batches.map(|&ns| (ns.into(), 1)))?;
            Some(batches.values().collect())
        }
        Measure::Custom(custom) => {
            let figure = record.custom_figure(custom.name())?;
            Some(figure.distribution().values().collect())
        }
    }
}

/// The record with other values in some iterations. `None` if a value does not fit.
pub(super) fn moved(
    measure: &Measure,
    record: &ScenarioRecord,
    moves: &[Move],
) -> Option<ScenarioRecord> {
    let values = || moved_column(&column(measure, record)?, moves);
    let sum = || u64::try_from(values()?.first()?.0).ok();
    let mut altered = record.clone();
    match measure {
        Measure::Counted(metric)
            if metric.part() == ReadingPart::Peak && record.peak_pass.is_some() =>
        {
            let samples = values()?.into_iter().map(|(value, times)| {
                let peak_bytes = u64::try_from(value).ok()?;
                Some(PeakSample { peak_bytes, times })
            });
            altered.peak_pass.as_mut()?.samples = samples.collect::<Option<_>>()?;
        }
        Measure::Counted(metric) => {
            altered.samples = moved_samples(*metric, &record.samples, moves)?;
        }
        Measure::Summed(metric) => *metric.total_mut(&mut altered) = sum()?,
        Measure::Faults => {
            let faults = sum()?;
            let outcome = altered.outcome.as_mut()?;
            let kinds = [&outcome.counted, &outcome.timed].map(|all| all.faults.first());
            let kind = kinds.into_iter().flatten().next();
            let kind = kind.map(|(kind, _)| kind.clone());
            outcome.timed.faults.clear();
            outcome.counted.faults.clear();
            if faults > 0 {
                let kind = kind.unwrap_or_else(|| String::from("null"));
                outcome.counted.faults.push((kind, faults));
            }
            // There can't be more faults than requests.
            outcome.counted.requests = outcome.counted.requests.max(faults);
        }
        Measure::Time => {
            let mut nanoseconds = Vec::new();
            for (value, times) in values()? {
                let value = u64::try_from(value).ok()?;
                nanoseconds.extend((0..times).map(|_| value));
            }
            altered.time.as_mut()?.nanoseconds = nanoseconds;
        }
        Measure::Custom(custom) => {
            let first = record.custom_figure(custom.name())?.first();
            altered.custom = with_custom(record, custom.name(), first, &values()?)?;
        }
    }
    Some(altered)
}

/// The record with another value in the first call. `None` if it does not fit.
pub(super) fn with_first(
    measure: &Measure,
    record: &ScenarioRecord,
    value: i128,
) -> Option<ScenarioRecord> {
    let mut altered = record.clone();
    match measure {
        Measure::Counted(metric) => set(*metric, &mut altered.first, value)?,
        Measure::Custom(custom) => {
            let first = i64::try_from(value).ok()?;
            let column = column(measure, record)?;
            altered.custom = with_custom(record, custom.name(), first, &column)?;
        }
        Measure::Time => altered.time.as_mut()?.first = u64::try_from(value).ok()?,
        Measure::Summed(metric) => *metric.first_mut(&mut altered) = u64::try_from(value).ok()?,
        Measure::Faults => return None,
    }
    Some(altered)
}

fn with_custom(
    record: &ScenarioRecord,
    name: &str,
    first: i64,
    column: &Column,
) -> Option<CustomFigures> {
    let mut figures = CustomFigures::default();
    for (other, figure) in record.custom() {
        let figure = if other == name {
            let values = column.iter();
            let values = values.map(|&(value, times)| Some((i64::try_from(value).ok()?, times)));
            let values: Vec<_> = values.collect::<Option<_>>()?;
            CustomFigure::new(figure.unit(), first, values)?
        } else {
            figure.clone()
        };
        figures.insert(other, figure).ok()?;
    }
    Some(figures)
}

fn moved_column(column: &Column, moves: &[Move]) -> Option<Column> {
    let mut moved = column.clone();
    for one in moves {
        let from = moved.iter_mut().find(|(value, _)| *value == one.from)?;
        from.1 = from.1.checked_sub(one.times)?;
    }
    moved.extend(moves.iter().map(|one| (one.to, one.times)));
    Some(Distribution::new(moved)?.values().collect())
}

fn moved_samples(metric: Metric, samples: &[Sample], moves: &[Move]) -> Option<Vec<Sample>> {
    let mut kept = samples.to_vec();
    let mut moved = Vec::new();
    for one in moves {
        let mut rest = one.times;
        let of_value = kept
            .iter_mut()
            .filter(|sample| metric.value(&sample.reading) == Some(one.from));
        for sample in of_value {
            let times = sample.times.min(rest);
            if times == 0 {
                continue;
            }
            sample.times -= times;
            rest -= times;
            let mut reading = sample.reading.clone();
            set(metric, &mut reading, one.to)?;
            moved.push(Sample { reading, times });
        }
        if rest > 0 {
            return None;
        }
    }
    kept.append(&mut moved);
    kept.retain(|sample| sample.times > 0);
    kept.sort();
    kept.dedup_by(|later, earlier| {
        let same = later.reading == earlier.reading;
        if same {
            earlier.times += later.times;
        }
        same
    });
    Some(kept)
}

/// Sets the fields of a reading so that the metric is `value`. `None` if they can't
/// hold it.
fn set(metric: Metric, reading: &mut Reading, value: i128) -> Option<()> {
    let by = value - metric.value(reading)?;
    let mut rest = by.unsigned_abs();
    // Change allocations first: that is the likelier regression.
    let steps = [(metric.adds(), by > 0), (metric.subtracts(), by <= 0)];
    for (fields, is_raised) in steps {
        for field in fields {
            let field = field.get_mut(reading)?;
            let most = u64::try_from(rest).unwrap_or(u64::MAX);
            let part = if is_raised {
                let part = most.min(MOST.saturating_sub(*field));
                *field += part;
                part
            } else {
                let part = most.min(*field);
                *field -= part;
                part
            };
            rest -= u128::from(part);
        }
    }
    (rest == 0).then_some(())
}

#[cfg(test)]
mod tests {
    use alloc_results::{Ratio, Stream, Unit, Writer, read_streams};

    use super::*;
    use crate::audit::moves;
    use crate::figure::{Custom, Statistic};
    use sample_results::streams;

    /// Checks that the reader accepts the record: a bench could have written it.
    fn assert_readable(stream: &Stream, record: &ScenarioRecord) {
        let mut writer = Writer::new(Vec::new(), &stream.environment).unwrap();
        writer.scenario(record).unwrap();
        let text = String::from_utf8(writer.end().unwrap()).unwrap();
        let read = read_streams("r", &text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read[0].scenarios[0], *record);
    }

    #[test]
    fn an_altered_record_could_have_been_measured() {
        let stream = &streams(
            "a: 8 x allocs=3 deallocs=2 alloc-bytes=9 dealloc-bytes=5 grows=1 shrinks=1 peak=4 \
             native-allocs=1; 2 x allocs=3 deallocs=4 peak=4 native-allocs=1 | foreign allocs=7 \
             | uncounted allocs=6 | time 5 7 | first-time 9 | outcome 10 null=1; 4 null=2 | custom rows count 9 x 1; 1 x 4 \
             | custom largest-block bytes 9 x 64; 1 x 4096 | custom peak-blocks count 9 x 2; 1 x 3",
        )
        .unwrap()[0];
        let record = &stream.scenarios[0];
        let known = Measure::known().map(|name| Measure::from_builtin_name(name).unwrap());
        let rows = Measure::Custom(Custom::new("rows", Unit::Count));
        for measure in known.chain([rows]) {
            let before = column(&measure, record).unwrap();
            let range = measure.range();
            for to in [*range.start(), 0, 1, 1_000, *range.end()] {
                let (from, times) = *before.last().unwrap();
                for times in [1, times] {
                    let moves = [Move { from, times, to }];
                    let altered = moved(&measure, record, &moves).unwrap();
                    let expected = moved_column(&before, &moves).unwrap();
                    assert_eq!(column(&measure, &altered), Some(expected), "{measure} {to}");
                    assert_readable(stream, &altered);
                }
            }
            if measure.has(Statistic::First) {
                let altered = with_first(&measure, record, 40).unwrap();
                let first = measure.figure(Statistic::First, &altered);
                assert_eq!(first, Some(Ratio::whole(40)));
                assert_readable(stream, &altered);
            }
        }
    }

    #[test]
    fn all_batches_of_one_time_can_be_moved() {
        let record = &streams("a: 1 x allocs=1 | time 7 7").unwrap()[0].scenarios[0];
        let column = column(&Measure::Time, record).unwrap();
        let moves = moves::rank(&column, 1, 9, &Measure::Time.range()).unwrap();
        let altered = moved(&Measure::Time, record, &moves).unwrap();
        assert_eq!(altered.time.unwrap().nanoseconds, [9, 9]);
    }

    #[test]
    fn a_count_out_of_range_is_refused() {
        let record = &streams("a: 1 x allocs=3").unwrap()[0].scenarios[0];
        let measure = Measure::from(Metric::Allocs);
        for to in [-1, *measure.range().end() + 1] {
            let one = Move {
                from: 3,
                times: 1,
                to,
            };
            assert_eq!(moved(&measure, record, &[one]), None);
        }
    }
}
