use super::*;
use crate::monitoring::{Calendar, Series};

const TEXT: &str = include_str!("../../../../sql/reports/iostat-12.txt");
const JSON: &str = include_str!("../../../../sql/reports/iostat-12.json");
const OLD: &str = include_str!("../../../../sql/reports/iostat-10-en_US.txt");

/// 2026-11-21 17:27:08 UTC, when the recordings began.
const BEGAN: i64 = 1_795_282_028;

fn settings() -> ImportOptions {
    ImportOptions::new(Calendar::new("UTC", false).unwrap())
}

fn read(text: &str) -> MonitoringData {
    iostat(text, &settings(), &|| ()).unwrap()
}

fn refused(text: &str) -> String {
    iostat(text, &settings(), &|| ()).and_then(|made| made.select(None, None)).unwrap_err().to_string()
}

/// `(ends, seconds)` of each point.
fn intervals(series: &Series) -> Vec<(i64, i64)> {
    let seconds = |us: i64| us / 1_000_000;
    series.points.iter().map(|s| (seconds(s.ended_us), seconds(s.ended_us - s.began_us))).collect()
}

#[test]
fn documents_follow_one_another_and_may_be_marked() {
    let one = read(JSON);
    assert_eq!(read(&format!("\u{feff}{JSON}")), one);
    let next = JSON.replace("11/21/26", "11/22/26");
    assert_ne!(next, JSON);
    assert_eq!(read(&format!("{JSON}\n{next}")).series[0].points.len(), 2 * one.series[0].points.len());
}

/// 14.10 reads a second of 431.60 KiB, 1.01 ms each, over ten seconds: the second report of the recording.
#[test]
fn text_and_json_of_the_same_minute() {
    let (text, json) = (read(TEXT), read(JSON));
    assert_eq!(text.series.len(), 1);
    assert_eq!(intervals(&text.series[0]), (1..=6).map(|n| (BEGAN + 10 * n, 10)).collect::<Vec<_>>());
    let first = text.series[0].points[0].counts;
    assert_eq!((first.reads, first.read_bytes, first.read_ms), (141, 4_419_584, 142));
    assert_eq!((text.series[0].device.as_str(), text.series[0].timed, text.limitations.len()), ("vda", true, 0));
    assert_eq!(
        (text.series[0].points[0], intervals(&text.series[0])),
        (json.series[0].points[0], intervals(&json.series[0]))
    );
}

/// The report since boot is its beginning; 30 s at 1,500 reads of 8 KiB, 0.4 ms each.
#[test]
fn an_old_report_with_twelve_hours_and_two_devices() {
    let made = read(OLD);
    assert_eq!(made.series.iter().map(|s| s.device.as_str()).collect::<Vec<_>>(), ["sda", "sdf"]);
    // 2026-03-13 12:00:00 UTC is 1773403200: half a minute before noon, and after.
    assert_eq!(intervals(&made.series[1]), [(1_773_403_200, 30), (1_773_403_230, 30), (1_773_403_260, 30)]);
    let first = made.series[1].points[0].counts;
    assert_eq!((first.reads, first.writes, first.read_bytes, first.read_ms), (45_000, 15_000, 368_640_000, 18_000));
}

#[test]
fn the_first_report_counts_where_it_is_not_since_boot() {
    let all = iostat(OLD, &ImportOptions { since_boot: false, ..settings() }, &|| ()).unwrap();
    assert_eq!(intervals(&all.series[0])[0], (1_773_403_170, 30));
    assert_eq!(all.series[0].points.len(), 4);
}

#[test]
fn the_server_s_clock_is_in_the_zone_that_is_named() {
    let paris = Calendar::new("Europe/Paris", false).unwrap();
    let made = iostat(OLD, &ImportOptions { calendar: paris, ..settings() }, &|| ()).unwrap();
    assert_eq!(intervals(&made.series[0])[0].0, 1_773_403_200 - 3_600);
}

