//! [`LazyOutput`]: an output of a measured closure whose work has not run, such as a future that
//! was not polled. It allocates nothing, and so passes most limits.

use std::any::type_name;
use std::fmt;

/// The type of an output whose work runs only when the output is used.
///
/// It is recognized by its name, since a bound on the output would refuse generic code
/// and types that do their work when they are made. So a future or an iterator of a
/// crate that is not listed here is not recognized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LazyOutput {
    kind: Kind,
    /// The name of the type without generic arguments.
    name: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Their names don't differ: the name of an `async` block ends with `{{closure}}` too.
    ClosureOrFuture,
    Iterator,
}

/// The beginnings of the names of lazy types. The iterators of `Vec` and other
/// collections are not listed, since a collection was made for them.
const LAZY: [(&str, Kind); 11] = [
    ("core::future::", Kind::ClosureOrFuture),
    ("futures_util::future::", Kind::ClosureOrFuture),
    ("dyn core::future::", Kind::ClosureOrFuture),
    ("dyn core::ops::function::", Kind::ClosureOrFuture),
    ("dyn core::iter::", Kind::Iterator),
    ("core::iter::", Kind::Iterator),
    ("core::str::iter::", Kind::Iterator),
    ("core::slice::iter::", Kind::Iterator),
    ("futures_util::stream::", Kind::Iterator),
    ("itertools::", Kind::Iterator),
    ("rayon::iter::", Kind::Iterator),
];

/// The beginnings of the names of types among these that are values.
const VALUES: [&str; 5] = [
    "itertools::diff::",
    "itertools::either_or_both::",
    "itertools::FoldWhile",
    "itertools::minmax::",
    "itertools::with_position::Position",
];

/// The beginnings of types that contain a value of their first argument.
const CONTAINERS: [&str; 6] = [
    "&mut ",
    "&",
    "core::option::Option<",
    "core::result::Result<",
    "core::pin::Pin<",
    "alloc::boxed::Box<",
];

impl LazyOutput {
    /// The lazy type that `T` is, or that it contains as an option, a result, a
    /// reference or a box. A tuple contains none, so that `(value,)` can be measured.
    pub fn in_type<T>() -> Option<Self> {
        Self::in_name(type_name::<T>())
    }

    fn in_name(name: &'static str) -> Option<Self> {
        let mut inner = name;
        while let Some(rest) = CONTAINERS.iter().find_map(|one| inner.strip_prefix(one)) {
            inner = rest;
        }
        let inner = first_argument(inner);
        let kind = if inner.ends_with("::{{closure}}") {
            Kind::ClosureOrFuture
        } else if VALUES.iter().any(|value| inner.starts_with(value)) {
            return None;
        } else {
            let mut lazy = LAZY.iter();
            lazy.find(|(beginning, _)| inner.starts_with(beginning))?.1
        };
        // The name of a closure begins with the name of its function, arguments included.
        let name = match kind {
            Kind::ClosureOrFuture => inner,
            Kind::Iterator => inner.split('<').next().unwrap_or(inner),
        };
        Some(Self { kind, name })
    }
}

/// The text up to the comma or the bracket that ends a generic argument.
fn first_argument(text: &str) -> &str {
    let mut depth = 0_u32;
    for (at, character) in text.char_indices() {
        match character {
            '<' | '(' | '[' => depth += 1,
            // The arrow of `Fn() -> T` is not a bracket.
            '>' if text[..at].ends_with('-') => {}
            '>' | ')' | ']' | ',' if depth == 0 => return &text[..at],
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    text
}

impl fmt::Display for LazyOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, instead) = match self.kind {
            Kind::ClosureOrFuture => (
                "a closure or a future",
                "call the closure, or pass the future to `block_on`",
            ),
            Kind::Iterator => (
                "an iterator or a stream",
                "use its items, for example by `.collect()` or `.count()`",
            ),
        };
        write!(
            f,
            "the output is {what} that never ran, `{}`; {instead} inside the measured code; to \
             measure only its creation, return it in a tuple: `(value,)`",
            self.name
        )
    }
}

