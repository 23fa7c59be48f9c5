//! [`FromJson`]: values that can be read.

use super::input::{Input, JsonError};

/// A value that can be read.
pub(crate) trait FromJson {
    /// A value to read into; also that of a member which is absent.
    fn blank() -> Self
    where
        Self: Sized;

    /// Reads a value into a blank one.
    fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError>;
}

/// The value in a whole text.
pub(crate) fn parse<T: FromJson>(text: &str) -> Result<T, JsonError> {
    let mut input = Input::new(text);
    let mut value = T::blank();
    value.read_into(&mut input)?;
    input.end()?;
    Ok(value)
}

impl FromJson for bool {
    fn blank() -> Self {
        false
    }

    fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError> {
        *self = input.boolean()?;
        Ok(())
    }
}

/// Reads an integer.
macro_rules! integers {
    ($($type:ident),+) => {
        $(impl FromJson for $type {
            fn blank() -> Self {
                0
            }

            fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError> {
                *self = input.integer(stringify!($type))?;
                Ok(())
            }
        })+
    };
}

integers!(u32, u64, usize, i64);

impl FromJson for String {
    fn blank() -> Self {
        Self::new()
    }

    fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError> {
        *self = input.string()?.into_owned();
        Ok(())
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn blank() -> Self {
        None
    }

    fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError> {
        if input.null()? {
            return Ok(());
        }
        self.insert(T::blank()).read_into(input)
    }
}

impl<T: FromJson> FromJson for Box<T> {
    fn blank() -> Self {
        Self::new(T::blank())
    }

    fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError> {
        (**self).read_into(input)
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn blank() -> Self {
        Self::new()
    }

    fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError> {
        input.array(&mut |input| {
            let mut item = T::blank();
            item.read_into(input)?;
            self.push(item);
            Ok(())
        })
    }
}

/// The members of an object, by key; of those with the same key, the last one.
impl<T: FromJson> FromJson for Vec<(String, T)> {
    fn blank() -> Self {
        Self::new()
    }

    fn read_into(&mut self, input: &mut Input<'_>) -> Result<(), JsonError> {
        input.object(&mut |key, input| {
            let mut value = T::blank();
            value.read_into(input)?;
            match self.binary_search_by(|(one, _)| one.as_str().cmp(key)) {
                Ok(at) => self[at].1 = value,
                Err(at) => self.insert(at, (key.to_owned(), value)),
            }
            Ok(())
        })
    }
}
