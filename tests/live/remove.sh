# docs/remove.md: its statements in its order, and what it says of other orders. Library and scripts are copies over PostgreSQL's own,
# in this test's namespace, because they go; without a namespace they stay, and so the steps without them are left out.
extension_goes=
if [ "${LIVE_NAMESPACE:-}" = inside ]; then
  extension_goes=yes
  for directory in "$("$PG_BIN/pg_config" --pkglibdir)" "$("$PG_BIN/pg_config" --sharedir)/extension"; do
    cp -a "$directory" "$SCRATCH/"
    mount --bind "$SCRATCH/$(basename "$directory")" "$directory"
  done
fi
run_block() { cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -f - <<<"$(page_block docs/remove.md "$1")"; }
restarted() { cluster_stop; cluster_start; }
sampling </dev/null
cluster_sql "CREATE ROLE dba; GRANT pg_monitor TO dba; GRANT EXECUTE ON FUNCTION ebs_run_begin, ebs_run_end TO dba;
  CREATE ROLE grafana; GRANT EXECUTE ON FUNCTION ebs_advise TO grafana"
set_to track_role on sample_interval 500ms
cluster_sql "SELECT ebs_run_begin('kept')" >/dev/null

check "a role that was granted a function cannot be dropped first" matches 'DROP ROLE grafana' 'cannot be dropped because some objects depend on it'
cluster_sql 'CREATE VIEW mine AS SELECT label FROM ebs.runs'
check "nor the extension before a view on its tables" matches 'DROP EXTENSION ebs_advisor' 'view mine depends on view ebs.runs'
cluster_sql 'DROP VIEW mine'
check "an open run is not exported" matches "SELECT ebs_run_export('*')" 'run "kept" is still open'
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "an ended one is" matches "SELECT ebs_run_export('*')" '"label": "kept"'
cluster_sql "SELECT ebs_run_begin('open')" >/dev/null
check "the extension goes, though a run is open" run_block 'DROP EXTENSION'
check "schema ebs goes with it" is "SELECT count(*) FROM pg_namespace WHERE nspname = 'ebs'" 0
check "then the roles" run_block 'DROP ROLE'
check "and the settings" run_block 'ALTER SYSTEM RESET ebs_advisor'
check "of which none is left" is "SELECT count(*) FROM pg_file_settings WHERE name ~ '^ebs_advisor[.]' AND sourcefile ~ 'auto.conf$'" 0
check "as without preloading" matches 'SELECT ebs_advise()' 'function ebs_advise\(\) does not exist'

# The cluster's own postgresql.conf has the list: the page has the administrator take it out of there.
run_block 'ALTER SYSTEM SET shared_preload_libraries'
check "the file that has the list still is named" test "$(run_block 'sourcefile, sourceline')" = \
  "$CLUSTER/data/postgresql.conf|$(cluster_run grep -n '^shared_preload' data/postgresql.conf | cut -d: -f1)|ebs_advisor"

if [ -n "$extension_goes" ]; then
  cluster_sql 'CREATE EXTENSION ebs_advisor'
  "$ROOT/scripts/uninstall" "$PG_BIN/pg_config"
  check "without the library functions fail" matches 'SELECT ebs_advise()' 'could not access file .*ebs_advisor'
  cluster_stop
  starts() { cluster_start 2>"$SCRATCH/start.log"; }
  check "and a server that preloads it does not start" eval '! starts'
  check "by this error" grep -qF 'FATAL:  could not access file "ebs_advisor": No such file or directory' "$SCRATCH/start.log"
  check "but without preloading" cluster_run "$PG_BIN/pg_ctl" --pgdata data --log server.log --wait --options '-c shared_preload_libraries=' start
  check "and drops the extension without it" run_block 'DROP EXTENSION'
  check "which cannot be created again" matches 'CREATE EXTENSION ebs_advisor' 'extension "ebs_advisor" is not available'
  cluster_run sed -i '/^shared_preload_libraries/d' data/postgresql.conf
  check "step 4 then finds nothing to do" prints_nothing run_block 'ALTER SYSTEM SET shared_preload_libraries'
  check "and the server starts as ever" restarted
  check "nothing is left" prints_nothing find "$SCRATCH/lib" "$SCRATCH/extension" -name 'ebs_advisor*'
else
  skip "the library stays: there is no namespace for a copy of it"
fi
cluster_sql "ALTER SYSTEM SET shared_preload_libraries = ''"
cluster_stop
cluster_start 2>"$SCRATCH/start.log" || true
check "a list that is set to nothing is one library without a name" grep -qF 'FATAL:  could not access file "": No such file or directory' "$SCRATCH/start.log"

# Programs: what make installs below /usr/local, make takes out.
export DESTDIR=$SCRATCH/root
install -D "$(program ebsctl)" "$DESTDIR/usr/local/bin/ebsctl"
"$ROOT/scripts/ebsctl-pages" "$DESTDIR/usr/local/bin/ebsctl" "$DESTDIR/usr/local"
for name in ebs-nvme-stats ebs-emulator; do install -D "$(program $name)" "$DESTDIR/usr/local/sbin/$name"; done
install -D "$ROOT/nvme/ebs-nvme-stats.service" "$DESTDIR/usr/local/lib/systemd/system/ebs-nvme-stats.service"
enabled=$DESTDIR/etc/systemd/system/multi-user.target.wants/ebs-nvme-stats.service
mkdir -p "$(dirname "$enabled")"
ln -s /usr/local/lib/systemd/system/ebs-nvme-stats.service "$enabled"
check "a unit that is enabled is not taken away" eval '! "$ROOT/scripts/uninstall" ebs-nvme-stats'
rm "$enabled"
for name in ebsctl ebs-nvme-stats ebs-emulator; do check "$name goes" "$ROOT/scripts/uninstall" "$name"; done
check "no file of the programs is left" prints_nothing find "$DESTDIR" -type f
