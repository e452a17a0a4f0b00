# The calls below NEXT, and the statements of next_statements, run as they are printed, and give the same volumes: on RDS, in another
# region, of runs whose labels have quotes and blanks.
sampling </dev/null

# Ten minutes of 2,100 reads a second.
imported() {
  cluster_sql "SELECT ebs_import_samples($1, 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01' + i * interval '1 s',
    'reads', 2100 + i % 50, 'writes', 0, 'read_bytes', (2100 + i % 50) * 8192, 'write_bytes', 0, 'read_ms', 1500, 'write_ms', 0) ORDER BY i))
    FROM generate_series(1, 600) i" >/dev/null
}

# next_calls ARGUMENTS: the calls below NEXT, a line each; of `… or 'all'` the first.
next_calls() {
  cluster_sql "SELECT ebs_advise($1)" | sed -n '/^NEXT/,$p' | cut -c14- | tr '\n' ' ' | sed "s/ or 'all'//g; s/ · /\n/g; s/ $//" | grep '^ebs_'
}

# statements ARGUMENTS: those of the document.
statements() { cluster_sql "SELECT jsonb_array_elements_text(ebs_advise_json($1) -> 'next_statements')"; }

# price ARGUMENTS: dollars a month of the recommended volume.
price() { cluster_sql "SELECT usd_month FROM ebs_options_detail($1) WHERE rank = 1"; }

# same ARGUMENTS STATEMENT: its answer has that price; ebs_whatif and ebs_io_mix answer, and the commands are those of the platform.
same() {
  local answer
  answer=$(cluster_sql "$2") || return
  case $2 in
    *"'commands'"*) grep -F 'aws rds modify-db-instance' <<<"$answer" ;;
    *ebs_io_mix* | *ebs_whatif*) test -n "$answer" ;;
    *) grep -F "$(price "$1")" <<<"$answer" ;;
  esac
}

# each_same LABEL ARGUMENTS: a check for each call and each statement.
each_same() {
  local arguments="$1, $2, min_size_gib => 100" line
  imported "$1"
  check "$arguments is not what EC2 costs" test "$(price "$arguments")" != "$(price "$1, min_size_gib => 100")"
  check "calls are printed for $arguments" test -n "$(next_calls "$arguments")"
  while read -r line; do
    check "$line" same "$arguments" "SELECT * FROM $line"
  done < <(next_calls "$arguments")
  check "five statements of $arguments" test "$(statements "$arguments" | wc -l)" = 5
  while read -r line; do
    check "$line" same "$arguments" "$line"
  done < <(statements "$arguments")
}

each_same "'x'" "platform => 'rds'"
each_same "'o''neill''s, run (2)'" "platform => 'rds', instance => 'db.r6i.large', region => 'eu-west-1'"
each_same "E'a\\\\b\\u202Ec'" "platform => 'rds'"
