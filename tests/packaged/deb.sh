# The packages, as users install them: the server finds the extension, ebsctl drives a run to advice, pages and unit are where they
# belong. Purged they leave nothing. In a copy of the chroot, because the extension goes.
CHROOT=$COPY
. "$ROOT/tests/packaged/harness.sh"
EXTENSION=postgresql-$PACKAGED_MAJOR-ebs-advisor
VERSION=$(sed -n "s/^default_version = '\(.*\)'/\1/p" "$ROOT/extension/ebs_advisor.control")
inside() { chroot "$CHROOT" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 "$@"; }
# prints "PATTERN" COMMAND…: the command, run in the chroot as the server's account, prints a line that matches.
prints() {
  local pattern=$1
  shift
  as_server "$@" >"$SCRATCH/printed" 2>&1 || { cat "$SCRATCH/printed"; return 1; }
  grep -qE "$pattern" "$SCRATCH/printed" || { cat "$SCRATCH/printed"; return 1; }
}
# nothing COMMAND…: it prints nothing.
nothing() { "$@" >"$SCRATCH/found" 2>&1 || true; cat "$SCRATCH/found"; [ ! -s "$SCRATCH/found" ]; }

check "ebs-advisor-tools can be installed" packaged_dpkg --install "$PLACE/ebs-advisor-tools.deb"
check "both are there as they were packed" nothing packaged_dpkg --verify "$EXTENSION" ebs-advisor-tools
check "in this version" test "$(packaged_dpkg --list "$EXTENSION" ebs-advisor-tools | awk -v v="$VERSION-1" '$1 == "ii" && $3 == v' | wc -l)" = 2

fresh <<CONF
track_io_timing = on
$(own_disk_settings)
CONF
cluster_sql 'CREATE EXTENSION ebs_advisor'
check "the server samples" sampler_works
check "library and objects are of one version" is "SELECT ok, detail FROM ebs_status() WHERE \"check\" = 'version'" "t|$VERSION"
client pgbench --initialize --quiet --scale 1 >/dev/null 2>&1
while :; do disk_reads 100; sleep 0.5; done &
# Advice takes 30 s: pgbench's one transaction ends when they are sampled.
until_true "(SELECT sum(seconds) > 32 FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples('packaged')) s)" |
  cluster_run tee load.sql >/dev/null
check "ebsctl drives pgbench" prints 'run "packaged" finished' \
  env PGHOST="$CLUSTER" PGUSER=postgres PGDATABASE=postgres \
  ebsctl run --label packaged -- pgbench --no-vacuum --client 1 --transactions 1 --file "$CLUSTER/load.sql"
check "to advice" matches "$(report "'packaged'")" 'Recommended gp3, .*Before you buy'

missing_pages() {
  (cd "$ROOT" && our_files | grep -E '^(extension|crates|cli|nvme|emulator|tools)/' | xargs grep -ohE 'docs/[a-z-]+\.md' -- | sort -u) |
    while read -r page; do [ -s "$CHROOT/usr/share/doc/$EXTENSION/$page" ] || echo "$page"; done
}
check "each page that a hint names is there" nothing missing_pages
check "the dashboard, too" test -s "$CHROOT/usr/share/doc/$EXTENSION/grafana/ebs_advisor.json"

for program in ebsctl ebs-emulator ebs-nvme-stats; do
  check "$program runs" prints "^$program $VERSION" "$(inside which $program)" --version
done
check "ebsctl has manual pages" test "$(zcat "$CHROOT"/usr/share/man/man1/ebsctl*.1.gz | grep -c '^\.TH ebsctl')" -ge 3
check "completions of bash" prints '^complete .* ebsctl$' bash -c '. /usr/share/bash-completion/completions/ebsctl && complete -p ebsctl'
check "completions of zsh" grep -q '^#compdef ebsctl' "$CHROOT/usr/share/zsh/site-functions/_ebsctl"
check "completions of fish" grep -q '^complete -c ebsctl' "$CHROOT/usr/share/fish/vendor_completions.d/ebsctl.fish"
unit=/usr/lib/systemd/system/ebs-nvme-stats.service
check "the unit starts a program that is there" test -x "$CHROOT$(sed -n 's/^ExecStart=\([^ ]*\).*/\1/p' "$CHROOT$unit")"
if command -v systemd-analyze >/dev/null; then
  # On this machine the program is not, so another stands for it.
  sed 's|^ExecStart=.*|ExecStart=/bin/true|' "$CHROOT$unit" >"$SCRATCH/ebs-nvme-stats.service"
  # Of this machine's own units, which it looks at as well, it may find some.
  faults() { { systemd-analyze verify --man=no "$SCRATCH/ebs-nvme-stats.service" 2>&1 || true; } | grep -F ebs-nvme-stats; }
  check "systemd finds no fault with it" nothing faults
else
  skip "there is no systemd-analyze"
fi

cluster_sql 'DROP EXTENSION ebs_advisor'
cluster_stop
packaged_dpkg --listfiles "$EXTENSION" ebs-advisor-tools | sed '/^$/d' | sort -u >"$SCRATCH/files"
check "both can be purged" packaged_dpkg --purge "$EXTENSION" ebs-advisor-tools
left() { while read -r file; do [ -d "$CHROOT$file" ] || [ ! -e "$CHROOT$file" ] || echo "$file"; done <"$SCRATCH/files"; }
check "none of their files is left" nothing left
check "nor anything that is called like them" nothing find "$CHROOT" -xdev \( -path "$CHROOT$PLACE" -o -path "$CHROOT$CACHE" -o -path "$CHROOT/proc" -o -path "$CHROOT/sys" \) -prune \
  -o \( -name '*ebs[-_]advisor*' -o -name '*ebsctl*' -o -name '*ebs-nvme*' -o -name '*ebs-emulator*' \) -print
