//! The metrics of gates and waivers, by the names and statistics that the engine
//! knows: what a person can require of each, in words and as a pattern.

use std::borrow::Cow;
use std::marker::PhantomData;

use alloc_results::Metric;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use super::pattern::{self, Limits};
use crate::growth::GrowthClass;
use crate::{Measure, Statistic};

/// All metrics as keys of a table; any other key is one that `[metrics]` declares.
pub(super) struct Metrics;

/// What can be required of metrics of one kind: a text for the mean, or a table
/// from statistics to texts.
struct Required<K>(PhantomData<K>);

/// A requirement on any statistic but `growth`.
struct Requirement<K>(PhantomData<K>);

/// A class of growth.
struct Growth;

/// Metrics that take the same requirements.
trait Kind {
    const NAME: &'static str;
    /// Any one of them.
    const MEASURE: Measure;
    const ABOUT: &'static str;
    const EXAMPLES: &'static [&'static str];

    fn limits() -> Limits;
}

struct Calls;
struct Bytes;
struct Foreign;
struct Faults;
struct Time;

impl Kind for Calls {
    const NAME: &'static str = "Calls";
    const MEASURE: Measure = Measure::Counted(Metric::Allocs);
    const ABOUT: &'static str =
        "Comparisons joined by commas, with a number, `baseline` or `[another scenario]`.";
    const EXAMPLES: &'static [&'static str] =
        &["<= 3", ">= 1, < 5", "<= baseline", "<= 0.5 * [name]"];

    fn limits() -> Limits {
        Limits {
            numbers: true,
            bytes: false,
            baseline: true,
        }
    }
}

impl Kind for Bytes {
    const NAME: &'static str = "Bytes";
    const MEASURE: Measure = Measure::Counted(Metric::Bytes);
    const ABOUT: &'static str = "Comparisons joined by commas, with a number or bytes with a \
                                 unit, `baseline` or `[another scenario]`.";
    const EXAMPLES: &'static [&'static str] = &[
        "<= 4 KiB",
        "== 0",
        "<= baseline + 5%",
        "<= baseline + 64 B",
        "<= 0.5 * [name]",
    ];

    fn limits() -> Limits {
        Limits {
            bytes: true,
            ..Calls::limits()
        }
    }
}

impl Kind for Foreign {
    const NAME: &'static str = "ForeignAllocs";
    const MEASURE: Measure = Measure::ForeignAllocs;
    const ABOUT: &'static str =
        "Comparisons joined by commas, with a number or `[another scenario]`.";
    const EXAMPLES: &'static [&'static str] = &["== 0"];

    fn limits() -> Limits {
        Limits {
            baseline: false,
            ..Calls::limits()
        }
    }
}

impl Kind for Faults {
    const NAME: &'static str = "Faults";
    const MEASURE: Measure = Measure::Faults;
    const ABOUT: &'static str = Foreign::ABOUT;
    const EXAMPLES: &'static [&'static str] = &["== 0"];

    fn limits() -> Limits {
        Foreign::limits()
    }
}

impl Kind for Time {
    const NAME: &'static str = "Time";
    const MEASURE: Measure = Measure::Time;
    const ABOUT: &'static str = "Comparisons joined by commas, with `[another scenario]`.";
    const EXAMPLES: &'static [&'static str] = &["<= 0.8 * [name]"];

    fn limits() -> Limits {
        Limits {
            numbers: false,
            bytes: false,
            baseline: false,
        }
    }
}

impl JsonSchema for Metrics {
    fn schema_name() -> Cow<'static, str> {
        "Metrics".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut properties = Map::new();
        for measure in Measure::known().filter_map(Measure::named) {
            let mut schema = match &measure {
                Measure::ForeignAllocs => generator.subschema_for::<Required<Foreign>>(),
                Measure::Faults => generator.subschema_for::<Required<Faults>>(),
                Measure::Time => generator.subschema_for::<Required<Time>>(),
                Measure::Counted(_) | Measure::Custom(_) if measure.is_bytes() => {
                    generator.subschema_for::<Required<Bytes>>()
                }
                Measure::Counted(_) | Measure::Custom(_) => {
                    generator.subschema_for::<Required<Calls>>()
                }
            };
            schema.insert("description".to_owned(), about(&measure).into());
            properties.insert(measure.name().to_owned(), schema.into());
        }
        // Which unit a declared metric has, a schema can't look up.
        let declared = generator.subschema_for::<Required<Bytes>>();
        json_schema!({
            "type": "object",
            "properties": properties,
            "additionalProperties": declared,
        })
    }
}