#[cfg(test)]
mod tests {
    use std::future;
    use std::pin::{Pin, pin};
    use std::task::Poll;

    use super::*;

    fn of<T>(_: &T) -> Option<Kind> {
        LazyOutput::in_type::<T>().map(|lazy| lazy.kind)
    }

    async fn reply<T>(text: T) -> T {
        text
    }

    /// A parser that works when it is made.
    struct Lines(std::vec::IntoIter<String>);

    impl Iterator for Lines {
        type Item = String;
        fn next(&mut self) -> Option<String> {
            self.0.next()
        }
    }

    fn boxed() -> Pin<Box<dyn Future<Output = u8> + Send>> {
        Box::pin(reply(1))
    }

    #[test]
    fn futures_and_closures_are_lazy_also_in_an_option_or_a_reference() {
        let lazy = Some(Kind::ClosureOrFuture);
        assert_eq!(of(&reply(1)), lazy);
        assert_eq!(of(&reply(vec![Some((1, "a"))])), lazy);
        assert_eq!(of(&async { 1 }), lazy);
        assert_eq!(of(&|| 1), lazy);
        assert_eq!(of(&Some(|text: &str| text.len())), lazy);
        assert_eq!(of(&Ok::<_, (u8, u8)>(reply(1))), lazy);
        assert_eq!(of(&pin!(reply(1))), lazy);
        assert_eq!(of(&boxed()), lazy);
        let call: &dyn Fn() -> u8 = &|| 1;
        assert_eq!(of(&call), lazy);
        assert_eq!(of(&future::poll_fn(|_| Poll::Ready(()))), lazy);
        let call: Box<dyn Fn(Vec<u8>) -> u8> = Box::new(|_| 1);
        assert_eq!(of(&call), lazy);
    }

    #[test]
    fn iterators_over_what_is_still_to_do_are_lazy() {
        let lazy = Some(Kind::Iterator);
        let text = "a,b";
        assert_eq!(of(&text.split(',')), lazy);
        assert_eq!(of(&text.lines().map(str::len)), lazy);
        assert_eq!(of(&Ok::<_, fmt::Error>(text.chars().rev())), lazy);
        assert_eq!(of(&[1, 2].chunks(2)), lazy);
        assert_eq!(of(&vec![1].into_iter().filter(|one| *one > 0)), lazy);
        assert_eq!(of(&std::iter::from_fn(|| Some(1))), lazy);
        let items: Box<dyn Iterator<Item = u8>> = Box::new([1].into_iter());
        assert_eq!(of(&items), lazy);
    }

    #[test]
    fn results_of_work_are_not_lazy() {
        assert_eq!(of(&()), None);
        assert_eq!(of(&String::new()), None);
        assert_eq!(of(&vec![1].into_iter()), None);
        assert_eq!(of(&Lines(vec![].into_iter())), None);
        assert_eq!(of(&vec![|| 1]), None);
        assert_eq!(of(&Some(1)), None);
        assert_eq!(of(&(|| 1,)), None);
        assert_eq!(of(&(reply(1),)), None);
        assert_eq!(of(&("a".chars(), 1)), None);
        assert_eq!(of(&Err::<u8, _>("a".chars())), None);
        let last = "core::option::Option<itertools::either_or_both::EitherOrBoth<u8>>";
        assert_eq!(LazyOutput::in_name(last), None);
    }

    #[test]
    fn the_name_is_shown_without_the_arguments_of_an_iterator() {
        let name = |name| LazyOutput::in_name(name).map(|lazy| lazy.name);
        for (whole, shown) in [
            (
                "core::option::Option<core::iter::adapters::map::Map<core::str::iter::Lines<'_>, a::b>>",
                "core::iter::adapters::map::Map",
            ),
            (
                "core::result::Result<a::read<(u8, u8)>::{{closure}}, a::Error>",
                "a::read<(u8, u8)>::{{closure}}",
            ),
            (
                "alloc::boxed::Box<dyn core::ops::function::Fn(u8) -> u8, a::Alloc>",
                "dyn core::ops::function::Fn(u8) -> u8",
            ),
        ] {
            assert_eq!(name(whole), Some(shown));
        }
    }
}
