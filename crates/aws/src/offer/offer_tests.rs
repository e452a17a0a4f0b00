//! Rows read from offer files, and files that are refused.

use ebs_schema::{assert_published, problems};

use super::samples::{Line, csv, ec2, json, line, rds};
use super::{Completeness, Offer, OfferError, Position, ReadError, read, read_document, write_document};
use crate::catalogue::{Part, Platform, VolumeType, prices, regions, usage_types};
use ebs_base::units::Usd;

fn whole(text: &str) -> Result<Offer, ReadError> {
    read(text.as_bytes(), Completeness::Full)
}

fn part(lines: &[Line]) -> Result<Offer, ReadError> {
    read(csv("AmazonEC2", lines, false).as_bytes(), Completeness::Partial)
}

fn refused(lines: &[Line]) -> String {
    part(lines).unwrap_err().to_string()
}

fn usd(offer: &Offer, volume_type: VolumeType, part: Part) -> Option<String> {
    let found = offer.rows.iter().find(|row| (row.item.volume_type, row.item.part) == (volume_type, part));
    found.map(|row| row.usd.to_string())
}

/// The prices of us-east-1 did not change, so that the built-in list says what must come out.
#[test]
fn every_layout_gives_the_built_in_prices() {
    let known = |platform: Platform| {
        let here = prices("us-east-1").unwrap().items.iter().filter(move |(item, _)| item.platform == platform);
        // No list prices the throughput of RDS.
        here.filter(|(item, _)| (item.platform, item.part) != (Platform::Rds, Part::Throughput))
            .map(|(item, price)| (*item, price.usd))
            .collect::<Vec<_>>()
    };
    for (code, lines, platform) in [("AmazonEC2", ec2(), Platform::Ec2), ("AmazonRDS", rds(), Platform::Rds)] {
        for text in [csv(code, &lines, false), csv(code, &lines, true), json(code, &lines)] {
            let offer = whole(&text).unwrap();
            let head = (offer.code.as_str(), offer.version.as_str(), offer.published.as_str());
            assert_eq!(head, (code, "20261115191316", "2026-11-15"));
            assert!(offer.rows.iter().all(|row| row.region == "us-east-1"));
            assert_eq!(offer.rows.iter().map(|row| (row.item, row.usd)).collect::<Vec<_>>(), known(platform));
        }
    }
}

/// The built-in list as AWS would publish it, in the units it uses.
fn of_all_regions(platform: Platform) -> Vec<Line> {
    let mut lines = Vec::new();
    for (number, region) in regions().enumerate() {
        for (item, price) in prices(region).unwrap().items.iter().filter(|(item, _)| item.platform == platform) {
            let sold = usage_types().iter().find(|usage| usage.item == *item);
            let usage = format!("R{number}-{}", sold.unwrap().name).leak();
            let sku = format!("{number}{}", lines.len()).leak();
            let price = match item.part {
                Part::Throughput => price.usd * 1_024,
                _ => price.usd,
            };
            let unit = match item.part {
                Part::Storage => "GB-Mo",
                Part::Throughput => "GiBps-mo",
                _ => "IOPS-Mo",
            };
            lines.push(Line { region, ..line(sku, usage, unit, price.to_string().leak()) });
        }
    }
    lines
}

#[test]
fn a_file_of_all_regions_gives_the_built_in_list() {
    for (code, platform) in [("AmazonEC2", Platform::Ec2), ("AmazonRDS", Platform::Rds)] {
        let lines = of_all_regions(platform);
        let offer = whole(&csv(code, &lines, false)).unwrap();
        assert_eq!(offer.rows.len(), lines.len());
        for row in &offer.rows {
            assert_eq!(row.usd, prices(&row.region).unwrap().items[&row.item].usd, "{} {}", row.region, row.item);
        }
        // An argument of a program, as psql's -v, has at most 128 KiB on Linux.
        assert!(write_document(&[offer]).len() < 100_000);
        let lost: Vec<Line> = lines.into_iter().filter(|line| line.region != "sa-east-1").collect();
        let error = whole(&csv(code, &lost, false)).unwrap_err().to_string();
        assert_eq!(error, "incomplete: there are 35 regions, and not sa-east-1");
    }
}