impl<K: Kind> JsonSchema for Required<K> {
    fn schema_name() -> Cow<'static, str> {
        format!("RequiredOf{}", K::NAME).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut properties = Map::new();
        for statistic in Statistic::ALL {
            if !K::MEASURE.has(statistic) {
                continue;
            }
            let mut schema = if statistic == Statistic::Growth {
                generator.subschema_for::<Growth>()
            } else {
                generator.subschema_for::<Requirement<K>>()
            };
            schema.insert("description".to_owned(), statistic_about(statistic).into());
            properties.insert(statistic.name().to_owned(), schema.into());
        }
        json_schema!({
            "anyOf": [
                generator.subschema_for::<Requirement<K>>(),
                {
                    "type": "object",
                    "properties": properties,
                    "additionalProperties": false,
                    "minProperties": 1,
                },
            ]
        })
    }
}

impl<K: Kind> JsonSchema for Requirement<K> {
    fn schema_name() -> Cow<'static, str> {
        format!("RequirementOn{}", K::NAME).into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": K::ABOUT,
            "type": "string",
            "pattern": pattern::requirement(K::limits()),
            "examples": K::EXAMPLES,
        })
    }
}

impl JsonSchema for Growth {
    fn schema_name() -> Cow<'static, str> {
        "Growth".into()
    }

    /// The names are for completion; the reader takes them with other spaces too.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<Value> = GrowthClass::ALL.map(|class| class.name().into()).to_vec();
        json_schema!({
            "description": "The steepest growth over an axis that is allowed.",
            "type": "string",
            "anyOf": [{ "enum": names }, { "pattern": pattern::growth() }],
        })
    }
}

const fn about(measure: &Measure) -> &'static str {
    match measure {
        Measure::Counted(metric) => match metric {
            Metric::Allocs => "Calls of `alloc` and `alloc_zeroed`.",
            Metric::Bytes => "Bytes asked for, by allocations and by growing reallocations.",
            Metric::Deallocs => "Calls of `dealloc`.",
            Metric::FreedBytes => {
                "Bytes given back, by deallocations and by shrinking reallocations."
            }
            Metric::Reallocs => "Calls of `realloc`, `grows` and `shrinks` together.",
            Metric::Grows => "Calls of `realloc` to a larger size.",
            Metric::Shrinks => "Calls of `realloc` to a smaller or equal size.",
            Metric::AllocCalls => "`allocs` and `reallocs` together.",
            Metric::NetBytes => {
                "`bytes` minus `freed-bytes`, what an iteration leaves behind; can be negative."
            }
            Metric::NetBlocks => "`allocs` minus `deallocs`; can be negative.",
            Metric::PeakBytes => {
                "The most bytes live at once, above the level at which the iteration began."
            }
            Metric::Failed => "Calls for which the allocator returned null.",
            Metric::NativeAllocs => "Blocks that C code took from `malloc` by itself.",
            Metric::NativeBytes => "Bytes that C code asked `malloc` for by itself.",
        },
        Measure::ForeignAllocs => "What other threads allocated during the counted pass.",
        Measure::Faults => "Requests of the scenario that went wrong, in all passes together.",
        Measure::Time => {
            "Wall-clock nanoseconds of an iteration; only to be compared with another scenario."
        }
        Measure::Custom(_) => "What the scenario measures itself.",
    }
}

const fn statistic_about(statistic: Statistic) -> &'static str {
    match statistic {
        Statistic::Mean => "The exact mean of the counted iterations.",
        Statistic::Min => "The smallest value of an iteration.",
        Statistic::Max => "The largest value of an iteration.",
        Statistic::P50 => "The median, nearest rank.",
        Statistic::P99 => "The 99th percentile, nearest rank.",
        Statistic::First => "The first call ever, cold, before the warm-up.",
        Statistic::Total => "The sum over the counted iterations.",
        Statistic::PerElement => "The mean by the elements that an iteration works on.",
        Statistic::Growth => "How the mean grows over an axis.",
    }
}
