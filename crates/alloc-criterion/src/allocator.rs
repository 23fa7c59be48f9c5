//! The allocator of a program that has its own: [`global_allocator!`](crate::global_allocator).

/// Stands before the groups of a `criterion_main!` whose program has a global allocator of its
/// own, so that none is installed. Does nothing.
///
/// ```no_run
/// use alloc_criterion as criterion;
/// use criterion::{Criterion, criterion_group, criterion_main};
///
/// criterion::global_allocator!(std::alloc::System, std::alloc::System);
///
/// fn bench(c: &mut Criterion) {
///     c.bench_function("to_string", |b| b.iter(|| 7_u8.to_string()));
/// }
///
/// criterion_group!(benches, bench);
/// criterion_main!(criterion::own_allocator, benches);
/// ```
pub fn own_allocator() {}

/// Installs a global allocator of this type and value. `cargo alloc-gate` counts its requests;
/// under `cargo bench` nothing is between the program and the allocator.
///
/// `criterion_main!` then needs [`own_allocator`] before its groups.
#[cfg(not(alloc_gate))]
#[macro_export]
macro_rules! global_allocator {
    ($Type:ty, $value:expr) => {
        #[global_allocator]
        static GLOBAL: $Type = $value;
    };
}

/// Installs a global allocator of this type and value, with the counter around it.
#[cfg(alloc_gate)]
#[macro_export]
macro_rules! global_allocator {
    ($Type:ty, $value:expr) => {
        #[global_allocator]
        static GLOBAL: $crate::__private::CountingAlloc<$Type> =
            $crate::__private::CountingAlloc::new($value);
    };
}
