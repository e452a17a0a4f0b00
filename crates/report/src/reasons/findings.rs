//! Sentences of findings: subject, measurement, reason and remedy of each cause of I/O.

use ebs_base::format::{count, ms, plain, rate, share, size, usd};
use ebs_base::units::MIB;
use ebs_tuning::findings::{
    AutovacuumIo, Cause, Finding, ForcedCheckpoints, PageMisses, Saving, SpillRemedy, StatementName, StatementReads,
    TemporaryFiles,
};
use ebs_tuning::indexes::{self, command_text::check_text};

use super::indexes::describe_reason as describe_index_reason;
use crate::Arguments;
use crate::calls::Function;

/// Maximum length of a statement's text in a subject, characters.
const MAX_SUBJECT: usize = 70;
/// Maximum length of a statement's text in a measurement, characters.
const MAX_STATEMENT: usize = 80;

/// Describes the subject of a finding: a statement, a table, a setting.
pub fn describe_subject(finding: &Finding) -> String {
    match &finding.cause {
        Cause::MissingIndex(index) => format!("a missing index on {}", index.table.as_deref().unwrap_or_default()),
        Cause::Statement(reads) => statement(&reads.statement),
        Cause::TemporaryFiles(files) => files.heaviest.as_ref().map_or("all statements".to_owned(), statement),
        Cause::Checkpoints(_) => "max_wal_size".to_owned(),
        Cause::Pages(pages) => pages.table.clone(),
        Cause::Autovacuum(_) => "autovacuum".to_owned(),
    }
}

/// Describes the figures that a finding rests on.
pub fn describe_measurement(finding: &Finding) -> String {
    match &finding.cause {
        Cause::MissingIndex(index) => index_reads(index),
        Cause::Statement(reads) => statement_reads(reads),
        Cause::TemporaryFiles(files) => temporary_files(files),
        Cause::Checkpoints(forced) => forced_checkpoints(forced),
        Cause::Pages(pages) => page_misses(pages),
        Cause::Autovacuum(AutovacuumIo { read_s, written_s }) => {
            format!("{} MiB/s read, {} written", size(read_s / MIB as f64), size(written_s / MIB as f64))
        }
    }
}

/// Describes the reason of a finding, and the assumptions of its estimate.
pub fn describe_reason(finding: &Finding) -> String {
    match &finding.cause {
        Cause::MissingIndex(index) => describe_index_reason(index),
        Cause::Statement(reads) => format!(
            "it reads {} blocks for {} rows; how few would do depends on its plan",
            count(reads.blocks_read as f64),
            count(reads.rows as f64)
        ),
        Cause::TemporaryFiles(_) => {
            "sorts and hashes larger than work_mem; at most all of it was on the device, at least the files' size less what \
             was dropped before it was written"
                .to_owned()
        }
        Cause::Checkpoints(forced) => format!(
            "{} times as often as by checkpoint_timeout: after each, every page changed goes to WAL whole and is written \
             again. At most so many fewer, were the same pages changed all the time; nothing, were they others each time",
            size(forced.times_as_often)
        ),
        Cause::Pages(pages) => format!(
            "each dirties another page of the table and one of each index ({}); at most so many writes, as if none of these \
             pages were dirtied by anything else before a checkpoint",
            count(pages.indexes.into())
        ),
        Cause::Autovacuum(_) => {
            "its work has to be done, and nothing is saved by leaving it; its peaks can be made flatter".to_owned()
        }
    }
}

/// Describes the saving: `60 % of the device's requests · saves 80 to 200 device requests/s (estimated) · $12.00 a month less`. The demand of
/// the report is in requests as EBS counts them, which may merge many of the device's.
pub fn describe_effect(finding: &Finding) -> String {
    let part = finding.share.map(|part| format!("{} of the device's requests", share(part)));
    let saved = finding.saving.map(|saving| format!("saves {} device requests/s (estimated)", saved_requests(&saving)));
    let dollars = finding.usd_month_saved.map(|dollars| format!("{} a month less", usd(dollars)));
    let words: Vec<String> = [part, saved, dollars].into_iter().flatten().collect();
    if finding.saving.is_none() && finding.usd_month_saved.is_none() {
        return format!("{} · {}", words.join(" · "), describe_reason(finding));
    }
    words.join(" · ")
}

fn saved_requests(saving: &Saving) -> String {
    if saving.low > 0.0 {
        format!("{} to {}", rate(saving.low), rate(saving.high))
    } else {
        format!("at most {}", rate(saving.high))
    }
}