/// The same recording without -t, in a French locale, with a timestamp of -U, and by --pretty.
#[test]
fn other_shapes_of_the_same_report() {
    let whole = read(TEXT);
    let untimed: String = TEXT.lines().filter(|line| !line.starts_with("11/21/26")).map(|l| format!("{l}\n")).collect();
    let began = ImportOptions { untimed: Some((BEGAN * 1_000_000, 10_000_000)), ..settings() };
    assert_eq!(iostat(&untimed, &began, &|| ()).unwrap(), whole);
    assert_eq!(iostat(&untimed, &settings(), &|| ()), Err(ImportError::Untimed));
    let french = TEXT.replace("11/21/26", "21/11/2026").replace('.', ",");
    assert_eq!(read(&french), whole);
    let epoch: String = (0..).zip(TEXT.split("11/21/26 17:2")).fold(String::new(), |text, (n, part)| match n {
        0 => part.to_owned(),
        n => format!("{text}{}\n{}", BEGAN + 10 * (n - 1), part.split_once('\n').unwrap().1),
    });
    assert_eq!(read(&epoch), whole);
}

/// --pretty prints several tables a report, and the device last.
#[test]
fn a_report_may_have_several_tables() {
    let report = |time: &str, rate: &str| {
        format!(
            "2026-11-21T{time}+0100\n\n     r/s     rkB/s r_await Device\n {rate} 8.00 1.00 vda\n\n     \
             w/s     wkB/s w_await Device\n {rate} 16.00 2.00 vda\n\n"
        )
    };
    let text = format!("{}{}", report("18:19:26", "9.00"), report("18:19:27", "2.00"));
    let made = read(&text);
    let counts = made.series[0].points[0].counts;
    assert_eq!((counts.reads, counts.writes, counts.write_bytes, counts.write_ms), (2, 2, 16_384, 4));
}

#[test]
fn without_x_reads_and_writes_are_told_apart_by_bytes_and_a_doubt_says_so() {
    let text = "11/21/26 17:00:00\nDevice tps kB_read/s kB_wrtn/s kB_read kB_wrtn\nvda 1.00 1.00 1.00 1 1\n\
                11/21/26 17:00:10\nDevice tps kB_read/s kB_wrtn/s kB_read kB_wrtn\nvda 40.00 30.00 10.00 300 100\n";
    let made = read(text);
    let counts = made.series[0].points[0].counts;
    assert_eq!((counts.reads, counts.writes, made.series[0].timed), (300, 100, false));
    assert!(made.limitations[0].contains("told apart by their bytes"), "{:?}", made.limitations);
}

/// Two outputs in one file: each begins with a report since boot, and the time between them is not known.
#[test]
fn several_runs_of_iostat_leave_gaps() {
    let later = OLD.replace("03/13/2026 1", "03/14/2026 1");
    let made = read(&format!("{OLD}{later}"));
    let ends = intervals(&made.series[0]);
    assert_eq!((ends.len(), ends[3].0 - ends[0].0, ends[3].1), (6, 86_400, 30));
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    assert_eq!(refused("hello"), "no report of iostat found");
    assert_eq!(refused(""), "no report of iostat found");
    assert_eq!(refused(&TEXT[..600]), "no report of iostat beside the one since boot found");
    let cut = TEXT.trim_end().rsplit_once(' ').unwrap().0;
    assert_eq!(refused(cut), "line 56: 22 values below 23 columns");
    assert_eq!(refused(&TEXT.replace("431.60", "431.6k")), "line 16: rkB/s is no number from 0 to 1e15: \"431.6k\"");
    assert_eq!(
        refused(&TEXT.replace("17:27:28", "17:99:28")),
        "line 19: there is no date or time that can be read: \"11/21/26 17:99:28\""
    );
    assert_eq!(refused(&TEXT.replace("11/21/26 17:27:58", "11/20/26 17:27:58")).split(':').next(), Some("line 43"));
    let basic = TEXT.replace(" r/s ", " x/s ");
    assert_eq!(refused(&basic), "line 11: neither r/s and w/s nor tps");
    assert!(refused(&JSON[..JSON.len() / 2]).starts_with("line "));
    assert!(refused("{\"a\": 1}").contains("missing field"));
    assert!(refused(&JSON.replace("\"r/s\": 14.10", "\"r/s\": \"x\"")).starts_with("report 2: r/s is no number"));
}

