#!/bin/sh
# Starts the part of Bulkhead that its argument names, as this process: signals reach it, and its exit code is the container's.
set -eu
cd /opt/bulkhead

# Each sandbox gets a memory cgroup of its own beside the worker's. Version 2 hands controllers down only from a group
# without processes, so the worker moves into one below. Where cgroups may not be written the worker says what is missing.
make_room_for_cgroups() {
  root=/sys/fs/cgroup
  [ -w "$root/cgroup.procs" ] && [ -f "$root/cgroup.controllers" ] || return 0
  mkdir -p "$root/worker" && cat "$root/cgroup.procs" | while read -r pid; do
    echo "$pid" >"$root/worker/cgroup.procs" || true
  done
}

case "${1:-api}" in
  api) exec node apps/api/src/main.ts ;;
  worker)
    make_room_for_cgroups 2>/dev/null || true
    exec node apps/worker/src/main.ts
    ;;
  migrate) exec node libs/postgres/src/migrate-main.ts ;;
  rotate-keys) exec node apps/rotate-keys/src/main.ts ;;
  standalone) exec node apps/standalone/src/main.ts ;;
  *)
    echo "bulkhead: no such command: $1; there are api, worker, migrate, rotate-keys, standalone" >&2
    exit 64
    ;;
esac
