# A control group for the server: without a limit on its memory, the page cache of any machine holds a database this small,
# and no read reaches the volume. The load driver and the emulator stay outside. Sourced; versions 1 and 2 of cgroups.

CGROUP_NAME=ebs_advisor_validate

# cgroups: its directories: one with version 2, one a controller with version 1, memory first.
cgroups() { local root; for root in $(cgroup_roots); do echo "$root/$CGROUP_NAME"; done; }

# cgroup_roots: where groups are made, memory first; fails where there is no memory controller.
cgroup_roots() {
  if [ "$(stat --file-system --format %T /sys/fs/cgroup)" = cgroup2fs ]; then
    grep -qw memory /sys/fs/cgroup/cgroup.controllers && echo /sys/fs/cgroup
  elif [ -e /sys/fs/cgroup/memory/memory.limit_in_bytes ]; then
    echo /sys/fs/cgroup/memory
    [ ! -e /sys/fs/cgroup/cpuacct/cpuacct.usage ] || echo /sys/fs/cgroup/cpuacct
  else
    return 1
  fi
}

# cgroup_create BYTES: makes the group, with that much memory for processes and page cache, and no swap.
cgroup_create() {
  local directory memory=
  for directory in $(cgroups); do
    local control=${directory%/*}/cgroup.subtree_control
    [ ! -e "$control" ] || grep -qw memory "$control" || echo +memory >"$control"
    mkdir -p "$directory"
    memory=${memory:-$directory}
  done
  if [ -e "$memory/memory.max" ]; then
    echo "$1" >"$memory/memory.max"
    [ ! -e "$memory/memory.swap.max" ] || echo 0 >"$memory/memory.swap.max"
  else
    echo "$1" >"$memory/memory.limit_in_bytes"
    echo 0 >"$memory/memory.swappiness"
  fi
}

# cgroup_run COMMAND…: runs it inside the group, with what it starts.
cgroup_run() {
  (
    for directory in $(cgroups); do echo "$BASHPID" >"$directory/cgroup.procs"; done
    "$@"
  )
}

# cgroup_cpu_files: the files that hold the CPU time of the group and of the whole machine; the kernel's own sum, because
# /proc/stat samples at ticks, which a load that sleeps much falls between. A dash where there is none.
cgroup_cpu_files() {
  local directory file
  directory=$(cgroups | tail -n 1)
  for file in cpuacct.usage cpu.stat; do
    [ -e "$directory/$file" ] || continue
    echo "$directory/$file"
    # Version 2 counts ticks at the root, too.
    if [ "$file" = cpuacct.usage ]; then echo "${directory%/*}/$file"; else echo -; fi
    return
  done
  printf '%s\n' - -
}

# cgroups_left PATTERN: removes groups that are called so and in which nothing lives: of a run that was killed, which no namespace
# takes along.
cgroups_left() {
  local root
  for root in $(cgroup_roots); do
    find "$root" -mindepth 1 -maxdepth 1 -name "$1" -exec rmdir {} + 2>/dev/null || true
  done
}

cgroup_remove() {
  local directory
  for directory in $(cgroups); do rmdir "$directory" 2>/dev/null || true; done
}
