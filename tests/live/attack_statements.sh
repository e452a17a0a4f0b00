# What a hostile role's names, texts, constants and traps lead to where advice on its statements is asked for
# (tests/attack/waves.sh).
. "$ROOT/tests/attack/body.sh"
. "$ROOT/tests/attack/waves.sh"
attack_statements
