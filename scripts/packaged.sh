# A server of packaged PostgreSQL in the chroot that packaged-chroot makes. Sourced, after env.sh. Outside: packaged_chroot,
# packaged_install and packaged_inside, with packaged_end from an EXIT trap. Inside: packaged_mounts, then the rest. The caller
# sets PLACE, the server's directory in the chroot.

PACKAGED_MAJOR=17

# packaged_alone: locks the chroot, which holds one server and one build of the extension at a time, apart from packages of a user.
packaged_alone() {
  mkdir -p "$CACHE"
  export DEB_DIRECTORY=$TARGET_DIR/packaged
  exec 7>"$CACHE/packaged.lock"
  flock --nonblock 7 || { echo "waiting for another that uses the packaged PostgreSQL" >&2; flock 7; }
}

# packaged_chroot: sets CHROOT. Fails if there cannot be one, with the reason in WHY.
packaged_chroot() {
  local rc=0
  CHROOT=$("$ROOT/scripts/packaged-chroot") || rc=$?
  [ "$rc" != 0 ] || return 0
  [ "$rc" = 3 ] || exit "$rc"
  WHY=$CHROOT CHROOT=
  return 1
}

# packaged_dpkg ARGUMENT…: runs dpkg in the chroot.
packaged_dpkg() {
  chroot "$CHROOT" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive dpkg "$@"
}

# packaged_install: empties PLACE, and leaves in the chroot the extension's package and nothing else of this project.
packaged_install() {
  local extension=postgresql-$PACKAGED_MAJOR-ebs-advisor package
  # Built against our own 17: the library loads in Debian's, whose minor release and C library are no older.
  package=$("$ROOT/scripts/deb" "$PACKAGED_MAJOR" extension)
  rm -rf "${CHROOT:?}$PLACE"
  install -d -m 700 "$CHROOT$PLACE"
  chroot "$CHROOT" chown postgres:postgres "$PLACE"
  packaged_dpkg --purge "$extension" ebs-advisor-tools >/dev/null 2>&1
  # What no package owns: in a chroot of before there were packages.
  rm -f "$CHROOT/usr/lib/postgresql/$PACKAGED_MAJOR/lib/ebs_advisor.so" "$CHROOT/usr/share/postgresql/$PACKAGED_MAJOR/extension"/ebs_advisor*
  install -m 644 "$package" "$CHROOT$PLACE/$extension.deb"
  step "installing $extension in the chroot" 3 packaged_dpkg --install "$PLACE/$extension.deb"
}

# packaged_inside COMMAND…: runs it in a namespace of its own, in which everything ends with it.
packaged_inside() {
  in_background "$ROOT/scripts/in-namespace" "$@"
  return "$STATUS"
}

packaged_end() {
  [ -z "$CHILD" ] || kill -KILL "$CHILD" 2>/dev/null || true
  wait
  [ -z "${CHROOT:-}" ] || rm -rf "$CHROOT$PLACE"
}

# The chroot as a mount point of its own, so that the sampler can tell which device its root is on.
packaged_mounts() {
  mount --bind "$CHROOT" "$CHROOT"
  mount -t proc proc "$CHROOT/proc"
  mount --rbind -o ro /sys "$CHROOT/sys"
  mount -t tmpfs tmpfs "$CHROOT/dev/shm"
}

# packaged_live: has live tests run on packaged PostgreSQL from now on, in this namespace: files below CACHE are in the chroot too, at the
# same path, and as_server runs commands in it.
packaged_live() {
  packaged_mounts
  mkdir -p "$CHROOT$CACHE"
  mount --bind "$CACHE" "$CHROOT$CACHE"
  SERVER_ACCOUNT=$(awk -F : '$1 == "postgres" { print $3 }' "$CHROOT/etc/passwd")
  PG_BIN=/usr/lib/postgresql/$PACKAGED_MAJOR/bin
  as_server() {
    local directory=/
    [[ $PWD != "$CACHE"/* ]] || directory=$PWD
    chroot --userspec=postgres:postgres "$CHROOT" /usr/bin/env -i --chdir="$directory" LC_ALL=C.UTF-8 HOME="$directory" \
      PATH="$PG_BIN:/usr/bin:/bin" "$@" 7>&-
  }
}

# packaged_run COMMAND…: runs it in the chroot as the server's account.
packaged_run() {
  chroot --userspec=postgres:postgres "$CHROOT" /usr/bin/env -i LC_ALL=C.UTF-8 HOME="$PLACE" PGHOST="$PLACE" PGUSER=postgres \
    PGDATABASE=postgres PATH="/usr/lib/postgresql/$PACKAGED_MAJOR/bin:/usr/bin:/bin" "$@" 7>&- 9>&-
}

# packaged_create: an empty cluster; more settings come on standard input.
packaged_create() {
  packaged_run initdb --pgdata "$PLACE/data" --username postgres --auth trust --encoding UTF8 --locale C >/dev/null
  { printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$PLACE'"; cat; } >>"$CHROOT$PLACE/data/postgresql.conf"
}
packaged_start() { packaged_run pg_ctl --pgdata "$PLACE/data" --log "$PLACE/server.log" --wait start >/dev/null; }
packaged_stop() { packaged_run pg_ctl --pgdata "$PLACE/data" --mode "${1:-fast}" --wait stop >/dev/null; }

# packaged_sql STATEMENT: prints the bare result; an error ends the script.
packaged_sql() { packaged_run psql --no-psqlrc -qAtX -v ON_ERROR_STOP=1 -c "$1"; }

# packaged_holds QUERY: succeeds where its one value is true.
packaged_holds() { [ "$(packaged_sql "$1")" = t ]; }
