# The Debian package of this major holds what is tested here: the same library and scripts, where Debian's PostgreSQL of that major
# looks for them. Only one major is in Debian, so only that one is installed as a package (tests/packaged/deb.sh).
# On every major: each has a package of its own.
major=$(major_of "$PG_BIN/pg_config")
if [[ $PG_BIN != "$CACHE/pg$major"/* ]]; then
  skip "packages are built with the PostgreSQL in $CACHE, and $PG_BIN is tested"
  return
elif ! command -v dpkg-deb >/dev/null || ! command -v dpkg-shlibdeps >/dev/null || ! command -v strip >/dev/null; then
  skip "Debian packages are built with dpkg-deb and dpkg-shlibdeps (dpkg-dev)"
  return
fi
share=usr/share/postgresql/$major/extension
# How small it is, is not tested, and packing takes longer than all else here. What a user has packed stays what it is.
export DPKG_DEB_COMPRESSOR_TYPE=none DEB_DIRECTORY=$SCRATCH/deb

package=$("$ROOT/scripts/deb" "$major" extension 2>"$SCRATCH/building") || cat "$SCRATCH/building"
dpkg-deb --extract "$package" "$SCRATCH/root"
field() { dpkg-deb --field "$package" "$1"; }
check "it is called as PGDG's are" test "$(field Package)" = "postgresql-$major-ebs-advisor"
check "it needs the server of its major, and the C library" grep -qE "^postgresql-$major, libc6 \(>= 2\.[0-9]+\)" <(field Depends)
check "root owns all of it, and nobody else writes" test "$(dpkg-deb --contents "$package" | awk '$2 != "root/root" || $1 ~ /^.....w|^........w/' | wc -l)" = 0
strip -o "$SCRATCH/tested.so" "$("$PG_BIN/pg_config" --pkglibdir)/ebs_advisor.so"
check "its library is the one that is tested, without symbols" cmp "$SCRATCH/tested.so" "$SCRATCH/root/usr/lib/postgresql/$major/lib/ebs_advisor.so"
mkdir "$SCRATCH/tested"
cp "$("$PG_BIN/pg_config" --sharedir)"/extension/ebs_advisor* "$SCRATCH/tested/"
check "so are control file and scripts" diff -r "$SCRATCH/tested" "$SCRATCH/root/$share"
doc=$SCRATCH/root/usr/share/doc/postgresql-$major-ebs-advisor
for directory in docs grafana; do check "it brings all of $directory" diff -r "$ROOT/$directory" "$doc/$directory"; done
check "the script for the textfile can be run" test -x "$doc/docs/exporters/ebs-demand-textfile"
