//! The whole question: statements are planned, candidates tried, and what was found is said.

use ebs_tuning::indexes::statement::{MAX_STATEMENTS, may_write, readers, reads_s};
use ebs_tuning::indexes::table::ForeignKey;
use ebs_tuning::indexes::{Advice, Finding, Kind, NoPrice, Part, Planned, Scene, Sized, choose, offers, to_drop};
use ebs_workload::queries::StatementDemand;

use super::hypothetical::Hypothetical;
use super::session::{Query, Session, Settings};
use super::statements::Statement;
use super::tables::{Server, every_table, server, tables};
use crate::errors::Error;
use crate::ffi;

/// Most candidates over all statements. A choice: each is planned with at least one of them.
const MAX_CANDIDATES: usize = 400;

/// How it is asked.
pub struct Question<'a> {
    /// Where names without a schema are looked up.
    pub search_path: &'a str,
    /// Most plans.
    pub most_plans: usize,
}

/// Everything there is to say of these statements, or of none where they are not known: indexes to make, statements looked
/// at in vain, indexes to drop, what is missing.
pub fn advice(seen: Option<(Vec<Statement>, u64)>, question: &Question) -> Result<Vec<Finding>, Error> {
    let server = server()?;
    let mut scene = Scene { readers: Vec::new(), writers: Vec::new(), tables: Vec::new(), memory: server.memory };
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    match (seen, Hypothetical::find()?) {
        (Some((seen, hidden)), Ok(hypothetical)) => {
            missing.extend(unreadable(hidden));
            (found, scene) = tried(&seen, &hypothetical, question, &server)?;
        }
        (_, hypothetical) => missing.extend(hypothetical.err()),
    }
    found.extend(to_drop(&scene, &every_table()?, server.counted_s));
    found.extend(missing);
    Ok(found)
}

/// The indexes that are advised alone.
pub fn indexes(seen: (Vec<Statement>, u64), question: &Question) -> Result<Vec<Finding>, Error> {
    let Ok(hypothetical) = Hypothetical::find()? else { return Ok(Vec::new()) };
    let (mut found, _) = tried(&seen.0, &hypothetical, question, &server()?)?;
    found.retain(|finding| finding.kind == Kind::Index && finding.advised);
    Ok(found)
}

fn tried(
    seen: &[Statement],
    hypothetical: &Hypothetical,
    question: &Question,
    server: &Server,
) -> Result<(Vec<Finding>, Scene), Error> {
    let search_path = question.search_path.to_owned();
    let settings = Settings { search_path, costs: server.costs, most_plans: question.most_plans };
    hypothetical.cleanly(|| asked(seen, hypothetical, &settings, server))
}

fn unreadable(hidden: u64) -> Option<Finding> {
    let reason = format!("{hidden} statements of other roles may not be read: that takes pg_read_all_stats");
    (hidden > 0).then(|| Finding::new(Kind::Missing, reason))
}

fn asked(
    seen: &[Statement],
    hypothetical: &Hypothetical,
    settings: &Settings,
    server: &Server,
) -> Result<(Vec<Finding>, Scene), Error> {
    let mut session = Session::new(settings);
    let (scene, failed) = scene(seen, &mut session, server)?;
    let candidates: Vec<Sized> = scene
        .candidates(MAX_CANDIDATES)
        .into_iter()
        .filter_map(|candidate| {
            let made = hypothetical.make(&candidate).ok()?;
            let size = hypothetical.size(&made);
            hypothetical.drop(made);
            Some(scene.sized(candidate, size.ok()?))
        })
        .collect();
    let asked = scene.asked(&candidates);
    let mut session = session.with(hypothetical, &scene.readers, &candidates);
    let chosen = choose(&asked, &offers(&candidates), &mut session);
    let mut found = Advice { scene: &scene, candidates: &candidates, asked: &asked, chosen: &chosen }.findings();
    found.iter_mut().for_each(|finding| check_command(finding, &candidates));
    found.extend(failed);
    Ok((found, scene))
}

/// Takes back a command that is not exactly one CREATE INDEX on its table: what is shown is what somebody will run.
fn check_command(finding: &mut Finding, candidates: &[Sized]) {
    let Some(command) = finding.command.clone() else { return };
    let checked = candidates
        .iter()
        .find(|of| of.candidate.command() == command)
        .map_or_else(|| Err("no candidate has it".to_owned()), |of| ffi::check_index(&command, of.candidate.table_oid));
    if let Err(reason) = checked {
        (finding.command, finding.advised) = (None, false);
        finding.reason = format!("the index is not shown: {reason}");
    }
}

