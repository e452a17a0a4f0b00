use super::*;
use crate::monitoring::Series;

const TEXT: &str = include_str!("../../../../sql/reports/sar-12.txt");
const CSV: &str = include_str!("../../../../sql/reports/sadf-12.csv");
const JSON: &str = include_str!("../../../../sql/reports/sadf-12.json");
const OLD: &str = include_str!("../../../../sql/reports/sar-10-en_US.txt");

/// 2026-11-21 17:27:08 UTC, when the recording began.
const BEGAN: i64 = 1_795_282_028;

fn utc() -> Calendar {
    Calendar::new("UTC", false).unwrap()
}

fn read(text: &str) -> MonitoringData {
    sar(text, &utc(), &|| ()).unwrap()
}

fn refused(text: &str) -> String {
    sar(text, &utc(), &|| ()).unwrap_err().to_string()
}

fn intervals(series: &Series) -> Vec<(i64, i64)> {
    let seconds = |us: i64| us / 1_000_000;
    series.points.iter().map(|s| (seconds(s.ended_us), seconds(s.ended_us - s.began_us))).collect()
}

/// 132.40 requests a second over ten seconds, 431.60 KiB of 5,104 read: 111.96 of 1,324 are reads.
#[test]
fn text_csv_and_json_of_the_same_recording_are_the_same() {
    let text = read(TEXT);
    assert_eq!(intervals(&text.series[0]), (1..=6).map(|n| (BEGAN + 10 * n, 10)).collect::<Vec<_>>());
    let first = text.series[0].points[0].counts;
    assert_eq!((first.reads, first.writes, first.read_bytes), (112, 1_212, 4_419_584));
    assert_eq!(first.read_ms + first.write_ms, 1_060);
    assert_eq!((text.series[0].timed, text.limitations.len()), (true, 1));
    assert_eq!(text, read(CSV));
    assert_eq!(text, read(JSON));
}

/// Sectors are of 512 bytes; midnight passes; between 12:10:02 and 12:30:01 the server was restarted.
#[test]
fn twelve_hours_midnight_and_a_restart() {
    let made = read(OLD);
    assert_eq!(made.series.iter().map(|s| s.device.as_str()).collect::<Vec<_>>(), ["dev8-0", "dev8-80"]);
    // 2026-03-14 00:00:01 UTC.
    let midnight = 1_773_446_401;
    let expected = [(midnight - 600, 600), (midnight, 600), (midnight + 600, 600), (midnight + 2_400, 600)];
    assert_eq!(intervals(&made.series[1]), expected);
    let first = made.series[1].points[0].counts;
    assert_eq!((first.reads, first.writes, first.read_bytes), (450_000, 150_000, 600 * 12_000 * 512));
}

#[test]
fn averages_have_no_time_in_any_language_and_other_tables_are_left_out() {
    let german = TEXT.replace("Average:", "Durchschn.:").replace("11/21/26", "21.11.2026").replace('.', ",");
    let german = german.replace("21,11,2026", "21.11.2026");
    assert_eq!(read(&german), read(TEXT));
    let french = TEXT.replace("Average:", "Moyenne :");
    assert_eq!(read(&french), read(TEXT));
    let cpu = "17:27:08        CPU     %user     %idle\n17:27:18        all      2.15     97.85\n\n";
    let (banner, rest) = TEXT.split_once("\n\n").unwrap();
    assert_eq!(read(&format!("{banner}\n\n{cpu}{rest}")), read(TEXT));
}

#[test]
fn sadf_s_other_clocks() {
    assert_eq!(read(&CSV.replace(" UTC", "")), read(TEXT));
    let paris = Calendar::new("Europe/Paris", false).unwrap();
    let local = CSV.replace(" 17:", " 18:").replace(" UTC", " CET");
    assert_eq!(sar(&local, &paris, &|| ()).unwrap(), read(TEXT));
    let epoch = (1..=6).fold(CSV.to_owned(), |csv, n| {
        csv.replace(&format!("2026-11-21 17:{}:{}8 UTC", 27 + n / 6, n % 6), &(BEGAN + 10 * n).to_string())
    });
    assert!(!epoch.contains("UTC"));
    assert_eq!(read(&epoch), read(TEXT));
    let local_json = JSON.replace("\"utc\": 1", "\"utc\": 0").replace("\"17:", "\"18:");
    assert_eq!(sar(&local_json, &paris, &|| ()).unwrap(), read(TEXT));
}

/// Output of sadf -h, which has all devices in one line.
#[test]
fn a_line_of_sadf_may_hold_several_devices() {
    let text = "# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s[...]\n\
                db;600;2026-03-13 00:10:01 UTC;sda;1.00;8.00;0.00;sdb;2.00;0.00;8.00\n\
                db;-1;2026-03-13 00:15:00 UTC;LINUX-RESTART\t(2 CPU)\n\
                db;600;2026-03-13 00:30:01 UTC;sda;1.00;8.00;0.00;sdb;2.00;0.00;8.00\n";
    let made = read(text);
    assert_eq!((made.series.len(), made.series[1].points[0].counts.writes), (2, 1_200));
    assert_eq!(intervals(&made.series[0]), [(1_773_360_601, 600), (1_773_361_801, 600)]);
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    assert_eq!(refused("hello"), "no report of sar -d or sadf found");
    assert_eq!(refused("# a;b\n1;2"), "no report of sar -d or sadf found");
    let undated = TEXT.split_once('\n').unwrap().1;
    assert_eq!(refused(undated), "line 2: a time without the date above it");
    assert_eq!(refused(&TEXT.replace("132.40", "132.4k")), "line 4: tps is no number from 0 to 1e15: \"132.4k\"");
    let cut = CSV.trim_end().rsplit_once(';').unwrap().0;
    assert_eq!(refused(cut), "line 7: 8 values below 9 columns");
    assert_eq!(refused(&CSV.replacen("vm;", "other;", 1)), "line 3: \"vm\" is another host");
    assert_eq!(refused(&CSV.replacen("vm;10;", "vm;0;", 1)), "line 2: no interval: \"0\"");
    assert_eq!(refused(&CSV.replacen(" UTC", " o'clock", 1)), "line 2: no time: \"2026-11-21 17:27:18 o'clock\"");
    assert!(refused(&JSON[..JSON.len() / 2]).starts_with("line "));
    assert_eq!(refused(&JSON.replacen("\"time\": \"17:", "\"time\": \"77:", 1)).split(':').next(), Some("report 1"));
    assert_eq!(refused("{\"sysstat\": {\"hosts\": []}}"), "hosts: 0 instead of one");
}
