# What a hostile role's deep, wide and many statements lead to where advice on them is asked for (tests/attack/waves.sh).
. "$ROOT/tests/attack/body.sh"
. "$ROOT/tests/attack/waves.sh"
attack_plans
