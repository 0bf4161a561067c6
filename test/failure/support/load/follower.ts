import { setTimeout as delay } from "node:timers/promises";
import { isEndEvent, type Reading } from "../history/history.ts";
import type { Caller } from "./caller.ts";

/** Before a stream that broke is asked for again; milliseconds. */
const AGAIN_MS = 200;
/** Pieces that one follower reads at most. */
const PIECES_MAX = 100;

/**
 * Follows an execution to its end from what was read of it already, leaving the stream after every few events and
 * whenever it breaks, and resuming from the last id. Stops at `signal` between two pieces.
 */
export async function followInPieces(
  caller: Pick<Caller, "follow">,
  executionId: string,
  pieces: Reading[],
  eventsEach: number,
  signal: AbortSignal,
): Promise<void> {
  for (let count = 0; count < PIECES_MAX && !signal.aborted && !hasEnd(pieces); count += 1) {
    const after = pieces.flatMap(({ events }) => events.flatMap(({ id }) => id ?? [])).at(-1) ?? null;
    let taken = 0;
    const piece = await caller.follow(executionId, after, () => {
      taken += 1;
      return taken < eventsEach && !signal.aborted ? "go on" : "leave";
    });
    if (piece) pieces.push(piece);
    if (piece?.ended === "closed" && piece.events.length === 0) return;
    if (piece === null || piece.ended === "broken") await delay(AGAIN_MS);
  }
}

const hasEnd = (pieces: Reading[]): boolean => pieces.some(({ events }) => events.some(isEndEvent));
