# The same as tests/live/attack_planner.sh, with pg_stat_statements and hypopg as Debian packages them.
. "$ROOT/tests/packaged/harness.sh"
. "$ROOT/tests/live/attack_planner.sh"
