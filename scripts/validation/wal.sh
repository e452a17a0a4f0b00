# WAL on a volume of its own: measured on one volume and on two, and each predicted from the other. Sourced.

WAL_VOLUME_NAME=ebs-validate-wal
WAL_VOLUME_STORE=/dev/shm/ebs_advisor_validate_wal
WAL_VOLUME_GIB=6   # max_wal_size is 4GB
WAL_READ_MS=0.7
WAL_SETTINGS=${WAL_SETTINGS:-"4/1000 4/unlimited 16/3000"}   # clients and limit of each volume

# wal_runs PART: a run of each setting.
wal_runs() {
  local setting
  for setting in $WAL_SETTINGS; do measured "$1" TPCB "${setting%/*}" "$WAL_READ_MS" "${setting#*/}" 2; done
}

# wal_move: WAL to a volume of its own.
wal_move() {
  local directory=$VOLUME.wal
  cluster_stop
  # What an earlier session left.
  "$EMULATOR" stop "$WAL_VOLUME_NAME" --force >/dev/null 2>&1 || true
  VOLUMES+=("$WAL_VOLUME_NAME")
  volume_start "$WAL_VOLUME_NAME" "$WAL_VOLUME_GIB" "$WAL_VOLUME_STORE" "$directory"
  cluster_run cp -a data/pg_wal "$directory/pg_wal"
  cluster_run rm -r data/pg_wal
  cluster_run ln -s "$directory/pg_wal" data/pg_wal
  cgroup_run cluster_start
  cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"
}

# measure_wal: for scripts/validate-wal.
measure_wal() {
  step "filling databases on an emulated volume" 60 session_begin workload_fill_pgbench
  session_known "$(bench_machine "$PG_VERSION")"
  service_times "$WAL_READ_MS"
  wal_runs together
  wal_move
  wal_runs apart
  wal_report
}

# wal_report: each setting predicted in both directions, beside what was measured.
wal_report() {
  table "WITH pair AS (
      SELECT a.clients, a.limit_set, coalesce(a.cap_iops, 256000) AS iops, t.read_ms, t.write_ms,
             a.label AS together, a.tps AS together_tps, b.label AS apart, b.tps AS apart_tps
      FROM validation.counts a JOIN validation.counts b USING (clients, limit_set)
      CROSS JOIN validation.service_time t
      WHERE a.part = 'together' AND b.part = 'apart'),
    predicted AS (
      SELECT p.*, 'to two volumes' AS direction, p.together_tps AS from_tps, p.apart_tps AS measured, w.tps, w.tps_low, w.tps_high
      FROM pair p, ebs_whatif(p.together, 'io2', iops => p.iops, size_gib => 1000, read_ms => p.read_ms, write_ms => p.write_ms,
          wal_volume => 'io2', wal_iops => p.iops, wal_size_gib => 1000) w WHERE w.role = 'data'
      UNION ALL
      SELECT p.*, 'to one volume', p.apart_tps, p.together_tps, w.tps, w.tps_low, w.tps_high
      FROM pair p, ebs_whatif(p.apart, 'io2', iops => p.iops, size_gib => 1000, read_ms => p.read_ms, write_ms => p.write_ms,
          wal_volume => 'same') w)
    SELECT clients, limit_set AS \"limit of each\", direction, round(from_tps::numeric, 1) AS \"tps of the run\",
      round(tps::numeric, 1) AS \"predicted tps\", format('%s–%s', round(tps_low::numeric, 1), round(tps_high::numeric, 1)) AS \"interval\",
      round(measured::numeric, 1) AS \"measured tps\", round((100 * (tps / measured - 1))::numeric, 1) AS \"error %\"
    FROM predicted ORDER BY clients, limit_set, direction DESC"
}
