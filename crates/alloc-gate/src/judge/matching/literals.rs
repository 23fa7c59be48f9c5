//! [`Literal`]: texts that every name must have that a glob matches. It takes
//! less than there is where a glob is not obvious, and never more.

/// A text of a glob without anything special in it, and where a name has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// It is the whole name.
    Whole,
    /// The name begins with it.
    Head,
    /// The name ends with it.
    Tail,
    /// It is somewhere in the name.
    Inside,
}

/// See [`Place`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Literal {
    pub(super) place: Place,
    pub(super) text: String,
}

/// All literals of a glob that globset accepted; none is empty.
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
                // `a/**/b` means `a/b` as well, so neither `/` is certain.
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
    let place = |run| match run {
        0 if last == 0 => Place::Whole,
        0 => Place::Head,
        _ if run == last => Place::Tail,
        _ => Place::Inside,
    };
    runs.into_iter()
        .enumerate()
        .filter(|(_, text)| !text.is_empty())
        .map(|(run, text)| Literal {
            place: place(run),
            text,
        })
        .collect()
}

/// Past the `]` of a class; one that stands first is a member.
fn skip_class(characters: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    let _ = characters.next_if(|&c| c == '!' || c == '^');
    characters.next();
    for character in characters.by_ref() {
        if character == ']' {
            break;
        }
    }
}

/// Past the `}` that closes the alternates, which may hold others.
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
    fn the_literals_of_a_glob_are_what_every_match_has() {
        use Place::{Head, Inside, Tail, Whole};
        for (glob, expected) in [
            ("encode", vec![(Whole, "encode")]),
            ("group17/*", vec![(Head, "group17/")]),
            ("*,rows=9", vec![(Tail, ",rows=9")]),
            ("*fast*", vec![(Inside, "fast")]),
            (
                "a?c*d[xy]e",
                vec![(Head, "a"), (Inside, "c"), (Inside, "d"), (Tail, "e")],
            ),
            (r"x\*y\[", vec![(Whole, "x*y[")]),
            ("*", vec![]),
            ("[]*]a", vec![(Tail, "a")]),
            ("[!]]a*", vec![(Inside, "a")]),
            ("a{b,{c,[}]},d}e", vec![(Head, "a"), (Tail, "e")]),
            (r"{\},x}e", vec![(Tail, "e")]),
            ("a/**/b", vec![(Head, "a"), (Tail, "b")]),
            ("**/b", vec![(Tail, "b")]),
            ("größe/*", vec![(Head, "größe/")]),
            ("a,b*", vec![(Head, "a,b")]),
        ] {
            let found = literals(glob);
            let found: Vec<_> = found.iter().map(|l| (l.place, l.text.as_str())).collect();
            assert_eq!(found, expected, "{glob}");
        }
    }
}
