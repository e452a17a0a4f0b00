# What this machine's distribution packages, as far as apt knows. Sourced; nothing here has an effect on the machine.

# packages NAME…: it packages all of them.
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