/// Describes the remedy of a finding, in calls with the arguments of its report.
pub fn describe_remedy(finding: &Finding, arguments: &Arguments) -> String {
    match &finding.cause {
        Cause::MissingIndex(index) => index.command.clone().unwrap_or_default(),
        Cause::Statement(_) => {
            let call = arguments.call(Function::IndexAdvice);
            format!("SELECT * FROM {call}; says whether an index would help")
        }
        Cause::TemporaryFiles(files) => spill_remedy(&files.remedy),
        Cause::Checkpoints(forced) => format!(
            "ALTER SYSTEM SET max_wal_size = '{}GB'; SELECT pg_reload_conf(); enough for WAL with as many images as now, less \
             may do; takes that much on the WAL's volume, and longer to recover",
            forced.max_wal_size_gib
        ),
        Cause::Pages(PageMisses { table, fillfactor, .. }) => format!(
            "ALTER TABLE {} SET (fillfactor = {fillfactor}); holds for new pages: VACUUM FULL rewrites the others",
            name_in_command(table)
        ),
        Cause::Autovacuum(_) => "autovacuum_vacuum_cost_limit and autovacuum_vacuum_cost_delay pace it".to_owned(),
    }
}

/// A name as users may copy it; that of an imported run may be any text.
fn name_in_command(name: &str) -> &str {
    if check_text(name).is_ok() { name } else { "…" }
}

/// Names a statement: `statement 42 of app: SELECT …`.
fn statement(name: &StatementName) -> String {
    let role = name.role.as_ref().map(|role| format!(" of {role}")).unwrap_or_default();
    let text = name.text.as_ref().map(|text| format!(": {}", shortened(text, MAX_SUBJECT))).unwrap_or_default();
    plain(&format!("statement {}{role}{text}", name.query_id))
}

/// Returns the beginning of a text, on one line.
fn shortened(text: &str, max: usize) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", &words[..at]),
        None => words,
    }
}

fn index_reads(index: &indexes::Finding) -> String {
    format!(
        "a statement reads {} pages/s, an estimated {} a call: {}",
        rate(index.reads_s.unwrap_or(0.0)),
        rate(index.before.as_ref().map_or(0.0, |price| price.pages)),
        shortened(index.statement.as_deref().unwrap_or_default(), MAX_STATEMENT)
    )
}

fn statement_reads(reads: &StatementReads) -> String {
    let each = reads.read_ms_per_call.map(|each| format!(", {} ms each", ms(each))).unwrap_or_default();
    format!(
        "{} reads/s at the device: {} executions/s that read {} blocks{each}",
        rate(reads.reads_s),
        rate(reads.calls_s),
        size(reads.blocks_per_call),
    )
}

fn temporary_files(files: &TemporaryFiles) -> String {
    let read = files.read_s.map(|bytes| format!(", {} read", size(bytes / MIB as f64))).unwrap_or_default();
    let by = match files.statements {
        0 | 1 => String::new(),
        many => format!(", by {} statements, most by this", count(many as f64)),
    };
    format!("{} MiB/s of temporary files written{read}{by}", size(files.written_s / MIB as f64))
}

fn spill_remedy(remedy: &SpillRemedy) -> String {
    match remedy {
        SpillRemedy::FindStatement => {
            "log_temp_files = 0 logs who writes them; pg_stat_statements would tell with the run".to_owned()
        }
        SpillRemedy::FewerRows { bytes_per_call } => format!(
            "{} MiB an execution: more than work_mem should be; an index in its order, or fewer rows",
            count(bytes_per_call / MIB as f64)
        ),
        SpillRemedy::WorkMem { role, mib } => {
            let role = role.as_deref().map_or("its_role".to_owned(), identifier);
            format!(
                "ALTER ROLE {role} SET work_mem = '{mib}MB'; at least: it is taken by each sort and hash of each session"
            )
        }
    }
}

/// Quotes a name for SQL where it needs quotes.
fn identifier(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

fn forced_checkpoints(forced: &ForcedCheckpoints) -> String {
    let compressed = if forced.compressed { " at most, uncompressed" } else { "" };
    format!(
        "{} checkpoints in {} s forced by WAL; full-page images are {}{compressed} of WAL, checkpoints write {} MiB/s",
        count(forced.count),
        count(forced.seconds),
        share(forced.image_share),
        size(forced.write_bytes_s / MIB as f64),
    )
}

fn page_misses(pages: &PageMisses) -> String {
    format!(
        "{} of {} updates/s went to another page ({}), {} were heap-only",
        rate(pages.missed_s),
        rate(pages.updated_s),
        share(pages.missed_share),
        share(pages.hot_share),
    )
}

#[cfg(test)]
#[path = "findings_tests.rs"]
mod tests;
