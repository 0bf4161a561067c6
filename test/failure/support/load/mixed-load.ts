import { isNightly } from "@bulkhead/testing";
import { setTimeout as delay } from "node:timers/promises";
import type { History } from "../history/history.ts";
import type { Caller } from "./caller.ts";
import { followInPieces } from "./follower.ts";
import { seededRandom } from "./random.ts";
import type { Wanted } from "./requests.ts";
import type { LoadToolName } from "./tools.ts";

export interface LoadInput {
  caller: Caller;
  history: History;
  effectUrl: string;
  /** Begins every marker. */
  name: string;
  seed: number;
}

export interface Load {
  /** Ends all clients after their present call. */
  stop(): Promise<void>;
}

/** Between two calls of one client, by day four times as long; milliseconds. */
const PAUSE_MS = isNightly ? { min: 300, spread: 600 } : { min: 1_200, spread: 2_400 };
const BATCH_SIZE = 4;
/** A tool that is called whenever something runs for a moment; milliseconds. */
const NAP_MS_MAX = 250;
/** Runs whose sandbox process must be killed cost seconds: few of them. */
const SPINS_MAX = 2;

/** Clients of every kind, each calling in a loop until the load is stopped. */
export function startLoad({ caller, history, effectUrl, name, seed }: LoadInput): Load {
  const random = seededRandom(seed);
  const stopping = new AbortController();
  const { signal } = stopping;
  let markers = 0;
  let spins = 0;
  const wanted = (tool: LoadToolName, key?: string): Wanted => {
    const marker = `${name}-${(markers += 1)}`;
    const args = { marker, url: effectUrl, ms: Math.round(random() * NAP_MS_MAX) };
    return { tool, marker, arguments: args, ...(key === undefined ? {} : { key: `${key}-${marker}` }) };
  };
  const any = (tools: readonly LoadToolName[]): LoadToolName =>
    tools[Math.floor(random() * tools.length)] ?? "echo";

  const follow = async (executionId: string | null): Promise<void> => {
    if (executionId === null) return;
    const pieces: History["followed"][number] = [];
    history.followed.push(pieces);
    await followInPieces(caller, executionId, pieces, 1 + Math.floor(random() * 6), signal);
  };
  const clients: (() => Promise<unknown>)[] = [
    () => caller.submit(wanted(any(["echo", "nap", "thrower", "touch_once"])), "sync"),
    () => caller.submit(wanted(any(["nap", "touch_once", "touch_again"])), "async"),
    async () => follow(await caller.submit(wanted("ticker"), "async")),
    async () => {
      const first = await caller.submitStream(wanted("ticker"), () =>
        signal.aborted || random() < 0.1 ? "leave" : "go on",
      );
      if (first === null) return;
      const pieces = [first];
      history.followed.push(pieces);
      await followInPieces(caller, first.executionId, pieces, 3, signal);
    },
    () =>
      caller.submitBatch(
        Array.from({ length: BATCH_SIZE }, () => wanted(any(["echo", "nap", "touch_again", "thrower"]))),
      ),
    async () => {
      const once = wanted("touch_once", "key");
      await Promise.all([caller.submit(once, "async"), caller.submit(once, "async")]);
      await delay(random() * 500);
      await caller.submit(once, random() < 0.5 ? "sync" : "async");
    },
    async () => {
      const id = await caller.submit(wanted("beacon"), "async");
      await delay(random() * 1_500);
      if (id === null) return;
      await caller.cancel(id);
      await caller.read(id);
    },
    async () => {
      if (spins++ < SPINS_MAX) await caller.submit(wanted("spinner"), "async");
      else await delay(PAUSE_MS.spread);
    },
  ];
  const loops = clients.map(async (call) => {
    while (!signal.aborted) {
      await call();
      await delay(PAUSE_MS.min + random() * PAUSE_MS.spread);
    }
  });
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}
