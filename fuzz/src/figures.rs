//! Checks of figures.

/// Panics unless the figure is finite and not negative.
pub fn check_figure(what: &str, figure: f64) {
    assert!(figure.is_finite() && figure >= 0.0, "{what} is {figure}");
}

/// Panics unless each known figure is finite and not negative.
pub fn check_figures<'a>(figures: impl IntoIterator<Item = (&'a str, Option<f64>)>) {
    for (what, figure) in figures {
        figure.into_iter().for_each(|figure| check_figure(what, figure));
    }
}