/// Two seconds of a report in one locale, behind the one since boot: 100 and 200 reads.
fn localised(banner: &str, times: [&str; 3]) -> String {
    let header = "Device r/s rkB/s rrqm/s %rrqm r_await rareq-sz w/s wkB/s wrqm/s %wrqm w_await wareq-sz aqu-sz %util";
    let report = |(time, reads): (&&str, u32)| {
        format!(
            "{time}\n{header}\nnvme1n1 {reads}.00 800.00 0.00 0.00 1.00 8.00 50.00 400.00 0.00 0.00 1.00 8.00 0.15 15.00\n\n"
        )
    };
    let reports: String = times.iter().zip([10, 100, 200]).map(report).collect();
    format!("Linux 6.1.0-20-amd64 (db1) \t{banner} \t_x86_64_\t(4 CPU)\n\n{reports}")
}

/// 2026-11-20 09:00:02 and 09:00:03 UTC in each: 1795165202, 1795165203.
#[test]
fn one_report_in_several_locales() {
    for (banner, times) in [
        (
            "2026年11月20日",
            ["2026年11月20日 09时00分01秒", "2026年11月20日 09时00分02秒", "2026年11月20日 09时00分03秒"],
        ),
        (
            "2026年11月20日",
            ["2026年11月20日 09時00分01秒", "2026年11月20日 09時00分02秒", "2026年11月20日 09時00分03秒"],
        ),
        (
            "2026년 11월 20일",
            ["2026년 11월 20일 09시 00분 01초", "2026년 11월 20일 09시 00분 02초", "2026년 11월 20일 09시 00분 03초"],
        ),
        ("20/11/26", ["20/11/26 09:00:01 AM IST", "20/11/26 09:00:02 AM IST", "20/11/26 09:00:03 AM IST"]),
        ("20.11.2026", ["20.11.2026 09:00:01", "20.11.2026 09:00:02", "20.11.2026 09:00:03"]),
        ("20/11/2026", ["20/11/2026 10:00:01 +01", "20/11/2026 10:00:02 +01", "20/11/2026 10:00:03 +01"]),
    ] {
        let text = localised(banner, times);
        for text in [text.clone(), text.replace(".00", ",00")] {
            let made = read(&text);
            assert_eq!(intervals(&made.series[0]), [(1_795_165_202, 1), (1_795_165_203, 1)], "{text}");
            let reads: Vec<u64> = made.series[0].points.iter().map(|point| point.counts.reads).collect();
            assert_eq!(reads, [100, 200], "{text}");
        }
    }
}

/// Not "run iostat with -t", which it was.
#[test]
fn a_time_that_cannot_be_read_is_shown() {
    let text = localised("20 نوفمبر, 2026", ["٢٠ نوفمبر 09:00:01", "٢٠ نوفمبر 09:00:02", "٢٠ نوفمبر 09:00:03"]);
    let error = iostat(&text, &settings(), &|| ()).unwrap_err();
    assert_eq!(error.to_string(), "line 3: there is no date or time that can be read: \"٢٠ نوفمبر 09:00:01\"");
    assert!(error.hint().unwrap().contains("S_TIME_FORMAT=ISO"), "{:?}", error.hint());
    let json = JSON.replacen("11/21/26 17:27:08", "٢١ نوفمبر", 1);
    assert!(refused(&json).contains("that can be read: \"٢١ نوفمبر\""), "{}", refused(&json));
    // With the times given, an iostat without -t, in whatever locale its banner is.
    let text: String = text.lines().filter(|line| !line.contains("09:00")).map(|line| format!("{line}\n")).collect();
    assert_eq!(iostat(&text, &settings(), &|| ()), Err(ImportError::Untimed));
}

#[test]
fn an_impossible_value_of_another_device_costs_nothing() {
    let other = OLD.replace("sdf ", "sdg ").replace("1500.00", "30744573456182584.00");
    assert_ne!(other, OLD);
    let pick = |text: &str, device| iostat(text, &settings(), &|| ()).and_then(|made| made.select(Some(device), None));
    assert_eq!(pick(&other, "sda").unwrap(), pick(OLD, "sda").unwrap());
    assert!(pick(&other, "sdg").unwrap_err().to_string().contains("is no number from 0 to 1e15"));
}
