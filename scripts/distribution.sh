# Packages of this machine's distribution and of Debian's suites. Sourced; only apt_lists and apt_install change the machine.

# apt_lists: fetches the lists of packages. A third-party source that does not answer must not stop us.
apt_lists() { apt-get update || true; }

# apt_install NAME…: installs them and upgrades nothing that is there (a newer libssl would go under running programs). Lists that are
# older than the archive's files name some that are gone, so new ones are fetched then.
apt_install() {
  local install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends --no-upgrade "$@")
  "${install[@]}" || { apt_lists; "${install[@]}"; }
}

# packages NAME…: this machine's distribution packages all of them, as far as apt knows.
packages() {
  local name
  command -v apt-cache >/dev/null || return 1
  for name; do apt-cache show --no-all-versions "$name" >/dev/null 2>&1 || return 1; done
}

# packages_postgres MAJOR: with what an extension is compiled against.
packages_postgres() { packages "postgresql-$1" "postgresql-server-dev-$1"; }

# libclang_packages: the newest libclang, which bindgen loads, and its headers.
libclang_packages() {
  local newest
  newest=$(apt-cache pkgnames libclang1- | grep -xE 'libclang1-[0-9]+' | sort -V | tail -n 1)
  [ -z "$newest" ] || echo "$newest libclang-common-${newest#libclang1-}-dev"
}

# apt_of_suite DIRECTORY deb|deb-src SUITE COMMAND…: apt-get of a Debian suite, with lists, cache and sources of its own there, and
# with nothing installed.
apt_of_suite() {
  local etc=$1/apt-$3 type=$2 suite=$3
  shift 3
  mkdir -p "$etc/state/lists/partial" "$etc/cache/archives/partial"
  echo "$type [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $suite main" >"$etc/sources.list"
  # Check-Valid-Until: the Release files of these suites can be older than their stated validity on a mirror.
  apt-get -o Dir::Etc::sourcelist="$etc/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::State="$etc/state" -o Dir::State::lists="$etc/state/lists" -o Dir::State::status=/dev/null \
    -o Dir::Cache="$etc/cache" -o Acquire::Check-Valid-Until=false -o Acquire::Languages=none -o APT::Sandbox::User="$(id -un)" "$@"
}
