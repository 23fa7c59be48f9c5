//! The colours of the heat map, for light and for dark pages.

use std::f64::consts::SQRT_2;
use std::fmt::Write;

/// A class, and its colour on a light page and on a dark one. `b0` to `b4` are faster, from
/// little to much, `o0` to `o4` slower, and the text on them is `weak` or, on the last two,
/// `strong`. The hues are those of ColorBrewer's scales from orange to blue, which readers with any
/// colour blindness can tell apart.
const COLOURS: [(&str, u32, u32); 17] = [
    ("ground", 0xff_ff_ff, 0x0d_11_17),
    ("ink", 0x1f_23_28, 0xe6_ed_f3),
    ("dim", 0x59_63_6e, 0x9d_a7_b3),
    ("noise", 0xdf_e2_e6, 0x3a_41_4a),
    ("fail", 0xff_f3_b0, 0x5c_4a_00),
    ("weak", 0x10_14_18, 0xff_ff_ff),
    ("strong", 0xff_ff_ff, 0x10_14_18),
    ("b0", 0xe3_f0_f8, 0x17_36_50),
    ("b1", 0xb5_d7_ec, 0x17_4b_74),
    ("b2", 0x74_b2_d9, 0x1a_66_9e),
    ("b3", 0x24_6f_b3, 0x5a_a9_de),
    ("b4", 0x08_41_7c, 0xae_d9_f7),
    ("o0", 0xfd_ee_da, 0x4a_2f_12),
    ("o1", 0xfd_d2_a0, 0x68_3f_0e),
    ("o2", 0xf2_a3_4c, 0x96_58_0b),
    ("o3", 0xb5_5a_05, 0xe6_96_3c),
    ("o4", 0x7a_37_06, 0xfd_cf_94),
];

/// The colours as CSS.
pub(super) fn style() -> String {
    let (mut light, mut dark) = (String::new(), String::new());
    for (class, on_light, on_dark) in COLOURS {
        let _ = writeln!(light, ".{class}{{fill:#{on_light:06x}}}");
        let _ = writeln!(dark, ".{class}{{fill:#{on_dark:06x}}}");
    }
    format!("{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n")
}

/// The class of a ratio, and that of the text on it.
pub(super) fn classes(ratio: f64) -> (String, &'static str) {
    let times = ratio.max(ratio.recip());
    let bounds = [SQRT_2, 2.0, 4.0, 8.0];
    let step = bounds.iter().filter(|bound| times >= **bound).count();
    let side = if ratio < 1.0 { 'b' } else { 'o' };
    let text = if step < 3 { "weak" } else { "strong" };
    (format!("{side}{step}"), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The luminance of a colour by WCAG 2.
    fn luminance(colour: u32) -> f64 {
        let part = |shift: u32| {
            let value = f64::from((colour >> shift) & 0xff) / 255.0;
            match value <= 0.040_45 {
                true => value / 12.92,
                false => ((value + 0.055) / 1.055).powf(2.4),
            }
        };
        0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0)
    }

    #[test]
    fn text_is_legible_in_both_modes() {
        let legible = |text: &str, ground: &str| {
            let find = |wanted| COLOURS.into_iter().find(|(class, ..)| *class == wanted);
            let (text, ground) = (find(text).unwrap(), find(ground).unwrap());
            for (text, ground) in [(text.1, ground.1), (text.2, ground.2)] {
                let (text, ground) = (luminance(text), luminance(ground));
                let contrast = (text.max(ground) + 0.05) / (text.min(ground) + 0.05);
                assert!(contrast >= 4.5, "{contrast}");
            }
        };
        for ratio in [1.0, 1.5, 2.0, 4.0, 8.0] {
            for (ground, text) in [classes(ratio), classes(0.99 / ratio)] {
                legible(text, &ground);
            }
        }
        for (text, ground) in [
            ("ink", "ground"),
            ("dim", "ground"),
            ("ink", "noise"),
            ("ink", "fail"),
        ] {
            legible(text, ground);
        }
    }
}
