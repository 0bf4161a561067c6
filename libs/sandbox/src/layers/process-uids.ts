/** User ids that belong to nobody, from `first` on. */
export interface UidRange {
  first: number;
  count: number;
}

/** The block that the systemd project's list of ids leaves unused, 2^28 ids to the end of the signed range. */
const FREE_FIRST = 1_879_048_192;
const BLOCKS = 2 ** 18;
const BLOCK = 2 ** 10;
/** An unused block of the same list that fits the 65,536 ids of a rootless container. */
const SMALL_FIRST = 60_578;
const SMALL_COUNT = 606;

/**
 * The ids for one worker's sandboxes, by /proc/self/uid_map: two workers on a machine get different ones, unless their
 * process ids are 2^18 apart or the container has few ids. Null where there is no room.
 */
export function uidRange(uidMap: string, workerPid: number): UidRange | null {
  const spans = uidMap
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const holds = (first: number, count: number): boolean =>
    spans.some(([start = 0, , length = 0]) => start <= first && first + count <= start + length);
  const own = { first: FREE_FIRST + (workerPid % BLOCKS) * BLOCK, count: BLOCK };
  if (holds(own.first, own.count)) return own;
  return holds(SMALL_FIRST, SMALL_COUNT) ? { first: SMALL_FIRST, count: SMALL_COUNT } : null;
}

/** How many of a worker's users are for servers; the others are for sandboxes. */
const SERVER_USERS = 64;

/** A worker's users in two parts, since no two processes may have the same. */
export const splitUids = ({ first, count }: UidRange): Record<"sandboxes" | "servers", UidRange> => ({
  sandboxes: { first, count: count - SERVER_USERS },
  servers: { first: first + count - SERVER_USERS, count: SERVER_USERS },
});

/**
 * Hands each process a user of its own, so that no sandbox may signal, trace or read another. In turn, so that one who
 * left something behind meets nobody for as long as possible.
 */
export class ProcessUids {
  readonly #range: UidRange;
  readonly #taken = new Set<number>();
  #next = 0;

  constructor(range: UidRange) {
    this.#range = range;
  }

  /** Null where all are taken. */
  take(): number | null {
    for (let tries = 0; tries < this.#range.count; tries++) {
      const uid = this.#range.first + (this.#next++ % this.#range.count);
      if (this.#taken.has(uid)) continue;
      this.#taken.add(uid);
      return uid;
    }
    return null;
  }

  free(uid: number): void {
    this.#taken.delete(uid);
  }
}
