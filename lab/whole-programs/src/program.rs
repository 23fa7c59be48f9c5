//! [`Program`]: what is done with a text.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write;

use minijinja::{Environment, context};
use pulldown_cmark::{Options, Parser, html};
use serde_json::Value;

use crate::input;

type Output = Result<String, Box<dyn Error + Send + Sync>>;

/// A program of the registry, or one for `--verify`.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// Makes its input, the same each time: a text of about a mebibyte, of the template's records
    /// a quarter of one.
    pub input: fn() -> String,
    /// Works on an input; fails when it can't read it.
    pub run: fn(&str) -> Output,
}

/// pulldown-cmark renders a book of Markdown as HTML.
pub const MARKDOWN: Program = Program {
    name: "markdown",
    input: || input::book(300),
    run: markdown,
};

/// serde_json reads a document of records, sorts and extends them, and writes it.
pub const JSON: Program = Program {
    name: "json",
    input: || input::records(4_000),
    run: json,
};

/// minijinja compiles a template, and renders it with records.
pub const TEMPLATE: Program = Program {
    name: "template",
    input: || input::records(1_000),
    run: template,
};

/// Shares nothing with the others but the text: an index of its words.
pub const WORDS: Program = Program {
    name: "words",
    input: || input::book(300),
    run: words,
};

/// The template: a page with a table, a list in each row, and a sum.
const PAGE: &str = "<h1>{{ title|upper }}</h1>\n<table>\n{% for record in records %}\
    <tr class=\"{{ 'odd' if loop.index is odd else 'even' }}\"><td>{{ record.id }}</td>\
    <td>{{ record.name|title|escape }}</td><td>{% for tag in record.tags|sort %}\
    {{ tag }}{{ ', ' if not loop.last }}{% endfor %}</td><td>{{ record.text|replace('e', 'E') }}</td>\
    </tr>\n{% endfor %}</table>\n<p>{{ records|length }} records</p>";

fn markdown(input: &str) -> Output {
    let mut page = String::new();
    html::push_html(&mut page, Parser::new_ext(input, Options::all()));
    Ok(page)
}

fn template(input: &str) -> Output {
    let records: Value = serde_json::from_str(input)?;
    let mut environment = Environment::new();
    environment.add_template("page", PAGE)?;
    let page = environment.get_template("page")?;
    Ok(page.render(context! { title => "Records", records })?)
}

fn json(input: &str) -> Output {
    let mut records: Vec<Value> = serde_json::from_str(input)?;
    records.sort_by(|one, other| one["name"].as_str().cmp(&other["name"].as_str()));
    for (place, record) in records.iter_mut().enumerate() {
        let tags = record["tags"].as_array().map_or(0, Vec::len);
        record["place"] = place.into();
        record["label"] = format!("{} ({tags})", record["name"]).into();
    }
    Ok(serde_json::to_string_pretty(&records)?)
}

/// Each word with the numbers of its lines, in the order of the words.
fn words(text: &str) -> Output {
    let mut lines: HashMap<String, Vec<usize>> = HashMap::new();
    for (number, line) in text.lines().enumerate() {
        for word in line.split(|letter: char| !letter.is_alphanumeric()) {
            lines.entry(word.to_lowercase()).or_default().push(number);
        }
    }
    let mut index: Vec<_> = lines.into_iter().collect();
    index.sort();
    let mut page = String::new();
    for (word, numbers) in index {
        let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
        let _ = writeln!(page, "{word}: {}", numbers.join(", "));
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_do_their_work() {
        let markdown = "# A *b*\n\n- [c](d)\n";
        assert_eq!(
            (MARKDOWN.run)(markdown).unwrap(),
            "<h1>A <em>b</em></h1>\n<ul>\n<li><a href=\"d\">c</a></li>\n</ul>\n"
        );
        let records = r#"[{"id":2,"name":"b","tags":["y","x"],"text":"the"},
            {"id":1,"name":"a & o","tags":[],"text":""}]"#;
        let json: Value = serde_json::from_str(&(JSON.run)(records).unwrap()).unwrap();
        assert_eq!(json[0]["id"], 1);
        assert_eq!(json[1]["place"], 1);
        assert_eq!(json[1]["label"], "\"b\" (2)");
        assert_eq!(
            (TEMPLATE.run)(records).unwrap(),
            "<h1>RECORDS</h1>\n<table>\n<tr class=\"odd\"><td>2</td><td>B</td><td>x, y</td>\
             <td>thE</td></tr>\n<tr class=\"even\"><td>1</td><td>A &amp; O</td><td></td><td></td>\
             </tr>\n</table>\n<p>2 records</p>"
        );
        assert_eq!((WORDS.run)("A b\na").unwrap(), "a: 0, 1\nb: 0\n");
    }

    #[test]
    fn inputs_are_large_and_the_programs_take_them() {
        for program in [MARKDOWN, JSON, TEMPLATE, WORDS] {
            let name = program.name;
            let input = (program.input)();
            assert!(
                (200_000..2_000_000).contains(&input.len()),
                "{name}: {}",
                input.len()
            );
            assert!((program.run)(&input).unwrap().len() > 100_000, "{name}");
        }
        assert!((JSON.run)("{").is_err());
    }
}
