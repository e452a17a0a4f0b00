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
    sar(text, &utc(), &|| ()).and_then(|made| made.select(None, None)).unwrap_err().to_string()
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
    for marked in [TEXT, CSV, JSON] {
        assert_eq!(text, read(&format!("\u{feff}{marked}")));
    }
}

#[test]
fn documents_of_several_days_follow_one_another() {
    let one = read(JSON).series[0].points.len();
    let next = JSON.replace("2026-11-21", "2026-11-22");
    assert_ne!(next, JSON);
    assert_eq!(read(&format!("{JSON}\n{next}")).series[0].points.len(), 2 * one);
    assert!(refused(&format!("{next}{JSON}")).ends_with("not later than the one before it"));
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
    assert_eq!(
        refused(&CSV.replacen(" UTC", " o'clock", 1)),
        "line 2: there is no date or time that can be read: \"2026-11-21 17:27:18 o'clock\""
    );
    assert!(refused(&JSON[..JSON.len() / 2]).starts_with("line "));
    assert_eq!(refused(&JSON.replacen("\"time\": \"17:", "\"time\": \"77:", 1)).split(':').next(), Some("report 1"));
    assert_eq!(refused("{\"sysstat\": {\"hosts\": []}}"), "hosts: 0 instead of one");
}

/// A report of sar -d at 09:10:01 and 09:20:01 on 2026-11-20: 100 and 200 requests a second.
fn report(banner: &str) -> String {
    format!(
        "{banner}\n\n09:00:01          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util\n\
         09:10:01      nvme1n1    100.00    400.00    400.00      0.00      8.00      0.10      1.00      5.00\n\
         09:20:01      nvme1n1    200.00    800.00    800.00      0.00      8.00      0.20      1.00      9.00\n"
    )
}

/// 2026-11-20 09:10:01 and 09:20:01 UTC; 60,000 and 120,000 requests.
fn is_the_report(text: &str) {
    let (made, _) = sar(text, &utc(), &|| ())
        .and_then(|made| made.select(Some("nvme1n1"), None))
        .unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!(intervals(&made), [(1_795_165_801, 600), (1_795_166_401, 600)], "{text}");
    let requests: Vec<u64> = made.points.iter().map(|point| point.counts.reads + point.counts.writes).collect();
    assert_eq!(requests, [60_000, 120_000], "{text}");
}

#[test]
fn the_date_is_that_of_the_banner_whatever_the_kernel_is_called() {
    for release in [
        "5.10.25",
        "6.1.2-2024-01-02",
        "4.18.0-553.el8_10.x86_64",
        "6.12.2025",
        "6.8.0-20240101-generic",
        "6.1.0-2025.10.05",
        "2025-10-05",
    ] {
        for host in ["db1", "2025-10-05", "10.11.12", "ip-10-0-0-1"] {
            for date in ["11/20/2026", "2026-11-20", "20.11.2026", "20/11/26", "2026年11月20日", "2026년 11월 20일"]
            {
                is_the_report(&report(&format!("Linux {release} ({host}) \t{date} \t_x86_64_\t(4 CPU)")));
                is_the_report(&report(&format!("Linux {release} ({host})  {date}  _aarch64_  (4 CPU)")));
            }
        }
    }
    let arabic = report("Linux 6.1.0 (db1) \t٢٠ نوفمبر, 2026 \t_x86_64_\t(4 CPU)");
    assert_eq!(refused(&arabic), "line 1: there is no date or time that can be read: \"٢٠ نوفمبر, 2026\"");
}

#[test]
fn clocks_of_several_locales() {
    let english = report("Linux 6.1.0 (db1) \t11/20/2026 \t_x86_64_\t(4 CPU)");
    let times = |make: fn(&str) -> String| {
        ["09:00:01", "09:10:01", "09:20:01"].iter().fold(english.clone(), |text, time| text.replace(time, &make(time)))
    };
    is_the_report(&times(|time| format!("{time} AM")));
    is_the_report(&times(|time| format!("{time} AM IST")));
    is_the_report(&times(|time| format!("{time} UTC")));
    is_the_report(&times(|time| time.replacen(':', "时", 1).replacen(':', "分", 1) + "秒"));
    is_the_report(&times(|time| time.replacen(':', "시 ", 1).replacen(':', "분 ", 1) + "초"));
    is_the_report(&times(|time| format!("上午 {}秒", time.replacen(':', "时", 1).replacen(':', "分", 1))));
    is_the_report(&times(|time| time.replace(':', ".")));
    is_the_report(&english.replace("00.00", "00,00"));
    // UTC is UTC, whatever the session's zone.
    let paris = Calendar::new("Europe/Paris", false).unwrap();
    assert_eq!(sar(&times(|time| format!("{time} UTC")), &paris, &|| ()).unwrap(), read(&english));
}

