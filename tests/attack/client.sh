# Functions of the attacks on ebsctl. Sourced by them, with EBSCTL, the program; CLIENT, the directory that it is called in; and FORGED,
# that of the forged server.

# forged_server [REAL_SOCKET]: starts it, and waits until it listens.
forged_server() {
  perl "$ROOT/tests/attack/hostile_server.pl" "$FORGED" "$@" 2>"$SCRATCH/forged.log" &
  await test -e "$FORGED/ssl-error"
}
# begun ATTACK: the attack has begun, so that what was withstood was one.
begun() { grep -qx -- "$1" "$FORGED/attacked" || { echo "the attack $1 did not begin"; return 1; }; }

# bounded ARGUMENT…: ebsctl within bounds. Its output is in $SCRATCH/out and err, how it ended in $SCRATCH/ended.
bounded() { bounded_command "$EBSCTL" "$@"; }
bounded_command() {
  : >"$SCRATCH/ended"
  (cd "$CLIENT" && exec perl "$ROOT/tests/attack/bounded.pl" "$SCRATCH/ended" "$@") >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
}
# told: prints how it ended, and what it printed, as far as that can be read.
told() {
  paste -sd ' ' "$SCRATCH/ended"
  head -c 1000 "$SCRATCH/out" "$SCRATCH/err" | cat -v
  echo
}
# clean: nothing was run on the client, and nothing that it printed is a command to a terminal or changes the order of letters. What is
# printed is UTF-8.
clean() {
  local wrong=0
  if [ -e "$CLIENT/ran-on-client" ]; then
    echo "ran-on-client is there"
    rm -f "$CLIENT/ran-on-client"
    wrong=1
  fi
  printable "$SCRATCH/out" "$SCRATCH/err" || wrong=1
  return "$wrong"
}
# printable FILE…: UTF-8 without control characters, but for the ends of lines and tabulators, and without marks of direction.
printable() {
  perl -MEncode -e '
    my $wrong = 0;
    for my $name (@ARGV) {
        open my $file, "<:raw", $name or next;
        my $text = do { local $/; <$file> } // "";
        my $letters = eval { decode("UTF-8", $text, Encode::FB_CROAK) };
        if (!defined $letters) { print "$name: not UTF-8\n"; $wrong = 1; next }
        my %found = map { sprintf("U+%04X", ord) => 1 } $letters =~ /[^\P{Cc}\n\t]|[\x{200e}\x{200f}\x{202a}-\x{202e}\x{2066}-\x{2069}\x{2028}\x{2029}]/g;
        if (%found) { print "$name: has ", join(" ", sort keys %found), "\n"; $wrong = 1 }
    }
    exit $wrong' "$@"
}
