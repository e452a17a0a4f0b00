//! Ways to the counters of block devices over SQL.

use ebs_base::identifier::identifier;

use crate::query::Query;

/// Most bytes of a file of /proc or /sys that are read: a machine of 1,000 disks has 100 KiB of diskstats.
pub(crate) const MAX_FILE_BYTES: u32 = 1 << 20;

/// Source of device counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceSource {
    /// pg_read_file (superusers, or pg_read_server_files with EXECUTE on the function).
    Files,
    /// Functions of pg_proctab, in this schema, an identifier in quotes.
    Proctab(String),
    /// None, for this reason.
    Unknown(String),
}

impl DeviceSource {
    /// Functions of pg_proctab in the schema of this name, as [`PROCTAB_QUERY`] gives it.
    pub fn proctab(schema: &str) -> DeviceSource {
        DeviceSource::Proctab(identifier(schema))
    }

    /// SQL expression for the text of /proc/diskstats; NULL where devices are unknown.
    pub fn diskstats(&self) -> String {
        match self {
            DeviceSource::Files => file("'/proc/diskstats'"),
            // Its columns are the first fourteen of the file, in the file's order.
            DeviceSource::Proctab(schema) => format!(
                "(SELECT pg_catalog.string_agg(pg_catalog.concat_ws(' ', d.major, d.minor, d.devname, d.reads_completed, \
                 d.reads_merged, d.sectors_read, d.readtime, d.writes_completed, d.writes_merged, d.sectors_written, \
                 d.writetime, d.current_io, d.iotime, d.totaliotime), E'\\n') FROM {schema}.pg_diskusage() d)"
            ),
            DeviceSource::Unknown(_) => "NULL".to_owned(),
        }
    }
}

/// SQL expression for the content of a file, whose path is an SQL expression; NULL where it does not exist. Files of /proc and /sys
/// have no size, so that the length to read is given.
pub(crate) fn file(path: &str) -> String {
    format!("pg_catalog.pg_read_file({path}, 0, {MAX_FILE_BYTES}, true)")
}

/// Query of the schema of pg_proctab's functions: an extension's, or a superuser's. A function that another role made would run with the
/// rights of the role that is connected, so that a schema with such a one is not taken.
pub const PROCTAB_QUERY: &str = "
    SELECT n.nspname::text AS value
    FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
    JOIN pg_catalog.pg_roles owner ON owner.oid = p.proowner
    WHERE p.proname = 'pg_diskusage' AND p.pronargs = 0 AND p.proretset
      AND p.proargnames @> '{major,minor,devname,reads_completed,reads_merged,sectors_read,readtime,writes_completed,writes_merged,sectors_written,writetime,current_io,iotime,totaliotime}'::text[]
      AND (owner.rolsuper OR EXISTS (
        SELECT FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
        WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype = 'e'
          AND d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND e.extname = 'pg_proctab'))
      AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE')
      AND NOT EXISTS (
        SELECT FROM pg_catalog.pg_proc f JOIN pg_catalog.pg_roles maker ON maker.oid = f.proowner
        WHERE f.pronamespace = n.oid AND f.proname IN ('pg_diskusage', 'pg_cputime', 'pg_proctab') AND NOT maker.rolsuper
          AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
            WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = f.oid AND d.deptype = 'e'
              AND d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND e.extname = 'pg_proctab'))
    ORDER BY n.nspname LIMIT 1";

/// Query of a probe of pg_read_file: its one value is the beginning of diskstats.
pub fn probe_query(source: &DeviceSource) -> Query {
    Query::new(format!("SELECT pg_catalog.left({}, 100) AS value", source.diskstats()))
}
