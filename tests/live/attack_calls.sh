# Every function of ours, called with what a hostile role has prepared (tests/attack/waves.sh), by a superuser, by a member of
# pg_monitor and by a role with no rights.
. "$ROOT/tests/attack/body.sh"
. "$ROOT/tests/attack/waves.sh"
attack_calls
