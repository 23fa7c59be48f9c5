//! [`Input`]: reads JSON from a text, value by value.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::{FromJson, Presence};

/// How deep the values that are skipped may be nested.
const MAX_DEPTH: u32 = 128;

/// A text and the place up to which it was read.
pub(crate) struct Input<'t> {
    text: &'t str,
    /// In bytes.
    at: usize,
    /// The arrays and objects around the value that is being read.
    depth: u32,
}

/// A text that is not the expected JSON.
#[derive(Debug)]
pub(crate) struct JsonError {
    message: String,
    /// In bytes, from 1.
    column: usize,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at line 1 column {}", self.message, self.column)
    }
}

impl Error for JsonError {}

impl<'t> Input<'t> {
    pub(crate) const fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
        }
    }

    /// An error about the value that was just read.
    pub(crate) fn error(&self, message: impl Into<String>) -> JsonError {
        JsonError {
            message: message.into(),
            column: self.at,
        }
    }

    /// An error about the next character.
    fn error_at_next(&self, message: &str) -> JsonError {
        let is_end = self.at == self.text.len();
        JsonError {
            message: message.to_owned(),
            column: self.at + usize::from(!is_end),
        }
    }

    /// The error for a name that no variant has.
    pub(crate) fn unknown_variant(&self, name: &str, variants: &[&str]) -> JsonError {
        let variants = variants.join("`, `");
        self.error(format!(
            "unknown variant `{name}`, expected one of `{variants}`"
        ))
    }

    /// An error unless only white space follows.
    pub(crate) fn end(&mut self) -> Result<(), JsonError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.error_at_next("trailing characters")),
        }
    }

    /// Reads `null`, if it is next.
    pub(crate) fn null(&mut self) -> Result<bool, JsonError> {
        if self.peek() != Some(b'n') {
            return Ok(false);
        }
        self.word("null")?;
        Ok(true)
    }

    pub(crate) fn boolean(&mut self) -> Result<bool, JsonError> {
        match self.peek() {
            Some(b't') => self.word("true").map(|()| true),
            Some(b'f') => self.word("false").map(|()| false),
            next => Err(self.unexpected(next, "a boolean")),
        }
    }

    /// Reads an integer of the type of this name.
    pub(crate) fn integer<T: FromStr>(&mut self, expected: &str) -> Result<T, JsonError> {
        match self.peek() {
            Some(b'-' | b'0'..=b'9') => {}
            next => return Err(self.unexpected(next, expected)),
        }
        let number = self.number()?;
        number.parse().map_err(|_| {
            let is_integer = number
                .bytes()
                .all(|byte| matches!(byte, b'-' | b'0'..=b'9'));
            let (kind, what) = if is_integer {
                ("value", "integer")
            } else {
                ("type", "floating point")
            };
            self.error(format!(
                "invalid {kind}: {what} `{number}`, expected {expected}"
            ))
        })
    }

    pub(crate) fn string(&mut self) -> Result<Cow<'t, str>, JsonError> {
        match self.peek() {
            Some(b'"') => self.at += 1,
            next => return Err(self.unexpected(next, "a string")),
        }
        let mut text = Cow::Borrowed("");
        loop {
            let rest = &self.text[self.at..];
            let is_special = |byte: u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
            let Some(length) = rest.bytes().position(is_special) else {
                self.at = self.text.len();
                return Err(self.error("EOF while parsing a string"));
            };
            if text.is_empty() {
                text = Cow::Borrowed(&rest[..length]);
            } else {
                text.to_mut().push_str(&rest[..length]);
            }
            self.at += length + 1;
            match rest.as_bytes()[length] {
                b'"' => return Ok(text),
                b'\\' => text.to_mut().push(self.escaped()?),
                _ => {
                    return Err(self.error(
                        "control character (\\u0000-\\u001F) found while parsing a string",
                    ));
                }
            }
        }
    }

    /// Reads an object, whose values `member` reads.
    pub(crate) fn object(
        &mut self,
        member: &mut dyn FnMut(&str, &mut Self) -> Result<(), JsonError>,
    ) -> Result<(), JsonError> {
        self.list(b'{', b'}', "an object", &mut |input| {
            if input.peek() != Some(b'"') {
                return Err(input.error_at_next("key must be a string"));
            }
            let key = input.string()?;
            match input.peek() {
                Some(b':') => input.at += 1,
                _ => return Err(input.error_at_next("expected `:`")),
            }
            member(&key, input)
        })
    }

    /// Reads an object into the values of these members, at most 64, which are usually in
    /// this order. Others are skipped.
    pub(crate) fn members(
        &mut self,
        members: &mut [(&str, Presence, &mut dyn FromJson)],
    ) -> Result<(), JsonError> {
        let mut seen = 0_u64;
        let mut next = 0;
        self.object(&mut |key, input| {
            let mut order = (next..members.len()).chain(0..next);
            let Some(index) = order.find(|&index| members[index].0 == key) else {
                return input.skip();
            };
            if seen & 1 << index != 0 {
                return Err(input.error(format!("duplicate field `{key}`")));
            }
            seen |= 1 << index;
            next = index + 1;
            members[index].2.read_into(input)
        })?;
        for (index, (key, presence, _)) in members.iter().enumerate() {
            if *presence == Presence::Required && seen & 1 << index == 0 {
                return Err(self.error(format!("missing field `{key}`")));
            }
        }
        Ok(())
    }

    /// Reads an array, whose values `item` reads.
    pub(crate) fn array(
        &mut self,
        item: &mut dyn FnMut(&mut Self) -> Result<(), JsonError>,
    ) -> Result<(), JsonError> {
        self.list(b'[', b']', "an array", item)
    }

    /// Reads a value of any kind.
    pub(crate) fn skip(&mut self) -> Result<(), JsonError> {
        match self.peek() {
            Some(b'{') => self.object(&mut |_, input| input.skip()),
            Some(b'[') => self.array(&mut Self::skip),
            Some(b'"') => self.string().map(drop),
            Some(b'n') => self.null().map(drop),
            Some(b't' | b'f') => self.boolean().map(drop),
            Some(b'-' | b'0'..=b'9') => self.number().map(drop),
            Some(_) => Err(self.error_at_next("expected value")),
            None => Err(self.error("EOF while parsing a value")),
        }
    }

    fn list(
        &mut self,
        open: u8,
        close: u8,
        expected: &str,
        item: &mut dyn FnMut(&mut Self) -> Result<(), JsonError>,
    ) -> Result<(), JsonError> {
        match self.peek() {
            Some(next) if next == open => self.at += 1,
            next => return Err(self.unexpected(next, expected)),
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("recursion limit exceeded"));
        }
        if self.peek() == Some(close) {
            self.at += 1;
        } else {
            loop {
                item(self)?;
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(next) if next == close => {
                        self.at += 1;
                        break;
                    }
                    _ => {
                        let message = format!("expected `,` or `{}`", char::from(close));
                        return Err(self.error_at_next(&message));
                    }
                }
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// The next byte after white space.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += rest.iter().take_while(is_space).count();
        self.next()
    }

    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn word(&mut self, word: &str) -> Result<(), JsonError> {
        if !self.text[self.at..].starts_with(word) {
            return Err(self.error_at_next("expected ident"));
        }
        self.at += word.len();
        Ok(())
    }

    /// Reads a number in the form of JSON.
    fn number(&mut self) -> Result<&'t str, JsonError> {
        let begin = self.at;
        self.at += usize::from(self.next() == Some(b'-'));
        let whole = self.at;
        self.digits()?;
        if self.at > whole + 1 && self.text.as_bytes()[whole] == b'0' {
            return Err(self.error("invalid number"));
        }
        if self.next() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.next() {
            self.at += 1;
            self.at += usize::from(matches!(self.next(), Some(b'+' | b'-')));
            self.digits()?;
        }
        Ok(&self.text[begin..self.at])
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let rest = &self.text.as_bytes()[self.at..];
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 {
            return Err(self.error_at_next("invalid number"));
        }
        self.at += count;
        Ok(())
    }

    /// Reads the rest of an escape.
    fn escaped(&mut self) -> Result<char, JsonError> {
        let escape = self.next();
        self.at += usize::from(escape.is_some_and(|byte| byte.is_ascii()));
        Ok(match escape {
            Some(character @ (b'"' | b'\\' | b'/')) => char::from(character),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return Err(self.error("invalid escape")),
        })
    }

    /// Reads the digits of `\u`, and the second half of a surrogate pair.
    fn unicode(&mut self) -> Result<char, JsonError> {
        let first = self.hex()?;
        let code = if let 0xd800..=0xdbff = first {
            let second = if self.text[self.at..].starts_with("\\u") {
                self.at += 2;
                self.hex()?
            } else {
                0
            };
            let low = second.wrapping_sub(0xdc00);
            if low > 0x3ff {
                return Err(self.error("lone leading surrogate in hex escape"));
            }
            0x1_0000 + ((first - 0xd800) << 10 | low)
        } else {
            first
        };
        char::from_u32(code).ok_or_else(|| self.error("lone surrogate in hex escape"))
    }

    fn hex(&mut self) -> Result<u32, JsonError> {
        let digits = self.text.get(self.at..self.at + 4);
        let digits = digits.filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let code = code.ok_or_else(|| self.error_at_next("invalid escape"))?;
        self.at += 4;
        Ok(code)
    }

    /// The error for a value of another kind.
    fn unexpected(&self, next: Option<u8>, expected: &str) -> JsonError {
        let found = match next {
            None => return self.error("EOF while parsing a value"),
            Some(b'{') => "map",
            Some(b'[') => "sequence",
            Some(b'"') => "string",
            Some(b'n') => "null",
            Some(b't' | b'f') => "boolean",
            Some(b'-' | b'0'..=b'9') => "number",
            Some(_) => return self.error_at_next("expected value"),
        };
        self.error_at_next(&format!("invalid type: {found}, expected {expected}"))
    }
}
