# One run: a setting, a workload, and the window over which both are measured. Sourced.

READING=15           # seconds that stand for a cycle where a workload only reads
STRETCH=3            # seconds over which reads per transaction are compared
LONGEST_SETTLING=20  # seconds beyond which we do not wait for those of a workload that only reads to settle

# now: seconds since 1970, with microseconds.
now() { echo "$EPOCHREALTIME"; }

# since TIME: whole seconds that have gone by.
since() { echo $((${EPOCHREALTIME%.*} - ${1%.*})); }

# pause SECONDS: sleeps without a process of its own, by a read that times out.
exec {NEVER}<> <(:)
pause() { read -r -t "$1" -u "$NEVER" || true; }

# reads_per_transaction: over one stretch from now on.
reads_per_transaction() {
  local from reads to seconds transactions latency
  from=$(now); reads=$(volume_reads)
  pause "$STRETCH"
  to=$(now); reads=$(($(volume_reads) - reads))
  # One line of the driver more than the stretch holds whole.
  read -r seconds transactions latency < <(progress_between "$(awk -v t="$from" 'BEGIN { printf "%.6f", t - 1 }')" "$to")
  awk -v reads="$reads" -v s="$seconds" -v n="$transactions" -v length_s="$STRETCH" \
    'BEGIN { print (n > 0 ? reads / (n / s * length_s) : -1) }'
}

# settle FROM: until two stretches in a row agree within 10 %, and no longer than LONGEST_SETTLING since FROM. Sets STEADY.
settle() {
  local before=-1 reads
  STEADY=false
  while :; do
    reads=$(reads_per_transaction)
    if awk -v a="$before" -v b="$reads" 'BEGIN { d = a - b; exit !(a > 0 && (d < 0 ? -d : d) <= 0.1 * a) }'; then
      STEADY=true
      return
    fi
    [ "$(since "$1")" -lt "$LONGEST_SETTLING" ] || return 0
    before=$reads
  done
}

# wait_for_checkpoint WHICH: until the one that was begun is done; refuses the run where that takes more than a minute more.
wait_for_checkpoint() {
  local from
  from=$(now)
  until checkpoint_done; do
    [ "$(since "$from")" -lt 75 ] || { REFUSED="the checkpoint $1 took more than $((CYCLE + 75)) s"; return 0; }
    still_driven
    [ -z "$REFUSED" ] || return 0
    pause 0.1
  done
}

