# On every major: what planning calls, and what hooks see of it, differs
# Code of one role that would run while another asks for advice on its statements (tests/attack/planner.sh).
. "$ROOT/tests/attack/body.sh"
. "$ROOT/tests/attack/planner.sh"
attack_planner