#[test]
fn what_is_left_out_is_said() {
    for text in [csv("AmazonEC2", &ec2(), false), json("AmazonEC2", &ec2())] {
        let left_out = whole(&text).unwrap().left_out;
        let said: Vec<(&str, u64)> = left_out.iter().map(|(why, count)| (why.as_str(), *count)).collect();
        assert_eq!(
            said,
            [
                ("in a Local Zone or Wavelength Zone", 1),
                ("included in the price of gp3", 1),
                ("of location type \"AWS Outposts\"", 1),
                ("requests to magnetic storage", 1)
            ]
        );
    }
    let left_out = whole(&csv("AmazonRDS", &rds(), false)).unwrap().left_out;
    let said: Vec<&str> = left_out.keys().map(String::as_str).collect();
    assert_eq!(said, ["of another engine than PostgreSQL", "of several zones, billed as copies of one"]);
    let gp9 = line("NEW1", "EBS:VolumeUsage.gp9", "GB-Mo", "0.07");
    assert!(part(&[ec2()[4], gp9]).unwrap().left_out.contains_key("of unknown usage type EBS:VolumeUsage.gp9"));
}

#[test]
fn a_product_without_terms_is_said_to_have_none() {
    let mut text = json("AmazonEC2", &ec2());
    text = text.replace("\"SC11\" : { \"SC11.JRTC\"", "\"SC19\" : { \"SC19.JRTC\"");
    let offer = whole(&text).unwrap();
    assert_eq!(offer.left_out.get("without a price on demand"), Some(&1));
    assert_eq!(usd(&offer, VolumeType::Sc1, Part::Storage), None);
}

#[test]
fn postgresql_s_own_price_goes_before_any_engine_s() {
    let mut lines = rds();
    assert_eq!(
        usd(&whole(&csv("AmazonRDS", &lines, false)).unwrap(), VolumeType::Gp3, Part::Storage).unwrap(),
        "0.115"
    );
    lines.reverse();
    assert_eq!(
        usd(&whole(&csv("AmazonRDS", &lines, false)).unwrap(), VolumeType::Gp3, Part::Storage).unwrap(),
        "0.115"
    );
    lines.retain(|line| line.sku != "GP31");
    assert_eq!(
        usd(&whole(&csv("AmazonRDS", &lines, false)).unwrap(), VolumeType::Gp3, Part::Storage).unwrap(),
        "0.116"
    );
}

#[test]
fn prices_that_would_have_to_be_guessed_are_refused_where_they_stand() {
    let gp2 = |unit, price| line("GP21", "EBS:VolumeUsage.gp2", unit, price);
    let on_line_7 = "line 7: EBS:VolumeUsage.gp2 (SKU GP21) ";
    assert_eq!(refused(&[gp2("GB-Mo", "0.0000000000")]), format!("{on_line_7}costs $0, which is no price"));
    assert_eq!(refused(&[gp2("GB-Mo", "-0.1")]), format!("{on_line_7}costs $-0.1, which is no price"));
    assert!(
        refused(&[gp2("GB-Mo", "1e-3")]).starts_with(&format!("{on_line_7}has no price: \"1e-3\" is not an amount"))
    );
    assert_eq!(refused(&[gp2("Hrs", "0.1")]), format!("{on_line_7}is priced by \"Hrs\", not by a unit of storage"));
    let tier = Line { end: "10240", ..gp2("GB-Mo", "0.1") };
    let what = "costs $0.1 from 0 to 10240, a tier this version does not know";
    assert_eq!(refused(&[tier]), format!("{on_line_7}{what}"));
    let zone = Line { region: "us-east-1a", ..gp2("GB-Mo", "0.1") };
    assert_eq!(refused(&[zone]), format!("{on_line_7}is in \"us-east-1a\", which is no region"));
    let ReadError { error: OfferError::Price { at, .. }, .. } =
        whole(&json("AmazonEC2", &[gp2("Hrs", "0.1")])).unwrap_err()
    else {
        panic!()
    };
    assert!(matches!(at, Position::Byte(byte) if byte > 500));
}

#[test]
fn two_prices_for_one_thing_are_refused() {
    let twice = [
        line("GP21", "EBS:VolumeUsage.gp2", "GB-Mo", "0.10"),
        line("GP29", "EBS:VolumeUsage.gp2", "GB-Mo", "0.1000000000"),
        line("GP28", "EBS:VolumeUsage.gp2", "GB-Mo", "0.11"),
    ];
    assert!(part(&twice[..2]).is_ok());
    assert_eq!(
        refused(&twice),
        "line 9: SKU GP28 has gp2 storage in us-east-1 at $0.11, and SKU GP21 at line 7 has it at $0.1"
    );
}

