//! Excerpts of code, as rustc shows them.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level as Shown, Renderer, Snippet};

use crate::evaluation::Level;
use crate::printable::{one_line, styled_lines};
use crate::report::document::{Excerpt, Excerpts, Label};
use crate::report::write::excerpt::around_call;
use crate::report::write::plain;

/// The title, and below it the excerpts and notes.
pub(super) fn rendered(all: &Excerpts) -> String {
    let level = match all.label {
        Some(Label {
            level: Level::Deny, ..
        }) => Shown::ERROR,
        Some(Label {
            level: Level::Warn, ..
        }) => Shown::WARNING,
        None => Shown::NOTE,
    };
    let mut title = level.clone().primary_title(plain(&all.title));
    if let Some(code) = all.label.and_then(|label| label.code) {
        title = title.id(code);
    }
    // A report for each excerpt: within one, a second path begins with `:::`, which a CI
    // system could read as a command.
    let mut groups = vec![Group::with_title(title)];
    for (number, excerpt) in all.list.iter().enumerate() {
        let group = match number {
            0 => groups.swap_remove(0),
            _ => Group::with_level(level.clone()),
        };
        groups.push(self::excerpt(excerpt, group));
    }
    if let Some(last) = groups.pop() {
        let notes = all.notes.iter();
        let notes = notes.map(|note| Shown::NOTE.message(plain(note)));
        groups.push(notes.fold(last, Group::element));
    }
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii);
    let reports = groups.into_iter().map(|group| renderer.render(&[group]));
    styled_lines(&reports.collect::<Vec<_>>().join("\n"))
}

fn excerpt<'e>(excerpt: &Excerpt, group: Group<'e>) -> Group<'e> {
    let [before, call, behind] = around_call(excerpt);
    let begin = before.len();
    let kind = if excerpt.is_old {
        AnnotationKind::Context
    } else {
        AnnotationKind::Primary
    };
    let annotation = kind
        .span(begin..begin + call.len())
        .label(plain(&excerpt.label));
    let snippet = Snippet::source(before + &call + &behind)
        .path(one_line(excerpt.file.text()))
        .line_start(usize::try_from(excerpt.line).unwrap_or(usize::MAX))
        .annotation(annotation);
    let before = excerpt.before.as_ref();
    let before = before.map(|code| ("before", one_line(code.text())));
    let places = [
        ("allocates in", &excerpt.allocates_in),
        ("called by", &excerpt.called_by),
        ("made by", &excerpt.made_by),
    ];
    let places = places
        .into_iter()
        .filter_map(|(name, place)| Some((name, plain(place.as_ref()?))));
    let notes = before.into_iter().chain(places);
    notes.fold(group.element(snippet), |group, (name, text)| {
        group.element(Shown::NOTE.with_name(name).message(text))
    })
}
