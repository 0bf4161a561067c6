import { type ExecutionEvent, isEnd } from "@bulkhead/client";
import { useEffect, useState } from "react";
import { api } from "./api.ts";

/** Events of one execution that are kept; the oldest go. */
const EVENTS_MAX = 5_000;

export interface Followed {
  events: readonly ExecutionEvent[];
  /** Whether more may come. */
  isFollowing: boolean;
  error: Error | null;
}

const NOTHING: Followed = { events: [], isFollowing: true, error: null };

/** All that an execution tells, from its beginning, as it comes; `again` follows anew after an error. */
export function useExecutionEvents(id: string): Followed & { again: () => void } {
  const [followed, setFollowed] = useState(NOTHING);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    setFollowed(NOTHING);
    void follow(id, leaving.signal, (change) => {
      if (!leaving.signal.aborted) setFollowed(change);
    });
    return () => leaving.abort();
  }, [id, turn]);
  return { ...followed, again: () => setTurn(turn + 1) };
}

async function follow(
  id: string,
  signal: AbortSignal,
  set: (change: (before: Followed) => Followed) => void,
): Promise<void> {
  // What comes at once is one change of the page.
  let waiting: ExecutionEvent[] = [];
  const take = (): void => {
    const came = waiting;
    waiting = [];
    if (came.length > 0)
      set((before) => ({ ...before, events: [...before.events, ...came].slice(-EVENTS_MAX) }));
  };
  const timer = setInterval(take, 100);
  try {
    for await (const event of api.executions.events(id, { signal })) {
      waiting.push(event);
      if (isEnd(event)) break;
    }
    take();
    set((before) => ({ ...before, isFollowing: false }));
  } catch (error) {
    take();
    set((before) => ({ ...before, isFollowing: false, error: error as Error }));
  } finally {
    clearInterval(timer);
  }
}