#[test]
fn other_currencies_are_no_dollars() {
    let cny = ec2().into_iter().map(|l| Line { currency: "CNY", region: "cn-north-1", ..l }).collect::<Vec<_>>();
    for text in [csv("AmazonEC2", &cny, false), json("AmazonEC2", &cny)] {
        let error = whole(&text).unwrap_err().to_string();
        assert!(error.starts_with("no storage price in it (") && error.contains("in CNY, not in USD"), "{error}");
    }
    let reserved: Vec<Line> = ec2().into_iter().map(|l| Line { term: "Reserved", ..l }).collect();
    assert!(refused(&reserved).contains("not on demand"));
    assert!(refused(&[]).starts_with("no storage price in it"));
}

#[test]
fn other_files_are_told_apart() {
    let error = |text: &str| whole(text).unwrap_err().to_string();
    assert!(error("").ends_with("it is empty"));
    assert!(error("<html>").ends_with("it is neither JSON nor CSV"));
    assert!(error(&csv("AmazonS3", &ec2(), false)).contains("its offer code is \"AmazonS3\""));
    assert!(error(&json("AmazonS3", &ec2())).contains("its offer code is \"AmazonS3\""));
    assert!(error(&csv("AmazonRDS", &ec2(), false)).contains("has prices of platform ec2"));
    let index = r#"{"formatVersion":"v1.0","publicationDate":"2026-10-15T19:13:16Z","regions":{"us-east-1":{}}}"#;
    assert!(error(index).contains("like an index"), "{}", error(index));
    let turned = r#"{"offerCode":"AmazonEC2","terms":{"OnDemand":{}},"products":{}}"#;
    assert!(error(turned).contains("the terms come before the products"), "{}", error(turned));
    let undated = csv("AmazonEC2", &ec2(), false).replace("2026-11-15T", "2026-02-30T");
    assert!(error(&undated).ends_with("it has no publication date"));
    let unnamed = csv("AmazonEC2", &ec2(), false).replace("Region Code", "Region");
    assert_eq!(error(&unnamed), "broken at line 6: there is no column \"Region Code\"");
    let hostile = csv("AmazonEC2", &ec2(), false).replace("20261115191316", "';DROP");
    assert!(error(&hostile).ends_with("it has no version"));
}

#[test]
fn a_csv_that_lacks_prices_is_incomplete_unless_it_may() {
    let without = |sku| ec2().into_iter().filter(|line| line.sku != sku).collect::<Vec<_>>();
    let error = whole(&csv("AmazonEC2", &without("SC11"), false)).unwrap_err().to_string();
    assert_eq!(error, "incomplete: us-east-1 has 12 prices on ec2, and none of sc1 storage");
    assert!(part(&without("SC11")).is_ok());
    // JSON says itself where it ends.
    assert!(whole(&json("AmazonEC2", &without("SC11"))).is_ok());
    // A region that this version does not know has what goes with its types.
    let elsewhere: Vec<Line> = ec2().into_iter().map(|line| Line { region: "xx-north-9", ..line }).collect();
    let offer = whole(&csv("AmazonEC2", &elsewhere, false));
    assert_eq!(offer.unwrap().rows[0].region, "xx-north-9");
    let tierless: Vec<Line> = elsewhere.iter().copied().filter(|line| line.sku != "IO24").collect();
    let error = whole(&csv("AmazonEC2", &tierless, false)).unwrap_err().to_string();
    assert!(error.ends_with("none of io2 iops above 64000"), "{error}");
    let both: Vec<Line> = ec2().into_iter().chain(elsewhere).collect();
    let error = whole(&csv("AmazonEC2", &both, false)).unwrap_err().to_string();
    assert_eq!(error, "incomplete: there are 2 regions, and not af-south-1");
}

