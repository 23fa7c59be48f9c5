//! `criterion_group!` and `criterion_main!`.

/// Defines a function that runs benches, as criterion's macro does, in both of its forms.
#[macro_export]
macro_rules! criterion_group {
    (name = $name:ident; config = $config:expr; targets = $($target:path),+ $(,)*) => {
        /// Runs the benches of the group.
        pub fn $name() {
            let mut criterion: $crate::Criterion<_> = $config.configure_from_args();
            $($target(&mut criterion);)+
        }
    };
    ($name:ident, $($target:path),+ $(,)*) => {
        $crate::criterion_group! {
            name = $name;
            config = $crate::Criterion::default();
            targets = $($target),+
        }
    };
}

/// Defines a `main` that counts the allocations of the groups, and installs the counter as the
/// global allocator. If the program has one of its own,
/// [`criterion::own_allocator`](crate::own_allocator) comes before the groups.
#[macro_export]
macro_rules! criterion_main {
    (criterion::own_allocator, $($group:path),+ $(,)*) => {
        $crate::criterion_main!(@ $($group),+);
    };
    (own_allocator, $($group:path),+ $(,)*) => {
        $crate::criterion_main!(@ $($group),+);
    };
    (@ $($group:path),+) => {
        fn main() -> ::std::process::ExitCode {
            $crate::__private::run(&mut || {
                $($group();)+
            })
        }
    };
    ($($group:path),+ $(,)*) => {
        #[global_allocator]
        static COUNTER: $crate::__private::CountingAlloc =
            $crate::__private::CountingAlloc::system();

        $crate::criterion_main!(@ $($group),+);
    };
}
