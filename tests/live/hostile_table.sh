# Whoever owns the database the sampler writes to must not become superuser by it.
fresh <<CONF
ebs_advisor.database = 'theirs'
$(disk_settings)
CONF
cluster_sql 'CREATE ROLE mallory LOGIN'
cluster_sql 'CREATE DATABASE theirs OWNER mallory'
columns='block_id bigint GENERATED ALWAYS AS IDENTITY, started_at timestamptz, ended_at timestamptz, ticks integer,
  format smallint, samples bytea, run_id bigint'
trap_function="CREATE FUNCTION %s RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN ALTER ROLE mallory SUPERUSER; RETURN NEW; END \$\$"
mallory() { cluster_psql -d theirs -qAtX -v ON_ERROR_STOP=1 -c "SET SESSION AUTHORIZATION mallory" -c "$1"; }
mallory "CREATE SCHEMA ebs; CREATE TABLE ebs.sample_block ($columns);"
mallory "${trap_function/\%s/ebs.climb()}"
mallory "CREATE TRIGGER climb BEFORE INSERT ON ebs.sample_block FOR EACH ROW EXECUTE FUNCTION ebs.climb()"
# A sampler writes as soon as it has begun, and what it has before it ends: there is one, and it has ended.
setting() { cluster_sql "ALTER SYSTEM SET ebs_advisor.enabled = $1"; cluster_sql 'SELECT pg_reload_conf()' >/dev/null; }
sampler="EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler' AND datname = 'theirs')"
cluster_await "SELECT $sampler"
setting off
cluster_await "SELECT NOT $sampler"
super="SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory'"
check "a table that only looks like ours is not written to" is "$super" f
check "nor anything in it" test "$(cluster_sql 'SELECT count(*) FROM ebs.sample_block' theirs)" = 0
mallory 'SET client_min_messages = warning; DROP SCHEMA ebs CASCADE'
setting on

# Our own table, given away: what its owner attaches to it runs with the owner's rights.
cluster_sql 'CREATE EXTENSION ebs_advisor' theirs
cluster_sql 'ALTER TABLE ebs.sample_block OWNER TO mallory; GRANT USAGE ON SCHEMA ebs TO mallory' theirs
mallory "${trap_function/\%s/public.climb()}" || cluster_sql "${trap_function/\%s/public.climb()}" theirs
cluster_sql "CREATE TRIGGER climb BEFORE INSERT ON ebs.sample_block FOR EACH ROW EXECUTE FUNCTION public.climb()" theirs
# Said once the sampler has tried to write.
check "the status says why nothing is written" cluster_await \
  "SELECT count(*) = 1 FROM ebs_status() WHERE \"check\" = 'samples' AND NOT ok AND hint LIKE '%permission denied%'" theirs
check "a trigger on a table that was given away does not run as superuser" is "$super" f

# The table of the histograms, given away alone.
cluster_sql 'DROP TRIGGER climb ON ebs.sample_block; ALTER TABLE ebs.sample_block OWNER TO postgres' theirs
cluster_await "SELECT ok AND (SELECT count(*) > 0 FROM ebs_demand_histogram()) FROM ebs_status() WHERE \"check\" = 'samples'" theirs
cluster_sql 'ALTER TABLE ebs.demand_bin OWNER TO mallory' theirs
cluster_sql "CREATE TRIGGER climb BEFORE INSERT OR UPDATE ON ebs.demand_bin FOR EACH ROW EXECUTE FUNCTION public.climb()" theirs
check "the status says why no histogram is written" cluster_await \
  "SELECT count(*) = 1 FROM ebs_status() WHERE \"check\" = 'samples' AND NOT ok AND hint LIKE '%permission denied%'" theirs
check "nor does a trigger on the table of the histograms run as superuser" is "$super" f