#[test]
fn tables_of_another_kind_are_left_out() {
    let text = report("Linux 5.14.0-427.el9.x86_64 (db1) \t11/20/2026 \t_x86_64_\t(4 CPU)");
    for other in [
        "BUS  idvendor    idprod  maxpower manufact                product\n09:10:01 2 abc 1234 500 Acme Storage Device\n\
         09:10:01 1 def 5678 196 Device DEV\n09:10:01 1 def 5678 196 DEV\n",
        "FCHOST  fch_rxf/s  fch_txf/s  fch_rxw/s  fch_txw/s\n09:10:01 host0 0.00 0.00 0.00 0.00\n",
        "MBfsfree  MBfsused   %fsused  %ufsused     Ifree     Iused    %Iused MOUNTPOINT\n09:10:01 1 2 3 4 5 6 7 /mnt/Device\n",
        "IFACE   rxpck/s   txpck/s\n09:10:01 DEV 0.00 0.00\n",
        "TEMP      degC     %temp               DEVICE\n09:10:01 1 40.00 50.00 nvme-pci-0100\n",
    ] {
        is_the_report(&format!("{text}\n09:00:01 {other}"));
        // Without the blank line between them.
        is_the_report(&format!("{text}09:00:01 {other}"));
    }
}

#[test]
fn an_impossible_value_of_another_device_costs_nothing() {
    let text = report("Linux 5.14.0-427.el9.x86_64 (db1) \t11/20/2026 \t_x86_64_\t(4 CPU)");
    let other = |device: &str, tps: &str| {
        format!("09:10:01 {device} {tps} 15372286728091292.00 0.00 0.00 0.50 0.00 0.00 0.00\n09:20:01")
    };
    let with = |device, tps| text.replace("09:20:01", &other(device, tps));
    is_the_report(&with("nvme2n1", "30744573456182584.00"));
    is_the_report(&with("nvme2n1", "9e14"));
    is_the_report(&with("nvme2n1", "-nan"));
    let pick = |text: &str, device| {
        sar(text, &utc(), &|| ()).and_then(|made| made.select(Some(device), None)).unwrap_err().to_string()
    };
    assert_eq!(
        pick(&with("nvme2n1", "1.00"), "nvme2n1"),
        "line 5: rkB/s is no number from 0 to 1e15: \"15372286728091292.00\""
    );
    let csv = CSV.lines().map(|line| match line.strip_prefix("vm;10;") {
        Some(rest) => format!("{line}\nvm;10;{}\n", rest.replace(";vda;", ";vdb;").replace(".00", "1e300")),
        None => format!("{line}\n"),
    });
    let csv: String = csv.collect();
    let own = |text: &str| sar(text, &utc(), &|| ()).and_then(|made| made.select(Some("vda"), None)).unwrap();
    assert_eq!(own(&csv), own(CSV));
    let json = JSON
        .replace("\"disk\": [", "\"disk\": [{\"disk-device\": \"vdb\", \"tps\": 1e300, \"rkB/s\": -1, \"wkB/s\": 0},");
    assert_ne!(json, JSON);
    assert_eq!(own(&json), own(JSON));
}

/// Zones by `utc`, by `tz` (12.7.1 and later), by both, and one that others share.
#[test]
fn the_zone_of_sadf_j() {
    for zone in ["\"tz\": \"UTC\"", "\"tz\": \"+00\"", "\"utc\": 1, \"tz\": \"\""] {
        let json = JSON.replace("\"utc\": 1", zone);
        assert_ne!(json, JSON, "{zone}");
        assert_eq!(read(&json), read(TEXT), "{zone}");
    }
    let paris = Calendar::new("Europe/Paris", false).unwrap();
    let local = JSON.replace("\"utc\": 1", "\"tz\": \"CET\"").replace("\"17:", "\"18:");
    assert_eq!(sar(&local, &paris, &|| ()).unwrap(), read(TEXT));
    assert_eq!(sar(&JSON.replace("\"utc\": 1", "\"tz\": \"UTC\""), &paris, &|| ()).unwrap(), read(TEXT));
    assert_eq!(read(&CSV.replace(" UTC", " +00")), read(TEXT));
    assert_eq!(refused("<?xml version=\"1.0\"?>"), "line 1: XML (sadf -x) cannot be read");
}
