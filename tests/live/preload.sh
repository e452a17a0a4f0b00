# The statements of docs/install.md and docs/remove.md that add the library to shared_preload_libraries and take it out: whatever else is
# preloaded stays, in its order. They are read out of the pages.
# On every major: it is PostgreSQL that writes and reads the list.
add=$(page_block docs/install.md shared_preload_libraries)
remove=$(page_block docs/remove.md shared_preload_libraries)
fresh <<<"shared_preload_libraries = ''"
# A name that needs quotes: of a library that every PostgreSQL has.
cluster_run mkdir 'a, b'
install -m 755 "$("$PG_BIN/pg_config" --pkglibdir)/dict_snowball.so" "$CLUSTER/a, b/it's \"c\".so"
quoted="\"$CLUSTER/a, b/it''s \"\"c\"\".so\""

# listed LIST: starts the server with that list in postgresql.conf, quoted as there, and nothing of ALTER SYSTEM.
listed() {
  cluster_stop
  cluster_run sed -i '/^shared_preload_libraries/d' data/postgresql.conf data/postgresql.auto.conf
  printf "shared_preload_libraries = '%s'\n" "$1" | cluster_run tee -a data/postgresql.conf >/dev/null
  cluster_start
}
preloaded() { cluster_sql 'SHOW shared_preload_libraries'; }
# run_block STATEMENT: as it is pasted into psql.
run_block() { cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -f - <<<"$1"; }
restarted() { cluster_stop; cluster_start; }
# becomes LIST STATEMENT LIST: the first list is the second after the statement and a restart.
becomes() {
  listed "$1" && run_block "$2" && restarted || return 1
  [ "$(preloaded)" = "$3" ] || { printf 'preloaded: %s\nnot:       %s\n' "$(preloaded)" "$3"; return 1; }
}
unquoted=${quoted//\'\'/\'}
check "added to an empty list" becomes '' "$add" 'ebs_advisor'
cluster_sql 'CREATE EXTENSION ebs_advisor'
check "it is preloaded then" is "SELECT ok FROM ebs_status() WHERE \"check\" = 'preload'" t
run_block "$remove"
check "taken out as the only one, and the server starts" restarted
check "and preloads nothing" is 'SHOW shared_preload_libraries' ''
check "added behind another" becomes 'libpqwalreceiver' "$add" 'libpqwalreceiver, ebs_advisor'
check "and taken out" becomes 'ebs_advisor, libpqwalreceiver' "$remove" 'libpqwalreceiver'
check "added behind several, with a name that needs quotes" becomes "libpqwalreceiver ,$quoted" "$add" "libpqwalreceiver, $unquoted, ebs_advisor"
check "and taken out from between them" becomes "libpqwalreceiver,\"\$libdir/ebs_advisor\" , $quoted" "$remove" "libpqwalreceiver, $unquoted"
check "another library is added by its name, as docs/queries.md says" becomes \
  'libpqwalreceiver' "${add//ebs_advisor/plpgsql}" 'libpqwalreceiver, plpgsql'
check "not added where it is" becomes 'ebs_advisor,libpqwalreceiver' "$add" 'ebs_advisor,libpqwalreceiver'
check "nor where it is by its path" becomes '$libdir/ebs_advisor' "$add" '$libdir/ebs_advisor'
check "not taken out where it is not" becomes 'libpqwalreceiver' "$remove" 'libpqwalreceiver'

# What was set and waits for a restart is in the files only.
listed ''
cluster_sql "ALTER SYSTEM SET shared_preload_libraries = 'libpqwalreceiver'"
run_block "$add" && run_block "$add" && restarted
check "added to a list that waits for a restart, once" is 'SHOW shared_preload_libraries' 'libpqwalreceiver, ebs_advisor'
cluster_stop
cluster_run sed -i 's/^shared_preload_libraries/Shared_Preload_Libraries/' data/postgresql.auto.conf
cluster_start
run_block "$remove" && restarted
check "however the files write the name of the setting" is 'SHOW shared_preload_libraries' libpqwalreceiver
