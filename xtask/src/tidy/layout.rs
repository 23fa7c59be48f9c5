//! How large a source file may be and what it may be called. It knows
//! nothing of what is in it.

use super::finding::{Code, Finding, Place};
use super::source::Source;

/// The most lines of code that one file holds; past it, the file does a
/// second thing.
const MOST_LINES: usize = 400;

/// Names that say nothing of what is inside.
const MEANINGLESS: &[&str] = &["imp.rs", "utils.rs", "helpers.rs", "common.rs", "mod.rs"];

/// Findings for one file.
pub(crate) fn check(source: &Source) -> Vec<Finding> {
    too_long(source)
        .into_iter()
        .chain(meaningless_name(source))
        .collect()
}

fn too_long(source: &Source) -> Option<Finding> {
    let lines = source.lines_of_code();
    let first_too_many = *lines.iter().nth(MOST_LINES)?;
    Some(Finding {
        code: Code::FileTooLong,
        place: Place::new(&source.path, first_too_many),
        what: format!(
            "{} lines of code; {MOST_LINES} are the most for one file",
            lines.len()
        ),
        next: "ask what second thing the file does, and give that a module with its own name"
            .into(),
    })
}

fn meaningless_name(source: &Source) -> Option<Finding> {
    let name = source.path.rsplit('/').next()?;
    MEANINGLESS.contains(&name).then(|| Finding {
        code: Code::MeaninglessFileName,
        place: Place::new(&source.path, 1),
        what: format!("`{name}` does not say what is inside"),
        next: match name {
            "mod.rs" => "put the module into a file with its own name, beside its folder; what \
                         several test targets share, into one target: tests/NAME/main.rs with \
                         its modules beside it"
                .to_owned(),
            _ => "name the file after the thing it holds".to_owned(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(path: &str, text: &str) -> Vec<(Code, usize)> {
        check(&Source::new("p", path, path, text))
            .into_iter()
            .map(|finding| (finding.code, finding.place.line))
            .collect()
    }

    #[test]
    fn a_file_of_401_lines_of_code_is_found_and_one_of_400_is_not() {
        let text = format!("// a comment\n\n{}", "f();\n".repeat(400));
        assert_eq!(codes("src/a.rs", &text), []);
        assert_eq!(
            codes("src/a.rs", &format!("{text}f();\n")),
            [(Code::FileTooLong, 403)]
        );
    }

    #[test]
    fn the_unit_tests_of_a_file_are_not_counted() {
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "f();\n".repeat(500));
        assert_eq!(codes("src/a.rs", &tests), []);
        assert_eq!(
            codes("tests/a.rs", &"f();\n".repeat(401)),
            [(Code::FileTooLong, 401)]
        );
    }

    #[test]
    fn a_name_that_says_nothing_is_found_anywhere() {
        for name in MEANINGLESS {
            assert_eq!(
                codes(&format!("tests/a/{name}"), ""),
                [(Code::MeaninglessFileName, 1)]
            );
        }
        assert_eq!(codes("src/model.rs", ""), []);
    }
}
