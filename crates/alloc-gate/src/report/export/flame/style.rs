//! The colours of a flame graph, on light and on dark backgrounds.

use std::fmt::Write;

/// A class of frames, with its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Paint {
    pub(super) class: &'static str,
    light: &'static str,
    dark: &'static str,
}

const fn paint(class: &'static str, light: &'static str, dark: &'static str) -> Paint {
    Paint { class, light, dark }
}

/// The crates with the widest frames.
pub(super) const CRATES: [Paint; 6] = [
    paint("c0", "#ffb877", "#8a4b12"),
    paint("c1", "#8fc7f0", "#1f5b87"),
    paint("c2", "#a9d98b", "#3b6a1e"),
    paint("c3", "#d9b3f0", "#6b3f8c"),
    paint("c4", "#f5a3b0", "#8f3346"),
    paint("c5", "#7fd6c8", "#17655b"),
];
/// Other crates.
pub(super) const OTHERS: Paint = paint("o", "#e3d49a", "#665a24");
/// std, core and alloc.
pub(super) const STD: Paint = paint("s", "#d0d4da", "#4a505a");
/// Frames without a crate.
pub(super) const NONE: Paint = paint("n", "#ebebeb", "#383838");

/// Less than before, from a small part of the frame to all of it.
pub(super) const LESS: [Paint; 3] = [
    paint("l0", "#cfe3fa", "#29405c"),
    paint("l1", "#93c0f2", "#265287"),
    paint("l2", "#5fa0ec", "#1f63b3"),
];
/// More than before.
pub(super) const MORE: [Paint; 3] = [
    paint("m0", "#ffd5cc", "#5c3029"),
    paint("m1", "#ff9f8c", "#8a3526"),
    paint("m2", "#f5705a", "#b3311b"),
];
/// The same as before.
pub(super) const SAME: Paint = paint("s", "#d9dce1", "#454a52");

const TEXT: [&str; 2] = ["#1a1a1a", "#f2f2f2"];
const BACK: [&str; 2] = ["#ffffff", "#16181c"];

/// The style sheet for frames of these classes.
pub(super) fn sheet(paints: &[Paint]) -> String {
    let mut light = String::new();
    let mut dark = String::new();
    for paint in paints {
        let class = paint.class;
        let _ = write!(light, ".{class}{{fill:{}}}", paint.light);
        let _ = write!(dark, ".{class}{{fill:{}}}", paint.dark);
    }
    let scheme = |side: usize| {
        let (text, back) = (TEXT[side], BACK[side]);
        format!(
            "svg{{background:{back}}}text{{fill:{text}}}.b{{fill:{back}}}g rect{{stroke:{back}}}g:hover rect{{stroke:{text}}}"
        )
    };
    format!(
        "text{{font:12px ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace}}\n\
         .h{{font-size:15px;font-weight:bold}}\ng rect{{stroke-width:.5}}\ng:hover \
         rect{{stroke-width:1.5}}\n{}{light}\n@media(prefers-color-scheme:dark){{\n{}{dark}\n}}",
        scheme(0),
        scheme(1),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of WCAG 2.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let value = u8::from_str_radix(&colour[at..at + 2], 16).unwrap();
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let [one, other] = [one, other].map(|colour| luminance(colour) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn text_is_readable_on_all_colours() {
        let frames = [&CRATES[..], &LESS, &MORE, &[OTHERS, STD, NONE, SAME]].concat();
        let light = frames.iter().map(|paint| (TEXT[0], paint.light));
        let dark = frames.iter().map(|paint| (TEXT[1], paint.dark));
        let backs = TEXT.into_iter().zip(BACK);
        for (text, fill) in light.chain(dark).chain(backs) {
            // What WCAG 2 requires of normal text.
            let contrast = contrast(text, fill);
            assert!(contrast >= 4.5, "{text} on {fill}: {contrast:.2}");
        }
    }
}