#[test]
fn a_document_carries_prices_exactly() {
    let mut lines = ec2();
    lines.iter_mut().filter(|line| line.sku == "GP33").for_each(|line| line.price = "58.4909000000");
    let offers = [whole(&csv("AmazonEC2", &lines, false)).unwrap(), whole(&json("AmazonRDS", &rds())).unwrap()];
    let text = write_document(&offers);
    // It goes through SQL as a literal.
    assert!(!text.contains(['\'', '\\']));
    let read = read_document(&serde_json::from_str(&text).unwrap()).unwrap();
    let sent = offers.iter().flat_map(|offer| &offer.rows).map(|row| (row.region.clone(), row.item, row.usd));
    assert_eq!(read.iter().map(|(r, item, p)| (r.clone(), *item, p.usd)).collect::<Vec<_>>(), sent.collect::<Vec<_>>());
    assert_eq!(read[0].2.basis, "AmazonEC2 20261115191316");
    assert!(read.iter().any(|(_, _, price)| price.usd == "0.05712001953125".parse::<Usd>().unwrap()));
}

fn offer(usd: &[&str]) -> Offer {
    let price = |usd: &&str| super::Row {
        region: "us-east-1".to_owned(),
        item: crate::catalogue::Item { platform: Platform::Ec2, volume_type: VolumeType::Gp3, part: Part::Storage },
        usd: usd.parse().unwrap(),
    };
    Offer {
        code: "AmazonEC2".to_owned(),
        version: "20261115191316".to_owned(),
        published: "2026-11-15".to_owned(),
        rows: usd.iter().map(price).collect(),
        left_out: std::collections::BTreeMap::new(),
    }
}

/// An object of one offer, an array of such of several.
#[test]
fn the_document_is_as_programs_know_it() {
    let row = |usd: &str| format!(r#"{{"part":"storage","region":"us-east-1","usd":"{usd}","volume_type":"gp3"}}"#);
    let object = |prices: &str| {
        format!(r#"{{"offer":"AmazonEC2","prices":[{prices}],"published":"2026-11-15","version":"20261115191316"}}"#)
    };
    let one = object(&format!("{},{}", row("0.08"), row("0.05712001953125")));
    assert_eq!(write_document(&[offer(&["0.08", "0.05712001953125"])]), one);
    let (bare, several) = (object(""), offer(&["0.08", "0.05712001953125"]));
    assert_eq!(write_document(&[several, offer(&[])]), format!("[{one},{bare}]"));
    assert_eq!(write_document(&[]), "[]");
}

#[test]
fn documents_are_as_their_schema_says() {
    let schema =
        assert_published::<super::document::Document>("prices", "Document of ebsctl prices and ebs_import_prices");
    for offers in [vec![], vec![offer(&["0.08"])], vec![offer(&["0.08"]), offer(&[])]] {
        assert_eq!(problems(&schema, &serde_json::from_str(&write_document(&offers)).unwrap()), [""; 0]);
    }
}

#[test]
fn a_bad_document_is_refused_by_place() {
    let good = r#"{"offer":"AmazonEC2","version":"1","published":"2026-11-15","prices":[
        {"region":"us-east-1","volume_type":"gp3","part":"storage","usd":"0.08"}]}"#;
    let error = |text: &str| read_document(&serde_json::from_str(text).unwrap()).unwrap_err().to_string();
    assert_eq!(read_document(&serde_json::from_str(good).unwrap()).unwrap().len(), 1);
    for (from, to, said) in [
        ("\"0.08\"", "0", "price 1 of offer 1 costs $0, which is no price"),
        (
            "\"0.08\"",
            "\"x\"",
            "price 1 of offer 1 has no \"usd\": \"x\" is not an amount of dollars with at most 15 decimals",
        ),
        ("gp3", "gp9", "price 1 of offer 1 is of an unknown item: unknown volume type \"gp9\""),
        ("\"storage\"", "\"size\"", "price 1 of offer 1 is of an unknown item: unknown part of a price \"size\""),
        (
            "gp3\",\"part\":\"storage",
            "gp2\",\"part\":\"iops",
            "price 1 of offer 1 is of an unknown item: gp2 iops has no price of its own on ec2",
        ),
        ("us-east-1", "moon", "price 1 of offer 1 has a \"region\" that does not look like us-east-1"),
        ("2026-11-15", "yesterday", "offer 1 has no \"published\" that is a date, as in 2026-10-15"),
        ("AmazonEC2", "AmazonS3", "offer 1 has an \"offer\" that is not AmazonEC2 or AmazonRDS"),
    ] {
        assert_eq!(error(&good.replace(from, to)), said);
    }
    assert_eq!(error("[]"), "the document has no prices");
    assert_eq!(error("3"), "offer 1 is no object");
    assert_eq!(error(&format!("[{good},{good}]")), "the document has gp3 storage in us-east-1 twice");
}
