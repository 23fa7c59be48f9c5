//! The methods of criterion's interface, with what each counts.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::async_executor::FuturesExecutor;
use criterion::measurement::WallTime;
use criterion::{
    AxisScale, BatchSize, BenchmarkGroup, BenchmarkId, Criterion, PlotConfiguration, SamplingMode,
    Throughput, criterion_group, criterion_main,
};

fn functions(c: &mut Criterion) {
    let words = vec!["a", "b"];
    c.bench_function("join", |b| b.iter(|| words.join(" ")));
    c.bench_with_input(BenchmarkId::new("repeat", 20), &words, |b, words| {
        b.iter(|| words.repeat(20));
    });
}

fn sizes(group: &mut BenchmarkGroup<'_, WallTime>) {
    for size in [10_usize, 100, 1_000] {
        group.throughput(Throughput::Elements(size as u64));
        group.bench_with_input(BenchmarkId::new("boxes", size), &size, |b, &size| {
            let numbers = vec![1_u8; size];
            b.iter(|| numbers.iter().map(|&n| Box::new(n)).collect::<Vec<_>>());
        });
    }
    group.throughput(Throughput::ElementsAndBytes {
        elements: 2,
        bytes: 8,
    });
    group.bench_function(BenchmarkId::from_parameter("text"), |b| {
        b.iter(|| String::from("abcdefgh"));
    });
}

fn iterations(c: &mut Criterion) {
    let mut group = c.benchmark_group("iterations");
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(1))
        .measurement_time(Duration::from_millis(1))
        .nresamples(2_000)
        .noise_threshold(0.1)
        .confidence_level(0.9)
        .significance_level(0.1)
        .sampling_mode(SamplingMode::Flat)
        .plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic));
    sizes(&mut group);
    group.finish();

    let mut group = c.benchmark_group("iter");
    let full = || Vec::<u64>::with_capacity(4);
    group.bench_function("large_drop", |b| b.iter_with_large_drop(full));
    group.bench_function("batched", |b| {
        b.iter_batched(full, |input| (input, Box::new(7_u8)), BatchSize::SmallInput);
    });
    group.bench_function("batched, drops", |b| {
        b.iter_batched(full, drop, BatchSize::NumIterations(3));
    });
    group.bench_function("batched_ref", |b| {
        b.iter_batched_ref(full, |input| input.push(7), BatchSize::LargeInput);
    });
    group.bench_function("setup", |b| b.iter_with_setup(full, drop));
    group.bench_function("custom", |b| {
        b.iter_custom(|iterations| {
            let begin = Instant::now();
            for _ in 0..iterations {
                drop(black_box(Box::new(7_u64)));
            }
            begin.elapsed()
        });
    });
}

fn futures(c: &mut Criterion<WallTime>) {
    let mut group = c.benchmark_group("async");
    let full = || Vec::<u64>::with_capacity(4);
    group.bench_function("iter", |b| {
        b.to_async(FuturesExecutor)
            .iter(|| async { Box::new(7_u64) });
    });
    group.bench_function("large_drop", |b| {
        b.to_async(FuturesExecutor)
            .iter_with_large_drop(|| async { Box::new(7_u64) });
    });
    group.bench_function("batched", |b| {
        b.to_async(FuturesExecutor).iter_batched(
            full,
            |input| async move { drop(input) },
            BatchSize::SmallInput,
        );
    });
    group.bench_function("batched_ref", |b| {
        b.to_async(FuturesExecutor).iter_batched_ref(
            full,
            |input| {
                input.push(7);
                async { Box::new(7_u64) }
            },
            BatchSize::SmallInput,
        );
    });
    group.bench_function("custom", |b| {
        b.to_async(FuturesExecutor)
            .iter_custom(|iterations| async move {
                let begin = Instant::now();
                for _ in 0..iterations {
                    drop(black_box(Box::new(7_u64)));
                }
                begin.elapsed()
            });
    });
}

criterion_group!(benches, functions, iterations);
criterion_group! {
    name = others;
    config = Criterion::default().sample_size(30).with_measurement(WallTime);
    targets = futures,
}
criterion_main!(benches, others);
