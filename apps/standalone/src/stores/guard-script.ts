/**
 * The guard: a POSIX shell that starts one store and outlives nobody. It waits for the end of its standard input, a
 * pipe that only the owner holds. The end comes when the owner closes it and also when the owner was killed with -9,
 * which no signal handler could cover.
 *
 * Arguments: the store's stop signal, how many tenths of a second it may take, a folder to remove once it was stopped
 * (or nothing), then the store's command. Prints the store's process id and exits with the store's code.
 *
 * Why each line is there:
 * - fd 3 is the owner's pipe; the store must not inherit it, and a background job's own input is /dev/null.
 * - The store writes to stderr (the log), so that stdout ends once the process id is printed.
 * - The watcher starts before the trap is set: a TERM that reached it between its fork and the reset of an inherited trap
 *   would be lost, and the guard would wait for it for ever.
 * - The watcher ignores TERM once it stops the store: the main shell ends it only while it still reads.
 * - `wait` also returns on a trapped signal, hence the loop.
 */
export const GUARD_SCRIPT = `
signal=$1; polls=$2; remove=$3; shift 3
exec 3<&0
"$@" </dev/null >&2 3<&- &
store=$!
echo "$store"
exec >&-
(
  while read -r ignored; do :; done
  trap '' TERM
  kill -s "$signal" "$store"
  while [ "$polls" -gt 0 ] && kill -0 "$store"; do sleep 0.1; polls=$((polls - 1)); done
  [ "$polls" -gt 0 ] || kill -s KILL "$store"
  [ -z "$remove" ] || rm -rf -- "$remove"
) <&3 2>/dev/null &
watcher=$!
trap 'kill -s "$signal" "$store" 2>/dev/null' TERM INT HUP
exec 3<&- </dev/null
while :; do
  wait "$store"; code=$?
  kill -0 "$store" 2>/dev/null || break
done
kill "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
exit "$code"
`;
