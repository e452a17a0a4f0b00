# A version to update from, and a PostgreSQL that has its scripts. Sourced by upgrade.sh and pg_upgrade.sh.

now=$(sed -n "s/^default_version = '\(.*\)'/\1/p" "$ROOT/extension/ebs_advisor.control")

# predecessor: sets first, the oldest released version or, as long as there is none, 0.0.1, which this test makes up; and puts into
# $SCRATCH/scripts all scripts from it to this version.
predecessor() {
  local clone=$ROOT
  DECLARE_SQL=$("$ROOT/scripts/program" declare-sql)
  export DECLARE_SQL
  if [ ! -d "$ROOT/extension/versions" ]; then
    clone=$SCRATCH/clone
    mkdir "$clone"
    (cd "$ROOT" && our_files | tar -cf - --ignore-failed-read -T -) | tar -xf - -C "$clone"
    (cd "$clone" && make_up)
  fi
  "$clone/scripts/extension-scripts" "$SCRATCH/scripts"
  first=$(cd "$SCRATCH/scripts" && ls | sed -nE 's/^ebs_advisor--([0-9.]+)\.sql$/\1/p' | sort -V | head -n 1)
}

# make_up: in a copy of this clone, releases 0.0.1, which lacks functions and an index and has another comment, as any version is
# released, and writes the steps from it.
make_up() {
  sed -i "s/^default_version = .*/default_version = '0.0.1'/" extension/ebs_advisor.control
  rm extension/sql/70_report.sql
  sed -i -e '/^CREATE INDEX sample_block_run_id /d' -e "s/^\(COMMENT ON TABLE ebs.run IS\) .*/\1 'another';/" extension/sql/10_tables.sql
  scripts/next-version "$now" >/dev/null
  cp "$ROOT"/extension/sql/*.sql extension/sql/
  mkdir extension/versions/from-0.0.1
  grep '^CREATE INDEX sample_block_run_id ' extension/sql/10_tables.sql >extension/versions/from-0.0.1/10_tables.sql
  ln -s ../../sql/70_report.sql extension/versions/from-0.0.1/
}

# with_scripts BINDIR: prints where the programs of the same PostgreSQL are with $SCRATCH/scripts among its extensions: links, but for
# the server, which looks for extensions from where it is itself, and for pg_ctl, which looks for the server so.
with_scripts() {
  local extensions
  extensions=$("$1/pg_config" --sharedir)/extension
  unlinked "$1"
  unlinked "$extensions"
  cp --remove-destination "$1"/{postgres,pg_ctl} "$SCRATCH/postgres$1/"
  cp --remove-destination "$SCRATCH/scripts"/* "$SCRATCH/postgres$extensions/"
  echo "$SCRATCH/postgres$1"
}

# unlinked DIRECTORY: below $SCRATCH/postgres it is a directory with links to all that it holds.
unlinked() {
  local copy=$SCRATCH/postgres$1
  [ "$1" = / ] || unlinked "$(dirname "$1")"
  [ ! -d "$copy" ] || [ -L "${copy%/}" ] || return 0
  rm -f "${copy%/}"
  mkdir "$copy"
  ln -s "${1%/}"/* "$copy/"
}