# still_driven: refuses the run where the driver has ended.
still_driven() { driver_alive || REFUSED="the load driver ended: $(tail -n 1 "$WORK/progress" | cut -d' ' -f2- | tr -d "'")"; }

# warm_up WORKLOAD READ_MS LIMIT: the cache on a fast volume, because filling it through a cap takes minutes; then the setting,
# and with it one cycle of a workload that writes, so that what is deferred is deferred as it always is.
warm_up() {
  pause 4
  # What the fast volume let it dirty would take a low cap minutes to write.
  workload_only_reads "$1" || cluster_sql CHECKPOINT
  volume_set "$2" "$3"
  local from
  from=$(now)
  if ! workload_only_reads "$1"; then
    checkpoint_begin
    pause $((CYCLE - 2 * STRETCH))
    # No longer than a cycle: what is dirtied in a longer one would be written in the window.
    LONGEST_SETTLING=$CYCLE settle "$from"
    wait_for_checkpoint "before the window"
  else
    settle "$from"
  fi
}

# cycles WORKLOAD COUNT: lets that many checkpoints pass, each from where it begins.
cycles() {
  local cycle
  for ((cycle = 0; cycle < $2; cycle++)); do
    if workload_only_reads "$1"; then
      pause "$READING"
    else
      checkpoint_begin
      pause "$CYCLE"
      wait_for_checkpoint "in the window"
    fi
    [ -z "$REFUSED" ] || return 0
  done
}

# window WORKLOAD CYCLES RUN LABEL: as long as it must be, with whole checkpoints in it.
window() {
  local from to cpu emulator_cpu seconds transactions latency p99=-
  volumes stats --reset >/dev/null
  cluster_sql "SELECT ebs_run_begin('$4')" >/dev/null
  read_counters "$3" begin "$1"
  from=$(now); cpu=$(driver_cpu_ns); emulator_cpu=$(volume_cpu_ns)
  cycles "$1" "$2"
  still_driven
  [ -z "$REFUSED" ] || return 0
  to=$(now); cpu=$(($(driver_cpu_ns) - cpu)); emulator_cpu=$(($(volume_cpu_ns) - emulator_cpu))
  read_counters "$3" end "$1"
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
  local said
  said=$(volumes stats --check) || REFUSED="the emulator could not keep up: ${said//\'/}"
  read -r seconds transactions latency < <(progress_between "$from" "$to")
  [ "$1" != TPROCC ] || read -r seconds transactions < <(server_progress "$3")
  [ "$seconds" != 0.000 ] || { REFUSED="the load driver said nothing"; return 0; }
  [ -z "$(workload_rate "$1")" ] || p99=$(transactions_p99 "$from" "$to")
  cluster_sql "UPDATE validation.run SET steady = $STEADY, window_s = $seconds, tps = $transactions / $seconds,
      latency_ms = nullif('$latency', '-')::float8, p99_ms = nullif('$p99', '-')::float8, driver_cpu_s = $cpu / 1e9,
      emulator_cpu_s = $emulator_cpu / 1e9, emulator = '$("$EMULATOR" stats "$VOLUME_NAME" --json)' WHERE run_id = $3"
  alone "$3"
  cluster_sql "SELECT validation.keep_waits($3, '$4')" >/dev/null
  cluster_sql "SELECT ebs_run_result('$4', tps => tps, latency_ms => latency_ms) FROM validation.run WHERE run_id = $3" >/dev/null
}

# server_progress RUN: seconds and transactions of its window as the server counted them, for a driver that prints neither.
server_progress() {
  cluster_sql "SELECT concat_ws(' ', round(seconds::numeric, 3), transactions) FROM validation.counted WHERE run_id = $1"
}

# alone RUN: refuses it where something else used the machine: it would look as if the server had. The kernel's own work for
# server, driver and emulator is in that share, too: up to some 15 % at full load.
alone() {
  local strangers
  strangers=$(cluster_sql "SELECT round(100 * validation.strangers($1))")
  [ "$strangers" -le 25 ] || REFUSED=${REFUSED:-something else used $strangers % of the CPUs}
}

# attempt PART WORKLOAD CLIENTS READ_MS LIMIT CYCLES NUMBER ATTEMPT: measures once; REFUSED says why it does not count, or is empty.
attempt() {
  local part=$1 workload=$2 clients=$3 read_ms=$4 limit=$5 cycles=$6 number=$7 label rate
  label=$(run_label "$workload" "$clients" "$read_ms" "$limit")-$number
  rate=$(workload_rate "$workload")
  limit_parse "$limit"
  REFUSED=
  volume_fast
  limit_declare "$limit"
  cluster_sql "INSERT INTO validation.run (run_id, label, part, workload, clients, nominal_ms, limit_name, cap_iops, cap_mibps, instance,
    burst_ms, rate, cycles, attempt) VALUES ($number, '$label', '$part', '$workload', $clients, $read_ms, '$limit',
    $(limit_or_null "$LIMIT_IOPS"), $(limit_or_null "$LIMIT_MIBPS"), nullif('$LIMIT_INSTANCE', ''), $BURST_MS, ${rate:-NULL}, $cycles, $8)"
  driver_start "$workload" "$clients"
  warm_up "$workload" "$read_ms" "$limit"
  [ -n "$REFUSED" ] || window "$workload" "$cycles" "$number" "$label"
  driver_stop
  volume_fast
  [ -z "$REFUSED" ] || refuse "$number"
}

# refuse RUN: ends an invalid run, so that it does not affect the next one.
refuse() {
  cluster_sql 'SELECT ebs_run_end()' >/dev/null 2>&1 || true
  cluster_sql "UPDATE validation.run SET refused = '${REFUSED//\'/}' WHERE run_id = $1"
  cluster_sql CHECKPOINT
}

# run_label WORKLOAD CLIENTS READ_MS LIMIT: the setting in words that are a run's name.
run_label() { tr '@+' '--' <<<"${1,,}-c$2-$3ms-$4"; }
