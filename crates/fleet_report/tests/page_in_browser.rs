//! The page of 5,000 volumes in a real browser: search, sort, filters, unfolding, the plot, nothing from the network. Skipped where there
//! is no Chromium (`apt-get install chromium`).

// A test: it starts a browser, and reads what it shows.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods, clippy::disallowed_types)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use ebs_base::format::{count, pct, usd};
use ebs_base::units::Usd;
use ebs_fleet_report::{Action, PageOptions, Row, Total, render_page};
use serde_json::json;

#[path = "browser/fleet.rs"]
mod fleet;

const NUMBER: u64 = 5_000;

#[test]
fn a_page_of_thousands_works_in_a_browser() {
    let directory = tempfile::tempdir().unwrap();
    let Some(browser) = browser(directory.path()) else {
        eprintln!("skipped: there is no Chromium that shows a page (apt-get install chromium)");
        return;
    };
    let rows = with_long_name(fleet::rows(NUMBER, 7));
    fs::write(
        directory.path().join("page.html"),
        render_page(&rows, &PageOptions::new("2026-11-26T13:00:00Z".parse().unwrap())),
    )
    .unwrap();
    for width in [1_300, 390] {
        let harness = include_str!("browser/harness.html").replace("EXPECTED", &expected(&rows, width));
        fs::write(directory.path().join("harness.html"), harness.replace("\u{2028}", "")).unwrap();
        let output = dump(&browser, directory.path(), &format!("file://{}/harness.html", directory.path().display()));
        let (shown, console) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let result =
            shown.split("<pre id=\"result\">").nth(1).and_then(|rest| rest.split("</pre>").next()).unwrap_or_default();
        let problems: Vec<&str> = result.lines().filter(|line| !line.starts_with("ok: ") && *line != "end").collect();
        assert!(problems.is_empty() && result.ends_with("\nend"), "at {width} px: {problems:#?}\n{result}\n{console}");
        let messages: Vec<&str> = console.lines().filter(|line| line.contains(":CONSOLE")).collect();
        assert!(messages.is_empty(), "{messages:#?}");
        assert_eq!(result.lines().filter(|line| line.starts_with("ok: ")).count(), 34, "{result}");
    }
}

/// The same, of which the volume with the largest saving has a name of 256 letters.
fn with_long_name(mut rows: Vec<Row>) -> Vec<Row> {
    let first = rows.iter_mut().max_by(|one, other| {
        let saved = [one, other].map(|row| row.usd_month_saved.unwrap_or_default());
        saved[0].total_cmp(&saved[1])
    });
    first.unwrap().name = Some(long_name());
    rows
}

fn long_name() -> String {
    "long-name-".chars().cycle().take(256).collect()
}

/// The browser, if it shows a page here.
fn browser(directory: &Path) -> Option<String> {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let shows = |name: &&str| {
        let started = Command::new(name).arg("--version").output();
        let text = |output: Output| String::from_utf8_lossy(&output.stdout).contains("<p>shown</p>");
        started.is_ok() && text(dump(name, directory, "data:text/html,<p>shown</p>"))
    };
    names.into_iter().find(shows).map(str::to_owned)
}

/// The document of an address once its scripts have run, and the console.
fn dump(browser: &str, directory: &Path, address: &str) -> Output {
    Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--allow-file-access-from-files",
            "--hide-scrollbars",
        ])
        .args([
            "--enable-logging=stderr",
            "--v=0",
            "--virtual-time-budget=60000",
            "--window-size=1400,1000",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", directory.join("profile").display()))
        .arg(address)
        .output()
        .unwrap()
}

/// Figures that the page has to show, computed from the rows.
fn expected(rows: &[Row], width: u64) -> String {
    let all = Total::from_rows(rows);
    let known = |value: fn(&Row) -> Option<f64>| rows.iter().filter_map(value).collect::<Vec<f64>>();
    let (savings, limits) = (known(|row| row.usd_month_saved), known(|row| row.limit_pct));
    let most = |values: &[f64]| values.iter().copied().max_by(f64::total_cmp).unwrap();
    let one = rows.iter().find(|row| row.action == Action::Modify && row.demand.is_some()).unwrap();
    let number = |filter: &dyn Fn(&Row) -> bool| {
        format!("{} of 5,000 volumes", count(rows.iter().filter(|row| filter(row)).count() as f64))
    };
    let is_idle = |row: &Row| row.findings.iter().any(|finding| finding.code == "idle");
    json!({
        "width": width,
        "all": number(&|_| true),
        "largest_saving": usd(Usd::from_cents((most(&savings) * 100.0).round() as i64)),
        "largest_limit": significant(most(&limits)),
        "smallest_limit": pct(0.0),
        "savings": savings.len(),
        "sums": format!(
            "5,000 of 5,000 volumes · {} a month (known for {}) · saves {}, adds {} (known for {})",
            usd(all.present.usd), count(all.present.known as f64), usd(all.saved), usd(all.added), count(all.saving_known as f64)
        ),
        "long_name": long_name(),
        "one": one.volume,
        "region": format!("{}, zone {}", one.region.as_ref().unwrap(), one.zone.as_ref().unwrap()),
        "reason": one.reason.text,
        "modified": number(&|row| row.action == Action::Modify),
        "modified_idle": number(&|row| row.action == Action::Modify && is_idle(row)),
        "second_page": "page 2 of 50",
    })
    .to_string()
}

/// A percentage between 10 and 100 with three digits, as the page has it.
fn significant(value: f64) -> String {
    let text = format!("{value:.1}");
    format!("{} %", text.strip_suffix(".0").unwrap_or(&text))
}
