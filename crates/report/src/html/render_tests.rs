use super::*;
use crate::html::{Comparison, has_policy};
use crate::{Arguments, Report, UtcOffset};
use ebs_advice::{Settings, advise, frontier_from_advice, insufficient};
use ebs_aws::catalogue::{Platform, VolumeConfig, VolumeType, prices};
use ebs_fixtures::windows;
use ebs_samples::evidence::{Coverage, DeviceCounts, Window};
use ebs_tuning::findings::{DeviceShare, Finding, missing_index};
use ebs_tuning::indexes::{self, NoPrice, Reason};
use ebs_workload::declarations::{Declarations, Declared};
use ebs_workload::demand::{Demand, DemandInterval};
use ebs_workload::io_sources::sources;
use ebs_workload::waits::waits;

/// Name of a run, a device and a wait event, as an attacker would choose it.
const HOSTILE: &str = "</title><script>alert('1')</script><b a=\"&amp;";

fn window(seconds: u64) -> Window {
    let interval = |second: u64| {
        let reads = 2_000 + second * 37 % 100;
        let counts = DeviceCounts {
            reads,
            writes: 700,
            read_bytes: 8192 * reads,
            write_bytes: 16_384 * 700,
            read_ms: reads,
            write_ms: if second % 50 == 7 { 9_000 } else { 700 },
            weighted_ms: reads + 700,
            ..DeviceCounts::default()
        };
        DemandInterval { ended_us: 0, seconds: 1.0, counts, ..DemandInterval::default() }
    };
    let demand =
        Demand { timed: true, averaged_s: 1.0, intervals: (0..seconds).map(interval).collect(), ..Demand::default() };
    let waits = [("IO", "DataFileRead", 3.0), ("CPU*", "CPU*", 1.0), (HOSTILE, "x", 0.5)];
    let mut window = windows::window(&demand, &waits, Some(0.3));
    window.layout.volumes[0].device = HOSTILE.to_owned();
    window
}

/// A finding whose texts an attacker wrote.
fn finding() -> Finding {
    let reason = Reason::NotPlanned(NoPrice::Failed(HOSTILE.to_owned()));
    let index = indexes::Finding {
        table: Some(HOSTILE.to_owned()),
        statement: Some(HOSTILE.to_owned()),
        command: Some(HOSTILE.to_owned()),
        ..indexes::Finding::new(indexes::Kind::Index, reason)
    };
    missing_index(index, DeviceShare { share: Some(0.4), ..DeviceShare::default() }, None)
}

fn shown(window: &Window, comparison: Option<Comparison>) -> String {
    shown_with(window, comparison, &Declarations::default())
}

fn shown_with(window: &Window, comparison: Option<Comparison>, declared: &Declarations) -> String {
    let region = Settings::default().region;
    let request =
        Settings { min_size_gib: Some(100), ..Settings::default() }.check(prices(&region).unwrap().clone()).unwrap();
    let coverage = Coverage::from_window(window);
    let enough = insufficient(window, &coverage).is_none();
    let advice = enough.then(|| advise(window, &request, declared, &|| ()));
    let frontier = advice.iter().flat_map(|advice| frontier_from_advice(advice, &request, None, &|| ())).collect();
    let report = Report {
        subject: format!("run {HOSTILE}"),
        server: "PostgreSQL 18.6".to_owned(),
        when: "00:00:00 to 00:10:00 UTC".to_owned(),
        utc_offset: UtcOffset::from_seconds(3_600),
        request: &request,
        window,
        coverage,
        steadiness: None,
        checkpoint_timeout_s: None,
        advice,
        sources: sources(window),
        waits: waits(window),
        declared,
        arguments: Arguments::default(),
        findings: if enough { vec![finding()] } else { Vec::new() },
    };
    render(&Page {
        insufficient: Page::insufficient(&report),
        timeline: None,
        frontier,
        histograms: Vec::new(),
        card: ebs_comparison::card::report_card(window, &[]),
        comparison,
        utc_offset: UtcOffset::from_seconds(3_600),
        report: &report,
    })
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

/// Returns each text between `from` and the next `to`.
fn between<'a>(text: &'a str, from: &'a str, to: &'a str) -> Vec<&'a str> {
    text.split(from).skip(1).filter_map(|rest| rest.split(to).next()).collect()
}

