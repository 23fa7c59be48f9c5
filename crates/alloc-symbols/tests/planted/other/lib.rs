//! Another crate of the workspace.

pub fn duplicate<T: Clone>(values: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(values.len()); //= generic_of_another_crate
    copy.extend(values.iter().cloned());
    copy
}

pub fn apply<T>(run: impl FnOnce() -> T) -> T {
    run()
}

#[macro_export]
macro_rules! bytes {
    ($length:expr) => {{
        let length: usize = $length;
        vec![10u8; length]
    }};
}

pub trait Shape {
    fn name(&self) -> String {
        let mut name = String::with_capacity(16); //= provided_method
        name.push_str("a shape");
        name
    }
}
