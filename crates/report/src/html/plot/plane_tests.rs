use super::*;

/// Draws marks on a plane of ten by four, from 100, 10 (upper left) to 200, 50 pixels (lower right).
fn drawn(draw: impl FnOnce(&mut Plane)) -> String {
    let (x, y) = (Axis::from_zero(10.0, 5), Axis::from_zero(4.0, 4));
    let mut plane = Plane::new((&x, &y), [(100.0, 200.0), (10.0, 50.0)]);
    draw(&mut plane);
    plane.into_marks().into_string()
}

#[test]
fn up_is_more_and_what_lies_outside_is_at_the_edge() {
    let line = drawn(|plane| plane.line([(0.0, 0.0), (2.5, 1.0), (3.333, 4.0), (99.0, -1.0)], Hue::Blue));
    assert_eq!(line, r#"<polyline class="line blue" points="100,50 125,40 133.3,10 200,50"></polyline>"#);
}

#[test]
fn a_bar_is_as_long_as_its_value_and_pale_where_it_says_so() {
    let bars = drawn(|plane| {
        plane.bar((0.0, 3.0), (5.0, 1.0), Hue::Gold, 1.0);
        plane.bar((5.0, 3.0), (6.0, 1.0), Hue::Sky, 0.55);
    });
    assert!(bars.contains(r#"class="area gold" x="100" y="20" width="50" height="20""#), "{bars}");
    assert!(bars.contains(r#"class="area sky" fill-opacity="0.55" x="150" y="20" width="10""#), "{bars}");
}

#[test]
fn a_band_goes_there_along_the_upper_line_and_back_along_the_lower() {
    let band = drawn(|plane| plane.band(vec![(0.0, 3.0), (10.0, 3.0)], vec![(0.0, 1.0), (10.0, 1.0)], Hue::Blue));
    assert!(band.contains(r#"class="area faint blue" points="100,20 200,20 200,40 100,40""#), "{band}");
}

#[test]
fn whiskers_have_ends_across_them() {
    let upright = drawn(|plane| plane.upright_whisker(5.0, (1.0, 3.0), Hue::Green));
    assert!(upright.contains(r#"d="M150 40V20M146 40H154M146 20H154""#), "{upright}");
    let level = drawn(|plane| plane.level_whisker((1.0, 3.0), 2.0, Hue::Green));
    assert!(level.contains(r#"d="M110 30H130M110 26V34M130 26V34""#), "{level}");
}

#[test]
fn text_of_others_is_escaped() {
    let label = drawn(|plane| plane.label((10.0, 2.0), (-2, 16), "a<b>", Hue::Ink, true));
    assert_eq!(label, r#"<text class="label before ink" x="198" y="46" dy=".5ex">a&lt;b&gt;</text>"#);
}

#[test]
fn rules_are_dashed_and_dots_filled_or_not() {
    let marks = drawn(|plane| {
        plane.rule((0.0, 1.0), (10.0, 1.0), Hue::Purple, true);
        plane.dot((5.0, 2.0), 4, Hue::Blue);
        plane.ring((5.0, 2.0), 9, Hue::Orange);
    });
    assert!(marks.contains(r#"<line class="rule dashed purple" x1="100" y1="40" x2="200" y2="40">"#), "{marks}");
    assert!(marks.contains(r#"<circle class="area blue" cx="150" cy="30" r="4">"#), "{marks}");
    assert!(marks.contains(r#"<circle class="rule orange" cx="150" cy="30" r="9">"#), "{marks}");
}