#[test]
fn each_figure_has_a_title_a_unit_and_a_text_alternative() {
    let page = shown(&window(600), None);
    let figures = between(&page, "<figure", "</figure>");
    // Requests, throughput, latency, sizes, latencies, waits, balance and price.
    assert_eq!(figures.len(), 8, "{page}");
    for figure in figures {
        assert!(!between(figure, "<h3>", "</h3>")[0].is_empty(), "{figure}");
        assert!(!between(figure, "<p class=\"unit\">", "</p>")[0].is_empty(), "{figure}");
        let [wide, narrow] = between(figure, "<svg", "</svg>")[..] else { panic!("not two plots: {figure}") };
        for svg in [wide, narrow] {
            assert!(svg.contains("role=\"img\"") && svg.contains("aria-labelledby"), "{svg}");
            assert!(between(svg, "<desc id=", "</desc>")[0].len() > 40, "{svg}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
        assert_eq!(count(figure, "<table>"), 1);
    }
    let mut ids = between(&page, " id=\"", "\"");
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all);
    for anchor in between(&page, "href=\"#", "\"") {
        assert!(ids.contains(&anchor), "{anchor}");
    }
}

/// A mark without its rules would be black or invisible.
#[test]
fn each_class_of_a_plot_is_in_the_style_sheet() {
    let page = shown(&window(600), None);
    let sheet = between(&page, "<style>", "</style>")[0];
    let classes = between(&page, "<svg", "</svg>").into_iter().flat_map(|svg| between(svg, "class=\"", "\""));
    for class in classes.flat_map(str::split_whitespace) {
        assert!(sheet.contains(&format!(".{class}{{")) || sheet.contains(&format!(".{class},")), "{class}");
    }
}

#[test]
fn what_others_wrote_is_text() {
    let page = shown(
        &window(60),
        Some(Comparison { baseline: HOSTILE.to_owned(), run: HOSTILE.to_owned(), rows: Vec::new() }),
    );
    assert!(count(&page, "&lt;script&gt;") > 5, "{page}");
    for forbidden in ["<script", "<b ", "javascript:", " onload", "src=", "url(", "@import", "https:"] {
        assert!(!page.contains(forbidden), "{forbidden} in {page}");
    }
    // The namespace of SVG is a name: nothing is loaded from it.
    assert_eq!(count(&page, "http:"), count(&page, "xmlns=\"http://www.w3.org/2000/svg\""));
}

#[test]
fn a_page_of_hours_is_small_and_the_same_every_time() {
    let window = window(4 * 3_600);
    let page = shown(&window, None);
    assert!(page.len() < 1_000_000, "{}", page.len());
    assert!(page.contains("so that no peak is lost"));
    assert!(page == shown(&window, None));
}

#[test]
fn too_little_evidence_is_said_and_nothing_is_recommended() {
    let page = shown(&window(10), None);
    assert!(page.contains("Insufficient data: 10 s of device samples, at least 30 s are needed"), "{page}");
    assert!(!page.contains("Recommended") && !page.contains("id=\"price\""), "{page}");
    let empty = shown(&Window::new(0, 60_000_000), None);
    assert!(empty.contains("no samples in this window") && !empty.contains("<figure"), "{empty}");
}

#[test]
fn the_limit_of_what_is_recommended_is_drawn_in() {
    let page = shown(&window(600), None);
    let requests = between(&page, "<figure id=\"requests-1\">", "</figure>")[0];
    assert!(requests.contains("limit of recommended gp3: "), "{requests}");
    // One entry of the key, and a line in each plot.
    assert_eq!(count(requests, "swatch orange line"), 1);
    assert_eq!(count(requests, "<line class=\"rule orange\""), 2, "{requests}");
}

#[test]
fn so_is_that_of_what_was_declared_unless_it_is_far_away() {
    let declared = |iops| {
        let config = VolumeConfig {
            platform: Platform::Ec2,
            volume_type: VolumeType::Io2,
            size_gib: 500,
            iops,
            throughput_mibps: 1_000,
        };
        let one = Declared::new("data", config, 1);
        Declarations { instance: None, volumes: vec![one], ..Declarations::default() }
    };
    let requests = |iops| {
        let page = shown_with(&window(600), None, &declared(iops));
        between(&page, "<figure id=\"requests-1\">", "</figure>")[0].to_owned()
    };
    let near = requests(5_000);
    assert!(near.contains("present io2: 5,000<"), "{near}");
    assert_eq!(count(&near, "<line class=\"rule dashed purple\""), 2, "{near}");
    let far = requests(60_000);
    assert!(far.contains("present io2: 60,000 (far above the plot)"), "{far}");
    assert_eq!(count(&far, "<line class=\"rule dashed purple\""), 0, "{far}");
}

/// The recommended volumes need not be on the frontier: the key names them, and each plot has their ring and their whisker.
#[test]
fn what_is_recommended_is_marked_beside_its_price() {
    let page = shown(&window(600), None);
    let price = between(&page, "<figure id=\"frontier-1\">", "</figure>")[0];
    assert_eq!(count(price, "recommended: gp3, 1 × "), 1, "{price}");
    assert_eq!(count(price, "recommended is gp3, 1 × "), 2, "{price}");
    assert_eq!(count(price, "<circle class=\"rule orange\""), 2, "{price}");
    assert_eq!(count(price, "<path class=\"line orange\""), 2, "{price}");
}

/// 500 GiB of io2 are $62.50, and 5,000 IOPS $325.00.
#[test]
fn the_current_volume_is_priced_beside_the_recommended_one() {
    let config = VolumeConfig::new(Platform::Ec2, VolumeType::Io2, 500, Some(5_000), None).unwrap();
    let one = Declared::new("data", config, 1);
    let page =
        shown_with(&window(600), None, &Declarations { instance: None, volumes: vec![one], ..Declarations::default() });
    assert!(page.contains("<p>Today: io2 500 GiB, 5,000 IOPS: $387.50 a month"), "{page}");
    assert!(!shown(&window(600), None).contains("<p>Today: "));
}

#[test]
fn a_page_begins_with_its_policy() {
    let page = shown(&window(600), None);
    assert!(has_policy(&page));
    assert!(
        !has_policy(&format!("<script></script>{page}"))
            && !has_policy(&page.replacen("default-src 'none'", "default-src *", 1))
    );
}
