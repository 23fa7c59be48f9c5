//! The colours of the pictures, for light and for dark pages.

use std::f64::consts::SQRT_2;
use std::fmt::Write;

/// A class, its property, and the colour on a light page and on a dark one. `b0` to `b4` are
/// faster, from little to much, `o0` to `o4` slower, and the text on them is `weak` or, on the
/// last two, `strong`. Lines in the hue of a family have its class with an `l`. The hues are those of ColorBrewer's scales from orange to blue, which readers with any
/// colour blindness can tell apart; those of the families are none of them.
pub(crate) const COLOURS: [(&str, &str, u32, u32); 26] = [
    ("ground", "fill", 0xff_ff_ff, 0x0d_11_17),
    ("ink", "fill", 0x1f_23_28, 0xe6_ed_f3),
    ("dim", "fill", 0x59_63_6e, 0x9d_a7_b3),
    ("grid", "stroke", 0xd8_de_e4, 0x2d_33_3b),
    ("edge", "stroke", 0x59_63_6e, 0x9d_a7_b3),
    ("noise", "fill", 0xdf_e2_e6, 0x3a_41_4a),
    ("fail", "fill", 0xff_f3_b0, 0x5c_4a_00),
    ("fail", "stroke", 0x1f_23_28, 0xe6_ed_f3),
    ("f-system", "fill", 0x1f_23_28, 0xe6_ed_f3),
    ("f-native", "fill", 0x6f_3c_b4, 0xc0_9c_fb),
    ("f-rust", "fill", 0x00_71_5d, 0x4a_d3_b4),
    ("f-region", "fill", 0xa8_1d_5e, 0xfb_8c_bd),
    ("f-arena", "fill", 0x6b_5d_00, 0xd9_c5_3c),
    ("f-other", "fill", 0x59_63_6e, 0x9d_a7_b3),
    ("weak", "fill", 0x10_14_18, 0xff_ff_ff),
    ("strong", "fill", 0xff_ff_ff, 0x10_14_18),
    ("b0", "fill", 0xe3_f0_f8, 0x17_36_50),
    ("b1", "fill", 0xb5_d7_ec, 0x17_4b_74),
    ("b2", "fill", 0x74_b2_d9, 0x1a_66_9e),
    ("b3", "fill", 0x24_6f_b3, 0x5a_a9_de),
    ("b4", "fill", 0x08_41_7c, 0xae_d9_f7),
    ("o0", "fill", 0xfd_ee_da, 0x4a_2f_12),
    ("o1", "fill", 0xfd_d2_a0, 0x68_3f_0e),
    ("o2", "fill", 0xf2_a3_4c, 0x96_58_0b),
    ("o3", "fill", 0xb5_5a_05, 0xe6_96_3c),
    ("o4", "fill", 0x7a_37_06, 0xfd_cf_94),
];

/// The colours as CSS.
pub(crate) fn style() -> String {
    let (mut light, mut dark) = (String::new(), String::new());
    for (class, property, on_light, on_dark) in COLOURS {
        for (mode, colour) in [(&mut light, on_light), (&mut dark, on_dark)] {
            let _ = writeln!(mode, ".{class}{{{property}:#{colour:06x}}}");
            if class.starts_with("f-") {
                let _ = writeln!(mode, ".{class}l{{stroke:#{colour:06x}}}");
            }
        }
    }
    format!("<style>\n{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n</style>\n")
}

/// The bounds between the steps of the scale as text, from the fastest to the slowest.
pub(crate) const BOUNDS: [&str; 9] = [
    "0.125x", "0.25x", "0.5x", "0.71x", "1x", "1.4x", "2x", "4x", "8x",
];

/// The class of a ratio, and that of the text on it.
pub(crate) fn classes(ratio: f64) -> (String, &'static str) {
    let times = ratio.max(ratio.recip());
    let bounds = [SQRT_2, 2.0, 4.0, 8.0];
    let step = bounds.iter().filter(|bound| times >= **bound).count();
    let text = if step < 3 { "weak" } else { "strong" };
    (
        format!("{}{step}", if ratio < 1.0 { 'b' } else { 'o' }),
        text,
    )
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
        let legible = |(text, ground): (&str, &str)| {
            let find = |wanted| {
                let mut found = COLOURS.iter().filter(|(class, ..)| *class == wanted);
                found.next().unwrap()
            };
            let (text, ground) = (find(text), find(ground));
            for (text, ground) in [(text.2, ground.2), (text.3, ground.3)] {
                let (text, ground) = (luminance(text), luminance(ground));
                let contrast = (text.max(ground) + 0.05) / (text.min(ground) + 0.05);
                assert!(contrast >= 4.5, "{contrast}");
            }
        };
        for (class, ..) in COLOURS.iter().filter(|(class, ..)| class.starts_with("f-")) {
            legible((class, "ground"));
        }
        for ratio in [1.0, 1.5, 2.0, 4.0, 8.0] {
            for (ground, text) in [classes(ratio), classes(0.99 / ratio)] {
                legible((text, &ground));
            }
        }
        let others = [
            ("ink", "ground"),
            ("dim", "ground"),
            ("ink", "noise"),
            ("ink", "fail"),
        ];
        others.into_iter().for_each(legible);
    }

    #[test]
    fn the_scale_is_the_same_in_both_directions() {
        let ratios = [0.99, 1.0, 1.4, 1.5, 0.5, 2.0, 0.2, 8.0, 0.01, 900.0];
        let classes = ["b0", "o0", "o0", "o1", "b2", "o2", "b3", "o4", "b4", "o4"];
        assert_eq!(ratios.map(|ratio| super::classes(ratio).0), classes);
    }
}
