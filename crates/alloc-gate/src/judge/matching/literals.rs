//! [`Literal`]: a text that every name matching a glob contains. Complicated globs
//! may yield fewer literals than they have, but never a wrong one.

/// Where a matching name has the literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Position {
    /// The literal is the whole name.
    Whole,
    /// The name begins with the literal.
    Prefix,
    /// The name ends with the literal.
    Suffix,
    /// The literal is somewhere in the name.
    Infix,
}

/// A text that every matching name contains.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Literal {
    pub(super) position: Position,
    pub(super) text: String,
}

/// The literals of a glob that globset accepted. None of them is empty.
pub(super) fn literals(glob: &str) -> Vec<Literal> {
    let mut runs = vec![String::new()];
    let mut characters = glob.chars().peekable();
    while let Some(character) = characters.next() {
        let run = match runs.last_mut() {
            Some(run) => run,
            None => return Vec::new(),
        };
        match character {
            '\\' => run.extend(characters.next()),
            '?' => runs.push(String::new()),
            '*' => {
                let is_single = characters.peek() != Some(&'*');
                while characters.next_if_eq(&'*').is_some() {}
                // `a/**/b` also matches `a/b`, so neither `/` is certain.
                if !is_single {
                    if run.ends_with('/') {
                        run.pop();
                    }
                    characters.next_if_eq(&'/');
                }
                runs.push(String::new());
            }
            '[' => {
                skip_class(&mut characters);
                runs.push(String::new());
            }
            '{' => {
                skip_alternates(&mut characters);
                runs.push(String::new());
            }
            _ => run.push(character),
        }
    }
    let last = runs.len() - 1;
    let position = |run| match run {
        0 if last == 0 => Position::Whole,
        0 => Position::Prefix,
        _ if run == last => Position::Suffix,
        _ => Position::Infix,
    };
    runs.into_iter()
        .enumerate()
        .filter(|(_, text)| !text.is_empty())
        .map(|(run, text)| Literal {
            position: position(run),
            text,
        })
        .collect()
}

/// Skips a class up to its `]`. A `]` that comes first is a member.
fn skip_class(characters: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    let _ = characters.next_if(|&c| c == '!' || c == '^');
    characters.next();
    for character in characters.by_ref() {
        if character == ']' {
            break;
        }
    }
}

/// Skips alternates, which may be nested, up to the closing `}`.
fn skip_alternates(characters: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    let mut depth = 1_usize;
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                characters.next();
            }
            '[' => skip_class(characters),
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_matching_name_contains_the_literals_of_a_glob() {
        use Position::{Infix, Prefix, Suffix, Whole};
        for (glob, expected) in [
            ("encode", vec![(Whole, "encode")]),
            ("group17/*", vec![(Prefix, "group17/")]),
            ("*,rows=9", vec![(Suffix, ",rows=9")]),
            ("*fast*", vec![(Infix, "fast")]),
            (
                "a?c*d[xy]e",
                vec![(Prefix, "a"), (Infix, "c"), (Infix, "d"), (Suffix, "e")],
            ),
            (r"x\*y\[", vec![(Whole, "x*y[")]),
            ("*", vec![]),
            ("[]*]a", vec![(Suffix, "a")]),
            ("[!]]a*", vec![(Infix, "a")]),
            ("a{b,{c,[}]},d}e", vec![(Prefix, "a"), (Suffix, "e")]),
            (r"{\},x}e", vec![(Suffix, "e")]),
            ("a/**/b", vec![(Prefix, "a"), (Suffix, "b")]),
            ("**/b", vec![(Suffix, "b")]),
            ("größe/*", vec![(Prefix, "größe/")]),
            ("a,b*", vec![(Prefix, "a,b")]),
        ] {
            let found = literals(glob);
            let found: Vec<_> = found
                .iter()
                .map(|l| (l.position, l.text.as_str()))
                .collect();
            assert_eq!(found, expected, "{glob}");
        }
    }
}