/// Plans what reads most and what writes most; what could not be planned is said.
fn scene(seen: &[Statement], session: &mut Session, server: &Server) -> Result<(Scene, Vec<Finding>), Error> {
    let demands: Vec<StatementDemand> = seen.iter().map(|of| of.demand.clone()).collect();
    let (mut read, mut failed) = (Vec::new(), Vec::new());
    for of in readers(&demands).into_iter().map(|index| &seen[index]) {
        match planned(of, session) {
            Ok(planned) if own(&planned) => {}
            Ok(planned) => read.push(planned),
            Err(message) => failed.push(not_planned(of, message)),
        }
    }
    let mut changing: Vec<&Statement> = seen.iter().filter(|of| may_write(&of.text) && of.demand.rows > 0).collect();
    changing.sort_by_key(|of| std::cmp::Reverse(of.demand.rows));
    let same = |planned: &&Planned, of: &Statement| planned.demand == of.demand;
    let writers: Vec<Planned> = changing
        .into_iter()
        .take(MAX_STATEMENTS)
        .filter_map(|of| read.iter().find(|known| same(known, of)).cloned().or_else(|| planned(of, session).ok()))
        .collect();
    let mut scene = Scene { readers: read, writers, tables: Vec::new(), memory: server.memory };
    scene.tables = tables(&names(&scene))?;
    // A foreign key's look-ups are statements of their own where those inside of others are counted.
    if seen.iter().all(|of| of.demand.top_level) {
        look_ups(&mut scene, session);
        scene.tables = tables(&names(&scene))?;
    }
    Ok((scene, failed))
}

fn planned(of: &Statement, session: &mut Session) -> Result<Planned, String> {
    if let Some(foreign) = &of.foreign {
        return Err(foreign.clone());
    }
    let query = Query { text: &of.text, role: of.demand.user_id, limit: rows_a_call(&of.demand) };
    let part = session.part(&query, 1.0).map_err(words)?;
    Ok(Planned { demand: of.demand.clone(), text: of.text.clone(), parts: vec![part] })
}

/// Whether it asks nothing but what the server, or this extension, keeps for itself.
fn own(planned: &Planned) -> bool {
    let uses = planned.uses();
    let theirs = |schema: &str| schema.starts_with("pg_") || schema == "information_schema" || schema == "ebs";
    !uses.is_empty() && uses.iter().all(|of| theirs(&of.relation.schema))
}

fn words(refused: NoPrice) -> String {
    match refused {
        NoPrice::Failed(message) => message,
        NoPrice::OutOfPlans => "plans ran out (max_plans)".to_owned(),
    }
}

fn not_planned(of: &Statement, message: String) -> Finding {
    Finding {
        query_id: Some(of.demand.query_id),
        statement: Some(of.text.clone()),
        reads_s: Some(reads_s(&of.demand)),
        ..Finding::new(Kind::Statement, format!("not planned: {message}"))
    }
}

/// The tables that statements read or change.
fn names(scene: &Scene) -> Vec<(String, String)> {
    let all = || scene.readers.iter().chain(&scene.writers);
    let read = all().flat_map(Planned::uses).map(|of| (of.relation.schema, of.relation.name));
    let changed = all().filter_map(Planned::changed_table).map(|(schema, table)| (schema.to_owned(), table.to_owned()));
    let mut names: Vec<(String, String)> = read.chain(changed).collect();
    names.sort();
    names.dedup();
    names
}

/// Adds to each DELETE what its table's foreign keys look up, once for each row that it deletes.
fn look_ups(scene: &mut Scene, session: &mut Session) {
    let keys = |planned: &Planned| -> Vec<ForeignKey> {
        let table = planned.deletes_from().and_then(|(schema, table)| scene.table(schema, table));
        table.map(|table| table.referenced_by.clone()).unwrap_or_default()
    };
    let keys: Vec<Vec<ForeignKey>> = scene.readers.iter().map(keys).collect();
    for (planned, keys) in scene.readers.iter_mut().zip(keys) {
        let times = rows_a_call(&planned.demand).unwrap_or(0.0);
        let role = planned.demand.user_id;
        let query = |key: &ForeignKey| session.part(&Query { text: &key.look_up, role, limit: None }, times).ok();
        let parts = keys.iter().filter_map(query);
        let parts: Vec<Part> = parts.collect();
        planned.parts.extend(parts);
    }
}

fn rows_a_call(of: &StatementDemand) -> Option<f64> {
    of.per_call(of.rows as f64)
}
